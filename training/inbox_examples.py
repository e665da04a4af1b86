"""Examples out of the inboxes: clauses with their acts, and items with later sentences.

`training.inbox_labels` writes them to `corpus/inboxes/examples`: what the product's own reader cuts the inboxes into
(`clauses.jsonl.gz`), and the items of their labels beside sentences of later records (`pairs.jsonl.gz`). Some sets of
`evals/reading` are among them to learn from, and some to calibrate by.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.text_models.closure import OUTCOMES
from recollect.text_models.sentence import ACTS, SentenceInput
from training.inbox_files import load_inboxes, record_text

INBOXES = Path(__file__).parent / "corpus" / "inboxes"
EXAMPLES = INBOXES / "examples"
HELD = frozenset({"lab", "observatory_and_laundry", "ferry_and_bakery", "kayak_and_print"})
"""Sets that nothing is learned from; the model is calibrated by them."""
SCORED = frozenset({"harbour", "studio", "bikeshop", "devops", "landlord", "vet"})
"""Sets that are neither learned from nor calibrated by."""


@dataclass(frozen=True, slots=True)
class ClauseExample:
    """A clause, the share of each act by its labels, and the acts that a scorer accepts; silent ones no rule reads."""

    sentence: SentenceInput
    acts: tuple[float, ...]
    weight: float
    accepted: frozenset[str]
    is_silent: bool
    group: str
    act: str | None
    rule: str
    """The act that rules gave it, and which rule."""


@dataclass(frozen=True, slots=True)
class ItemExample:
    """An item and a later sentence as the model reads them, and the outcome by its place in `OUTCOMES`."""

    item: str
    message: str
    outcome: int
    group: str
    is_near: bool
    is_report: bool
    """Whether rules would compare the two, as a pair with something in common."""


def clause_examples(folder: Path = EXAMPLES) -> list[ClauseExample]:
    """All clauses of two words or more."""
    return [_clause(row) for row in _rows(folder / "clauses.jsonl.gz")]


def item_examples(folder: Path = EXAMPLES) -> list[ItemExample]:
    """Each labelled item beside the sentence that closes it and others that do not."""
    return [
        ItemExample(
            row["item"], row["message"], OUTCOMES.index(row["outcome"]), row["set"], row["is_near"], row["is_report"]
        )
        for row in _rows(folder / "pairs.jsonl.gz")
    ]


def inbox_texts(folder: Path = INBOXES) -> Iterator[str]:
    """The lines of all mails, notes and the human's turns of chats."""
    for path in sorted(folder.glob("*.jsonl")):
        for inbox in load_inboxes(path):
            for record in inbox.records:
                yield from (line.strip() for line in record_text(record).splitlines() if line.strip())


def _clause(row: dict[str, Any]) -> ClauseExample:
    sentence = SentenceInput(row["text"], row["kind"], row["before"], row["by_other"])
    acts = tuple(float(row["acts"].get(act, 0.0)) for act in ACTS)
    return ClauseExample(
        sentence, acts, row["weight"], frozenset(row["accepted"]), row["is_silent"], row["set"], row["act"], row["rule"]
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
