"""Every entity that a fragment of a name may mean, with how it was hit."""

from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import Literal, NamedTuple

from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id
from recollect.model.names import ANY_TYPE, Name, fold, tokens
from recollect.model.variants import SHORTEST_PART, parts_asked
from recollect.resolve.cascade import typing_errors
from recollect.resolve.partial import beginnings
from recollect.resolve.port import NameIndex
from recollect.resolve.suggest import suggest
from recollect.store.view import View

Match = Literal["exact", "alias", "prefix", "substring", "fuzzy"]
SCORES: dict[Match, float] = {"exact": 1.0, "alias": 0.95, "prefix": 0.8, "substring": 0.6, "fuzzy": 0.5}
MOST_ROWS = 1000
_LAST = "\U0010ffff"


class Hit(NamedTuple):
    """An entity, how the text meets one of its names, and that name if it is an alias."""

    entity: EntityId
    match: Match
    alias: str | None

    @property
    def score(self) -> float:
        return SCORES[self.match]


def find_candidates(view: View, index: NameIndex, text: str) -> list[Hit]:
    """Each entity once, by its best match; best first, then by id."""
    return _best(_hits(view, index, text))


def likely(index: NameIndex, text: str, limit: int) -> list[Hit]:
    """What to offer for a text that names nothing: entities that share a word with it, or nearly."""
    return [_hit(each.name, "fuzzy") for each in suggest(index, text, limit=limit)]


def _hits(view: View, index: NameIndex, text: str) -> Iterator[Hit]:
    if is_id(text, ENTITY_PREFIX):
        held = index.by_id(EntityId(read_id(text, ENTITY_PREFIX)))
        if held is not None:
            yield Hit(held.entity, "exact", None)
    folded = fold(text)
    for name in view.named(folded):
        if name.kind in ("name", "alias"):
            yield _hit(name, "exact" if name.kind == "name" else "alias")
    for each in beginnings(index, text):
        yield _hit(each.name, "prefix")
    yield from (_hit(name, "substring") for name in _containing(view, index, folded))
    for each in typing_errors(index, text):
        yield _hit(each.name, "fuzzy")


def _containing(view: View, index: NameIndex, folded: str) -> Iterator[Name]:
    """Names with the text anywhere inside, found by the longest of its tokens, which stands in one of theirs."""
    if len(folded) < SHORTEST_PART:
        return
    longest = max(tokens(folded), key=len, default="")
    found = _by_token(view, index, longest) if len(longest) >= SHORTEST_PART else _by_pattern(view, folded)
    yield from (name for name in found if folded in name.folded)


def _by_token(view: View, index: NameIndex, text: str) -> Iterator[Name]:
    asked = [{"text": text, "lo": part, "hi": part + _LAST, "limit": MOST_ROWS} for part in parts_asked(text)]
    within = sorted({row[0] for each in asked for row in view.rows("tokens_with_part", **each)})
    yield from starmap(Name, view.rows("names_with_words", tokens=within, limit=MOST_ROWS) if within else ())
    yield from index.with_word_start(text, ANY_TYPE, MOST_ROWS)


def _by_pattern(view: View, folded: str) -> Iterator[Name]:
    """Every name is looked at: single letters and the signs between tokens are in no index."""
    loose = "".join("_" if letter in "%_\\" else letter for letter in folded)
    return starmap(Name, view.rows("names_containing", part=f"%{loose}%", limit=MOST_ROWS))


def _hit(name: Name, match: Match) -> Hit:
    return Hit(name.entity, match, name.spelling if name.kind == "alias" else None)


def _best(hits: Iterable[Hit]) -> list[Hit]:
    best: dict[EntityId, Hit] = {}
    for hit in hits:
        held = best.get(hit.entity)
        if held is None or (-hit.score, hit.alias or "") < (-held.score, held.alias or ""):
            best[hit.entity] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.entity))
