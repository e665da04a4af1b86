"""What the sentence reader is given and returns: a clause with what stands before it, and the act that it performs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

TextKind = Literal["chat", "assistant", "mail", "note", "meeting"]
SentenceAct = Literal[
    "none", "commitment", "request", "decision", "blocker", "completion", "cancellation", "concern", "goal",
    "preference", "question", "attribute", "relation", "event",
]  # fmt: skip
ACTS: tuple[SentenceAct, ...] = get_args(SentenceAct)


@dataclass(frozen=True, slots=True)
class SentenceInput:
    """A sentence or clause and what helps to read it.

    `kind` is `assistant` for the words of an assistant; what a person writes to one is `chat`. `before` is the sentence
    before it in the same text or conversation, and `before_by_other` says that somebody else said that one.
    """

    text: str
    kind: TextKind = "note"
    before: str = ""
    before_by_other: bool = False

    @property
    def context(self) -> str:
        """The text that stands ahead of the sentence when the model reads it."""
        if not self.before:
            return self.kind
        return f"{self.kind} {'them' if self.before_by_other else 'me'}: {self.before}"


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """The likeliest act with its calibrated probability.

    `is_sure` holds from the threshold of the act on (`docs/models.md`); below it the act is only a guess.
    """

    act: SentenceAct
    probability: float
    is_sure: bool
    model: str
    shares: tuple[float, ...] = ()
    """What the model gives to each of `ACTS`, uncalibrated."""

    def share_of(self, act: SentenceAct) -> float:
        return self.shares[ACTS.index(act)] if self.shares else 1.0


class SentenceReader(Protocol):
    """Tells what sentences do, one by one."""

    @property
    def model(self) -> str:
        """Name and version of the model."""

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        """One reading per sentence, in the order given."""
