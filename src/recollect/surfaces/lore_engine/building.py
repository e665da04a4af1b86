"""What the tools that build a world share: names taken exactly, and failures that list the candidates."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.ingest.lore.draft import Named
from recollect.ingest.lore.ends import known_end
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.reason.lore.sources import VISIBILITIES
from recollect.resolve.suggest import suggest
from recollect.surfaces.lore_engine.problems import AmbiguousName, EntityNotFound
from recollect.surfaces.lore_engine.results import CandidateShown
from recollect.surfaces.lore_engine.shapes import NAME_LIMIT, REASON_LIMIT, text
from recollect.surfaces.lore_engine.shown import hints_of, say_ref
from recollect.surfaces.lore_engine.writing import Writing, written
from recollect.surfaces.shapes import folded_into
from recollect.write.ends import AmbiguousName as SeveralNamed

MOST_LISTED = 50

Name = Annotated[str, *text(NAME_LIMIT), Field(description="A name")]
Names = Annotated[list[Name], Field(max_length=MOST_LISTED, description="Names")]
KnownTo = Annotated[
    list[Name], Field(max_length=MOST_LISTED, description="Groups or persons who know it, if it is common")
]
Visibility = Annotated[
    Literal["private", "secret", "common", "public"],
    folded_into(*VISIBILITIES),
    Field(description="Who may know it"),
]
Share = Annotated[float, Field(ge=0, le=1, description="How sure, 0 to 1")]
Reason = Annotated[str, *text(REASON_LIMIT), Field(description="Why")]


Properties = Annotated[dict[str, Any], Field(description="Properties; a time such as born is checked, null removes")]
Attributes = Annotated[dict[str, Any], Field(description="role, joint, posthumous, kind, anything")]


def built(memory: Memory, act: Callable[[Writing], Mapping[str, Any]]) -> Any:
    """What a tool that builds the world answers; a name that several share lists who they are."""

    def told_apart(asked: Writing) -> Mapping[str, Any]:
        try:
            return act(asked)
        except SeveralNamed as several:
            shown = candidates_of(asked, several.candidates)
            raise AmbiguousName(several.candidates[0].name, several.field or "name", shown) from several

    return written(memory, told_apart)


def candidates_of(asked: Writing, entities: Iterable[Entity]) -> list[CandidateShown]:
    """Entities that a name may stand for, each with what tells it apart."""
    given = list(entities)
    hints = hints_of(asked.lore, given)
    return [{**say_ref(each), "hint": hints.get(each.id)} for each in given]


def exactly(asked: Writing, given: str, field: str) -> Entity:
    """The entity of an id, name or alias; never one that is only nearly called so."""
    found = known_end(asked.change, Named(given), (), field)
    if found is None:
        near = suggest(asked.memory.names(asked.view), given)
        entities = asked.lore.entities(each.entity for each in near)
        shown = [{**say_ref(entities[each.entity]), "score": each.score} for each in near if each.entity in entities]
        raise EntityNotFound(given, field, shown)  # type: ignore[arg-type]
    return found
