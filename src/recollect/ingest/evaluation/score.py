"""The figures: what was found of what was there, and what was found beside it."""

from collections.abc import Callable, Sequence
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
    """Pair expected facts with extracted ones, each used once; those that the record itself tells come first."""
    found = Matching()
    free = {each.fact.id: each for each in extracted}
    left = [(record, fact) for record in dataset.records for fact in record.facts]
    for fits in (_is_told_there, _is_told):
        left = [(record, fact) for record, fact in left if not _pair(found, free, record, fact, fits)]
    for record, expected in left:
        found.by_label[expected.label].expected += 1
        found.misses.append({"record": record.key, **_said(expected)})
    for each in free.values():
        found.by_label[each.fact.label].extracted += 1
        found.extras.append(_extra(each))
    return found


Fits = Callable[[Extracted, LabelledRecord, ExpectedFact], bool]


def _is_told(each: Extracted, _: LabelledRecord, expected: ExpectedFact) -> bool:
    return each.fits(expected)


def _is_told_there(each: Extracted, record: LabelledRecord, expected: ExpectedFact) -> bool:
    return record.key in each.records and each.fits(expected)


def _pair(
    found: Matching, free: dict[FactId, Extracted], record: LabelledRecord, expected: ExpectedFact, fits: Fits
) -> bool:
    chosen = next((each for each in free.values() if fits(each, record, expected)), None)
    if chosen is None:
        return False
    del free[chosen.fact.id]
    _count(found, record, expected, chosen)
    return True


def _count(found: Matching, record: LabelledRecord, expected: ExpectedFact, each: Extracted) -> None:
    figures = found.by_label[expected.label]
    figures.expected += 1
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
