"""Workspaces on two PostgreSQL clusters, moved while in use and killed half way: nothing acknowledged is lost."""

import json
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
from click.testing import CliRunner

from recollect.keep.named_graph import delete_entities
from recollect.keep.store_checks import digest_workspace
from recollect.memory import Memory, create_workspace, open_memory
from recollect.serve.cli.main import main
from recollect.settings import Settings
from recollect.store import postgres_shards
from recollect.store.access_tokens import TokenStore, WorkspaceMember
from recollect.store.port import StoreUnavailable, WorkspaceMoved
from recollect.store.postgres_shards import FIRST, BadShard, Shard, ShardedPostgres, UnknownShard, add_shard
from recollect.store.workspace_move import drop_copies, end_killed_moves, move_workspace
from recollect.store.workspaces import delete_workspace, last_tx_of
from recollect.when.clock import clock_from
from recollect.write.names import add_alias
from tests.durability.looking import rows
from tests.durability.workers import move_until, record_fact, working
from tests.support.databases import Emptied, quick_postgres

STEPS = ("copied", "closed", "switched")
AT = clock_from("2026-05-20T10:00:00Z").now()


@pytest.fixture(scope="module")
def second() -> Iterator[Emptied]:
    """Stores on another cluster than the one that all tests share."""
    with quick_postgres() as server, closing(Emptied(server)) as stores:
        yield stores


@pytest.fixture
def empty(second: Emptied) -> Iterator[str]:
    """The address of an empty database on the second cluster."""
    taken = second.take()
    yield taken
    second.give_back(taken)


@pytest.fixture
def address(emptied: Emptied) -> Iterator[str]:
    taken = emptied.take()
    yield taken
    emptied.give_back(taken)


def opened(address: str, workspace: str = "default") -> Memory:
    return open_memory(address, workspace, settings=Settings())


def sharded(memory: Memory) -> ShardedPostgres:
    assert isinstance(memory.engine, ShardedPostgres)
    return memory.engine


@pytest.fixture
def memory(address: str, empty: str) -> Iterator[Memory]:
    """The workspace `default` of a store with a shard named `b`, with a few facts."""
    with closing(opened(address)) as memory:
        add_shard(sharded(memory), Shard("b", empty, AT))
        for number in range(3):
            record_fact(memory, f"Project {number}", "before")
        yield memory


def move(memory: Memory, shard: str) -> None:
    move_workspace(sharded(memory), memory.workspace.ws, shard)


def test_a_moved_workspace_is_the_same_for_servers_that_have_not_heard_of_it(
    memory: Memory, address: str, empty: str
) -> None:
    before = digest_workspace(memory)
    with closing(opened(address)) as elsewhere:
        assert last_tx_of(elsewhere.engine, 1) == 3
        move(memory, "b")
        assert digest_workspace(elsewhere) == digest_workspace(memory) == before
        record_fact(elsewhere, "Project 9", "after")
        assert last_tx_of(memory.engine, 1) == 4
    assert rows(empty, "SELECT COUNT(*) FROM fact") == [(4,)]
    assert rows(address, "SELECT COUNT(*) FROM fact") == [(3,)]
    with closing(opened(address)) as fresh:
        assert last_tx_of(fresh.engine, 1) == 4


def test_a_workspace_comes_back_with_what_was_written_elsewhere(memory: Memory, address: str) -> None:
    move(memory, "b")
    record_fact(memory, "Project 9", "elsewhere")
    move(memory, FIRST)
    record_fact(memory, "Project 9", "again here")
    assert rows(address, "SELECT COUNT(*) FROM fact") == [(5,)]
    assert drop_copies(sharded(memory), memory.workspace.ws)["b"] > 0
    move(memory, "b")
    assert last_tx_of(memory.engine, 1) == 5


def test_only_the_moved_workspace_moves_and_tokens_stay(memory: Memory, address: str, empty: str) -> None:
    create_workspace(memory.engine, "other", memory.clock)
    TokenStore(memory.engine).put_member(WorkspaceMember("default", "ann", "read", AT))
    with closing(opened(address, "other")) as other:
        record_fact(other, "Project 1", "of the other")
        move(memory, "b")
        record_fact(other, "Project 2", "of the other")
    assert TokenStore(memory.engine).grants("ann") == {"default": "read"}
    assert rows(empty, "SELECT DISTINCT ws FROM fact") == [(1,)]
    delete_workspace(memory.engine, memory.workspace)
    assert rows(empty, "SELECT COUNT(*) FROM fact") == [(0,)]
    assert rows(address, "SELECT DISTINCT ws FROM fact") == [(2,)]


@pytest.mark.parametrize("step", STEPS)
def test_a_move_that_is_killed_can_be_repeated(memory: Memory, address: str, empty: str, step: str) -> None:
    """The old copy, the new one or none answers meanwhile, never both."""
    before = digest_workspace(memory)
    with working(move_until, address, "b", step) as worker:
        assert worker.rest()[-1] == step
    with closing(opened(address)) as other:
        move(other, "b")
        assert digest_workspace(other) == digest_workspace(memory) == before
        record_fact(memory, "Project 9", "after")
    assert rows(empty, "SELECT COUNT(*) FROM fact") == [(4,)]


def test_doctor_drops_the_triggers_of_a_killed_move_but_not_of_one_under_way(memory: Memory, address: str) -> None:
    asked = "SELECT DISTINCT tgname FROM pg_trigger WHERE tgname LIKE 'note_changed_row%'"

    def examine(step: str) -> None:
        if step == "copied":
            assert end_killed_moves(sharded(memory)) == []
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move_workspace(sharded(memory), 1, "b", on_step=examine)
    with working(move_until, address, "b", "copied") as worker:
        assert worker.rest()[-1] == "copied"
    assert rows(address, asked) == [("note_changed_row_1",)]
    told = CliRunner().invoke(main, ["doctor", "--json", "--db", address]).output
    [found] = [each["detail"] for each in json.loads(told) if each["check"] == "moves"]
    assert found.startswith("dropped what a killed move of default left behind; warning: the move of default is not")
    assert rows(address, asked) == []
    record_fact(memory, "Project 9", "after")
    assert rows(address, "SELECT 1 FROM changed_row") == []


def test_what_changes_after_the_copy_is_moved_too_and_no_longer_noted(memory: Memory, address: str, empty: str) -> None:
    def go_on(step: str) -> None:
        if step == "copied":
            with closing(opened(address)) as other:
                record_fact(other, "Project 9", "meanwhile")
                with other.write() as change:
                    delete_entities(change, ["Project 1"])
                    add_alias(change, change.entities_named("project 2")[0][1], "Second Project")

    move_workspace(sharded(memory), 1, "b", on_step=go_on)
    for table in ("entity", "fact", "assertion", "name", "name_word", "token_variant", "tx"):
        asked = f"SELECT TO_JSONB(t)::TEXT FROM {table} t WHERE ws = 1 ORDER BY 1"
        assert rows(address, asked) == rows(empty, asked) != []
    assert rows(address, "SELECT 1 FROM pg_trigger WHERE tgname LIKE 'note_changed_row%'") == []
    assert rows(address, "SELECT 1 FROM changed_row") == []


def test_between_two_homes_a_call_waits_and_then_says_so(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_shards, "SWITCH_SECONDS", 0.1)

    def stop(step: str) -> None:
        if step == "closed":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move_workspace(sharded(memory), 1, "b", on_step=stop)
    with pytest.raises(WorkspaceMoved, match="recollect shard list"):
        last_tx_of(memory.engine, 1)
    assert [each.moving_to for each in sharded(memory).homes()] == ["b"]
    move(memory, FIRST)
    assert last_tx_of(memory.engine, 1) == 3


def test_writers_lose_nothing_while_a_workspace_moves_to_and_fro(memory: Memory, address: str, empty: str) -> None:
    acknowledged: list[str] = []
    done = threading.Event()

    def write(who: int) -> None:
        with closing(opened(address)) as own:
            number = 0
            while not done.is_set():
                try:
                    acknowledged.append(record_fact(own, f"Project {who}", f"{who} {number}"))
                except AssertionError as refusal:  # on a busy machine a move may take longer than a call waits
                    if "being moved" not in str(refusal):
                        raise
                number += 1

    writers = [threading.Thread(target=write, args=(who,)) for who in range(2)]
    for each in writers:
        each.start()
    for shard in ("b", FIRST, "b"):
        move(memory, shard)
    done.set()
    for each in writers:
        each.join()
    held = {fact for [fact] in rows(empty, "SELECT id FROM fact")}
    assert set(acknowledged) <= held
    assert last_tx_of(memory.engine, 1) == len(acknowledged) + 3


def test_the_command_adds_moves_verifies_and_drops(address: str, empty: str) -> None:
    with closing(opened(address)) as memory:
        record_fact(memory, "Project 1", "before")

    def run(*words: str) -> str:
        done = CliRunner().invoke(main, ["shard", *words, "--db", address])
        assert done.exit_code == 0, done.output
        return done.output

    run("add", "b", empty)
    assert json.loads(run("move", "default", "b", "--verify", "--drop", "--json"))["dropped"]["first"] > 0
    assert [each["workspaces"] for each in json.loads(run("list", "--json"))] == ["", "default"]
    assert rows(address, "SELECT COUNT(*) FROM fact") == [(0,)]
    assert rows(empty, "SELECT COUNT(*) FROM fact") == [(1,)]


def test_only_an_empty_database_becomes_a_shard(memory: Memory, address: str, emptied: Emptied) -> None:
    used = emptied.take()
    opened(used).close()
    for wrong in (address, used):
        with pytest.raises(BadShard):
            add_shard(sharded(memory), Shard("c", wrong, AT))
    with pytest.raises(UnknownShard):
        move(memory, "c")
    rows(address, f"UPDATE shard SET address = '{used}' RETURNING 1")
    with closing(opened(address)) as fresh, pytest.raises(StoreUnavailable, match="not part of this store"):
        sharded(fresh).engine_of("b")
    emptied.give_back(used)
