"""A finding: something that is wrong with the world, known by what it is about."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NewType

from recollect.model.ids import EntityId, FactId, is_id, read_id, say_bits

FindingId = NewType("FindingId", str)
Category = Literal["contradiction", "anachronism", "ontology", "orphan"]
Severity = Literal["error", "warn"]

FINDING_PREFIX = "vio_"
RUN_PREFIX = "run_"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check or rule says of some entities and relations; lists show its `details`."""

    rule: str
    category: Category
    severity: Severity
    nodes: tuple[EntityId, ...]
    relations: tuple[FactId, ...]
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> FindingId:
        return finding_id(self.rule, (*self.nodes, *self.relations))


def finding_id(rule: str, parts: Iterable[str]) -> FindingId:
    """A fixed function of the rule and of what was found, in whatever order."""
    text = "\0".join((rule, *sorted(parts)))
    return FindingId(say_bits(int.from_bytes(blake2b(text.encode(), digest_size=16).digest(), "big")))


def say_finding(finding: str) -> str:
    return FINDING_PREFIX + finding


def say_run(run: str) -> str:
    return RUN_PREFIX + run


def read_finding(text: str) -> FindingId | None:
    """The finding that a printed id names; none if it is no id of one."""
    return FindingId(read_id(text, FINDING_PREFIX)) if is_id(text, FINDING_PREFIX) else None
