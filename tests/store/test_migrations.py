"""From every earlier schema to the present one, with data in it, once and without harm if repeated."""

import itertools
import os
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.durability.workers import migrate, working
from tests.support.facts import entity_named, fact, tell, texts
from tests.support.properties import a_share

from recollect.indexing import index_texts
from recollect.ingest.stored_trust import STORED_TRUST
from recollect.memory import open_memory
from recollect.model.spelling_variants import index_keys
from recollect.search.name_search import find_candidates
from recollect.settings import Settings
from recollect.store import postgres_migration, sqlite
from recollect.store.address import engine_for
from recollect.store.index_progress import IndexState
from recollect.store.queries import schema

NUMBERS = {engine: [number for number, _, _ in schema(engine)] for engine in ("sqlite", "postgres")}
_numbers = itertools.count(1)
OLD = [
    (engine, number)
    for place, (engine, numbers) in enumerate(NUMBERS.items())
    for number in (numbers[0], *a_share(numbers[1:], place))
]
MODULES = {"sqlite": sqlite, "postgres": postgres_migration}

# What a store held when only the tables of the first schema were there: one person, one affiliation.
FACT: dict[str, Any] = {
    "id": "01KF00000000000000000000FA",
    "subject": "01KF00000000000000000000EA",
    "predicate": "employee",
    "object": "01KF00000000000000000000EB",
    "label": "AFFILIATED",
    "fact_type": "employee",
    "policy": "supersede",
    "slot": 7,
    "is_alias": 0,
    "words": "Ada is an engineer at Acme",
    "begins": 0,
    "source_at": 0,
    "recorded_at": 0,
    "confirmed_at": 0,
    "confidence": 0.9,
    "certainty": "stated",
    "source_kind": "extracted",
    "stale": 0,
    "disputed": 0,
    "attributes": "{}",
    "newest": "01KF00000000000000000000AA",
    "source_count": 1,
}
ASSERTION: dict[str, Any] = {
    "id": "01KF00000000000000000000AA",
    "fact": FACT["id"],
    "source_key": "tool:cli.ingest",
    "extracted_by": "given",
    "surface": "cli",
    "tool": "ingest",
    "actor": "local",
    "source_at": 0,
    "recorded_at": 0,
    "confidence": 0.9,
    "certainty": "stated",
    "source_kind": "extracted",
    "begins": 0,
    "attributes": "{}",
}


def _entity(id_: str, name: str) -> dict[str, Any]:
    return {
        "id": id_,
        "type": "unknown",
        "name": name,
        "folded": name.lower(),
        "provisional": 1,
        "confidence": 1.0,
        "properties": "{}",
        "created_at": 0,
        "confirmed_at": 0,
        "reason": "given",
    }


def _name(id_: str, name: str) -> dict[str, Any]:
    low = name.lower()
    return {
        "folded": low,
        "entity": id_,
        "kind": "name",
        "spelling": name,
        "key": low,
        "digits": "",
        "type": "unknown",
    }


HELD: list[tuple[str, dict[str, Any]]] = [
    ("entity", _entity(FACT["subject"], "Ada")),
    ("entity", _entity(FACT["object"], "Acme")),
    ("name", _name(FACT["subject"], "Ada")),
    ("name", _name(FACT["object"], "Acme")),
    ("fact", FACT),
    ("assertion", ASSERTION),
]
VERSION = {"ws": 1, "tx_from": 1, "tx_to": 9223372036854775807}
BARE: list[tuple[str, dict[str, Any]]] = [
    ("workspace", {"ws": 1, "name": "default", "created_at": 0, "last_tx": 1}),
    ("tx", {"ws": 1, "tx": 1, "at": 0, "surface": "cli", "tool": "ingest", "actor": "local"}),
    *((table, {**VERSION, **row}) for table, row in HELD),
]


def old_store(address: str, engine: str, upto: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store as a release with only the first migrations left it, with data in it."""
    with monkeypatch.context() as patch:
        patch.setattr(MODULES[engine], "schema", lambda name: tuple(each for each in schema(name) if each[0] <= upto))
        engine_for(address).close()
    _insert(address, *BARE)


def _insert(address: str, *rows: tuple[str, dict[str, Any]]) -> None:
    if address.startswith("postgresql://"):
        import psycopg

        with psycopg.connect(address) as connection:
            for table, row in rows:
                connection.execute(_insertion(table, row, "%s").encode(), list(row.values()))
        return
    raw = apsw.Connection(address)
    for table, row in rows:
        raw.execute(_insertion(table, row, "?"), list(row.values()))
    raw.close()


def _insertion(table: str, row: dict[str, Any], mark: str) -> str:
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join([mark] * len(row))})"


def empty_address(engine: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """Where nothing is yet, not even a schema."""
    if engine == "sqlite":
        return str(folder / "memory.db")
    import psycopg

    server = str(request.getfixturevalue("postgres_server"))
    name = f"bare_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return server.replace("/postgres?", f"/{name}?")


def drawn(address: str) -> list[tuple[Any, ...]]:
    """The schema as the database itself describes it."""
    if address.startswith("postgresql://"):
        import psycopg

        with psycopg.connect(address) as connection:
            columns = connection.execute(
                "SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name"
                " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
            ).fetchall()
            indexes = connection.execute(
                "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
            ).fetchall()
            return [*columns, *indexes, *connection.execute("SELECT number, name FROM migration ORDER BY 1").fetchall()]
    raw = apsw.Connection(address)
    found = raw.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
    statistics = raw.execute("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl, idx").fetchall()
    version = raw.execute("PRAGMA user_version").fetchall()
    raw.close()
    return [*found, *statistics, *version]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, list[tuple[Any, ...]]]:
    """By engine, the schema of a store that was never old."""
    found = {}
    for engine in NUMBERS:
        address = empty_address(engine, tmp_path_factory.mktemp("fresh"), request)
        engine_for(address).close()
        found[engine] = drawn(address)
    return found


@pytest.mark.dealt
@pytest.mark.parametrize(("engine", "number"), OLD)
def test_an_earlier_schema_becomes_a_fresh_one_whose_data_is_still_read_and_written(
    engine: str,
    number: int,
    fresh: dict[str, list[tuple[Any, ...]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    address = empty_address(engine, tmp_path, request)
    old_store(address, engine, number, monkeypatch)
    engine_for(address).close()
    assert drawn(address) == fresh[engine]
    memory = open_memory(address, settings=Settings())
    assert texts(memory, "Ada") == ["Ada is an engineer at Acme"]
    ada = entity_named(memory, "Ada")
    assert ada is not None
    assert ada.id == FACT["subject"]
    with memory.read() as view:
        assert {name.trust for name in view.names_of(ada.id)} == {"owner"}
    assert tell(memory, fact("Ada", "advisor", "Beta"), id="r1", content="Ada advises Beta.")
    assert sorted(texts(memory, "Ada")) == ["Ada advisor Beta", "Ada is an engineer at Acme"]
    with memory.read() as view:
        assert view.last_tx == 2
    memory.close()


@pytest.mark.parametrize("engine", NUMBERS)
def test_names_of_an_earlier_schema_are_found_by_what_stands_inside_them(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    address = empty_address(engine, tmp_path, request)
    old_store(address, engine, 25, monkeypatch)
    _insert(address, ("token_variant", {"ws": 1, "variant": "acme", "token": "acme"}))
    _insert(address, ("name_word", {"ws": 1, "token": "acme", "key": "acme"}))
    memory = open_memory(address, settings=Settings())
    with memory.read() as view:
        assert [hit.match for hit in find_candidates(view, memory.names(view), "cme")] == ["substring"]
        [[token]] = view.rows("tokens_with_part", text="me", lo="/me", hi="/mf", limit=10)
    assert token == "acme"
    memory.close()


WORDS = ("ada", "acme", "robin", "łódź", "sørens", "charles", "margaret", "wilhelmina", "北京大学出版社", "é" * 60)


@pytest.mark.parametrize("engine", NUMBERS)
def test_words_of_an_earlier_schema_are_kept_under_what_new_ones_are(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    address = empty_address(engine, tmp_path, request)
    old_store(address, engine, 35, monkeypatch)
    for word in WORDS:
        _insert(address, ("token_variant", {"ws": 1, "variant": word, "token": word}))
        _insert(address, ("token_variant", {"ws": 1, "variant": word[:2], "token": word}))
        _insert(address, ("name_word", {"ws": 1, "token": word, "key": word}))
    memory = open_memory(address, settings=Settings())
    index_texts(memory)
    with memory.read() as view:
        kept = set(view.connection.all_rows("token_variant", ("variant", "token"), ("variant",), view.ws))
        words = set(view.connection.all_rows("name_word", ("token", "key"), ("token",), view.ws))
    memory.close()
    assert kept == {(variant, word) for word in WORDS for variant in index_keys(word)}
    assert words == {(word, word) for word in WORDS}


@pytest.mark.parametrize("engine", NUMBERS)
def test_what_an_earlier_release_stored_is_to_be_assessed_again(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    address = empty_address(engine, tmp_path, request)
    old_store(address, engine, 90, monkeypatch)
    memory = open_memory(address, settings=Settings())
    with memory.read() as view:
        assert STORED_TRUST.read(view) == IndexState(upto=0, items=1)
    memory.close()


@pytest.mark.parametrize("engine", NUMBERS)
def test_opening_again_changes_nothing(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    address = empty_address(engine, tmp_path, request)
    engine_for(address).close()
    first = drawn(address)
    again = engine_for(address)
    again.migrate()
    again.close()
    assert drawn(address) == first


@pytest.mark.parametrize("engine", NUMBERS)
def test_processes_that_open_an_empty_store_at_once_agree(
    engine: str, tmp_path: Path, fresh: dict[str, list[tuple[Any, ...]]], request: pytest.FixtureRequest
) -> None:
    address = empty_address(engine, tmp_path, request)
    with (
        working(migrate, address) as one,
        working(migrate, address) as other,
        working(migrate, address) as third,
    ):
        assert [worker.hear() for worker in (one, other, third)] == ["done"] * 3
    assert drawn(address) == fresh[engine]


@pytest.mark.parametrize("engine", NUMBERS)
def test_a_migration_that_fails_leaves_the_store_as_it_was(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    address = empty_address(engine, tmp_path, request)
    engine_for(address).close()
    before = drawn(address)
    broken = (999, "999_broken", "CREATE TABLE half (ws BIGINT); CREATE TABLE half (ws BIGINT);")
    with monkeypatch.context() as patch:
        patch.setattr(MODULES[engine], "schema", lambda name: (*schema(name), broken))
        with pytest.raises(Exception, match=r"half.*already exists"):
            engine_for(address)
    assert drawn(address) == before
    memory = open_memory(address, settings=Settings())
    assert tell(memory, fact("Ada", "advisor", "Beta"))
    memory.close()


@pytest.mark.parametrize("engine", NUMBERS)
def test_every_migration_has_a_number_of_its_own_and_none_is_left_out(engine: str) -> None:
    assert NUMBERS[engine] == sorted(set(NUMBERS[engine]))
    assert NUMBERS[engine][0] == 1
