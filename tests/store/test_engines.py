"""One history, two engines, the same rows: nothing that is stored or read depends on the engine."""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import START, MovingClock
from tests.support.calls import last_tx
from tests.support.databases import new_postgres_database
from tests.support.processes import LONGEST_WAIT
from tests.support.properties import examples

from recollect.errors import RecollectError
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory, create_workspace
from recollect.model.entity import Entity
from recollect.model.ids import IdMaker
from recollect.settings import Settings
from recollect.store.address import engine_for
from recollect.store.change import Change
from recollect.store.fact_rows import FactFilter
from recollect.store.port import Engine, Row
from recollect.store.queries import postgres_queries
from recollect.store.tables import VERSIONED
from recollect.when.clock import clock_from
from recollect.when.instant import DAY
from recollect.when.span import Span
from recollect.write.merge import merge
from recollect.write.retract import delete_entity, retract_document, retract_fact
from recollect.write.undo import undo

PEOPLE = ("Ada Lovelace", "ada  lovelace", "Émile Zola", "ÉMILE ZOLA", "Straße", "李雷", "O'Neil % _", "Zoë 😀")
PLACES = ("Acme", "Harrow", "Deal 7")
TIMES = (None, "2020", "2021-06", "2022-02-03", "2020~", "[2019..2021]", "2023-01-01T10:00:00Z")
SAID = ("2026-01-01", "2026-01-02T03:04:05.678901Z", "2025-12")
WORDS = (None, "Ada will send PR 418.", "ada will send pr 418", "Ada will send PR 419 by March 3", "Something else")
PREDICATES = ("employee", "commitment", "stage_change", "spouse_of", "rules", "possesses", "born", "admires", "tagged")

Step = dict[str, Any]


@dataclass
class Told:
    """A new workspace on one engine, and how to do the steps of a history there."""

    memory: Memory
    clock: MovingClock

    def do(self, step: Step) -> str:
        """Do one step; what came of it, in words."""
        kind = step["do"]
        try:
            if kind == "clock":
                self.clock.set(step["at"])
                return "moved"
            with self.memory.write() as change:
                return f"{kind} {DEEDS[kind](change, step)} tx {change.has_changed}"
        except RecollectError as problem:
            return f"{type(problem).__name__}: {problem}"

    def tables(self) -> dict[str, list[Row]]:
        """Every version of everything, table by table."""
        with self.memory.read() as view:
            txs = range(1, view.last_tx + 1)
            begun = view.connection.begun_by
            return {
                each.name: sorted((row for tx in txs for row in begun(each, view.ws, tx)), key=repr)
                for each in VERSIONED
            }

    def answers(self) -> list[Any]:
        """What readers are told, now, at an earlier time of the world and at every earlier moment of knowing."""
        found: list[Any] = []
        for as_of in (None, *range(self._last + 1)):
            with self.memory.read(as_of) as view:
                everyone = view.entities_of_types(("person", "unknown", "organization"), 100)
                found.append([(each, view.aliases(each)) for each in everyone])
                earlier = Span(view.world.now.span.lo - 5 * 365 * DAY, view.world.now.span.lo - 4 * 365 * DAY)
                for at in (earlier, view.world.now.span):
                    wanted = FactFilter(at)
                    found += [view.facts_about(each.id, wanted) for each in everyone]
                found.append((sorted(view.disputes()), view.counts(), view.last_tx))
        return found

    @property
    def _last(self) -> int:
        return last_tx(self.memory)


def _tell(change: Change, step: Step) -> object:
    return write_line(change, parse_line(step["line"]))


def _entities(change: Change) -> list[Entity]:
    found = change.entities_of_types(("person", "unknown", "organization"), 100)
    return sorted((each for each in found if each.is_live), key=lambda each: each.id)


def _merge(change: Change, step: Step) -> object:
    some = _entities(change)
    return merge(change, some[step["one"] % len(some)], some[step["other"] % len(some)]).id if some else None


def _delete(change: Change, step: Step) -> object:
    some = _entities(change)
    return delete_entity(change, some[step["one"] % len(some)], "gone").id if some else None


def _retract(change: Change, step: Step) -> object:
    everything = FactFilter(change.world.now.span, every=True)
    facts = sorted({seen.fact.id for each in _entities(change) for seen in change.facts_about(each.id, everything)})
    return retract_fact(change, facts[step["one"] % len(facts)]) if facts else None


def _forget_record(change: Change, step: Step) -> object:
    document = change.document_named("record", f"r{step['one'] % 4}")
    return retract_document(change, document, "removed").id if document and document.deleted is None else None


def _undo(change: Change, step: Step) -> object:
    return undo(change, 1 + step["one"] % max(change.last_tx, 1))


def _set(change: Change, step: Step) -> None:
    change.put_setting("conflict_policy", step["policy"])


DEEDS: dict[str, Callable[[Change, Step], object]] = {
    "tell": _tell,
    "merge": _merge,
    "delete": _delete,
    "retract": _retract,
    "forget": _forget_record,
    "undo": _undo,
    "set": _set,
}


@dataclass
class Pair:
    """The two engines, side by side."""

    engines: tuple[Engine, Engine]
    numbers: Iterator[int]

    def tell(self, steps: list[Step]) -> tuple[Told, Told]:
        """The same history on both, in a workspace of its own; every step must come to the same."""
        name = f"history {next(self.numbers)}"
        one, other = (self._told(engine, name) for engine in self.engines)
        for step in steps:
            assert one.do(step) == other.do(step), step
        return one, other

    def _told(self, engine: Engine, name: str) -> Told:
        clock = MovingClock(0)  # type: ignore[arg-type]
        clock.set(START)
        workspace = create_workspace(engine, name, clock)
        return Told(Memory(engine, workspace, clock, Settings(), IdMaker(clock, Random(1))), clock)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, postgres_server: str) -> Iterator[Pair]:
    path: Path = tmp_path_factory.mktemp("engines") / "memory.db"
    engines = engine_for(str(path)), engine_for(new_postgres_database(postgres_server))
    yield Pair(engines, itertools.count(1))
    for engine in engines:
        engine.close()


def said(subject: str, predicate: str, to: Any, **more: Any) -> Step:
    return {"from": subject, "predicate": predicate, "to": to, **more}


def line(*facts: Step, **more: Any) -> Step:
    return {"do": "tell", "line": {"facts": list(facts), **more}}


SCRIPT: list[Step] = [
    {"do": "clock", "at": "2026-01-01T00:00:00Z"},
    line(
        said("Ada", "employee", "Acme", fact="Ada is an engineer at Acme", valid_from="2020"),
        said("Ada", "commitment", "Deal 7", fact="Ada will send the ledger by March 3", edge_label="ASSERTED"),
        record={
            "id": "r1",
            "type": "email",
            "title": "Re: Deal",
            "source_at": "2026-01-01",
            "content": "# Hi\n\nLedger.",
        },
        entities=[
            {"name": "Ada", "type": "Person", "aliases": ["Countess", "A. L."], "metadata": {"email": "a@x.example"}}
        ],
    ),
    {"do": "clock", "at": "2026-02-01T00:00:00Z"},
    line(
        said("Ada", "employee", "Acme", fact="Ada leads research at Acme"),
        record={"id": "r2", "type": "email", "source_at": "2026-02-01"},
    ),
    line(
        said(
            "Ada",
            "admires",
            {"literal": "Éluard % _ \\ 'quoted'"},
            confidence=0.3,
            attributes={"z": [1, 2.5, None], "a": {"é": True}},
        )
    ),
    line(said("Mira", "rules", "Harrow", valid_from="1850", valid_until="1871")),
    line(said("Mira", "rules", "Harrow", valid_from="1855", valid_until="1871")),
    line(said("Mira", "possesses", "Knife")),
    line(said("Tobin", "possesses", "Knife")),
    line(said("Tobin", "spouse_of", "Mira")),
    line(said("Mira", "spouse_of", "Tobin", confidence="verified")),
    line(
        said(
            "Deal 7", "stage_change", "Board", edge_label="TRANSITIONED", fact="Deal 7 moved", valid_until="2026-03-03"
        )
    ),
    line(
        said("Ada", "employee", "Acme", fact="Ada is an engineer at Acme", confidence="retracted"),
        record={"id": "r1", "type": "email", "source_at": "2026-03-01", "content": "A new version."},
    ),
    line(said("Ada", "employee", "Acme", supersedes="Ada leads research at Acme", fact="Ada left")),
    line(said("Ada", "tagged", {"literal": "alias:Augusta"})),
    line(entities=[{"name": "Acme", "type": "Company", "metadata": {"domain": "acme.example"}}]),
    {"do": "set", "policy": "dispute"},
    {"do": "merge", "one": 0, "other": 1},
    {"do": "undo", "one": 15},
    {"do": "forget", "one": 2},
    {"do": "retract", "one": 3},
    {"do": "delete", "one": 2},
    line(said("Nobody", "employee", "Acme", valid_from="2022", valid_until="2021")),
    line(said("Nobody", "employee", "Acme", valid_from="someday")),
]


GRAPH = frozenset("setting definition predicate entity name fact dispute assertion document mention line".split())


def test_a_scripted_history_leaves_the_same_rows_on_both_engines(pair: Pair) -> None:
    one, other = pair.tell(SCRIPT)
    mine, theirs = one.tables(), other.tables()
    for name, rows in mine.items():
        assert rows == theirs[name], name
    filled = {name for name, rows in mine.items() if rows}
    assert filled >= GRAPH - {"definition"}
    assert one.answers() == other.answers()


WORLD: list[Step] = [
    {"calendar": {"name": "Tide Reckoning", "months": [["Ebb", 30], ["Flow", 30]]}},
    {"era": {"name": "First Tide", "start": 1, "end": 300}},
    {"date": {"slug": "the_flood", "label": "The Flood", "era": "first_tide", "year": 7, "month": 2, "day": 30}},
    {"date": {"slug": "current", "label": "Now", "era": "first_tide", "year": 60}},
]


def test_a_fictional_timeline_leaves_the_same_rows_on_both_engines(pair: Pair) -> None:
    steps = [{"do": "tell", "line": each} for each in WORLD]
    rule = said("Mira", "rules", "Harrow", valid_from="first_tide.year_3", valid_until="first_tide.year_90")
    one, other = pair.tell([*steps, line(rule), line(said("Mira", "admires", "Harrow", valid_from="the_flood"))])
    assert one.tables() == other.tables()
    assert {row[-1] for row in one.tables()["setting"]} == {'"fictional"'}
    assert len(one.tables()["fact"]) == 2
    assert one.answers() == other.answers()


_fact = st.fixed_dictionaries(
    {
        "from": st.sampled_from(PEOPLE),
        "predicate": st.sampled_from(PREDICATES),
        "to": st.one_of(
            st.sampled_from((*PLACES, *PEOPLE)),
            st.sampled_from(({"literal": "x"}, {"literal": "X "}, {"name": "Acme", "type": "Company"}, None)),
        ),
    },
    optional={
        "fact": st.sampled_from(WORDS),
        "valid_from": st.sampled_from(TIMES),
        "valid_until": st.sampled_from(TIMES),
        "confidence": st.sampled_from(("inferred", "stated", "verified", "retracted", 0.1, 0.74999, 1)),
        "quote": st.sampled_from((None, "“so”")),
    },
)
_entity = st.fixed_dictionaries(
    {"name": st.sampled_from(PEOPLE), "type": st.sampled_from(("Person", None))},
    optional={
        "aliases": st.lists(st.sampled_from(("Countess", "Zoe", "ß", "SS")), max_size=2),
        "metadata": st.sampled_from(({}, {"email": "A@x.example"}, {"email": "b@x.example"}, {"n": 1.5e300})),
    },
)
_record = st.fixed_dictionaries(
    {"id": st.sampled_from(("r0", "r1", "r2", "r3")), "type": st.just("note"), "source_at": st.sampled_from(SAID)},
    optional={
        "content": st.sampled_from(("One passage.", "Two passages.\n\nThe second one.", "")),
        "title": st.just("T"),
    },
)
_line = st.fixed_dictionaries(
    {"facts": st.lists(_fact, max_size=3)},
    optional={"record": _record, "entities": st.lists(_entity, max_size=2)},
).map(lambda found: {"do": "tell", "line": found})
_pick = st.integers(0, 30)
_other = st.one_of(
    st.fixed_dictionaries({"do": st.sampled_from(("delete", "retract", "forget", "undo")), "one": _pick}),
    st.fixed_dictionaries({"do": st.just("merge"), "one": _pick, "other": _pick}),
    st.fixed_dictionaries({"do": st.just("set"), "policy": st.sampled_from(("dispute", "supersede", "accumulate"))}),
    st.fixed_dictionaries(
        {"do": st.just("clock"), "at": st.sampled_from(("2026-06-01T00:00:00Z", "2026-05-21T00:00:00Z"))}
    ),
)
_history = st.lists(st.one_of(_line, _line, _line, _other), min_size=3, max_size=14)


@settings(max_examples=examples(15))
@given(steps=_history)
def test_any_history_leaves_the_same_rows_on_both_engines(pair: Pair, steps: list[Step]) -> None:
    one, other = pair.tell(steps)
    assert one.tables() == other.tables()
    assert one.answers() == other.answers()


def test_postgres_can_plan_every_query(postgres_server: str) -> None:
    """Most tests above the store run on SQLite alone, so a query must not wait for one of them to be seen here."""
    queries = postgres_queries()
    refused: dict[str, str] = {}
    address = new_postgres_database(postgres_server)
    with psycopg.connect(address, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        for name in queries.names:
            sql = queries[name].sql
            try:
                connection.execute(f"EXPLAIN {sql}".encode(), dict.fromkeys(re.findall(r"%\((\w+)\)s", sql)))
            except psycopg.Error as problem:
                refused[name] = str(problem)
    assert refused == {}


def test_a_watch_notices_the_commits_of_others(address: str) -> None:
    engine, other = engine_for(address), engine_for(address)
    engine.migrate()
    other.migrate()
    watch = engine.watch_commits()
    assert not watch.wait(0)
    workspace = create_workspace(other, "default", MovingClock(clock_from(START).now()))
    with other.writing() as connection:
        connection.next_tx(workspace.ws, clock_from(START).now())
    assert watch.wait(LONGEST_WAIT)
    assert not watch.wait(0)
    watch.close()
    for each in (engine, other):
        each.close()
