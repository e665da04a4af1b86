"""Records may arrive in any order and any number of times: the graph is the same."""

import json
from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import BY_RULES, MovingClock
from tests.ingest.records import LEE, MARCUS, Json, Reading, change, email, graph, issue
from tests.support.properties import examples

from recollect.ingest.extract import rules
from recollect.memory import Memory, open_memory
from recollect.model.document import Document
from recollect.settings import Settings
from recollect.store.change import Change

KNOWN_SENDERS = Settings(
    file={**BY_RULES.file, "trust.domains": {"harrow-bridge.example": "known", "zeta.example": "known"}}
)
"""A stranger who once gave another name is never joined with somebody whom the owner knows, so that order counts."""
EVALS = Path(__file__).parents[2] / "evals" / "extraction"


def noted(key: str, day: int, content: str = "", **more: object) -> Json:
    record = {"id": key, "type": "memo", "source_at": f"2026-03-{day:02d}T08:00:00Z", "content": content}
    return {"record": {**record, "metadata": {"author": "Kim Zahn"}}, **more}


KIM = {"name": "Kim Zahn", "type": "Person"}
PLAN = {"name": "Zeta Plan", "type": "Project", "aliases": ["ZP"]}


def decided(key: str, day: int, words: str, **more: object) -> Json:
    fact = {"edge_label": "ASSERTED", "fact_type": "decision", "from": "Kim Zahn", "to": "Zeta Plan", "fact": words}
    return {**noted(key, day), "entities": [KIM, PLAN], "facts": [{**fact, **more}]}


LINES: list[Json] = [
    issue(assignee="Lee Park", content="We will ship it by Friday."),
    change(),
    change("chg_2", field="project", changed_by=None),
    email("e1", "I will send the Lumen Audit file by Monday. Kim will check it.", at="2026-03-02T09:00:00Z"),
    email("e2", "I will send the Lumen Audit file by Tuesday.", at="2026-03-03T09:00:00Z"),
    email("e3", "Could you call Kim Zahn about the ZP?", sender="lee@harrow-bridge.example", recipients=[MARCUS]),
    email("e4", "I promise to sing.", sender="kim@zeta.example", recipients=[LEE], at="2026-03-05T09:00:00Z"),
    email("e5", sender="Kim Zahn <kim@zeta.example>", at="2026-03-06T09:00:00Z"),
    email("e6", sender="K. Zahn <kim@zeta.example>", at="2026-03-04T09:00:00Z"),
    email("e7", "Please read it.", headers={"List-Id": "x"}),
    noted("n1", 7, "Marcus Webb will write the Zeta Plan. We decided to wait."),
    {"entities": [PLAN]},
    {**noted("n2", 8), "entities": [{"name": "Zeta AG", "type": "Company", "metadata": {"domain": "zeta.example"}}]},
    {**noted("n3", 9), "entities": [{**KIM, "metadata": {"role": "chair"}}]},
    {**noted("n4", 4), "entities": [{**KIM, "metadata": {"role": "clerk"}}]},
    decided("n5", 12, "Stop it", supersedes="Start it"),
    decided("n6", 11, "Start it"),
]

Opened = Callable[[], Memory]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return opener(tmp_path_factory.mktemp("orders"), BY_RULES)


@pytest.fixture(scope="module")
def fresh_with_known_senders(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return opener(tmp_path_factory.mktemp("known"), KNOWN_SENDERS)


def opener(folder: Path, chosen: Settings) -> Opened:
    """Opens an empty memory at each call."""
    numbers = count()
    clock = MovingClock(1_779_271_200_000_000)  # type: ignore[arg-type]  # an instant
    return lambda: open_memory(str(folder / f"{next(numbers)}.db"), settings=chosen, clock=clock)


def taken(memory: Memory, path: Path, *groups: list[Json]) -> list[tuple[object, ...]]:
    read = Reading(memory, path)
    for group in groups:
        read(*group)
        assert read.skipped == []
    before = read.last_tx
    for group in groups:
        read(*group)
    assert read.last_tx == before
    return graph(memory)


@given(order=st.permutations(LINES), cuts=st.sets(st.integers(1, len(LINES) - 1), max_size=3))
@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_order_in_any_number_of_runs_gives_the_same_graph(
    order: list[Json], cuts: set[int], fresh_with_known_senders: Opened, tmp_path: Path
) -> None:
    edges = [0, *sorted(cuts), len(order)]
    groups = [order[first:last] for first, last in pairwise(edges)]
    one, other = fresh_with_known_senders(), fresh_with_known_senders()
    try:
        assert taken(one, tmp_path / "a.jsonl", *groups) == taken(other, tmp_path / "b.jsonl", LINES)
    finally:
        one.close()
        other.close()


def test_a_plain_bundle_matters_to_the_records_that_came_before_it(
    memory: Memory, fresh: Opened, tmp_path: Path
) -> None:
    mail, plan = email("e1", "I will send the Zeta Plan file by Monday."), {"entities": [PLAN]}
    straight = fresh()
    assert taken(memory, tmp_path / "a.jsonl", [mail], [plan]) == taken(straight, tmp_path / "b.jsonl", [plan], [mail])
    straight.close()


def test_the_labelled_records_too_on_every_engine(memory: Memory, fresh: Opened, tmp_path: Path) -> None:
    text = "".join((EVALS / name).read_text("utf-8") for name in ("development.jsonl", "held_back.jsonl"))
    lines = [{"record": each["record"]} for each in map(json.loads, text.splitlines()) if "record" in each]
    shuffled = Random(7).sample(lines, len(lines))
    straight = fresh()
    assert taken(memory, tmp_path / "a.jsonl", shuffled) == taken(straight, tmp_path / "b.jsonl", lines)
    straight.close()


def test_a_record_is_read_again_only_for_names_that_came_after_it(
    fresh: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[str] = []
    reread = rules._reread_document

    def noted(change: Change, document: Document, *given: Any) -> None:
        again.append(document.key)
        reread(change, document, *given)

    monkeypatch.setattr(rules, "_reread_document", noted)
    told = [email(f"e{number}", f"Zahn will bring {number} keys on Friday.") for number in range(6)]
    about = email("new", "Hello", sender="Kim Zahn <kim@zeta.example>")
    Reading(fresh(), tmp_path / "lines")(*told[:3], about, *told[3:])
    assert sorted(again) == ["e0", "e1", "e2"]
