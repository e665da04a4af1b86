"""What the sentence reader is given and what it returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

TextKind = Literal["chat", "assistant", "mail", "note", "meeting"]
Owner = Literal["none", "author", "named", "other"]

ACTS = (
    "none", "commitment", "request", "decision", "blocker", "completion", "cancellation", "concern", "goal",
    "preference", "question", "attribute", "relation", "event",
)  # fmt: skip
MODALITIES = (
    "asserted", "asked", "doubted", "conditional", "hoped", "planned", "considered", "attempted", "reported",
    "figurative", "habitual",
)  # fmt: skip
POLARITIES = ("positive", "negative")
OWNERS: tuple[Owner, ...] = ("none", "author", "named", "other")


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
class Guess:
    """The likeliest label and its calibrated probability."""

    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """How the model reads a sentence.

    `is_sure` holds where the probability of the act reaches the threshold from which on it was right in at least 92 %
    of held-out sentences; below it the act is only a guess. `owner` says who has to do it: the author, somebody named
    in the sentence, or somebody else, such as the addressee. `model` is the name to store as `decided_by`.
    """

    act: Guess
    modality: Guess
    polarity: Guess
    owner: Guess
    is_sure: bool
    model: str


class SentenceReader(Protocol):
    """Reads sentences one by one, each with its context."""

    @property
    def model(self) -> str:
        """Name and version of the model."""

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        """One reading per sentence, in the order given."""
