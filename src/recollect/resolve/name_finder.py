"""Finds names of known entities in a text: folded, whole tokens, longest match first, never fuzzy."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import Name, fold
from recollect.store.view import View
from recollect.store.write_queries import is_name_prefix, known_tokens, names_with_keys
from recollect.text.stop_words import STOP_WORDS
from recollect.text.tokens import name_key, name_token_spans, name_tokens, unspaced_run

SHORTEST_NAME = 3
MAX_NAME_TOKENS = 8
_EDGES = "\"'“”‘’«»„()[]{}<>,;:!?…*#`~|=+&@^%$。、，；：！？「」『』（）؟،؛।·"
_TEXT_SEPARATOR = " \N{PILCROW SIGN} "  # no name goes on over it
_POSSESSIVE = re.compile(r"['’]s?$")


class NameSpan(NamedTuple):
    """A stretch of a text that names entities; more than one if they share the name."""

    start: int
    stop: int
    entities: tuple[EntityId, ...]

    @property
    def entity(self) -> EntityId | None:
        """The one that is meant, unless the name is ambiguous."""
        return self.entities[0] if len(self.entities) == 1 else None


class _TokenReading(NamedTuple):
    """A token as it may stand in a name; one place of a text can be read in several ways.

    A name goes on only over what separates tokens, so from a reading that nothing was cut off at that side.
    """

    start: int
    stop: int
    place: int
    token: str
    joins: bool
    goes_on: bool


def find_names(
    view: View, text: str, barred: frozenset[str] = frozenset(), *, shortest: int = SHORTEST_NAME
) -> list[NameSpan]:
    """The names in a text in their order, without overlaps; entities of barred types count for nothing."""
    known = _keep_known_tokens(view, list(_token_readings(text)))
    spans = [each for each in _candidate_spans(known, _NamePrefixes(view)) if each[1] - each[0] >= shortest]
    keys = {key for _, _, key in spans}
    if not keys:
        return []
    named: dict[str, list[Name]] = {}
    for name in names_with_keys(view, keys):
        if name.type not in barred:
            named.setdefault(name.folded, []).append(name)
    found = [(start, stop, named.get(fold(text[start:stop]))) for start, stop, _ in spans]
    return _drop_overlaps([_prefer_vouched(start, stop, names) for start, stop, names in found if names])


def find_entities_by_type(view: View, texts: Sequence[str], type_: str) -> list[list[Entity]]:
    """For each text the known entities of a type that it names, each once; all texts are looked through at once."""
    found: list[dict[EntityId, Entity]] = [{} for _ in texts]
    starts = list(accumulate((len(text) + len(_TEXT_SEPARATOR) for text in texts), initial=0))
    for span in find_names(view, _TEXT_SEPARATOR.join(texts)):
        entities = (view.entity(each) for each in span.entities)
        named = {each.id: each for each in entities if each is not None and each.type == type_}
        found[bisect_right(starts, span.start) - 1] |= named
    return [list(each.values()) for each in found]


def find_entities(view: View, text: str, barred: frozenset[str] = frozenset()) -> list[EntityId]:
    """The entities that a text names without doubt, in the order of their first mention."""
    return list(dict.fromkeys(each.entity for each in find_names(view, text, barred) if each.entity is not None))


class _FoundNames(NamedTuple):
    """The names at one stretch of a text; claimed if strangers alone call anybody so."""

    is_claimed: bool
    start: int
    stop: int
    names: list[Name]


def _prefer_vouched(start: int, stop: int, names: list[Name]) -> _FoundNames:
    vouched = [name for name in names if name.known_as != "claimed"]
    return _FoundNames(not vouched, start, stop, vouched or names)


def _drop_overlaps(found: Sequence[_FoundNames]) -> list[NameSpan]:
    """The longest first, but a claimed alias takes no words from a name that is vouched for."""
    kept: list[NameSpan] = []
    taken: set[int] = set()
    for each in sorted(found, key=lambda each: (each.is_claimed, each.start - each.stop, each.start)):
        letters = range(each.start, each.stop)
        if taken.isdisjoint(letters):
            taken.update(letters)
            kept.append(NameSpan(each.start, each.stop, tuple(sorted({name.entity for name in each.names}))))
    return sorted(kept, key=lambda each: each.start)


def _token_readings(text: str) -> Iterator[_TokenReading]:
    for place, found in enumerate(name_token_spans(text)):
        readings = dict.fromkeys(_token_spans(text, found.start, found.stop))
        for start, stop in readings:
            for token in name_tokens(fold(text[start:stop])):
                yield _TokenReading(start, stop, place, token, start == found.start, stop == found.stop)
        runs = () if found.text.isascii() else unspaced_run().finditer(text, found.start, found.stop)
        for run in runs:
            yield from _unspaced_substrings(text, run.start(), run.end(), place)


def _token_spans(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """A token as it stands, without what surrounds it, and without the ending of a possessive."""
    yield start, stop
    while start < stop and text[start] in _EDGES:
        start += 1
    while stop > start and text[stop - 1] in _EDGES:
        stop -= 1
    if start < stop:
        yield start, stop
        possessive = _POSSESSIVE.search(text, start, stop)
        if possessive and possessive.start() > start:
            yield start, possessive.start()


def _unspaced_substrings(text: str, start: int, stop: int, place: int) -> Iterator[_TokenReading]:
    """Every stretch of a script that puts no spaces between its words."""
    for first in range(start, stop - SHORTEST_NAME + 1):
        for last in range(first + SHORTEST_NAME, min(first + MAX_NAME_TOKENS, stop) + 1):
            yield _TokenReading(first, last, place, fold(text[first:last]), False, False)


def _keep_known_tokens(view: View, pieces: Sequence[_TokenReading]) -> list[_TokenReading]:
    known = known_tokens(view, {piece.token for piece in pieces})
    return [piece for piece in pieces if piece.token in known]


class _NamePrefixes:
    """Whether any name continues after some tokens; looked up once for each."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._known: dict[tuple[str, ...], bool] = {}

    def continues(self, run: tuple[str, ...]) -> bool:
        cached = self._known.get(run)
        if cached is None:
            cached = self._known[run] = is_name_prefix(self._view, name_key(" ".join(run)))
        return cached


def _candidate_spans(pieces: Sequence[_TokenReading], longer: _NamePrefixes) -> Iterator[tuple[int, int, str]]:
    """Runs of tokens in neighbouring places, each with the key that a name of them would have."""
    by_place: dict[int, list[_TokenReading]] = {}
    for piece in pieces:
        by_place.setdefault(piece.place, []).append(piece)
    for place, first in by_place.items():
        for piece in first:
            yield from _extend_span(by_place, place, piece, longer)


def _extend_span(
    by_place: dict[int, list[_TokenReading]], place: int, piece: _TokenReading, longer: _NamePrefixes
) -> Iterator[tuple[int, int, str]]:
    runs: list[tuple[_TokenReading, tuple[str, ...]]] = [(piece, (piece.token,))]
    for further in range(1, MAX_NAME_TOKENS + 1):
        for last, run in runs:
            if not all(token in STOP_WORDS for token in run):
                yield piece.start, last.stop, name_key(" ".join(run))
        beside = [each for each in by_place.get(place + further, ()) if each.joins]
        going_on = [(last, run) for last, run in runs if beside and last.goes_on and longer.continues(run)]
        runs = [(each, (*run, each.token)) for _, run in going_on for each in beside]
        if not runs:
            return
