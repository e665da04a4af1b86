"""Plain sentences between known names: births, deaths, reigns, marriages, foundings, kinship, alliances, membership.

Only a few words may stand between the two names, so that nothing is read into a sentence that it does not say.
A sentence that says when, in words that are not understood, gives no relation: it is reported as unread.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from recollect.ingest.lore.clauses import KINSHIP, Clause, Prose, bounds_in, clauses, entity_id, prose_of
from recollect.ingest.lore.doubts import is_doubted
from recollect.ingest.lore.draft import Named, RelationDraft, Unread
from recollect.ingest.lore.markdown import Page, is_fact_line, unlinked
from recollect.ingest.lore.moments import Moments
from recollect.ingest.lore.remembered_times import RememberedTimes
from recollect.ingest.lore.sentence_spans import Span, sentence_spans
from recollect.ingest.lore.time_words import has_time_words
from recollect.model.ids import say_entity
from recollect.resolve.spot import Spotted, spot
from recollect.store.change import Change

PATTERN = 0.6
UNREAD_TIME = (
    "its time is not understood, so no relation was kept; write the time as the calendar has it, "
    "or add the relation as a list item: - A RELATION B (T1 .. T2)"
)
_CUE = re.compile(
    r"\b(?:born|died|rule[sd]?|reign(?:s|ed)?|married|marries|wed|founded|allied|allies|members?|son|daughter|child)\b",
    re.IGNORECASE,
)
_BORN_OR_DIED = re.compile(r"\b(?:born|died)\b", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*+>]\s+|\d{1,3}[.)]\s+)?")


class Found(NamedTuple):
    """What the sentences of a text state, and those whose time nobody can read."""

    relations: list[RelationDraft]
    unread: list[Unread]


def sentences(change: Change, page: Page, is_known: Callable[[str], bool], world_time: str | None = None) -> Found:
    """The relations that sentences of the body state; fact lines are none.

    `world_time` is when the document was written: a year without an era is one of that era.
    """
    lines = ("" if is_fact_line(line, is_known) else line for line in page.body.splitlines())
    text = unlinked("\n".join(lines))
    names = [each for each in spot(change, text) if each.entity is not None]
    if not names:
        return Found([], [])
    known = change.entities([entity_id(each) for each in names])
    written = None if world_time is None else change.world.read(world_time)
    prose = prose_of(text, names, known, Moments(change.world, RememberedTimes(change), written))
    found = [_read_sentence(page, prose, span, own) for span, own in _by_sentence(text, names)]
    relations = sorted(
        (draft for each in found for draft in each.relations), key=lambda draft: (draft.line, draft.item)
    )
    return Found(relations, [unread for each in found for unread in each.unread])


def _by_sentence(text: str, names: Sequence[Spotted]) -> Iterator[tuple[Span, Sequence[Spotted]]]:
    """Each sentence that names somebody, with its names."""
    left = 0
    for span in sentence_spans(text, names):
        first = left
        while left < len(names) and names[left].start < span.stop:
            left += 1
        if left > first:
            yield span, names[first:left]


def _read_sentence(page: Page, prose: Prose, span: Span, names: Sequence[Spotted]) -> Found:
    text = prose.text[span.start : span.stop]
    if not _CUE.search(text) or is_doubted(prose.text, span, names):
        return Found([], [])
    found = clauses(prose, span, names)
    kept = _with_their_times(prose, span, names, found)
    says_relation = len({each.entity for each in names}) > 1 or _BORN_OR_DIED.search(text) is not None
    is_unread = len(kept) < len(found) or (not found and says_relation and _has_time(prose, span, names, []))
    drafts = [_draft(page, prose, span, each) for each in kept]
    return Found(drafts, [_unread(page, prose, span)] if is_unread else [])


def _with_their_times(prose: Prose, span: Span, names: Sequence[Spotted], found: Sequence[Clause]) -> list[Clause]:
    """The clauses that can be kept: all where no time is said, else those whose own time accounts for all of it."""
    if not any(each.phrase for each in found) and not _has_time(prose, span, names, found):
        return list(found)
    is_clear = not _has_time(prose, span, names, found) and all(each.phrase for each in found if not _is_kin(each))
    return [each for each in found if (is_clear and each.phrase) or _is_kin(each) or (each.phrase and not each.other)]


def _is_kin(clause: Clause) -> bool:
    """Whose child somebody is does not change: a time elsewhere in the sentence is about something else."""
    return clause.relation in KINSHIP and clause.phrase is None


def _has_time(prose: Prose, span: Span, names: Sequence[Spotted], found: Iterable[Clause]) -> bool:
    """Whether a sentence has words of time beside its names and the phrases that were read."""
    told = list(found)
    ends = {end for each in told for end in (each.one, each.other)}
    phrases = [Span(each.phrase.begin, each.phrase.stop) for each in told if each.phrase]
    # An event says when, unless the sentence is about it.
    events = [each for each in names if prose.is_event(each) and each not in ends]
    if any(not any(phrase.start <= each.start < phrase.stop for phrase in phrases) for each in events):
        return True
    plain = [Span(each.start, each.stop) for each in names]
    return has_time_words(_without(prose, span, [*plain, *phrases]), prose.timeline)


def _without(prose: Prose, span: Span, taken: Iterable[Span]) -> str:
    """A sentence with stretches of it left out."""
    parts, at = [], span.start
    for each in sorted(taken):
        parts.append(prose.text[at : max(at, each.start)])
        at = max(at, each.stop)
    return _BULLET.sub("", " ".join([*parts, prose.text[at : span.stop]]), count=1)


def _draft(page: Page, prose: Prose, span: Span, clause: Clause) -> RelationDraft:
    quote = _quote(prose, span)
    target = Named(say_entity(entity_id(clause.other))) if clause.other is not None else None
    start, end = bounds_in(prose, clause)
    return RelationDraft(
        Named(say_entity(entity_id(clause.one))),
        clause.relation,
        target,
        _line(page, prose, clause.one.start),
        quote[:200],
        start,
        end,
        PATTERN,
        quote=quote if quote in " ".join(page.body.split()) else None,
        extraction="pattern",
    )


def _unread(page: Page, prose: Prose, span: Span) -> Unread:
    text = prose.text[span.start : span.stop]
    at = span.start + len(text) - len(text.lstrip())
    return Unread(_line(page, prose, at), _quote(prose, span)[:200], UNREAD_TIME)


def _quote(prose: Prose, span: Span) -> str:
    return " ".join(prose.text[span.start : span.stop].split())


def _line(page: Page, prose: Prose, at: int) -> int:
    return page.line + prose.text.count("\n", 0, at)
