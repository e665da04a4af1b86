"""The figures: what was found of what was there, and what was found beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from recollect.ingest.evaluation.dataset import ABSENT, Dataset, ExpectedFact, LabelledRecord, TemporalCase
from recollect.model.fact import LABELS, Fact
from recollect.model.ids import FactId

Json = dict[str, Any]


class Extracted(NamedTuple):
    """A fact as the run left it, with folded names of its ends and the records that tell it."""

    fact: Fact
    subject: str
    target: str | None
    text: str
    records: frozenset[str]

    def fits(self, expected: ExpectedFact) -> bool:
        return expected.is_same(self.fact.label, self.fact.fact_type, self.subject, self.target)


@dataclass(slots=True)
class Figures:
    """Facts expected, extracted and correct."""

    expected: int = 0
    extracted: int = 0
    correct: int = 0

    def to_json(self) -> Json:
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
class Cases:
    """Cases and how many of them went right."""

    cases: int = 0
    right: int = 0

    def to_json(self, name: str) -> Json:
        score = round(self.right / self.cases, 4) if self.cases else None
        return {"cases": self.cases, name: self.right, "score": score}


@dataclass(slots=True)
class Matching:
    """Which expected facts were found, and which facts nobody expected."""

    by_label: dict[str, Figures] = field(default_factory=lambda: {label: Figures() for label in LABELS})
    misses: list[Json] = field(default_factory=list)
    extras: list[Json] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def facts(self) -> Figures:
        each = self.by_label.values()
        return Figures(sum(f.expected for f in each), sum(f.extracted for f in each), sum(f.correct for f in each))


def match_facts(dataset: Dataset, extracted: Sequence[Extracted]) -> Matching:
    """Pair expected facts with extracted ones.

    An extracted fact answers at most one expected fact of each record that tells it, so that a labeller may name a
    fact that several records tell in each of them, or once.
    """
    found = Matching()
    used: set[tuple[str, FactId]] = set()
    matched: set[FactId] = set()
    left: list[tuple[LabelledRecord, ExpectedFact]] = []
    for record in dataset.records:
        for expected in record.facts:
            found.by_label[expected.label].expected += 1
            own = [each for each in extracted if record.key in each.records and each.fits(expected)]
            free = next((each for each in own if (record.key, each.fact.id) not in used), None)
            if free is None:
                left.append((record, expected))
                continue
            used.add((record.key, free.fact.id))
            matched.add(free.fact.id)
            _count(found, record, expected, free)
    for record, expected in left:
        other = next((each for each in extracted if each.fact.id not in matched and each.fits(expected)), None)
        if other is None:
            found.misses.append({"record": record.key, **_said(expected)})
        else:
            matched.add(other.fact.id)
            _count(found, record, expected, other)
    for each in extracted:
        if each.fact.id not in matched:
            found.by_label[each.fact.label].extracted += 1
            found.extras.append(_extra(each))
    return found


def _count(found: Matching, record: LabelledRecord, expected: ExpectedFact, each: Extracted) -> None:
    figures = found.by_label[expected.label]
    figures.correct += 1
    figures.extracted += 1
    confidence = expected.given.get("confidence")
    if isinstance(confidence, str) and confidence.casefold() != each.fact.certainty:
        found.warnings.append(f"{record.key}: {each.text!r} is {each.fact.certainty}, expected {confidence}")
    until = expected.given.get("valid_until", ABSENT)
    if until is not ABSENT and not same_end(until, each.fact):
        found.warnings.append(f"{record.key}: {each.text!r} ends {each.fact.valid_until}, expected {until}")


def _said(expected: ExpectedFact) -> Json:
    keys = ("edge_label", "fact_type", "from", "to")
    return {key: expected.given.get(key) for key in keys}


def _extra(each: Extracted) -> Json:
    return {
        "record": min(each.records, default=None),
        "edge_label": each.fact.label,
        "fact_type": each.fact.fact_type,
        "from": each.subject,
        "to": each.target,
        "fact": each.text,
    }


def same_end(expected: object, fact: Fact) -> bool:
    """Whether a fact ends on the day expected; none expected means none."""
    held = fact.valid_until.text if fact.valid_until is not None else None
    if expected is None or held is None:
        return expected is held
    return str(expected)[:10] == held[:10]


def match_temporal(cases: Sequence[TemporalCase], extracted: Sequence[Extracted]) -> Cases:
    """How many facts stand as expected in the end."""
    found = Cases(len(cases))
    used: set[FactId] = set()
    for case in cases:
        fitting = [each for each in extracted if each.fact.id not in used and each.fits(case.fact)]
        right = [each for each in fitting if _stands(case, each.fact)]
        if right:
            used.add(right[0].fact.id)
            found.right += 1
    return found


def _stands(case: TemporalCase, fact: Fact) -> bool:
    return fact.stale is case.stale and (case.valid_until is ABSENT or same_end(case.valid_until, fact))
