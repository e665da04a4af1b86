"""Every check and starter rule by id, and the rules of a workspace as configured."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple

from recollect.model.ids import FactId
from recollect.reason.checks.findings import FindingCategory, FindingSeverity
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.sources import confidence_of
from recollect.reason.rules.ast_nodes import Rule
from recollect.reason.rules.rule_runner import compile_rule
from recollect.store import finding_queries
from recollect.store.finding_queries import RuleRow
from recollect.store.view import View


@dataclass(frozen=True, slots=True)
class RuleDefinition:
    """A built-in check or starter rule; a check has no Cypher text."""

    id: str
    category: FindingCategory
    severity: FindingSeverity
    description: str
    cypher: str | None = None

    @property
    def rule(self) -> Rule:
        return _compile_cached(self.cypher or "")


@cache
def _compile_cached(cypher: str) -> Rule:
    return compile_rule(cypher)


CHECKS: tuple[RuleDefinition, ...] = (
    RuleDefinition(
        "contradiction-bounds", "contradiction", "warn", "Two statements of one relation have bounds that agree"
    ),
    RuleDefinition(
        "contradiction-single-valued", "contradiction", "error", "A relation that can have one end at a time has one"
    ),
    RuleDefinition("contradiction-cycle", "contradiction", "error", "Nothing is its own ancestor, part or cause"),
    RuleDefinition("contradiction-conflict", "contradiction", "warn", "Of two conflicting statements one is newer"),
    RuleDefinition("anachronism-lifespan", "anachronism", "error", "Nobody acts before birth or after death"),
    RuleDefinition("anachronism-order", "anachronism", "error", "What exists begins before it ends"),
    RuleDefinition("kinship-birth-order", "anachronism", "error", "A parent is born before the child"),
    RuleDefinition(
        "kinship-posthumous", "anachronism", "error", "A child is born in its mother's life, or soon after its father's"
    ),
    RuleDefinition("kinship-age", "anachronism", "warn", "A parent is neither a child nor too old"),
    RuleDefinition("lifespan-age", "anachronism", "warn", "Nobody lives over 120 years"),
    RuleDefinition("gap-founding", "orphan", "warn", "A faction has a founding date"),
    RuleDefinition("gap-isolated", "orphan", "warn", "Every entity has a relation"),
)

PLAUSIBILITY_CHECKS = frozenset({"kinship-age", "lifespan-age"})
"""Checks of what is plausible in the real world; they do not run in a fictional one."""

STARTER_RULES: tuple[RuleDefinition, ...] = (
    RuleDefinition(
        "no-overlapping-rulers",
        "ontology",
        "error",
        "A place has one ruler at a time",
        """// A ruler and a body it is MEMBER_OF count as one; rulers both marked joint share the place.
MATCH (a)-[r1:RULES]->(l:Location)<-[r2:RULES]-(b)
WHERE a.id < b.id AND clash(r1, r2) AND NOT (coalesce(r1.joint, false) AND coalesce(r2.joint, false))
  AND NOT EXISTS { MATCH (a)-[m:MEMBER_OF]-(b) WHERE overlaps(m, r1) AND overlaps(m, r2) }
RETURN l, a, b, r1, r2""",
    ),
    RuleDefinition(
        "no-overlapping-spouses",
        "ontology",
        "warn",
        "A person has one spouse at a time",
        """// By the life rule a marriage ends with either spouse.
MATCH (a:Person)-[r1:SPOUSE_OF]-(p:Person)-[r2:SPOUSE_OF]-(b:Person)
WHERE a.id < b.id AND clash(r1, r2) AND NOT (coalesce(r1.joint, false) AND coalesce(r2.joint, false))
RETURN p, a, b, r1, r2""",
    ),
    RuleDefinition(
        "no-anachronism-participation",
        "anachronism",
        "error",
        "People take part in events of their own time",
        """// The event's time, or the relation's own bounds where the event has none.
MATCH (p:Person)-[r:PARTICIPATED_IN]->(e:Event)
WHERE outside(coalesce(event_time(e), stated(r)), existence(p)) AND NOT coalesce(r.posthumous, false)
RETURN p, e, r""",
    ),
    RuleDefinition(
        "no-anachronism-rule",
        "anachronism",
        "error",
        "A faction rules only while it exists",
        "MATCH (f:Faction)-[r:RULES]->(l:Location) WHERE exceeds(r, existence(f)) RETURN f, l, r",
    ),
    RuleDefinition(
        "no-orphan-events",
        "orphan",
        "warn",
        "An event has a place and a time",
        """// A time by any of the ways there are will do.
MATCH (e:Event) WHERE NOT EXISTS { (e)-[:OCCURRED_AT]->() } OR event_time(e) IS NULL RETURN e""",
    ),
    RuleDefinition(
        "no-orphan-locations",
        "orphan",
        "warn",
        "A place lies in another, unless it is a root",
        """// A root place has the property root: true; Unmapped Lands is one.
MATCH (l:Location)
WHERE NOT EXISTS { (l)-[:PART_OF]->() } AND NOT coalesce(l.root, false) AND toLower(l.name) <> 'unmapped lands'
RETURN l""",
    ),
    RuleDefinition(
        "lineage-continuity",
        "orphan",
        "warn",
        "A lineage has a founding ancestor and members",
        """MATCH (l:Lineage)
WHERE (l.founding_ancestor IS NULL AND NOT EXISTS { (:Person)-[:FOUNDED]->(l) })
  OR NOT EXISTS { (:Person)-[:MEMBER_OF]->(l) }
RETURN l""",
    ),
    RuleDefinition(
        "magic-system-coherence",
        "ontology",
        "warn",
        "Somebody practises a system while a spell is in it",
        """// The relevant era is the time the spell is in the system; without bounds, any time.
MATCH (s:Spell)-[r:PART_OF]->(m:MagicSystem)
WHERE NOT EXISTS { MATCH ()-[p:PRACTICES]->(m) WHERE overlaps(p, r) } RETURN s, m, r""",
    ),
    RuleDefinition(
        "deity-worship-coherence",
        "anachronism",
        "error",
        "A deity is worshipped while it exists",
        """// Without bounds, the worshipper's lifespan.
MATCH (p:Person)-[r:WORSHIPS]->(d:Deity) WHERE outside(r, existence(d)) RETURN p, d, r""",
    ),
    RuleDefinition(
        "item-lineage",
        "orphan",
        "warn",
        "An heirloom was made by somebody",
        "MATCH (i:Item)-[:INHERITED_BY]->() WHERE NOT EXISTS { ()-[:CREATED]->(i) } RETURN i",
    ),
)

GapReason = Literal[
    "missing_occurred_at",
    "missing_occurred_during",
    "missing_part_of",
    "missing_founding_ancestor",
    "missing_members",
    "missing_creator",
    "missing_founding",
    "isolated",
]


@cache
def definitions_by_id() -> Mapping[str, RuleDefinition]:
    """Checks and starter rules by id."""
    return {each.id: each for each in (*CHECKS, *STARTER_RULES)}


@cache
def starter_rules_by_id() -> Mapping[str, RuleDefinition]:
    return {each.id: each for each in STARTER_RULES}


MAX_CUSTOM_RULES = 200


class WorkspaceRule(NamedTuple):
    """A rule as configured in a workspace."""

    definition: RuleDefinition
    enabled: bool = True
    min_confidence: float = 0.0
    built_in: bool = True
    deleted: str | None = None

    @property
    def id(self) -> str:
        return self.definition.id


def load_rules(view: View, *, deleted: bool = False) -> dict[str, WorkspaceRule]:
    """Every rule by id: starter rules in their order, then custom rules by id."""
    rules = {each.id: WorkspaceRule(each) for each in STARTER_RULES}
    for row in finding_queries.rules_of(view):
        if row.deleted is None or deleted:
            built_in = row.id in starter_rules_by_id()
            rules[row.id] = WorkspaceRule(
                _definition_of(row), row.enabled == 1, row.min_confidence, built_in, row.deleted
            )
    return rules


def _definition_of(row: RuleRow) -> RuleDefinition:
    severity: FindingSeverity = "error" if row.severity == "error" else "warn"
    starter = starter_rules_by_id().get(row.id)
    if starter is not None:
        return replace(starter, severity=severity)
    return RuleDefinition(row.id, "ontology", severity, row.description or "", row.cypher or "")


def lowest_confidence(lore: LoreReader, relations: tuple[FactId, ...]) -> float | None:
    """The lowest confidence of these relations; none without any."""
    sources = lore.sources(relations)
    found = [confidence_of(sources[each]) for each in relations]
    return min((each for each in found if each is not None), default=None)
