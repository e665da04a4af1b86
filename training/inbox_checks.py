"""Check the labels of an inbox against its texts.

    PYTHONPATH=src python -m training.inbox_checks FILE …

Prints what is wrong: phrases that do not stand in the text, words that begin no word of it, unknown acts and states,
days that are none.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from recollect.text_models.sentence import ACTS
from training.inbox_files import Inbox, Record, load_inboxes
from training.inbox_text import acts_of, says

STATES = frozenset({None, "open", "done", "cancelled", "moved"})
_DAY = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")


def whole_text(record: Record) -> str:
    """Every word of a record, the assistant's turns too."""
    turns = [text for _, text in record.get("turns", ())]
    return "\n".join([*(record.get(key) or "" for key in ("subject", "title", "text", "html")), *turns])


def problems_in(inbox: Inbox) -> Iterator[str]:
    """What is wrong with an inbox, record by record."""
    records = {record["id"]: record for record in inbox.records}
    if len(records) < len(inbox.records):
        yield "two records have the same id"
    for record in inbox.records:
        yield from (f"{record['id']}: {problem}" for problem in _problems_of(record, records))


def _problems_of(record: Record, records: dict[str, Record]) -> Iterator[str]:
    text = whole_text(record)
    yield from (f"the trap {trap!r} is not in the text" for trap in record.get("traps", ()) if trap not in text)
    for fact in (*record["facts"], *record.get("optional", ())):
        yield from (f"{fact['what']}: {problem}" for problem in _problems_with(fact, text, records))


def _problems_with(fact: Record, text: str, records: dict[str, Record]) -> Iterator[str]:
    acts = acts_of(fact)
    yield from (f"there is no act {act!r}" for act in acts if act not in ACTS)
    if not says(text, fact["what"]):
        yield "a word begins no word of the text"
    if fact.get("quote") and fact["quote"] not in text:
        yield f"the quote {fact['quote']!r} is not in the text"
    days = [day for key in ("from", "until") for day in (fact.get(key) or "").split("|") if day]
    yield from (f"{day!r} is not a day, month or year" for day in days if not _DAY.fullmatch(day))
    if fact.get("state") not in STATES:
        yield f"there is no state {fact['state']!r}"
    closing = fact.get("closed_by")
    if closing and closing[1] not in whole_text(records.get(closing[0], {})):
        yield f"{closing[1]!r} is not in the text of {closing[0]}"


def main() -> None:
    for path in map(Path, sys.argv[1:]):
        for inbox in load_inboxes(path):
            for problem in problems_in(inbox):
                print(f"{path.name} {problem}")  # noqa: T201


if __name__ == "__main__":
    main()
