"""The results of recall: facts and passages on one scale, and their order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recollect.model.document import passage_body
from recollect.model.ids import EntityId, FactId
from recollect.model.sentence import claim_text
from recollect.search.content_words import statement_stems
from recollect.search.hidden_sentences import without_hidden
from recollect.store.fact_rows import FactRow
from recollect.store.passage_filter import PassageRow

OUTDATED_WEIGHT = 0.5
TAIL_SHARE = 0.35
OTHERS_SHARE = 0.75

PassageKind = Literal["note", "document", "memory"]


@dataclass(frozen=True, slots=True)
class RecalledFact:
    """A fact; `is_named` if the question names one of its ends or means it."""

    row: FactRow
    score: float
    is_named: bool = False
    is_past: bool = False
    why: tuple[str, ...] = ()
    """The ways that led here, as in `HitExplanation.via`."""
    is_named_only: bool = False
    """Whether it shares no more than a name with a question that asks for more."""
    says_more: bool = False


@dataclass(frozen=True, slots=True)
class RecalledPassage:
    """A passage; `is_outdated` if none of the facts that its document states still stands."""

    chunk: PassageRow
    kind: PassageKind
    score: float
    is_outdated: bool = False
    why: tuple[str, ...] = ()
    says_more: bool = False
    """Whether it has a word that the question asks for, and not just a name."""
    hidden: tuple[str, ...] = ()
    """Words of facts that somebody asked to hide."""
    is_named: bool = False
    """Whether it mentions what the question names."""

    @property
    def body(self) -> str:
        return without_hidden(passage_body(self.chunk), self.hidden)


Recalled = RecalledFact | RecalledPassage


def kind_of(chunk: PassageRow) -> PassageKind:
    if chunk.kind == "memory":
        return "memory"
    return "note" if (chunk.kind, chunk.type) == ("record", "note") else "document"


def lower_outdated(passage: RecalledPassage) -> RecalledPassage:
    return replace(passage, is_outdated=True, score=passage.score * OUTDATED_WEIGHT)


def id_of(each: Recalled) -> FactId | int:
    return each.row.fact.id if isinstance(each, RecalledFact) else each.chunk.number


def current_first(facts: Sequence[RecalledFact]) -> list[RecalledFact]:
    """The same facts; of one subject and predicate, those that hold come before those that are past.

    Among those that answer about as well, the one with the newest source comes first.
    """
    groups: dict[tuple[EntityId, str], list[int]] = {}
    for at, each in enumerate(facts):
        groups.setdefault((each.row.fact.subject, each.row.fact.predicate), []).append(at)
    ordered = list(facts)
    for places in groups.values():
        members = sorted((facts[at] for at in places), key=_order_in_group)
        scores = sorted((each.score for each in members), reverse=True)
        for at, each, score in zip(places, members, scores, strict=True):
            ordered[at] = replace(each, score=score)
    return ordered


def _order_in_group(each: RecalledFact) -> tuple[bool, float, int]:
    return each.is_past, -round(each.score, 1), -each.row.fact.source_at


def without_named_only(facts: Sequence[RecalledFact]) -> list[RecalledFact]:
    """The facts that say more than a name, and those with another value of the same attribute."""
    attributes = {(each.row.fact.subject, each.row.fact.predicate) for each in facts if not each.is_named_only}
    return [
        each
        for each in facts
        if not each.is_named_only or (each.row.fact.subject, each.row.fact.predicate) in attributes
    ]


def without_repeats(passages: Sequence[RecalledPassage], facts: Sequence[FactRow]) -> list[RecalledPassage]:
    """The passages that say something which no listed fact says; a denial is such a thing."""
    stated = frozenset[str]().union(*(statement_stems(all_words(each)) for each in facts)) if passages else frozenset()
    return [each for each in passages if not statement_stems(each.body) <= stated]


def all_words(row: FactRow) -> str:
    """The words of a fact as it is listed, and the names of its ends."""
    return f"{claim_text(row.fact, row.subject_name, row.object_name)} {row.subject_name} {row.object_name or ''}"


def without_tail(results: Sequence[Recalled]) -> list[Recalled]:
    """The results that are not far worse than the best; facts about others only if they are nearly as good."""
    best = max((each.score for each in results), default=0.0)
    has_named = any(isinstance(each, RecalledFact) and each.is_named for each in results)

    def least(each: Recalled) -> float:
        is_of_others = has_named and isinstance(each, RecalledFact) and not each.is_named
        return OTHERS_SHARE * best if is_of_others else TAIL_SHARE * best

    return [each for each in results if each.score >= least(each)]


def rank_key(each: Recalled) -> tuple[float, bool]:
    """By score, facts before passages; the sort is stable, so what is current stays before what is past."""
    return -round(each.score, 6), isinstance(each, RecalledPassage)
