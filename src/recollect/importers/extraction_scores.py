"""Labelled datasets for extraction, and precision, recall and F1 against them."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from recollect.errors import Refused
from recollect.ingest.fields import BadLine, Json, JsonFields
from recollect.model.fact import LABELS, Fact, Label
from recollect.model.ids import FactId
from recollect.model.names import fold
from recollect.model.similarity import to_snake_case

Outcome = Literal["merge", "split", "domain_inferred"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
ABSENT = object()
_SELDOM_LABELLED = frozenset(
    "update event question cancellation completion preference goal concern risk attribute".split()
)
"""Types that a set judges only in kinds of records in which it labels them."""


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

    def matches(self, label: str, fact_type: str, subject: str, target: str | None) -> bool:
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
class EvaluationDataset:
    """Everything in one file."""

    name: str
    records: list[LabelledRecord] = field(default_factory=list)
    resolutions: list[ResolutionCase] = field(default_factory=list)
    temporal: list[TemporalCase] = field(default_factory=list)


def read_dataset(path: Path) -> EvaluationDataset:
    """The labelled set in a file; a line that cannot be read is named."""
    found = EvaluationDataset(path.name)
    for number, value in _iter_lines(path):
        try:
            _add_line(found, JsonFields(value, "line"))
        except BadLine as problem:
            raise UnreadableDataset(f"line {number}: {problem}") from problem
    return found


def _iter_lines(path: Path) -> Iterator[tuple[int, Any]]:
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


def _add_line(found: EvaluationDataset, line: JsonFields) -> None:
    if "record" in line.values:
        line.reject_unknown({"record", "expected"})
        found.records.append(_parse_labelled_record(line))
    elif "resolution" in line.values:
        case = JsonFields(line.object_of("resolution"), "resolution")
        outcome = case.choice("expected", OUTCOMES)
        if outcome is None:
            raise BadLine("resolution.expected", "is needed")
        found.resolutions.append(ResolutionCase(case.required_text("a"), case.required_text("b"), outcome))
    elif "temporal" in line.values:
        given = line.object_of("temporal")
        stale = given.get("stale")
        if not isinstance(stale, bool):
            raise BadLine("temporal.stale", "should be true or false")
        fact = _parse_expected_fact(given, "temporal", {})
        found.temporal.append(TemporalCase(fact, stale, given.get("valid_until", ABSENT)))
    else:
        raise BadLine("line", "should hold a record, a resolution or a temporal")


def _parse_labelled_record(line: JsonFields) -> LabelledRecord:
    record = JsonFields(line.object_of("record"), "record")
    expected = JsonFields(line.object_of("expected"), "expected")
    names = dict(_iter_aliases(expected))
    facts = tuple(
        _parse_expected_fact(item, f"expected.facts[{i}]", names) for i, item in enumerate(expected.items("facts"))
    )
    return LabelledRecord(record.values, record.required_text("id"), facts, expected.values.get("noise") is True)


def _iter_aliases(expected: JsonFields) -> Iterator[tuple[str, str]]:
    for i, item in enumerate(expected.items("entities")):
        entity = JsonFields(item, f"expected.entities[{i}]")
        name = fold(entity.required_text("name"))
        yield from ((fold(alias), name) for alias in entity.texts("aliases"))


def _parse_expected_fact(value: Any, path: str, names: Json) -> ExpectedFact:
    fields = JsonFields(value, path)
    label = fields.choice("edge_label", LABELS)
    if label is None:
        raise BadLine(f"{path}.edge_label", "is needed")
    target = _parse_end(fields, "to")
    subject = _parse_end(fields, "from")
    if subject is None:
        raise BadLine(f"{path}.from", "is needed")
    return ExpectedFact(label, to_snake_case(fields.required_text("fact_type")), subject, target, names, fields.values)


def _parse_end(fields: JsonFields, key: str) -> str | None:
    value = fields.values.get(key)
    if isinstance(value, dict):
        value = value.get("name")
    if value is not None and not isinstance(value, str):
        raise BadLine(f"{fields.path}.{key}", "should be a name or null")
    return fold(value) if value else None


JsonObject = dict[str, Any]


class EvaluatedFact(NamedTuple):
    """A fact as the run left it, with folded names of its ends and the records that tell it."""

    fact: Fact
    subject: str
    target: str | None
    text: str
    records: frozenset[str]

    def matches(self, expected: ExpectedFact) -> bool:
        return expected.matches(self.fact.label, self.fact.fact_type, self.subject, self.target)


@dataclass(slots=True)
class PrecisionRecall:
    """Facts expected, extracted and correct."""

    expected: int = 0
    extracted: int = 0
    correct: int = 0

    def to_json(self) -> JsonObject:
        precision = self.correct / self.extracted if self.extracted else 1.0
        recall = self.correct / self.expected if self.expected else 1.0
        both = precision + recall
        return {
            "expected": self.expected,
            "extracted": self.extracted,
            "correct": self.correct,
            "precision": round(precision, 4),
            "recall": round(recall, 4),
            "f1": round(2 * precision * recall / both, 4) if both else 0.0,
        }


@dataclass(slots=True)
class CaseScore:
    """Cases and how many of them went right."""

    cases: int = 0
    correct: int = 0

    def to_json(self, name: str) -> JsonObject:
        score = round(self.correct / self.cases, 4) if self.cases else None
        return {"cases": self.cases, name: self.correct, "score": score}


@dataclass(slots=True)
class FactMatching:
    """Which expected facts were found, and which facts nobody expected."""

    by_label: dict[str, PrecisionRecall] = field(default_factory=lambda: {label: PrecisionRecall() for label in LABELS})
    misses: list[JsonObject] = field(default_factory=list)
    extras: list[JsonObject] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def facts(self) -> PrecisionRecall:
        each = self.by_label.values()
        return PrecisionRecall(
            sum(f.expected for f in each), sum(f.extracted for f in each), sum(f.correct for f in each)
        )


def match_facts(dataset: EvaluationDataset, extracted: Sequence[EvaluatedFact]) -> FactMatching:
    """Pair expected facts with extracted ones, each used once; those that the record itself tells come first."""
    found = FactMatching()
    free = {each.fact.id: each for each in extracted}
    left = [(record, fact) for record in dataset.records for fact in record.facts]
    for fits in (_is_extracted_from_record, _is_extracted):
        left = [(record, fact) for record, fact in left if not _pair_fact(found, free, record, fact, fits)]
    for record, expected in left:
        found.by_label[expected.label].expected += 1
        found.misses.append({"record": record.key, **_expected_to_json(expected)})
    judged = _labelled_types(dataset)
    for each in free.values():
        type_ = each.fact.fact_type
        if type_ not in _SELDOM_LABELLED or any((record, type_) in judged for record in each.records):
            found.by_label[each.fact.label].extracted += 1
            found.extras.append(_extra_to_json(each))
    return found


def _labelled_types(dataset: EvaluationDataset) -> set[tuple[str, str]]:
    """The types of facts that a dataset labels in records of a kind, for each record of that kind.

    What it never labels there, such as events in mails, it cannot judge.
    """
    types: dict[str, set[str]] = {}
    for record in dataset.records:
        types.setdefault(_kind_of(record), set()).update(fact.fact_type for fact in record.facts)
    return {(record.key, type_) for record in dataset.records for type_ in types[_kind_of(record)]}


def _kind_of(record: LabelledRecord) -> str:
    return str(record.record.get("type", ""))


FactTest = Callable[[EvaluatedFact, LabelledRecord, ExpectedFact], bool]


def _is_extracted(each: EvaluatedFact, _: LabelledRecord, expected: ExpectedFact) -> bool:
    return each.matches(expected)


def _is_extracted_from_record(each: EvaluatedFact, record: LabelledRecord, expected: ExpectedFact) -> bool:
    return record.key in each.records and each.matches(expected)


def _pair_fact(
    found: FactMatching,
    free: dict[FactId, EvaluatedFact],
    record: LabelledRecord,
    expected: ExpectedFact,
    fits: FactTest,
) -> bool:
    chosen = next((each for each in free.values() if fits(each, record, expected)), None)
    if chosen is None:
        return False
    del free[chosen.fact.id]
    _count_match(found, record, expected, chosen)
    return True


def _count_match(found: FactMatching, record: LabelledRecord, expected: ExpectedFact, each: EvaluatedFact) -> None:
    figures = found.by_label[expected.label]
    figures.expected += 1
    figures.correct += 1
    figures.extracted += 1
    confidence = expected.given.get("confidence")
    if isinstance(confidence, str) and confidence.casefold() != each.fact.certainty:
        found.warnings.append(f"{record.key}: {each.text!r} is {each.fact.certainty}, expected {confidence}")
    until = expected.given.get("valid_until", ABSENT)
    if until is not ABSENT and not is_same_end(until, each.fact):
        found.warnings.append(f"{record.key}: {each.text!r} ends {each.fact.valid_until}, expected {until}")


def _expected_to_json(expected: ExpectedFact) -> JsonObject:
    keys = ("edge_label", "fact_type", "from", "to")
    return {key: expected.given.get(key) for key in keys}


def _extra_to_json(each: EvaluatedFact) -> JsonObject:
    return {
        "record": min(each.records, default=None),
        "edge_label": each.fact.label,
        "fact_type": each.fact.fact_type,
        "from": each.subject,
        "to": each.target,
        "fact": each.text,
    }


def is_same_end(expected: object, fact: Fact) -> bool:
    """Whether a fact ends on the day expected; none expected means none."""
    end = fact.valid_until.text if fact.valid_until is not None else None
    if expected is None or end is None:
        return expected is end
    return str(expected)[:10] == end[:10]


def match_temporal(cases: Sequence[TemporalCase], extracted: Sequence[EvaluatedFact]) -> CaseScore:
    """How many facts stand as expected in the end."""
    found = CaseScore(len(cases))
    used: set[FactId] = set()
    for case in cases:
        fitting = [each for each in extracted if each.fact.id not in used and each.matches(case.fact)]
        right = [each for each in fitting if _has_expected_state(case, each.fact)]
        if right:
            used.add(right[0].fact.id)
            found.correct += 1
    return found


def _has_expected_state(case: TemporalCase, fact: Fact) -> bool:
    return fact.stale is case.stale and (case.valid_until is ABSENT or is_same_end(case.valid_until, fact))
