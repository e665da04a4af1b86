"""Relations from prose, by patterns between known names."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from recollect.ingest.drafts import NameRef, RelationDraft, UnreadableItem
from recollect.ingest.lore.annals import add_entry_time
from recollect.ingest.lore.clauses import bounds_in, clauses, is_unasserted, sentence_spans
from recollect.ingest.lore.elided_clauses import elided_clauses
from recollect.ingest.lore.following_sentence_times import (
    LaterTime,
    add_relative_year,
    later_time,
    rest_of_sentence,
    sentences_after,
)
from recollect.ingest.lore.lore_clause import KINSHIP, LoreClause, Prose, entity_id, prose_of
from recollect.ingest.lore.lore_pronouns import with_pronouns
from recollect.ingest.lore.markup import MarkdownPage, is_fact_line
from recollect.ingest.lore.named_times import NamedTimes
from recollect.ingest.lore.noun_clauses import noun_clause
from recollect.ingest.lore.passing_clauses import is_parenthetical
from recollect.ingest.lore.prose_dates import ProseDateReader
from recollect.ingest.lore.relation_context import RelationContext, relation_contexts, words_before
from recollect.ingest.lore.relation_words import may_state_relation
from recollect.ingest.lore.time_phrases import NO_LONGER
from recollect.ingest.lore.words_of_time import has_time_words
from recollect.model.fact import PENDING_TIME, TIME_TEXT
from recollect.model.ids import format_entity_id
from recollect.resolve.name_finder import NameSpan, find_names
from recollect.store.change import Change
from recollect.text.sentences import TextSpan
from recollect.text.wiki_links import links_to_targets

PATTERN_CONFIDENCE = 0.6
LONGEST_TIME_TEXT = 200
UNREAD_TIME = (
    "its time could not be read, so the relation holds at no time; write the time as the calendar defines it, "
    "or add the relation as a list item: - A RELATION B (T1 .. T2)"
)
_BORN_OR_DIED = re.compile(r"\b(?:born|died)\b", re.IGNORECASE)
_LASTED = re.compile(r"\b(?:lasted|endured|continued|persisted|held|stood|survived|remained)\b", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*+>]\s+|\d{1,3}[.)]\s+)?")


class ProseReading(NamedTuple):
    """Relations that sentences state, and sentences whose time cannot be read."""

    relations: list[RelationDraft]
    unread: list[UnreadableItem]


def match_sentences(
    change: Change, page: MarkdownPage, is_known: Callable[[str], bool], world_time: str | None = None
) -> ProseReading:
    """The relations that sentences of the body state; fact lines are skipped.

    `world_time` is when the document was written: a year without an era is one of that era.
    """
    lines = ("" if is_fact_line(line, is_known) else line for line in page.body.splitlines())
    text = links_to_targets("\n".join(lines))
    names = [each for each in find_names(change, text) if each.entity is not None]
    if not names:
        return ProseReading([], [])
    known = change.entities([entity_id(each) for each in names])
    written = None if world_time is None else change.world.read(world_time)
    prose = prose_of(text, names, known, ProseDateReader(change.world, NamedTimes(change), written))
    spans = sentence_spans(text, names)
    meant = with_pronouns(text, spans, names, prose.is_person, prose.is_event)
    found = [_read_sentence(page, prose, each) for each in _by_sentence(text, spans, meant)]
    relations = sorted(
        (draft for each in found for draft in each.relations), key=lambda draft: (draft.line, draft.item)
    )
    return ProseReading(relations, [unread for each in found for unread in each.unread])


class LoreSentence(NamedTuple):
    """A sentence with its known names, those of its paragraph that follow, and the one before."""

    span: TextSpan
    names: Sequence[NameSpan]
    later: Sequence[TextSpan] = ()
    before: TextSpan | None = None


def _by_sentence(text: str, spans: Sequence[TextSpan], names: Sequence[NameSpan]) -> Iterator[LoreSentence]:
    """Each sentence that contains known names."""
    left = 0
    for at, span in enumerate(spans):
        first = left
        while left < len(names) and names[left].start < span.stop:
            left += 1
        if left > first:
            is_first = not at or "\n\n" in text[spans[at - 1].start : span.start + 1]
            before = None if is_first else spans[at - 1]
            yield LoreSentence(span, names[first:left], sentences_after(text, spans, at), before)


def _read_sentence(page: MarkdownPage, prose: Prose, sentence: LoreSentence) -> ProseReading:
    span, names = sentence.span, sentence.names
    text = prose.text[span.start : span.stop]
    if not _may_state_relation(prose, text, names) or is_unasserted(prose.text, span, names):
        return ProseReading([], [])
    named = _relation_of_noun(prose, sentence)
    if named is not None:
        return ProseReading([_draft_relation(page, prose, span, *named)], [])
    told = [every for each in clauses(prose, span, names) for every in elided_clauses(prose, span, names, each)]
    stated = add_entry_time(prose, span, add_relative_year(prose, span, sentence.before, told))
    around = dict(zip(stated, relation_contexts(prose, span, names, stated), strict=True))
    found = [each for each in stated if around[each] != "denied"]
    if stated and not found:
        return ProseReading([], [])
    kept = _kept(prose, sentence, found, around)
    at_once = _time_in_rest_of_sentence(prose, sentence, found) if len(kept) < len(found) else None
    if at_once is not None:
        return ProseReading([_draft_relation(page, prose, span, found[0], at_once)], [])
    says_relation = len({each.entity for each in names}) > 1 or _BORN_OR_DIED.search(text) is not None
    is_unread = len(kept) < len(found) or (not found and says_relation and _has_time(prose, span, names, []))
    later = {each: _later_time(prose, each, sentence.later) for each in kept}
    drafts = [_draft_with_later(page, prose, span, each, later[each]) for each in kept]
    drafts += [_draft_pending(page, prose, span, each) for each in found if each not in kept]
    spans = [span] * is_unread + [each.span for each in later.values() if each is not None and each.bounds is None]
    return ProseReading(drafts, [_unread_item(page, prose, each) for each in dict.fromkeys(spans)])


def _may_state_relation(prose: Prose, text: str, names: Sequence[NameSpan]) -> bool:
    return may_state_relation(text) or any(prose.is_title(each) for each in names)


def _kept(
    prose: Prose, sentence: LoreSentence, found: Sequence[LoreClause], around: Mapping[LoreClause, RelationContext]
) -> list[LoreClause]:
    """The clauses whose time is clear, all words around them known."""
    timed = _clauses_with_time(prose, sentence.span, sentence.names, found)
    return [each for each in timed if around[each] == "plain" or _is_kin(each) or each.other is None]


def _time_in_rest_of_sentence(prose: Prose, sentence: LoreSentence, found: Sequence[LoreClause]) -> LaterTime | None:
    """The time of the only relation of a sentence whose rest goes on about it: ; they parted in 1815."""
    rest = rest_of_sentence(prose, sentence.span, found[0]) if len(found) == 1 else None
    if rest is None:
        return None
    names = [each for each in sentence.names if each.start < rest.start]
    before = LoreSentence(TextSpan(sentence.span.start, rest.start), names)
    around = dict(zip(found, relation_contexts(prose, before.span, names, found), strict=True))
    told = _later_time(prose, found[0], [rest]) if _kept(prose, before, found, around) else None
    return None if told is None or told.bounds is None else told


def _relation_of_noun(prose: Prose, sentence: LoreSentence) -> tuple[LoreClause, LaterTime] | None:
    """The relation that a sentence has as its subject, and the time that its verbs give it."""
    clause = noun_clause(prose, sentence.span, sentence.names)
    if clause is None or words_before(prose.text[sentence.span.start : clause.words.start]) != "plain":
        return None
    told = _later_time(prose, clause, [TextSpan(clause.stop, sentence.span.stop)])
    return None if told is None or told.bounds is None else (clause, told)


def _later_time(prose: Prose, clause: LoreClause, later: Sequence[TextSpan]) -> LaterTime | None:
    """What later words add to the bounds of a relation; none where it has an end."""
    start, end = bounds_in(prose, clause)
    is_moment = clause.phrase is not None and clause.phrase.sense == "at" and end is not None and start == end
    told = later_time(prose, clause, later) if end is None or is_moment else None
    if is_moment and not (told and told.bounds and told.bounds[1] and _LASTED.search(prose.text, *told.span)):
        return None
    if told is None or told.bounds is None:
        return told
    first, last = start or told.bounds[0], told.bounds[1]
    is_ordered = (
        first is None or last is None or prose.moments.world.read(first).lo <= prose.moments.world.read(last).hi
    )
    return LaterTime(told.span, (first, last) if is_ordered else None)


def _clauses_with_time(
    prose: Prose, span: TextSpan, names: Sequence[NameSpan], found: Sequence[LoreClause]
) -> list[LoreClause]:
    """The clauses that can be kept: all where no time is said, else those whose own time accounts for all of it.

    One told in passing has its own time, whatever the rest of the sentence says.
    """
    if not any(each.phrase for each in found) and not _has_time(prose, span, names, found):
        return list(found)
    apart = [each for each in found if is_parenthetical(prose, span, each)]
    is_clear = not _has_time(prose, span, names, found) and all(each.phrase for each in found if not _is_kin(each))
    return [
        each
        for each in found
        if (is_clear and each.phrase) or each in apart or _is_kin(each) or (each.phrase and not each.other)
    ]


def _is_kin(clause: LoreClause) -> bool:
    """Whose child somebody is does not change: a time elsewhere in the sentence is about something else."""
    return clause.relation in KINSHIP and clause.phrase is None


def _has_time(prose: Prose, span: TextSpan, names: Sequence[NameSpan], found: Iterable[LoreClause]) -> bool:
    """Whether a sentence has words of time beside its names and the phrases that were read."""
    clauses_found = list(found)
    ends = {end for each in clauses_found for end in (each.one, each.other)}
    phrases = [TextSpan(each.phrase.begin, each.phrase.stop) for each in clauses_found if each.phrase]
    # An event says when, unless the sentence is about it.
    events = [each for each in names if prose.is_event(each) and each not in ends]
    if any(not any(phrase.start <= each.start < phrase.stop for phrase in phrases) for each in events):
        return True
    plain = [TextSpan(each.start, each.stop) for each in names]
    phrases += [each.aside for each in clauses_found if each.aside and each.phrase]
    phrases += [each.words for each in clauses_found if each.relation not in KINSHIP]
    rest = _remove_spans(prose, span, [*plain, *phrases])
    is_bounded = len(clauses_found) == 1 and phrases and _has_end(clauses_found[0])
    return has_time_words(NO_LONGER.sub(" ", rest) if is_bounded else rest, prose.timeline)


def _has_end(clause: LoreClause) -> bool:
    return clause.phrase is not None and clause.phrase.end is not None and clause.phrase.sense in ("at", "bounds")


def _remove_spans(prose: Prose, span: TextSpan, removed: Iterable[TextSpan]) -> str:
    """The sentence without these spans."""
    parts, at = [], span.start
    for each in sorted(removed):
        parts.append(prose.text[at : max(at, each.start)])
        at = max(at, each.stop)
    return _BULLET.sub("", " ".join([*parts, prose.text[at : span.stop]]), count=1)


def _draft_with_later(
    page: MarkdownPage, prose: Prose, span: TextSpan, clause: LoreClause, later: LaterTime | None
) -> RelationDraft:
    if later is None or later.bounds is not None:
        return _draft_relation(page, prose, span, clause, later)
    draft = _draft_relation(page, prose, span, clause._replace(phrase=None))
    return draft._replace(attributes={TIME_TEXT: _quote(prose, later.span)[:LONGEST_TIME_TEXT], PENDING_TIME: True})


def _draft_relation(
    page: MarkdownPage, prose: Prose, span: TextSpan, clause: LoreClause, later: LaterTime | None = None
) -> RelationDraft:
    quote = _quote(prose, TextSpan(span.start, max(span.stop, later.span.stop) if later else span.stop))
    target = NameRef(format_entity_id(entity_id(clause.other))) if clause.other is not None else None
    start, end = bounds_in(prose, clause) if later is None or later.bounds is None else later.bounds
    return RelationDraft(
        NameRef(format_entity_id(entity_id(clause.one))),
        clause.relation,
        target,
        _line(page, prose, clause.one.start),
        quote[:200],
        start,
        end,
        PATTERN_CONFIDENCE,
        quote=quote if quote in " ".join(page.body.split()) else None,
        extraction="pattern",
    )


def _draft_pending(page: MarkdownPage, prose: Prose, span: TextSpan, clause: LoreClause) -> RelationDraft:
    """A relation whose time is said and cannot be read: it keeps the words and holds at no time."""
    draft = _draft_relation(page, prose, span, clause._replace(phrase=None))
    return draft._replace(attributes={TIME_TEXT: _time_text(prose, span, clause), PENDING_TIME: True})


def _time_text(prose: Prose, span: TextSpan, clause: LoreClause) -> str:
    """The words after a relation, or else before it, that say when; the sentence if it is neither."""
    parts = (prose.text[clause.stop : span.stop], prose.text[span.start : clause.one.start])
    timed = (" ".join(part.split()).strip(" ,.;") for part in parts if has_time_words(part, prose.timeline))
    return next(timed, _quote(prose, span))[:LONGEST_TIME_TEXT]


def _unread_item(page: MarkdownPage, prose: Prose, span: TextSpan) -> UnreadableItem:
    text = prose.text[span.start : span.stop]
    at = span.start + len(text) - len(text.lstrip())
    return UnreadableItem(_line(page, prose, at), _quote(prose, span)[:200], UNREAD_TIME)


def _quote(prose: Prose, span: TextSpan) -> str:
    return " ".join(prose.text[span.start : span.stop].split())


def _line(page: MarkdownPage, prose: Prose, at: int) -> int:
    return page.line + bisect_left(_line_breaks(prose.text), at)


@lru_cache(2)
def _line_breaks(text: str) -> list[int]:
    return [found.start() for found in re.finditer("\n", text)]
