"""Cut the inboxes into examples: clauses with their acts, and items beside sentences of later records.

    PYTHONPATH=src python -m training.inbox_labels

Reads `corpus/inboxes` and the sets of `evals/reading` that are learned from or measured by, and writes
`corpus/inboxes/examples`. A fact is found in the text by its `quote`, or else by the words of `what`. A clause without
a label performs no act.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from training.inbox_examples import EXAMPLES, INBOXES, SCORED
from training.inbox_files import Inbox, Record, load_inboxes, record_text
from training.inbox_items import item_rows
from training.inbox_readings import ReadClause, read_inbox
from training.inbox_text import acts_of, bare, says

EVALS = Path(__file__).parent.parent / "evals" / "reading"
STATEMENTS = ("attribute", "event", "relation")
ANSWERED_BY = {
    **dict.fromkeys(STATEMENTS, STATEMENTS), "preference": ("attribute",), "completion": ("event",),
    "cancellation": ("event", "decision"),
}  # fmt: skip
"""The acts that also answer a label."""
BEST, OPTIONAL = 0.6, 0.6
"""The share of the first of several acts of a label, and the weight of an optional fact."""
SHARED = 0.5
"""A clause is meant by words that are half of it, or of which it is half."""
_MOST_CLAUSES = 3


@dataclass(frozen=True, slots=True)
class Span:
    """A place among the letters and digits of a text."""

    start: int
    stop: int

    def overlaps(self, other: "Span") -> bool:
        shared = min(self.stop, other.stop) - max(self.start, other.start)
        return shared > 0 and shared >= SHARED * min(self.stop - self.start, other.stop - other.start)


class ClauseFinder:
    """Finds the clauses of a record that a label or a trap means."""

    def __init__(self, record: Record, clauses: Sequence[ReadClause]) -> None:
        self._letters = bare(record_text(record))
        self._clauses = clauses
        self._spans = list(self._places(clauses))

    def _places(self, clauses: Sequence[ReadClause]) -> Iterator[Span | None]:
        at = 0
        for clause in clauses:
            letters = bare(clause.sentence.text)
            found = self._letters.find(letters, at)
            found = self._letters.find(letters) if found < 0 else found
            yield Span(found, found + len(letters)) if found >= 0 and letters else None
            at = found + len(letters) if found >= 0 else at

    def meant_by(self, words: str) -> list[int]:
        """The clauses that a phrase is taken from."""
        letters = bare(words)
        start = self._letters.find(letters) if letters else -1
        phrase = Span(start, start + len(letters))
        return [at for at, span in enumerate(self._spans) if start >= 0 and span is not None and span.overlaps(phrase)]

    def labelled(self, fact: Record) -> list[int]:
        """The clauses that say a fact."""
        quote = fact.get("quote")
        return self.meant_by(quote) if quote else self._by_words(fact)

    def _by_words(self, fact: Record) -> list[int]:
        texts = [each.sentence.text for each in self._clauses]
        whole = [at for at, text in enumerate(texts) if says(text, fact["what"])]
        agreed = [at for at in whole if self._clauses[at].act in acts_of(fact)]
        if whole:
            return (agreed or whole)[:1]
        for size in range(2, _MOST_CLAUSES + 1):
            for start in range(len(texts) - size + 1):
                together = range(start, start + size)
                if says(" ".join(texts[at] for at in together), fact["what"]):
                    return [at for at in together if any(says(texts[at], [word]) for word in fact["what"])]
        return []


def shares_of(facts: Sequence[Record]) -> dict[str, float]:
    """The share of each act by the labels of a clause."""
    shares: dict[str, float] = defaultdict(float)
    for fact in facts:
        first, *others = acts_of(fact)
        shares[first] += (BEST if others else 1.0) / len(facts)
        for act in others:
            shares[act] += (1 - BEST) / len(others) / len(facts)
    return dict(shares) or {"none": 1.0}


def accepted_acts(facts: Iterable[Record]) -> list[str]:
    """The acts that a scorer accepts for these labels."""
    acts = {act for fact in facts for act in acts_of(fact)}
    return sorted(acts | {other for act in acts for other in ANSWERED_BY.get(act, ())})


def clause_rows(inbox: Inbox, record: Record, clauses: Sequence[ReadClause]) -> Iterator[dict[str, Any]]:
    """The clauses of a record with the shares of their acts."""
    finder = ClauseFinder(record, clauses)
    wanted: dict[int, list[Record]] = defaultdict(list)
    optional: dict[int, list[Record]] = defaultdict(list)
    for facts, found in ((record["facts"], wanted), (record.get("optional", ()), optional)):
        for fact in facts:
            for at in finder.labelled(fact):
                found[at].append(fact)
    for at, clause in enumerate(clauses):
        facts = wanted[at] or optional[at]
        sentence = clause.sentence
        yield {
            "set": inbox.group, "kind": sentence.kind, "before": sentence.before, "by_other": sentence.before_by_other,
            "text": sentence.text, "acts": shares_of(facts), "weight": 1.0 if wanted[at] or not facts else OPTIONAL,
            "accepted": accepted_acts([*wanted[at], *optional[at]]), "is_silent": clause.is_silent,
            "act": clause.act, "rule": clause.rule,
        }  # fmt: skip


def rows_of(inbox: Inbox) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The clauses and the pairs of items and sentences of an inbox."""
    with read_inbox(inbox) as reading:
        clauses = [
            row
            for record in inbox.records
            for row in clause_rows(inbox, record, reading.clauses.get(record["id"], ()))
            if len(row["text"].split()) > 1
        ]
        return clauses, list(item_rows(inbox, reading))


def main() -> None:
    paths = [each for folder in (INBOXES, EVALS) for each in sorted(folder.glob("*.jsonl")) if each.stem not in SCORED]
    inboxes = [inbox for path in paths for inbox in load_inboxes(path)]
    with Pool() as pool:
        made = pool.map(rows_of, inboxes, chunksize=1)
    for name, rows in zip(("clauses", "pairs"), zip(*made, strict=True), strict=True):
        with gzip.open(EXAMPLES / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for each in rows for row in each)


if __name__ == "__main__":
    main()
