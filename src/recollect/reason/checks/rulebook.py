"""The rules of a workspace: those it starts with, as they were set, and those added."""

from typing import NamedTuple

from recollect.model.ids import FactId
from recollect.reason.checks.catalogue import STARTERS, Known, starters
from recollect.reason.checks.finding import Severity
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.sources import confidence_of
from recollect.store.view import View

MOST_ADDED = 200


class SetRule(NamedTuple):
    """A rule as it is set in a workspace."""

    known: Known
    enabled: bool = True
    min_confidence: float = 0.0
    built_in: bool = True
    deleted: str | None = None

    @property
    def id(self) -> str:
        return self.known.id


def rulebook(view: View, *, deleted: bool = False) -> dict[str, SetRule]:
    """Every rule by id: starter rules in their order, then added ones by id."""
    found = {each.id: SetRule(each) for each in STARTERS}
    for id_, _, cypher, description, severity, enabled, least, gone in view.rows("ontology_rules"):
        if gone is None or deleted:
            known = _known(id_, cypher, description, severity)
            found[id_] = SetRule(known, enabled == 1, least, id_ in starters(), gone)
    return found


def _known(id_: str, cypher: str | None, description: str | None, severity: Severity) -> Known:
    own = starters().get(id_)
    if own is not None:
        return own.at(severity)
    return Known(id_, "ontology", severity, description or "", cypher or "")


def confidence(lore: Lore, relations: tuple[FactId, ...]) -> float | None:
    """The lowest confidence of these relations; none without any."""
    sources = lore.sources(relations)
    found = [confidence_of(sources[each]) for each in relations]
    return min((each for each in found if each is not None), default=None)
