"""Every check and starter rule by its id: what it looks for, and in what words."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from recollect.reason.checks.finding import Category, Severity
from recollect.reason.rules.run import read_rule
from recollect.reason.rules.tree import Rule


@dataclass(frozen=True, slots=True)
class Known:
    """A check of the engine or a rule it starts with; a check has no text."""

    id: str
    category: Category
    severity: Severity
    description: str
    cypher: str | None = None

    @property
    def rule(self) -> Rule:
        return _parsed(self.cypher or "")

    def at(self, severity: Severity) -> "Known":
        """The same with another severity."""
        return replace(self, severity=severity)


@cache
def _parsed(cypher: str) -> Rule:
    return read_rule(cypher)


CHECKS: tuple[Known, ...] = (
    Known("contradiction-bounds", "contradiction", "warn", "Two statements of one relation have bounds that agree"),
    Known(
        "contradiction-single-valued", "contradiction", "error", "A relation that can have one end at a time has one"
    ),
    Known("contradiction-cycle", "contradiction", "error", "Nothing is its own ancestor, part or cause"),
    Known("contradiction-conflict", "contradiction", "warn", "Of two rival statements one is the newer"),
    Known("anachronism-lifespan", "anachronism", "error", "Nobody does anything before birth or after death"),
    Known("anachronism-order", "anachronism", "error", "What exists begins before it ends"),
    Known("kinship-birth-order", "anachronism", "error", "A parent is born before the child"),
    Known(
        "kinship-posthumous", "anachronism", "error", "A child is born in its mother's life, or soon after its father's"
    ),
    Known("kinship-age", "anachronism", "warn", "A parent is neither a child nor too old"),
    Known("lifespan-age", "anachronism", "warn", "Nobody lives over 120 years"),
    Known("gap-founding", "orphan", "warn", "A faction was founded at some time"),
    Known("gap-isolated", "orphan", "warn", "Something is said of everything"),
)

PROBABILITY = frozenset({"kinship-age", "lifespan-age"})
"""Checks of what is likely in the real world; in an invented one they do not run."""

STARTERS: tuple[Known, ...] = (
    Known(
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
    Known(
        "no-overlapping-spouses",
        "ontology",
        "warn",
        "A person has one spouse at a time",
        """// By the life rule a marriage ends with either spouse.
MATCH (a:Person)-[r1:SPOUSE_OF]-(p:Person)-[r2:SPOUSE_OF]-(b:Person)
WHERE a.id < b.id AND clash(r1, r2) AND NOT (coalesce(r1.joint, false) AND coalesce(r2.joint, false))
RETURN p, a, b, r1, r2""",
    ),
    Known(
        "no-anachronism-participation",
        "anachronism",
        "error",
        "People take part in events of their own time",
        """// The event's time, or the relation's own bounds where the event has none.
MATCH (p:Person)-[r:PARTICIPATED_IN]->(e:Event)
WHERE outside(coalesce(event_time(e), stated(r)), existence(p)) AND NOT coalesce(r.posthumous, false)
RETURN p, e, r""",
    ),
    Known(
        "no-anachronism-rule",
        "anachronism",
        "error",
        "A faction rules only while it exists",
        "MATCH (f:Faction)-[r:RULES]->(l:Location) WHERE exceeds(r, existence(f)) RETURN f, l, r",
    ),
    Known(
        "no-orphan-events",
        "orphan",
        "warn",
        "An event has a place and a time",
        """// A time by any of the ways there are will do.
MATCH (e:Event) WHERE NOT EXISTS { (e)-[:OCCURRED_AT]->() } OR event_time(e) IS NULL RETURN e""",
    ),
    Known(
        "no-orphan-locations",
        "orphan",
        "warn",
        "A place lies in another, unless it is a root",
        """// A root place has the property root: true; Unmapped Lands is one.
MATCH (l:Location)
WHERE NOT EXISTS { (l)-[:PART_OF]->() } AND NOT coalesce(l.root, false) AND toLower(l.name) <> 'unmapped lands'
RETURN l""",
    ),
    Known(
        "lineage-continuity",
        "orphan",
        "warn",
        "A lineage has a founding ancestor and members",
        """MATCH (l:Lineage)
WHERE (l.founding_ancestor IS NULL AND NOT EXISTS { (:Person)-[:FOUNDED]->(l) })
  OR NOT EXISTS { (:Person)-[:MEMBER_OF]->(l) }
RETURN l""",
    ),
    Known(
        "magic-system-coherence",
        "ontology",
        "warn",
        "Somebody practises a system while a spell is in it",
        """// The relevant era is the time the spell is in the system; without bounds, any time.
MATCH (s:Spell)-[r:PART_OF]->(m:MagicSystem)
WHERE NOT EXISTS { MATCH ()-[p:PRACTICES]->(m) WHERE overlaps(p, r) } RETURN s, m, r""",
    ),
    Known(
        "deity-worship-coherence",
        "anachronism",
        "error",
        "A deity is worshipped while it exists",
        """// Without bounds, the worshipper's lifespan.
MATCH (p:Person)-[r:WORSHIPS]->(d:Deity) WHERE outside(r, existence(d)) RETURN p, d, r""",
    ),
    Known(
        "item-lineage",
        "orphan",
        "warn",
        "An heirloom was made by somebody",
        "MATCH (i:Item)-[:INHERITED_BY]->() WHERE NOT EXISTS { ()-[:CREATED]->(i) } RETURN i",
    ),
)

REASONS = (
    "missing_occurred_at",
    "missing_occurred_during",
    "missing_part_of",
    "missing_founding_ancestor",
    "missing_members",
    "missing_creator",
    "missing_founding",
    "isolated",
)


@cache
def known() -> Mapping[str, Known]:
    """Checks and starter rules by id."""
    return {each.id: each for each in (*CHECKS, *STARTERS)}


@cache
def starters() -> Mapping[str, Known]:
    return {each.id: each for each in STARTERS}
