"""Added rules: run where nothing can be written, within their limits; then kept."""

from dataclasses import dataclass

from recollect.errors import RecollectError
from recollect.memory import Memory
from recollect.reason.checks.catalogue import CHECKS
from recollect.reason.checks.examine import is_sure_enough
from recollect.reason.checks.finding import Finding, FindingId
from recollect.reason.checks.rulebook import SetRule, rulebook
from recollect.reason.checks.runs import Tally
from recollect.reason.checks.sight import Sight
from recollect.reason.checks.starters import finding_of
from recollect.reason.checks.stored import Book
from recollect.reason.rules.meter import SECONDS, Limits
from recollect.reason.rules.run import all_breaches, read_rule, unused
from recollect.settings import BadSetting, Settings
from recollect.store.change import Change
from recollect.store.view import View

SECONDS_SETTING = "lore_engine.rule_seconds"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a rule found in the whole world."""

    findings: tuple[Finding, ...]
    count: int
    warnings: tuple[str, ...] = ()

    @property
    def is_truncated(self) -> bool:
        return self.count > len(self.findings)


def limits_of(settings: Settings) -> Limits:
    """How long one rule may run here."""
    given = settings.get(SECONDS_SETTING)
    try:
        return Limits(SECONDS if given is None else float(given))
    except (TypeError, ValueError):
        raise BadSetting(SECONDS_SETTING, given, "a number of seconds") from None


def run_added(view: View, rule: SetRule, limits: Limits) -> Ran:
    """Run a rule over the world; whatever is wrong with it is raised."""
    sight = Sight(view)
    parsed = read_rule(rule.known.cypher or "", sight.lore.world.read)
    found = all_breaches(parsed, sight.graph, limits)
    findings = [
        finding_of(sight, rule.known, breach) for breach in found.found if is_sure_enough(sight, rule, breach.relations)
    ]
    beyond = found.count - len(found.found)
    return Ran(tuple(findings), len(findings) + beyond, tuple(unused(parsed, sight.graph)))


@dataclass(frozen=True, slots=True)
class Kept:
    """How many findings of a rule were opened and resolved."""

    opened: tuple[Finding, ...]
    resolved: tuple[FindingId, ...]


def keep_added(change: Change, rule: str, findings: tuple[Finding, ...]) -> Kept:
    """Open what a rule found and resolve what it no longer finds."""
    book = Book(change)
    wanted = {finding.id for finding in findings}
    gone = [row[0] for row in change.rows("findings_of_rule", rule=rule) if row[0] not in wanted]
    opened = book.keep(findings)
    book.resolve(gone)
    return Kept(tuple(opened), tuple(gone))


def run_all_added(memory: Memory, tally: Tally) -> None:
    """Run every added rule and count what that opened and resolved, and which rules failed.

    A rule that fails resolves nothing. Findings of rules that are gone or switched off are resolved.
    """
    with memory.read() as view:
        rules = rulebook(view)
        open_rules = {row[0] for row in view.rows("findings_counted")}
    limits = limits_of(memory.settings)
    for rule in rules.values():
        if rule.built_in or not rule.enabled:
            continue
        try:
            with memory.read() as view:
                ran = run_added(view, rule, limits)
        except RecollectError as problem:
            tally.errors.append({"rule_id": rule.id, "error": problem.code, "message": str(problem)})
            continue
        with memory.write() as change:
            kept = keep_added(change, rule.id, ran.findings)
        tally.note(kept.opened, kept.resolved)
    for stopped in sorted(_stopped(rules, open_rules)):
        with memory.write() as change:
            tally.note((), keep_added(change, stopped, ()).resolved)


def _stopped(rules: dict[str, SetRule], open_rules: set[str]) -> set[str]:
    """The rules with open findings that are no longer there, or no longer on."""
    checks = {check.id for check in CHECKS}
    return {each for each in open_rules - checks if each not in rules or not rules[each].enabled}
