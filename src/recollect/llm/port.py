"""What we ask of a language model."""

import json
from dataclasses import dataclass
from typing import Any, Protocol

from recollect.errors import Unavailable

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question: what the model is to do, what about, and the shape its answer must have."""

    system: str
    user: str
    schema: Json | None = None
    max_tokens: int = 2000

    @property
    def told(self) -> str:
        """What the model is to do, with the shape of the answer in words."""
        if self.schema is None:
            return self.system
        return f"{self.system}\n\nAnswer with one JSON object that fits this JSON schema:\n{json.dumps(self.schema)}"


class LanguageModel(Protocol):
    """Answers a question with text; that the text fits the schema is checked by whoever asks (`llm.answers`)."""

    @property
    def name(self) -> str:
        """The name that results carry."""

    def answer(self, ask: ModelRequest) -> str:
        """The answer's text; raises ModelUnavailable where there is none."""


class ModelUnavailable(Unavailable):
    """The model did not answer now; the work waits or is done without it."""

    code = "model_unavailable"

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(f"language model {model!r} did not answer: {reason}")
        self.model = model
        self.reason = reason


class BadAnswer(ModelUnavailable):
    """The model answered, but not with what was asked for."""

    code = "model_answer_invalid"
