"""Every entity that a fragment of a name may mean, with how it was hit."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id
from recollect.model.names import Name, fold
from recollect.resolve.cascade import typing_errors
from recollect.resolve.partial import beginnings
from recollect.resolve.port import NameIndex
from recollect.resolve.suggest import suggest
from recollect.store.view import View

Match = Literal["exact", "alias", "prefix", "substring", "fuzzy"]
SCORES: dict[Match, float] = {"exact": 1.0, "alias": 0.95, "prefix": 0.8, "substring": 0.6, "fuzzy": 0.5}
SHORTEST_PART = 2
MOST_ROWS = 1000


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
    yield from (_hit(name, "substring") for name in _containing(view, folded))
    for each in typing_errors(index, text):
        yield _hit(each.name, "fuzzy")


def _containing(view: View, folded: str) -> Iterator[Name]:
    """Names with the text anywhere inside; signs that a pattern would read otherwise stand for any letter."""
    if len(folded) < SHORTEST_PART:
        return
    loose = "".join("_" if letter in "%_\\" else letter for letter in folded)
    for row in view.rows("names_containing", part=f"%{loose}%", limit=MOST_ROWS):
        name = Name(*row)
        if folded in name.folded:
            yield name


def _hit(name: Name, match: Match) -> Hit:
    return Hit(name.entity, match, name.spelling if name.kind == "alias" else None)


def _best(hits: Iterable[Hit]) -> list[Hit]:
    best: dict[EntityId, Hit] = {}
    for hit in hits:
        held = best.get(hit.entity)
        if held is None or (-hit.score, hit.alias or "") < (-held.score, held.alias or ""):
            best[hit.entity] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.entity))
