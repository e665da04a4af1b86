"""`run_consistency_check`, `latest_run`, ontology rules and `flag_for_review`."""

import re
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field, WithJsonSchema

from recollect.errors import Refused
from recollect.memory import Memory
from recollect.model.ids import (
    ENTITY_PREFIX,
    FACT_PREFIX,
    DocumentId,
    EntityId,
    FactId,
    is_id,
    read_id,
)
from recollect.reason.checks.check_runs import (
    CheckScope,
    ensure_initial_scan,
    refresh_findings,
    run_full_check,
    run_scoped_check,
)
from recollect.reason.checks.custom_rules import RuleInput, save_rule
from recollect.reason.checks.findings import (
    FindingChanges,
    find_finding,
    parse_finding_id,
    remove_flag,
    set_flag,
)
from recollect.reason.checks.incremental import finding_changes_of
from recollect.reason.checks.rule_catalogue import WorkspaceRule, load_rules
from recollect.reason.checks.run_records import find_latest_run as find_latest_run
from recollect.store.change import Change
from recollect.store.finding_queries import Flag, FlagKind, open_findings_by_rule
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.finding_rendering import render_changes, render_run
from recollect.surfaces.lore_engine.finding_results import (
    ConsistencyRunResult,
    ConsistencyRunView,
    FlagResult,
    ListedRuleView,
    NoRunResult,
    RuleWriteResult,
)
from recollect.surfaces.lore_engine.findings import EXAMPLE_FINDING
from recollect.surfaces.lore_engine.results import REASON_LIMIT, AsOf, text_validators
from recollect.surfaces.lore_engine.session import ReadSession, findings_session, list_result, read_session
from recollect.surfaces.lore_engine.surface import UnknownId, surface
from recollect.surfaces.lore_engine.write_session import WriteSession, run_write
from recollect.surfaces.parameter_types import bad_value, fold_case_into
from recollect.when.instant import format_instant
from recollect.when.timeline_lookup import find_era

ScopeText = Annotated[
    str,
    *text_validators(250),
    Field(description="all, entity:NAME, era:TIME; without a prefix: all, a defined era, or an entity"),
]
IncludeIncremental = Annotated[bool, Field(description="Also the small runs after single writes")]


@surface.tool("write", example={"scope": "all"}, idempotent=True)
def run_consistency_check(memory: Memory, scope: ScopeText = "all") -> ConsistencyRunResult:
    """Check now: the whole world, an entity and its neighbours, or what holds in an era."""
    run = run_check(memory, scope)
    with memory.read() as view:
        done: Any = {**run, "tx": view.last_tx}
    found: ConsistencyRunResult = done
    return found


def run_check(memory: Memory, scope: str) -> dict[str, Any]:
    """Run the checks over a scope; the run with the findings that are open, and those it opened and resolved."""
    wanted = _parse_scope(memory, scope)
    if wanted is not None:
        ensure_initial_scan(memory, "follow")
    done = run_full_check(memory) if wanted is None else run_scoped_check(memory, wanted)
    return {**done.run, **render_run(done)}


def _parse_scope(memory: Memory, text_: str) -> CheckScope | None:
    """The scope that a text names; default: everything."""
    prefix, colon, rest = text_.partition(":")
    word = prefix.strip().lower() if colon else ""
    with read_session(memory) as session:
        if word == "era":
            time = session.time(rest.strip(), "scope")
            return CheckScope(f"era:{time.text}", time=time)
        if word == "entity":
            return _entity_scope(session, rest.strip())
        if text_.lower() == "all":
            return None
        return _era_scope(session, text_) or _entity_scope(session, text_)


def _era_scope(session: ReadSession, text_: str) -> CheckScope | None:
    try:
        era = find_era(session.view.world.timeline, text_)
    except Refused:
        return None
    return None if era is None else CheckScope(f"era:{era.path}", time=session.time(era.path, "scope"))


def _entity_scope(session: ReadSession, name: str) -> CheckScope:
    entity = session.entity(name, "scope")
    return CheckScope(f"entity:{entity.name}", entity.id)


@surface.tool("read", example={})
def latest_run(
    memory: Memory, include_incremental: IncludeIncremental = False, as_of: AsOf = None
) -> ConsistencyRunView | NoRunResult:
    """The most recent run of the consistency engine."""
    with memory.read(as_of) as view:
        found: Any = find_latest_run(view, incremental=include_incremental)
    if found is None:
        return {"run_id": None, "message": "no consistency run yet"}
    run: ConsistencyRunView = found
    return run


MAX_CYPHER_LENGTH = 4_000
_SLUG_FORM = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def _check_slug(given: str) -> str:
    if not _SLUG_FORM.fullmatch(given.strip()):
        raise bad_value("should be lower case letters, digits and hyphens, at most 64 of them")
    return given.strip()


def _check_cypher(given: str) -> str:
    # Not trimmed: positions in error messages count from the first character given.
    if not given.strip():
        raise bad_value("should not be blank")
    if len(given) > MAX_CYPHER_LENGTH:
        raise bad_value(f"should have at most {MAX_CYPHER_LENGTH} characters")
    return given


RuleSlug = Annotated[
    str,
    AfterValidator(_check_slug),
    WithJsonSchema({"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$"}),
    Field(description="The rule's id"),
]
CypherText = Annotated[
    str,
    AfterValidator(_check_cypher),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_CYPHER_LENGTH}),
    Field(description="MATCH … WHERE … RETURN …; every row it returns is a breach"),
]
RuleDescription = Annotated[str, *text_validators(REASON_LIMIT), Field(description="What the rule says, in words")]
RuleSeverity = Annotated[
    Literal["error", "warn"], fold_case_into("error", "warn"), Field(description="How bad a breach is; default warn")
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
    description: RuleDescription | None = None,
    severity: RuleSeverity | None = None,
    enabled: Enabled | None = None,
    min_confidence: MinConfidence | None = None,
) -> RuleWriteResult:
    """Add a rule to the world, or change one: its text, its severity, or whether it runs.

    The rule is parsed, checked and run once over the whole world; it is kept only if all that succeeds.
    """
    refresh_findings(memory)
    ruled, change = save_rule(memory, RuleInput(id, cypher, description, severity, enabled, min_confidence))
    with memory.read() as view:
        last = view.last_tx
    said: Any = {
        **_render_rule(ruled.rule),
        "created": ruled.created,
        "violations_found": ruled.found,
        "truncated": ruled.truncated,
        "warnings": list(ruled.warnings),
        "tx": last if change is None else change.tx,
        **render_changes(FindingChanges() if change is None else finding_changes_of(change)),
    }
    put: RuleWriteResult = said
    return put


def _render_rule(rule: WorkspaceRule) -> dict[str, Any]:
    known = rule.definition
    return {
        "id": rule.id,
        "description": known.description,
        "severity": known.severity,
        "cypher": known.cypher,
        "enabled": rule.enabled,
        "built_in": rule.built_in,
    }


@surface.tool("read", example={})
def list_ontology_rules(memory: Memory, as_of: AsOf = None) -> Result[list[ListedRuleView]]:
    """All rules of the world: the ten it starts with, then those that were added."""
    with findings_session(memory, as_of) as session:
        counts = open_findings_by_rule(session.view)
        rules: list[Any] = [
            {
                **_render_rule(each),
                "category": each.definition.category,
                "min_confidence": each.min_confidence,
                "open_violations": counts.get(each.id, 0),
            }
            for each in load_rules(session.view).values()
        ]
        return list_result(rules, len(rules), session)


NodeId = Annotated[str, *text_validators(200), Field(description="The id of an entity, relation, document or finding")]
FlagReason = Annotated[str, *text_validators(REASON_LIMIT), Field(description="Why")]
ClearFlag = Annotated[bool, Field(description="Take the flag off again")]


@surface.tool("write", example={"node_id": EXAMPLE_FINDING, "reason": "the knife was lent"}, idempotent=True)
def flag_for_review(memory: Memory, node_id: NodeId, reason: FlagReason, clear: ClearFlag = False) -> FlagResult:
    """Mark an entity, relation or document as suspicious, or a finding as seen.

    A flagged finding leaves the lists until it is asked for; all else is only listed by `get_unresolved`.
    """

    def act(session: WriteSession) -> dict[str, Any]:
        kind, node = _find_node(session.change, node_id)
        flag = remove_flag(session.change, node) if clear else set_flag(session.change, node, kind, reason)
        return _render_flag(node_id, kind, reason, None if clear else flag)

    return cast(FlagResult, run_write(memory, act))


def _render_flag(given: str, kind: FlagKind, reason: str, flag: Flag | None) -> dict[str, Any]:
    return {
        "node_id": given,
        "kind": kind,
        "flagged": flag is not None,
        "reason": reason if flag is None else flag.reason,
        "flagged_at": None if flag is None else format_instant(flag.flagged_at),
        "flagged_by": None if flag is None else flag.flagged_by,
    }


def _find_node(change: Change, given: str) -> tuple[FlagKind, str]:
    """The node of an id; one without a prefix may be of any kind."""
    found = parse_finding_id(given)
    if found is not None and find_finding(change, found) is not None:
        return "violation", found
    if is_id(given, ENTITY_PREFIX):
        entity = change.entity(EntityId(read_id(given, ENTITY_PREFIX)))
        if entity is not None and entity.is_live:
            return "entity", entity.id
    if is_id(given, FACT_PREFIX):
        fact = change.fact(FactId(read_id(given, FACT_PREFIX)))
        if fact is not None and not fact.is_retracted:
            return "relation", fact.id
    if is_id(given):
        document = change.document(DocumentId(read_id(given)))
        if document is not None and document.deleted is None:
            return "document", document.id
    raise UnknownId("entity, relation, document or violation", given, "node_id")
