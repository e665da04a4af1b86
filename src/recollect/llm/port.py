"""The interface of a language model."""

import json
from dataclasses import dataclass
from typing import Any, Protocol

from recollect.errors import Unavailable

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request: instructions, input, and the schema of the answer."""

    system: str
    user: str
    schema: Json | None = None
    max_tokens: int = 2000

    @property
    def system_prompt(self) -> str:
        """The instructions, including the schema of the answer."""
        if self.schema is None:
            return self.system
        return f"{self.system}\n\nAnswer with one JSON object that fits this JSON schema:\n{json.dumps(self.schema)}"


class LanguageModel(Protocol):
    """Answers a request with text; the caller validates it against the schema (`llm.answers`)."""

    @property
    def name(self) -> str:
        """The name recorded with results."""

    def answer(self, ask: ModelRequest) -> str:
        """The text of the answer; raises ModelUnavailable if there is none."""


class ModelUnavailable(Unavailable):
    """The model did not answer; the work is postponed or done without it."""

    code = "model_unavailable"

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(f"language model {model!r} did not answer: {reason}")
        self.model = model
        self.reason = reason


class BadAnswer(ModelUnavailable):
    """The model answered, but not with what was requested."""

    code = "model_answer_invalid"
