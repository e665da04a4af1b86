"""The forms of states are looked up by their words: what no form can match states nothing."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from recollect.reading import (
    attribute_patterns,
    dated_patterns,
    ending_patterns,
    person_patterns,
    state_reader,
    thing_patterns,
    tool_patterns,
)
from recollect.reading.clause_segmentation import message_sentences
from recollect.reading.context import Context, Person
from recollect.reading.state_reader import read_states
from recollect.text.patterns import LazyPattern

EVALS = Path(__file__).parents[2] / "evals"
CONTEXT = Context("note", date(2026, 3, 12), speaker=Person("Lena Brandt"), has_topic=True)
STATED = (
    "His phone is 030 1234.",
    "Ana and Bo are allergic to nuts.",
    "Kim's on leave.",
    "Vera doesn't live in Graz but in Linz.",
    "Maria, my boss, is a nurse at Mercy.",
    "my number changed, it's 12 34 56 78",
    "Tom has severe Asthma",
    "Our standup is at 9:15 on weekdays",
    "Nina left Acme",
)
NO_FORMS = {
    "_AT_PLACE",
    "_CALLED",
    "_DATED_DAY",
    "_POSSESSIVE_END",
    "_HAS_LETTER",
    "_AGE_AFTER",
    "_END_ALONE",
    "_LEFT_THERE",
    "_NAMED",
    "_NEXT",
}
"""Patterns of parts of a clause, and of a clause that only ends what another states."""


def _texts() -> Iterator[str]:
    for path in sorted(EVALS.glob("reading/*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            yield from (record.get("text") or "", *(text for _, text in record.get("turns", ())))
    for path in sorted(EVALS.glob("extraction/*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line).get("record", {}).get("content") or ""


def _sentences() -> list[str]:
    return [text[start:stop] for text in _texts() for start, stop in message_sentences(text)]


class _EveryForm:
    def may_match(self, _: str) -> bool:
        return True


def test_a_sentence_that_no_form_can_match_states_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [*STATED, *dict.fromkeys(_sentences())]
    gated = [read_states(each, CONTEXT) for each in sentences]
    monkeypatch.setattr(state_reader, "_STATING_FORMS", _EveryForm())
    ungated = [read_states(each, CONTEXT) for each in sentences]
    assert gated == ungated
    assert sum(map(bool, gated)) > len(STATED)


@pytest.mark.parametrize(
    ("module", "forms"),
    [
        (attribute_patterns, attribute_patterns.ATTRIBUTE_FORMS),
        (dated_patterns, dated_patterns.DATED_FORMS),
        (ending_patterns, ending_patterns.ENDING_FORMS),
        (person_patterns, person_patterns.PERSON_FORMS),
        (thing_patterns, thing_patterns.THING_FORMS),
        (tool_patterns, tool_patterns.TOOL_FORMS),
    ],
)
def test_every_form_of_a_module_is_among_its_forms(module: object, forms: tuple[object, ...]) -> None:
    patterns = {name: each for name, each in vars(module).items() if isinstance(each, LazyPattern)}
    missing = [name for name, each in patterns.items() if name not in NO_FORMS and each not in forms]
    assert not missing
