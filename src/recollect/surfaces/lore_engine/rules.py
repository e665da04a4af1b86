"""`add_ontology_rule` and `list_ontology_rules`."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from recollect.memory import Memory
from recollect.reason.checks.after import outcome_of
from recollect.reason.checks.finding import say_finding
from recollect.reason.checks.full import ready_to_read
from recollect.reason.checks.rulebook import SetRule, rulebook
from recollect.reason.checks.ruling import RuleWanted, put_rule
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.examining import asking_findings
from recollect.surfaces.lore_engine.finding_results import RuleListed, RulePut
from recollect.surfaces.lore_engine.finding_shown import say_brief
from recollect.surfaces.lore_engine.shapes import REASON_LIMIT, AsOf, text
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.shapes import folded_into, refuse

LONGEST = 4_000
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def _slug(given: str) -> str:
    if not _SLUG.fullmatch(given.strip()):
        raise refuse("should be lower case letters, digits and hyphens, at most 64 of them")
    return given.strip()


def _cypher(given: str) -> str:
    # Not trimmed: the places in the text that an error names are counted from its first character.
    if not given.strip():
        raise refuse("should not be blank")
    if len(given) > LONGEST:
        raise refuse(f"should have at most {LONGEST} characters")
    return given


RuleSlug = Annotated[
    str,
    AfterValidator(_slug),
    WithJsonSchema({"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$"}),
    Field(description="The rule's id"),
]
CypherText = Annotated[
    str,
    AfterValidator(_cypher),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": LONGEST}),
    Field(description="MATCH … WHERE … RETURN …; every row it returns is a breach"),
]
Described = Annotated[str, *text(REASON_LIMIT), Field(description="What the rule says, in words")]
RuleSeverity = Annotated[
    Literal["error", "warn"], folded_into("error", "warn"), Field(description="How bad a breach is; default warn")
]
Enabled = Annotated[bool, Field(description="Whether the rule runs; default true")]
MinConfidence = Annotated[
    float, Field(ge=0, le=1, description="Breaches that rest on less than this are not opened; default 0")
]


@surface.tool(
    "write",
    example={
        "id": "no-armed-clerks",
        "cypher": "MATCH (p:Person {occupation: 'clerk'})-[r:POSSESSES]->(i:Item) "
        "WHERE i.subtype = 'weapon' RETURN p, i, r",
        "description": "Clerks go unarmed",
        "severity": "warn",
    },
    idempotent=True,
)
def add_ontology_rule(
    memory: Memory,
    id: RuleSlug,  # noqa: A002 the published name
    cypher: CypherText | None = None,
    description: Described | None = None,
    severity: RuleSeverity | None = None,
    enabled: Enabled | None = None,
    min_confidence: MinConfidence | None = None,
) -> RulePut:
    """Add a rule to the world, or change one: its text, its severity, or whether it runs.

    The rule is parsed, checked and run once over the whole world; it is kept only if all that succeeds.
    """
    ready_to_read(memory)
    ruled, change = put_rule(memory, RuleWanted(id, cypher, description, severity, enabled, min_confidence))
    with memory.read() as view:
        last = view.last_tx
    outcome = None if change is None else outcome_of(change)
    said: Any = {
        **_said(ruled.rule),
        "created": ruled.created,
        "violations_found": ruled.found,
        "truncated": ruled.truncated,
        "warnings": list(ruled.warnings),
        "tx": last if change is None else change.tx,
        "violations": []
        if outcome is None
        else [say_brief(each) for each in outcome.opened if each.category != "orphan"],
        "resolved_violations": [] if outcome is None else [say_finding(each) for each in outcome.resolved],
    }
    put: RulePut = said
    return put


def _said(rule: SetRule) -> dict[str, Any]:
    known = rule.known
    return {
        "id": rule.id,
        "description": known.description,
        "severity": known.severity,
        "cypher": known.cypher,
        "enabled": rule.enabled,
        "built_in": rule.built_in,
    }


@surface.tool("read", example={})
def list_ontology_rules(memory: Memory, as_of: AsOf = None) -> Result[list[RuleListed]]:
    """All rules of the world: the ten it starts with, then those that were added."""
    with asking_findings(memory, as_of) as asked:
        view, counts = asked.view, dict[str, int]()
        for rule, _, _, count, _ in view.rows("findings_counted"):
            counts[rule] = counts.get(rule, 0) + int(count)
        rules: list[Any] = [
            {
                **_said(each),
                "category": each.known.category,
                "min_confidence": each.min_confidence,
                "open_violations": counts.get(each.id, 0),
            }
            for each in rulebook(view).values()
        ]
        return listed(rules, len(rules), asked)
