"""A labelled set of records, as a file of lines."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from recollect.errors import Refused
from recollect.ingest.fields import Fields, Json
from recollect.ingest.problems import BadLine
from recollect.model.fact import LABELS, Label
from recollect.model.names import fold
from recollect.model.wording import snake

Outcome = Literal["merge", "split", "domain_inferred"]
OUTCOMES: tuple[Outcome, ...] = ("merge", "split", "domain_inferred")
ABSENT = object()


class UnreadableDataset(Refused):
    code = "dataset_unreadable"

    def __init__(self, why: str) -> None:
        super().__init__(f"the dataset cannot be read: {why}")


class ExpectedFact(NamedTuple):
    """A fact that a record is known to tell; names are folded, `names` leads from an alias to the name."""

    label: Label
    fact_type: str
    subject: str
    target: str | None
    names: Json
    given: Json

    def is_same(self, label: str, fact_type: str, subject: str, target: str | None) -> bool:
        return (self.label, self.fact_type, self._name(self.subject)) == (label, fact_type, self._name(subject)) and (
            self._name(self.target) == self._name(target)
        )

    def _name(self, folded: str | None) -> str | None:
        return None if folded is None else self.names.get(folded, folded)


class LabelledRecord(NamedTuple):
    """A record and what it is known to tell."""

    record: Json
    key: str
    facts: tuple[ExpectedFact, ...]
    is_noise: bool


class ResolutionCase(NamedTuple):
    a: str
    b: str
    expected: Outcome


class TemporalCase(NamedTuple):
    """A fact and how it is known to stand in the end."""

    fact: ExpectedFact
    stale: bool
    valid_until: object


@dataclass(slots=True)
class Dataset:
    """Everything in one file."""

    name: str
    records: list[LabelledRecord] = field(default_factory=list)
    resolutions: list[ResolutionCase] = field(default_factory=list)
    temporal: list[TemporalCase] = field(default_factory=list)


def read_dataset(path: Path) -> Dataset:
    """The labelled set in a file; a line that cannot be read is named."""
    found = Dataset(path.name)
    for number, value in _lines(path):
        try:
            _add(found, Fields(value, "line"))
        except BadLine as problem:
            raise UnreadableDataset(f"line {number}: {problem}") from problem
    return found


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as problem:
        raise UnreadableDataset(f"{path}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise UnreadableDataset(f"{path} is not UTF-8") from problem
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError as problem:
                raise UnreadableDataset(f"line {number} is not JSON") from problem


def _add(found: Dataset, line: Fields) -> None:
    if "record" in line.values:
        line.only({"record", "expected"})
        found.records.append(_record(line))
    elif "resolution" in line.values:
        case = Fields(line.table("resolution"), "resolution")
        outcome = case.word("expected", OUTCOMES)
        if outcome is None:
            raise BadLine("resolution.expected", "is needed")
        found.resolutions.append(ResolutionCase(case.needed("a"), case.needed("b"), outcome))
    elif "temporal" in line.values:
        given = line.table("temporal")
        stale = given.get("stale")
        if not isinstance(stale, bool):
            raise BadLine("temporal.stale", "should be true or false")
        fact = _fact(given, "temporal", {})
        found.temporal.append(TemporalCase(fact, stale, given.get("valid_until", ABSENT)))
    else:
        raise BadLine("line", "should hold a record, a resolution or a temporal")


def _record(line: Fields) -> LabelledRecord:
    record = Fields(line.table("record"), "record")
    expected = Fields(line.table("expected"), "expected")
    names = dict(_aliases(expected))
    facts = tuple(_fact(item, f"expected.facts[{i}]", names) for i, item in enumerate(expected.items("facts")))
    return LabelledRecord(record.values, record.needed("id"), facts, expected.values.get("noise") is True)


def _aliases(expected: Fields) -> Iterator[tuple[str, str]]:
    for i, item in enumerate(expected.items("entities")):
        entity = Fields(item, f"expected.entities[{i}]")
        name = fold(entity.needed("name"))
        yield from ((fold(alias), name) for alias in entity.texts("aliases"))


def _fact(value: Any, path: str, names: Json) -> ExpectedFact:
    fields = Fields(value, path)
    label = fields.word("edge_label", LABELS)
    if label is None:
        raise BadLine(f"{path}.edge_label", "is needed")
    target = _end(fields, "to")
    subject = _end(fields, "from")
    if subject is None:
        raise BadLine(f"{path}.from", "is needed")
    return ExpectedFact(label, snake(fields.needed("fact_type")), subject, target, names, fields.values)


def _end(fields: Fields, key: str) -> str | None:
    value = fields.values.get(key)
    if isinstance(value, dict):
        value = value.get("name")
    if value is not None and not isinstance(value, str):
        raise BadLine(f"{fields.path}.{key}", "should be a name or null")
    return fold(value) if value else None
