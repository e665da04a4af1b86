"""A world told in lines such as `Ann:Person RULES Halden:Location (1800 .. 1850) {"joint": true}`, and its findings."""

import json
import re
from collections.abc import Sequence
from typing import Any

from recollect.memory import Memory
from recollect.model.fact import Claim, Statement
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import read_label
from recollect.model.vocabulary import resolve_predicate
from recollect.reason.checks.check_runs import ensure_initial_scan, run_full_check
from recollect.reason.checks.findings import FindingCategory, StoredFinding, list_findings
from recollect.store.change import Change
from recollect.store.finding_queries import FindingQuery, FindingStatus
from recollect.when.period import Time
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.record_statement import record_statement
from recollect.write.retract import retract_fact

_LINE = re.compile(
    r"(?P<subject>[^:]+):(?P<subject_type>\w+) (?P<relation>[A-Z_]+)"
    r"(?: (?P<object>[^:({]+):(?P<object_type>\w+)| '(?P<literal>[^']*)')?"
    r"(?: \((?P<times>[^)]*)\))?(?: (?P<attributes>\{.*\}))?"
)
EVERY: tuple[FindingCategory, ...] = ("contradiction", "anachronism", "ontology", "orphan")


def tell(memory: Memory, *lines: str) -> list[FactId]:
    """Write every line in one transaction; the facts in their order."""
    with memory.as_actor("lore-engine", "add_relation").write() as change:
        return [_relate(change, line) for line in lines]


def make(memory: Memory, name: str, label: str, **properties: Any) -> EntityId:
    """An entity with these properties."""
    with memory.as_actor("lore-engine", "add_entity").write() as change:
        return _entity(change, name, label, properties)


def _entity(change: Change, name: str, label: str, properties: dict[str, Any] | None = None) -> EntityId:
    kind = read_label(label)
    given = {**({"subtype": kind.subtype} if kind.subtype else {}), **(properties or {})}
    return find_or_create(change, NamedRef(name, kind.type, properties=given)).entity.id


def _relate(change: Change, line: str) -> FactId:
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError(line)
    subject = _entity(change, found["subject"], found["subject_type"])
    object_ = _entity(change, found["object"], found["object_type"]) if found["object"] else None
    target: Any = "entity" if object_ else "literal" if found["literal"] is not None else "none"
    predicate = found["relation"].lower()
    means = resolve_predicate(predicate, None, None, target, change.predicate_usage(predicate))
    start, end = _times(change, found["times"])
    claim = Claim(
        subject, means.name, means.label, means.fact_type, object_, found["literal"], means.symmetric, means.policy
    )
    attributes = json.loads(found["attributes"]) if found["attributes"] else {}
    statement = Statement(
        claim,
        change.now,
        "stated",
        "extracted",
        1.0,
        valid_from=start,
        valid_until=end,
        is_open_start=True,
        attributes=attributes,
    )
    return record_statement(change, statement).fact.id


def _times(change: Change, text: str | None) -> tuple[Time | None, Time | None]:
    if text is None:
        return None, None
    first, dots, last = text.partition(" .. ")
    start = None if first == "…" else change.world.read(first)
    return (start, start) if not dots else (start, None if last == "…" else change.world.read(last))


def withdraw(memory: Memory, fact: FactId) -> None:
    with memory.write() as change:
        retract_fact(change, fact)


def check(memory: Memory) -> dict[str, Any]:
    """A full run."""
    return run_full_check(memory).run


def findings(
    memory: Memory, *categories: FindingCategory, status: FindingStatus = "open", flagged: bool = False
) -> list[StoredFinding]:
    """The findings in these categories, or in all, the engine being awake."""
    ensure_initial_scan(memory)
    with memory.read() as view:
        wanted: Any = FindingQuery(categories or EVERY, (), status, include_flagged=flagged)
        return [each.finding for each in list_findings(view, wanted).items]


def broken(memory: Memory, *rules: str) -> list[tuple[str, ...]]:
    """The rules that are broken, each with the names of what breaks it; only these rules if any are named."""
    found = [each for each in findings(memory) if not rules or each.rule in rules]
    with memory.read() as view:
        names = view.entities({node for each in found for node in each.nodes})
    return sorted((each.rule, *(names[node].name for node in each.nodes)) for each in found)


def broken_rules(memory: Memory, ignoring: Sequence[str] = ("gap-isolated", "gap-founding")) -> set[str]:
    return {each.rule for each in findings(memory) if each.rule not in ignoring}
