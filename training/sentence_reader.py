"""The sentence reader: act, modality, polarity and owner of sentences, with calibrated probabilities.

It was measured and left out of the product (docs/models.md); with it, `read_silent` decides where rules are silent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from recollect.reading.clause_reading import Act, ClauseReading, Doer
from recollect.reading.clause_time import clause_time
from recollect.reading.context import Context
from recollect.reading.context import TextKind as ContextKind
from recollect.text_models.pair_model import CLS, SEP, Calibration, PairModel, TokenPair, softmax

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
MODEL = "recollect-reader-1"
HEADS: Mapping[str, Sequence[str]] = {"act": ACTS, "modality": MODALITIES, "polarity": POLARITIES, "owner": OWNERS}
"""The labels of each head, in the order of the columns of the model's output."""
MAX_CONTEXT, MAX_SENTENCE = 48, 96
"""Tokens of the context, whose end counts most, and of the sentence."""


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


class LocalSentenceReader:
    """Reads sentences with the model in a folder, which is loaded on first use."""

    model = MODEL

    def __init__(self, folder: Path, threads: int = 1) -> None:
        self._pairs = PairModel(folder, threads)

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        """One reading per sentence, in the order given; only the first 96 tokens of a sentence count."""
        contexts = self._pairs.token_ids([each.context for each in sentences])
        texts = self._pairs.token_ids([each.text for each in sentences])
        rows = [_joined(context, text) for context, text in zip(contexts, texts, strict=True)]
        return [_reading(labels, self._pairs.calibration) for labels in self._pairs.labels(rows)]


def _joined(context: Sequence[int], text: Sequence[int]) -> TokenPair:
    # The first token of the context is the kind of text; of the sentence before it, the end counts most.
    kept = [*context[:1], *context[1:][-(MAX_CONTEXT - 1) :]]
    words = text[:MAX_SENTENCE] or [SEP]
    return TokenPair([CLS, *kept, SEP, *words, SEP], len(kept) + 2)


def _reading(labels: NDArray[np.float32], calibration: Calibration) -> SentenceReading:
    guesses: dict[str, Guess] = {}
    start = 0
    for head, names in HEADS.items():
        shares = softmax(labels[start : start + len(names)] / calibration.temperatures.get(head, 1.0))
        best = int(shares.argmax())
        guesses[head] = Guess(names[best], float(shares[best]))
        start += len(names)
    act = guesses["act"]
    act = Guess(act.label, calibration.act_probability(act.label, act.probability))
    sure = calibration.is_sure(act.label, act.probability)
    return SentenceReading(act, guesses["modality"], guesses["polarity"], guesses["owner"], sure, MODEL)


_KINDS: dict[ContextKind, TextKind] = {"mail": "mail", "note": "note", "chat": "chat", "minutes": "meeting"}
_FEWEST_WORDS = 2
_MEANT = 0.8
"""Least probability that a clause is asserted."""


def read_silent(found: Sequence[ClauseReading], context: Context, model: LocalSentenceReader) -> list[ClauseReading]:
    """The readings with what the model is sure of where no rule has decided."""
    silent = [at for at, each in enumerate(found) if _is_silent(each)] if context.kind in _KINDS else []
    read = list(found)
    inputs = [_input(found, at, context) for at in silent]
    for at, guess in zip(silent, model.read(inputs) if inputs else (), strict=True):
        read[at] = _with_guess(found[at], guess, context)
    return read


def _is_silent(reading: ClauseReading) -> bool:
    is_open = reading.act is None and reading.modality == "asserted" and not reading.decided_by
    return is_open and len(reading.text.split()) >= _FEWEST_WORDS


def _input(found: Sequence[ClauseReading], at: int, context: Context) -> SentenceInput:
    before = found[at - 1].text if at else context.answered or ""
    return SentenceInput(found[at].text, _KINDS[context.kind], before, not at and bool(before))


def _with_guess(reading: ClauseReading, guess: SentenceReading, context: Context) -> ClauseReading:
    is_meant = guess.modality.label == "asserted" and guess.modality.probability >= _MEANT
    if not guess.is_sure or guess.act.label in ("none", "question") or not is_meant:
        return reading
    act = cast(Act, guess.act.label)
    return reading._replace(
        act=act,
        doer=_doer(act, guess),
        fact_type=act,
        time=clause_time(reading.text.lower(), context, act),
        confidence=round(guess.act.probability, 3),
        decided_by=guess.model,
    )


def _doer(act: Act, guess: SentenceReading) -> Doer | None:
    if act == "request":
        return Doer("addressee")
    return Doer("speaker") if guess.owner.label == "author" else None
