"""Views that several surfaces print: ids and times that may be absent, the state of a fact, candidates for a name."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, reduce
from typing import Any, Literal, NotRequired, TypeVar

from typing_extensions import TypedDict

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Label
from recollect.model.ids import EntityId, FactId, format_entity_id, format_fact_id
from recollect.model.trust import OWNER, SOURCE_TRUST, Trust, is_low, lower_trust, trust_in
from recollect.model.vocabulary import CAN_BE_OVERDUE
from recollect.resolve.port import NameCandidate
from recollect.search.passage_trust import passage_marks, self_written_markup
from recollect.store.view import View
from recollect.text.prompt_injection import Suspicion, find_suspicions
from recollect.when.instant import Instant, format_instant
from recollect.when.span import Span

Printed = TypeVar("Printed")
_SHORT = 1_000
_suspicions_of = lru_cache(4096)(find_suspicions)
"""Of short texts, since names and memories recur."""
LowTrust = Literal["unknown", "untrusted"]


class TrustMarks(TypedDict):
    trust: NotRequired[LowTrust]
    suspect: NotRequired[list[str]]


def mark_trust(shown: TrustMarks, marks: Mapping[str, Any], text: str, ours: Collection[Suspicion] = ()) -> None:
    """Mark a fact or passage whose source is not trusted, or whose words look like an attack.

    Suspicions that are `ours` have their cause in how we write the text down.
    """
    if marks and ((trust := trust_in(marks)) == "unknown" or trust == "untrusted"):
        shown["trust"] = trust
    suspicions = find_suspicions(text) if len(text) > _SHORT else _suspicions_of(text)
    if suspicions and (theirs := [str(each) for each in suspicions if each not in ours]):
        shown["suspect"] = theirs


def mark_passage(
    shown: TrustMarks, view: View, document: Document, text: str, span: tuple[int, int] | None = None
) -> None:
    """Like `mark_trust`, for words of a document at a span of its text."""
    mark_trust(shown, passage_marks(view, document, span), text, self_written_markup(document))


def mark_entity(shown: TrustMarks, entity: Entity, *names: str) -> None:
    """Mark an entity that no trusted source names, or with a name or property that looks like an attack."""
    said = (each for each in entity.properties.values() if isinstance(each, str))
    mark_trust(shown, entity.properties, "\n".join((entity.name, *names, *said)))


def mark_worst(shown: TrustMarks, levels: Iterable[Trust], text: str) -> None:
    """Mark what rests on several sources if one of them is not trusted."""
    mark_trust(shown, {SOURCE_TRUST: reduce(lower_trust, levels, OWNER)}, text)


def trust_details(shown: TrustMarks) -> list[str]:
    """The marks as a line of text has them."""
    found = [f"{shown['trust']} source"] if "trust" in shown else []
    return [*found, *(["suspect: " + ", ".join(shown["suspect"])] if "suspect" in shown else [])]


def marks_text(shown: TrustMarks) -> str:
    """The marks for the end of a line of text."""
    return "".join(f" [{each}]" for each in trust_details(shown))


def trust_note(trust: Trust) -> str:
    """The note on trust beside the words of a source in a text."""
    return f" ({trust} source)" if is_low(trust) else ""


def fact_id_or_none(fact: FactId | None) -> str | None:
    return None if fact is None else format_fact_id(fact)


def entity_id_or_none(entity: EntityId | None) -> str | None:
    return None if entity is None else format_entity_id(entity)


def instant_or_none(instant: Instant | None, format_: Callable[[Instant], str] = format_instant) -> str | None:
    return None if instant is None else format_(instant)


def format_count(count: int, what: str) -> str:
    """A number with its noun: `1 node`, `2 nodes`."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def is_past_due(label: Label, fact_type: str, until: int | None, at: Span) -> bool:
    """Whether a fact is a commitment or the like whose end lies before a time; callers leave out closed ones."""
    return until is not None and until < at.lo and label == "ASSERTED" and fact_type in CAN_BE_OVERDUE


def render_scored(
    candidates: Iterable[NameCandidate],
    entities: Mapping[EntityId, Entity],
    render: Callable[[Entity, float], Printed],
) -> list[Printed]:
    """Candidates for a name as a surface prints them, in their order; those whose entity is gone are left out."""
    return [render(entities[each.entity], each.score) for each in candidates if each.entity in entities]
