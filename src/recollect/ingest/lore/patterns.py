"""Plain sentences between known names: births, deaths, reigns, marriages, foundings, kinship, alliances, membership.

Only a few words may stand between the two names, so that nothing is read into a sentence that it does not say.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.lore.draft import Named, RelationDraft
from recollect.ingest.lore.markdown import Page, is_fact_line, unlinked
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_entity
from recollect.model.labels import kind_of
from recollect.model.relations import read_relation, relation_kinds
from recollect.resolve.spot import Spotted, spot
from recollect.store.change import Change
from recollect.store.world import World
from recollect.when.instant import local_date
from recollect.when.phrases import find_times
from recollect.when.place import iso_place

PATTERN = 0.6
_LONGEST = 60
_REACH = 500
_IS = r"(?:is|was|were|are|became)"
_BETWEEN: tuple[tuple[str, str], ...] = (
    (rf"(?:{_IS} )?born (?:in|at)", "born"),
    (r"died (?:in|at)", "died"),
    (rf"(?:{_IS} )?rule[sd] (?:over )?(?:by )", "ruled_by"),
    (r"rule[sd](?: over)?", "rules"),
    (rf"(?:{_IS} )?married(?: to)?|wed", "spouse_of"),
    (rf"(?:{_IS} )?founded by", "founded_by"),
    (r"founded", "founded"),
    (rf"(?:{_IS} |, )?(?:the |a |an )?(?:\w+ )?(?:son|daughter|child) of", "child_of"),
    (rf"(?:{_IS} )?allied (?:with|to)", "allied_with"),
    (rf"(?:{_IS} )?(?:a |the )?members? of", "member_of"),
)
_PATTERNS = tuple((re.compile(rf"\s*(?:{words})\s*(?:the\s*)?", re.IGNORECASE), name) for words, name in _BETWEEN)
_ALONE = re.compile(r"\s*(?:(?:was|were) )?(born|died) (?:in|on|during)\s", re.IGNORECASE)
_BEHIND = re.compile(r"\s*,?\s*(?P<how>in|on|during|since|from)\s", re.IGNORECASE)
_UNTIL = re.compile(r"\s+(?:to|until|till)\s", re.IGNORECASE)
_TIME_WORDS = re.compile(r"\s*(?:the\s+)?(?P<words>[\w.,~\[\]-]+(?:\s+[\w.,~\[\]-]+){0,3})", re.IGNORECASE)
_DOUBTFUL = re.compile(r"\b(?:if|unless|whether|perhaps|maybe|suppose|lest)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b\d{4}\b")
_GRAINS = {"year": 1, "month": 2, "day": 3}
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n\s*\n")


class _Dates(NamedTuple):
    start: str | None = None
    end: str | None = None


class _TimeSaid(NamedTuple):
    """A time in canonical words, and where in the text it ends."""

    text: str
    stop: int


def sentences(change: Change, page: Page, is_known: Callable[[str], bool]) -> list[RelationDraft]:
    """The relations that sentences of the body state; fact lines are none."""
    lines = ("" if is_fact_line(line, is_known) else line for line in page.body.splitlines())
    text = unlinked("\n".join(lines))
    names = [each for each in spot(change, text) if each.entity is not None]
    if not names:
        return []
    known = change.entities([each.entity for each in names if each.entity is not None])
    found = [*_alone(change, text, names, page), *_between(change, text, names, page, known)]
    return sorted(found, key=lambda draft: (draft.line, draft.item))


def _between(
    change: Change, text: str, names: list[Spotted], page: Page, known: dict[EntityId, Entity]
) -> Iterator[RelationDraft]:
    for one, other in pairwise(names):
        words = text[one.stop : other.start]
        if len(words) > _LONGEST or one.entity is None or other.entity is None or one.entity == other.entity:
            continue
        relation = next((name for pattern, name in _PATTERNS if pattern.fullmatch(words)), None)
        if relation is None or _is_doubted(text, one):
            continue
        if _fits(relation, known.get(one.entity), known.get(other.entity)):
            dates = _dates_behind(change, text, other.stop, relation)
            yield _draft(text, page, one, relation, other, dates)


def _alone(change: Change, text: str, names: list[Spotted], page: Page) -> Iterator[RelationDraft]:
    """Births and deaths with a time and no place."""
    for each in names:
        found = _ALONE.match(text, each.stop)
        time = _time_at(change, text, found.end()) if found else None
        if found is not None and time is not None and not _is_doubted(text, each):
            yield _draft(text, page, each, found[1].lower(), None, _Dates(time.text, time.text))


def _is_doubted(text: str, name: Spotted) -> bool:
    """Whether the sentence only considers what it says of the name."""
    return _DOUBTFUL.search(text, _sentence(text, name.start, name.stop)[0], name.start) is not None


def _fits(relation: str, one: Entity | None, other: Entity | None) -> bool:
    """Whether the ends are of types that the relation is for; a type that nobody gave may be any."""
    name = read_relation(relation)
    kind = relation_kinds().get(name.name)
    if one is None or other is None or kind is None:
        return False
    subject, target = (other, one) if name.swapped else (one, other)
    types = kind_of(subject).type, kind_of(target).type
    return kind.fits(*types) or "unknown" in types


def _dates_behind(change: Change, text: str, at: int, relation: str) -> _Dates:
    found = _BEHIND.match(text, at)
    start = _time_at(change, text, found.end()) if found else None
    if found is None or start is None:
        return _Dates()
    until = _UNTIL.match(text, start.stop)
    end = _time_at(change, text, until.end()) if until else None
    is_open = found["how"].lower() in ("since", "from") or relation == "spouse_of"
    return _Dates(start.text, end.text if end else None if is_open else start.text)


def _time_at(change: Change, text: str, at: int) -> _TimeSaid | None:
    """The time that the next words name, as many of them as make one."""
    found = _TIME_WORDS.match(text, at)
    begins = found.start("words") if found else at
    stops = [begins + word.end() for word in re.finditer(r"\S+", found["words"])] if found else []
    for stop in reversed(stops):
        time = _time(change, " ".join(text[begins:stop].split()))
        if time is not None:
            return _TimeSaid(time, stop)
    return None


def _time(change: Change, words: str) -> str | None:
    text = words.rstrip(".,-")
    try:
        time = change.world.read(text)
    except Refused:
        return _date(change.world, text)
    return None if text.lower() == "current" else time.text


def _date(world: World, words: str) -> str | None:
    """A date with its year, as English writes it."""
    if world.timeline.is_fictional or not _YEAR.search(words):
        return None
    found = [each for each in find_times(words, world.clock, world.zone) if each.text == words]
    if not found or found[0].unit not in _GRAINS:
        return None
    day = local_date(found[0].lo, world.zone)
    return iso_place(*(day.year, day.month, day.day)[: _GRAINS[found[0].unit]]).text


def _draft(text: str, page: Page, one: Spotted, relation: str, other: Spotted | None, dates: _Dates) -> RelationDraft:
    start, stop = _sentence(text, one.start, (other or one).stop)
    quote = " ".join(text[start:stop].split())
    line = page.line + text.count("\n", 0, one.start)
    target = Named(say_entity(other.entity)) if other is not None and other.entity is not None else None
    return RelationDraft(
        Named(say_entity(one.entity or "")),
        relation,
        target,
        line,
        quote[:200],
        dates.start,
        dates.end,
        PATTERN,
        quote=quote if quote in " ".join(page.body.split()) else None,
        extraction="pattern",
    )


def _sentence(text: str, start: int, stop: int) -> tuple[int, int]:
    """Where the sentence around a stretch begins and ends."""
    low, high = max(0, start - _REACH), min(len(text), stop + _REACH)
    before = [found.end() for found in _SENTENCE_END.finditer(text, low, start)]
    after = _SENTENCE_END.search(text, stop, high)
    return before[-1] if before else low, after.end() if after else high
