"""`lookup`: which entities a text could mean."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.ids import EntityId, say_entity
from recollect.model.labels import kind_of, read_label, say_label, stored_types
from recollect.model.names import ANY_TYPE, Types, fold
from recollect.resolve.answer import Candidate
from recollect.resolve.cascade import ALIAS_SCORE, EXACT_SCORE, likenesses, resolve_exactly, typing_errors
from recollect.resolve.partial import partial_matches
from recollect.resolve.port import NameIndex
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import asking
from recollect.surfaces.lore_engine.shapes import TEXT_LIMIT, AsOf, LabelText, text
from recollect.surfaces.lore_engine.shown import hints_of
from recollect.surfaces.lore_engine.surface import surface

Match = Literal["id", "exact", "alias", "partial", "fuzzy", "embedding"]
Query = Annotated[str, *text(TEXT_LIMIT), Field(description="A name, or a part of one, or an id")]
LookupLimit = Annotated[int, Field(ge=1, le=50, description="At most this many, the likeliest")]

_FUZZY_WORTH = 0.8
_LIKENESS_WORTH = 0.6
_MOST_NAMESAKES = 1000


class Meant(TypedDict):
    """An entity that the text could mean."""

    name: str
    type: str
    id: str
    aliases: list[str]
    match_confidence: float
    match: Match
    provisional: bool
    subtype: str | None
    hint: str | None


@surface.tool("read", example={"query": "the knife"}, older={"query": ("name",)})
def lookup(
    memory: Memory,
    query: Query,
    type: LabelText | None = None,  # noqa: A002 the published name
    limit: LookupLimit = 10,
    as_of: AsOf = None,
) -> Result[list[Meant]]:
    """Every entity a text could mean, likeliest first: by id, name, alias, part of it, nearly."""
    with asking(memory, as_of) as asked:
        kind = None if type is None else read_label(type)
        types = ANY_TYPE if kind is None else Types(stored_types(kind.type), others=False)
        best = _best(memory.names(asked.view), query, types)
        entities = asked.lore.entities(best)
        found = [each for each in entities.values() if kind is None or kind.admits(kind_of(each))]
        found.sort(key=lambda each: (-best[each.id][0], each.name, each.id))
        shown = found[:limit]
        hints = hints_of(asked.lore, shown)
        said: list[Meant] = [
            {
                "name": each.name,
                "type": say_label(kind_of(each).type),
                "id": say_entity(each.id),
                "aliases": asked.view.aliases(each),
                "match_confidence": best[each.id][0],
                "match": best[each.id][1],
                "provisional": each.provisional,
                "subtype": kind_of(each).subtype,
                "hint": hints[each.id],
            }
            for each in shown
        ]
        return listed(said, limit, asked, total=len(found))


def _best(index: NameIndex, query: str, types: Types) -> dict[EntityId, tuple[float, Match]]:
    """By entity, the best score any test gives it and the test."""
    best: dict[EntityId, tuple[float, Match]] = {}
    for match, candidate, score in _matches(index, query, types):
        if round(score, 4) > best.get(candidate.entity, (0.0, match))[0]:
            best[candidate.entity] = (round(score, 4), match)
    return best


def _matches(index: NameIndex, query: str, types: Types) -> Iterator[tuple[Match, Candidate, float]]:
    by_id = resolve_exactly(index, query, types)
    if by_id.rung == "id":
        yield "id", by_id.tied[0], EXACT_SCORE
    for name in index.named(fold(query), types, _MOST_NAMESAKES):
        is_name = name.kind == "name"
        score = EXACT_SCORE if is_name else ALIAS_SCORE
        yield "exact" if is_name else "alias", Candidate(name, score), score
    for each in partial_matches(index, query, types):
        yield "partial", each, each.score
    for each in typing_errors(index, query, types):
        yield "fuzzy", each, each.score * _FUZZY_WORTH
    for each in likenesses(index, query, types):
        yield "embedding", each, each.score * _LIKENESS_WORTH
