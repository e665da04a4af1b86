"""The interface of a language model, and answers that arrive later."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

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


Thing = TypeVar("Thing")
Done = TypeVar("Done")


class DeferredAnswers(BaseException):
    """The requests whose answers are still missing.

    Not an `Exception`, so that no handler mistakes it for a failed model and continues without one.
    """

    def __init__(self, asks: Sequence[ModelRequest]) -> None:
        super().__init__(f"{len(asks)} questions wait for their answers")
        self.asks = tuple(asks)


def ask_together(work: Callable[[Thing], list[Done]], things: Iterable[Thing]) -> list[Done]:
    """The results for all items; missing answers are requested together."""
    done: list[Done] = []
    asks: list[ModelRequest] = []
    for thing in things:
        try:
            done += work(thing)
        except DeferredAnswers as missing:
            asks += missing.asks
    if asks:
        raise DeferredAnswers(asks)
    return done
