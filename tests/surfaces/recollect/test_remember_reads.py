"""`remember` reads the values of a subject once, however many facts it records, and never an outdated list."""

from dataclasses import replace

import pytest

from recollect.memory import Memory, WorkspaceCache
from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.store.port import Row
from recollect.store.view import View
from tests.surfaces.recollect.test_remember import remember


def uses(*tools: str) -> list[dict[str, str]]:
    return [{"subject": "acme-web", "predicate": "uses", "value": tool} for tool in tools]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[EntityId]:
    """The subjects whose values were read from the store."""
    found: list[EntityId] = []
    read = View.facts_of_subject_ever

    def counting(view: View, subject: EntityId, predicate: str, limit: int) -> list[Fact]:
        found.append(subject)
        return read(view, subject, predicate, limit)

    monkeypatch.setattr(View, "facts_of_subject_ever", counting)
    return found


def others(result: dict[str, list[dict[str, list[dict[str, str]]]]]) -> list[list[str]]:
    """The other values that are shown beside each fact, newest first."""
    return [[each["text"].split()[-1] for each in fact.get("others", [])] for fact in result["facts"]]


def test_the_values_of_a_subject_are_read_once(memory: Memory, reads: list[EntityId]) -> None:
    remember(memory, facts=uses("npm"))
    assert others(remember(memory, facts=uses("yarn", "pnpm", "bun"))) == [
        ["npm"],
        ["yarn", "npm"],
        ["pnpm", "yarn", "npm"],
    ]
    assert len(reads) == 1


def test_what_another_writer_said_is_read(memory: Memory) -> None:
    remember(memory, facts=uses("npm"))
    remember(memory, facts=uses("yarn"))
    remember(replace(memory, cache=WorkspaceCache()), facts=uses("pnpm"))
    assert others(remember(memory, facts=uses("bun"))) == [["pnpm", "yarn", "npm"]]


def test_a_value_that_was_replaced_or_taken_back_is_no_longer_beside(memory: Memory) -> None:
    remember(memory, facts=uses("npm"))
    [yarn] = remember(memory, facts=uses("yarn"))["facts"]
    remember(memory, facts=[{**uses("pnpm")[0], "replaces": yarn["id"]}])
    assert others(remember(memory, facts=uses("bun"), dry_run=True)) == [["pnpm", "npm"]]
    assert others(remember(memory, facts=uses("deno"))) == [["pnpm", "npm"]]


def test_what_was_just_written_is_not_read_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(memory, facts=uses("npm"))
    remember(memory, facts=uses("yarn"))
    read: list[str] = []
    ask = View.rows

    def counting(view: View, query: str, /, **parameters: object) -> list[Row]:
        read.append(query)
        return ask(view, query, **parameters)

    monkeypatch.setattr(View, "rows", counting)
    remember(memory, facts=uses("pnpm", "bun", "deno"))
    assert [query for query in read if "fact" in query] == []


def test_somebody_with_many_values_is_remembered_all_the_same(memory: Memory) -> None:
    remember(memory, facts=uses(*(f"tool-{number}" for number in range(40))))
    remember(memory, facts=uses(*(f"kit-{number}" for number in range(40))))
    again = replace(memory, cache=WorkspaceCache())
    assert others(remember(again, facts=uses("bun", "deno")))[1][0] == "bun"
    [known] = remember(again, facts=uses("tool-7"))["facts"]
    assert known["outcome"] == "confirmed"
