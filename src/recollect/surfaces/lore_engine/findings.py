"""The four lists of findings: contradictions, anachronisms, breaches and orphans."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of, read_label
from recollect.reason.checks.catalogue import REASONS, known, starters
from recollect.reason.checks.listing import FindingsWanted, Listed, Page, list_findings
from recollect.reason.checks.rulebook import rulebook
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking
from recollect.surfaces.lore_engine.examining import asking_findings
from recollect.surfaces.lore_engine.finding_results import Anachronism, Contradiction, OntologyViolation, Orphan
from recollect.surfaces.lore_engine.finding_shown import FindingPrinter
from recollect.surfaces.lore_engine.problems import NotFound
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, LabelText, text
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.shapes import folded_into

T = TypeVar("T")

FindingLimit = Annotated[int, Field(ge=1, le=500, description="At most this many, errors first, then the newest")]
IncludeFlagged = Annotated[bool, Field(description="Also findings that somebody flagged as seen")]
FindingStatus = Annotated[
    Literal["open", "resolved", "all"],
    folded_into("open", "resolved", "all"),
    Field(description="Those that hold, those that no longer do, or both"),
]
SeverityText = Annotated[
    Literal["error", "warn"], folded_into("error", "warn"), Field(description="Only findings of this severity")
]
RuleId = Annotated[str, *text(64), Field(description="The id of a rule or check")]
Reason = Annotated[
    Literal[
        "missing_occurred_at",
        "missing_occurred_during",
        "missing_part_of",
        "missing_founding_ancestor",
        "missing_members",
        "missing_creator",
        "missing_founding",
        "isolated",
    ],
    folded_into(*REASONS),
    Field(description="Only entities that this is missing of"),
]


def _about(asked: Asking, name: str | None, field: str) -> EntityId | None:
    return None if name is None else asked.entity(name, field).id


def _shown(
    asked: Asking, found: Page, limit: int, say: Callable[[FindingPrinter], Callable[[Listed], T]]
) -> Result[list[T]]:
    one = say(FindingPrinter(asked, found.listed))
    return listed([one(each) for each in found.listed], limit, asked, total=found.total)


@surface.tool("read", example={"subject": "Tide-Knife"})
def get_contradictions(
    memory: Memory,
    subject: EntityName | None = None,
    severity: SeverityText | None = None,
    limit: FindingLimit = 50,
    include_flagged: IncludeFlagged = False,
    status: FindingStatus = "open",
    as_of: AsOf = None,
) -> Result[list[Contradiction]]:
    """Claims that cannot both stand, and things that go round in a circle.

    `subject` is any entity in it.
    """
    with asking_findings(memory, as_of) as asked:
        about = _about(asked, subject, "subject")
        wanted = FindingsWanted(["contradiction"], (), status, severity, include_flagged, about)
        return _shown(asked, list_findings(asked.view, wanted, limit), limit, lambda printer: printer.contradiction)


@surface.tool("read", example={"entity": "Mira Orrin"})
def get_anachronisms(
    memory: Memory,
    entity: EntityName | None = None,
    limit: FindingLimit = 50,
    severity: SeverityText | None = None,
    rule_id: RuleId | None = None,
    include_flagged: IncludeFlagged = False,
    status: FindingStatus = "open",
    as_of: AsOf = None,
) -> Result[list[Anachronism]]:
    """Things out of their time: deeds of the unborn and the dead, impossible parents."""
    with asking_findings(memory, as_of) as asked:
        if rule_id is not None and (rule_id not in known() or known()[rule_id].category != "anachronism"):
            raise NotFound("rule or check of anachronisms", rule_id, "rule_id")
        about = _about(asked, entity, "entity")
        rules = () if rule_id is None else (rule_id,)
        wanted = FindingsWanted(["anachronism"], rules, status, severity, include_flagged, about)
        return _shown(asked, list_findings(asked.view, wanted, limit), limit, lambda printer: printer.anachronism)


@surface.tool("read", example={"rule_id": "no-overlapping-rulers"})
def get_ontology_violations(
    memory: Memory,
    rule_id: RuleId | None = None,
    severity: SeverityText | None = None,
    limit: FindingLimit = 50,
    subject: EntityName | None = None,
    include_flagged: IncludeFlagged = False,
    status: FindingStatus = "open",
    as_of: AsOf = None,
) -> Result[list[OntologyViolation]]:
    """Breaches of the rules: those every world starts with and those that were added."""
    with asking_findings(memory, as_of) as asked:
        rules = rulebook(asked.view, deleted=status != "open")
        if rule_id is not None and rule_id not in rules:
            raise NotFound("rule", rule_id, "rule_id")
        about = _about(asked, subject, "subject")
        chosen = [rule_id] if rule_id is not None else list({**rules, **starters()})
        wanted = FindingsWanted((), chosen, status, severity, include_flagged, about)
        return _shown(asked, list_findings(asked.view, wanted, limit), limit, lambda printer: printer.violation)


@surface.tool("read", example={"reason": "missing_part_of"})
def get_orphans(
    memory: Memory,
    reason: Reason | None = None,
    limit: FindingLimit = 50,
    type: LabelText | None = None,  # noqa: A002 the published name
    include_flagged: IncludeFlagged = False,
    status: FindingStatus = "open",
    as_of: AsOf = None,
) -> Result[list[Orphan]]:
    """Entities with something missing: events without a place, places that lie in nothing."""
    with asking_findings(memory, as_of) as asked:
        wanted = FindingsWanted(["orphan"], (), status, None, include_flagged, detail=reason)
        found = list_findings(asked.view, wanted, limit) if type is None else _of_label(asked, wanted, type, limit)
        return _shown(asked, found, limit, lambda printer: printer.orphan)


def _of_label(asked: Asking, wanted: FindingsWanted, type_: str, limit: int) -> Page:
    """The findings about entities of a label."""
    label, every = read_label(type_), list_findings(asked.view, wanted).listed
    entities = asked.view.entities({each.finding.nodes[0] for each in every})
    fitting = {id_ for id_, entity in entities.items() if label.admits(kind_of(entity))}
    found = [each for each in every if each.finding.nodes[0] in fitting]
    return Page(found[:limit], len(found))
