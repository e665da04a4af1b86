"""Evaluation of the search for facts: does a question in other words find the fact that answers it?"""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from recollect.change_listeners import open_memory
from recollect.errors import Refused
from recollect.indexing import index_all
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.search.fact_search import FactQuestion, fact_meaning, find_facts
from recollect.search.recall import relevance_floor
from recollect.settings import Settings
from recollect.store.view import View

KEYS = frozenset({"from", "fact_type", "to", "question"})
DEPTH = 10


class BadFactLine(Refused):
    code = "bad_eval_line"

    def __init__(self, number: int) -> None:
        super().__init__(
            f"line {number}: expected a JSON object with exactly the texts {', '.join(sorted(KEYS))}",
            field=f"line {number}",
            accepted=('{"from": "Ada", "fact_type": "works_as", "to": "a pilot", "question": "Who flies planes?"}',),
        )


@dataclass(frozen=True, slots=True)
class FactCase:
    """A fact to store and a question that it answers."""

    subject: str
    fact_type: str
    value: str
    question: str


@dataclass(frozen=True, slots=True)
class FactSearchReport:
    """Shares of the questions whose fact ranks first, among the first three, and among the first ten.

    `shown_in_first_3` leaves out what is below the relevance floor, as `recollect search` does so that a question
    nothing answers finds nothing.
    """

    first: float
    in_first_3: float
    in_first_10: float
    shown_in_first_3: float
    mrr: float
    n: int
    misses: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def table(self) -> str:
        shares = {
            "first": self.first,
            "in the first 3": self.in_first_3,
            "in the first 10": self.in_first_10,
            "in the first 3 and above the relevance floor": self.shown_in_first_3,
            "MRR": self.mrr,
        }
        lines = [f"{name:44} {100 * share:5.1f} %" for name, share in shares.items()]
        missed = [f"not in the first 3: {question}" for question in self.misses]
        return "\n".join([f"{self.n} facts and questions", *lines, *missed])


def read_fact_cases(path: Path) -> list[FactCase]:
    """The cases of a file of JSON lines; the first invalid line is named by its number."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_parse_case(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _parse_case(number: int, line: str) -> FactCase:
    try:
        stored = json.loads(line)
    except ValueError:
        raise BadFactLine(number) from None
    if (
        not isinstance(stored, dict)
        or stored.keys() != KEYS
        or not all(isinstance(each, str) for each in stored.values())
    ):
        raise BadFactLine(number)
    return FactCase(stored["from"], stored["fact_type"], stored["to"], stored["question"])


def evaluate_fact_search(cases: Sequence[FactCase], settings: Settings) -> FactSearchReport:
    """Store all facts in a scratch database, ask every question, and report where the right fact stood."""
    with _scratch_memory(settings) as memory:
        with memory.write() as change:
            for case in cases:
                write_line(change, parse_line({"facts": [_fact_of(case)]}))
        index_all(memory)
        with memory.read() as view:
            places = [_place(memory, view, case) for case in cases]
    return _report(cases, places)


def _fact_of(case: FactCase) -> dict[str, Any]:
    return {
        "from": case.subject,
        "fact_type": case.fact_type,
        "to": {"literal": case.value},
        "edge_label": "AFFILIATED",
    }


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the right fact stands among all, from one on, and whether it is above the relevance floor."""

    rank: int | None
    is_shown: bool = False


def _place(memory: Memory, view: View, case: FactCase) -> _Place:
    meaning = fact_meaning(view, memory.cache.vectors, memory.embedder, case.question)
    wanted = case.subject, case.fact_type, case.value
    for rank, hit in enumerate(find_facts(view, FactQuestion(case.question), meaning), start=1):
        if (hit.row.subject_name, hit.row.fact.predicate, hit.row.fact.literal) == wanted:
            floor = relevance_floor(view, case.question, memory.embedder)
            return _Place(rank, hit.covers_half or floor.is_near(hit.cosine))
    return _Place(None)


def _report(cases: Sequence[FactCase], places: Sequence[_Place]) -> FactSearchReport:
    count = max(1, len(cases))
    within = {depth: [each for each in places if each.rank and each.rank <= depth] for depth in (1, 3, DEPTH)}
    missed = [case.question for case, each in zip(cases, places, strict=True) if each not in within[3]]
    return FactSearchReport(
        len(within[1]) / count,
        len(within[3]) / count,
        len(within[DEPTH]) / count,
        sum(each.is_shown for each in within[3]) / count,
        sum(1 / each.rank for each in places if each.rank) / count,
        len(cases),
        missed,
    )


@contextmanager
def _scratch_memory(settings: Settings) -> Iterator[Memory]:
    with TemporaryDirectory(prefix="recollect-eval-") as folder:
        path = str(Path(folder) / "eval.db")
        with closing(open_memory(path, "default", replace(settings, workspace={}))) as memory:
            yield memory
