"""Adding, changing, stopping and bringing back rules."""

from dataclasses import dataclass, replace
from typing import Any

from recollect.errors import Conflict, RecollectError, Refused
from recollect.memory import Memory
from recollect.reason.checks.added import Kept, Ran, keep_added, limits_of, run_added
from recollect.reason.checks.after import note
from recollect.reason.checks.catalogue import Known, starters
from recollect.reason.checks.examine import is_sure_enough
from recollect.reason.checks.finding import Finding, Severity
from recollect.reason.checks.rulebook import MOST_ADDED, SetRule, rulebook
from recollect.reason.checks.sight import Sight
from recollect.reason.checks.starters import UNLIMITED, finding_of
from recollect.reason.checks.state import queue_rules
from recollect.reason.checks.stored import Outcome
from recollect.reason.rules.run import breaches
from recollect.store.change import Change
from recollect.store.tables import OPEN, RULE
from recollect.store.view import View


class RuleBuiltIn(Refused):
    code = "RULE_BUILT_IN"

    def __init__(self, rule: str, field: str) -> None:
        super().__init__(
            f"{rule} is a starter rule: only its severity, enabled and min_confidence can be set", field=field
        )


class RuleNeeds(Refused):
    """A new rule without something it cannot do without."""

    code = "BAD_INPUT"

    def __init__(self, rule: str, field: str) -> None:
        super().__init__(f"there is no rule {rule!r} yet, so it needs {field}", field=field)


class TooManyRules(Conflict):
    code = "CONFLICT"

    def __init__(self) -> None:
        super().__init__(f"there are {MOST_ADDED} added rules already; delete one first")


@dataclass(frozen=True, slots=True)
class RuleWanted:
    """A rule as somebody gives it; what is missing is kept as it is."""

    id: str
    cypher: str | None = None
    description: str | None = None
    severity: Severity | None = None
    enabled: bool | None = None
    min_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Ruled:
    """A rule as it now stands, whether it is new, and what it found."""

    rule: SetRule
    created: bool
    changed: bool
    found: int
    truncated: bool = False
    warnings: tuple[str, ...] = ()


def put_rule(memory: Memory, wanted: RuleWanted) -> tuple[Ruled, Change | None]:
    """Add or change a rule; it is checked, and run where nothing can be written, before that."""
    with memory.read() as view:
        held, rule = _wanted(view, wanted)
        if rule == held:
            return Ruled(rule, False, False, _open_count(view, rule.id)), None
        ran = _run(memory, view, rule)
    with memory.write() as change:
        kept = _keep(change, rule, ran)
        note(change, Outcome(kept.opened, kept.resolved))
    return _ruled(rule, held is None, ran), change


def put_rule_in(memory: Memory, change: Change, wanted: RuleWanted) -> bool:
    """The same inside a transaction of somebody else's; whether it changed anything."""
    held, rule = _wanted(change, wanted)
    if rule == held:
        return False
    _keep(change, rule, _run(memory, change, rule))
    return True


def _ruled(rule: SetRule, created: bool, ran: Ran) -> Ruled:
    count = ran.count if rule.enabled else 0
    return Ruled(rule, created, True, count, rule.enabled and ran.is_truncated, ran.warnings)


def _wanted(view: View, wanted: RuleWanted) -> tuple[SetRule | None, SetRule]:
    rules = rulebook(view)
    held = rules.get(wanted.id)
    if held is None:
        if sum(not rule.built_in for rule in rules.values()) >= MOST_ADDED:
            raise TooManyRules
        held_known = Known(wanted.id, "ontology", "warn", *_needed(wanted))
        return None, _set(SetRule(held_known, built_in=False), wanted)
    if held.built_in:
        for field, given, own in (
            ("cypher", wanted.cypher, held.known.cypher),
            ("description", wanted.description, held.known.description),
        ):
            if given is not None and given.strip() != (own or "").strip():
                raise RuleBuiltIn(wanted.id, field)
    return held, _set(held, wanted)


def _needed(wanted: RuleWanted) -> tuple[str, str]:
    if wanted.cypher is None:
        raise RuleNeeds(wanted.id, "cypher")
    if wanted.description is None:
        raise RuleNeeds(wanted.id, "description")
    return wanted.description, wanted.cypher


def _set(rule: SetRule, wanted: RuleWanted) -> SetRule:
    known = rule.known
    given: dict[str, Any] = {"severity": wanted.severity}
    if not rule.built_in:
        given |= {"cypher": wanted.cypher, "description": wanted.description}
    return rule._replace(
        known=replace(known, **{key: value for key, value in given.items() if value is not None}),
        enabled=rule.enabled if wanted.enabled is None else wanted.enabled,
        min_confidence=rule.min_confidence if wanted.min_confidence is None else float(wanted.min_confidence),
    )


def _run(memory: Memory, view: View, rule: SetRule) -> Ran:
    if not rule.built_in:
        return run_added(view, rule, limits_of(memory.settings))
    if not rule.enabled:
        return Ran((), 0)
    sight = Sight(view)
    found: dict[str, Finding] = {}
    for breach in breaches(starters()[rule.id].rule, sight.graph, UNLIMITED):
        if is_sure_enough(sight, rule, breach.relations):
            finding = finding_of(sight, rule.known, breach)
            found[finding.id] = finding
    return Ran(tuple(found.values()), len(found))


def _keep(change: Change, rule: SetRule, ran: Ran) -> Kept:
    store_rule(change, rule)
    return keep_added(change, rule.id, ran.findings if rule.enabled else ())


def store_rule(change: Change, rule: SetRule) -> None:
    """A new version of a rule."""
    known = rule.known
    own = (None, None) if rule.built_in else (known.cypher, known.description)
    row = (
        change.ws,
        rule.id,
        change.tx,
        OPEN,
        *own,
        known.severity,
        int(rule.enabled),
        rule.min_confidence,
        rule.deleted,
    )
    change.connection.end(RULE, change.ws, (rule.id,), change.tx)
    change.connection.insert(RULE, [row])


def _open_count(view: View, rule: str) -> int:
    return len(view.rows("findings_of_rule", rule=rule))


def delete_rule(change: Change, rule: SetRule, reason: str) -> int:
    """Stop an added rule; how many findings that resolved."""
    if rule.built_in:
        raise RuleBuiltIn(rule.id, "id")
    store_rule(change, rule._replace(deleted=reason))
    kept = keep_added(change, rule.id, ())
    note(change, Outcome(kept.opened, kept.resolved))
    return len(kept.resolved)


def restore_rule(memory: Memory, change: Change, rule: SetRule) -> None:
    """Bring a deleted rule back with what it finds."""
    store_rule(change, rule._replace(deleted=None))
    settle_rule(memory, change, rule.id)


def rules_touched(change: Change) -> set[str]:
    """The rules that a change began or ended a version of so far."""
    begun = change.connection.begun_by(RULE, change.ws, change.tx)
    ended = change.connection.ended_by(RULE, change.ws, change.tx)
    return {row[1] for row in (*begun, *ended)}


def settle_rule(memory: Memory, change: Change, id_: str) -> None:
    """Leave open what a rule finds as it stands now, nothing if it is gone; one that cannot run at once runs later."""
    rule = rulebook(change).get(id_)
    try:
        ran = _run(memory, change, rule) if rule is not None and rule.enabled else Ran((), 0)
    except RecollectError:
        queue_rules(change, change.tx)
        return
    kept = keep_added(change, id_, ran.findings)
    note(change, Outcome(kept.opened, kept.resolved))
