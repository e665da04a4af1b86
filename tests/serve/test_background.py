"""The chores of a server, stepped by hand; and the thread that steps them."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from recollect.deadline import CallDeadline
from recollect.embed import EmbeddingFailed
from recollect.errors import Unavailable
from recollect.keep.snapshot_store import WHOLE_STATE, snapshots_of
from recollect.memory import Memory, WorkspaceCache, create_workspace
from recollect.serve.background_jobs import BACKGROUND_JOBS, BackgroundJob, always, hourly, once
from recollect.serve.job_runner import BackgroundThread, JobRunner, start_background
from recollect.serve.open_store import OpenStore
from recollect.settings import BadSetting, Settings
from recollect.store.passage_index import count_unembedded_passages
from tests.conftest import MovingClock
from tests.llm.scripted_model import ScriptedModel
from tests.support.calls import asking
from tests.support.hash_embedder import HashEmbedder
from tests.support.processes import LONGEST_WAIT

HOUR = 3_600_000_000

ask = asking("entity-core")


@dataclass
class Steps:
    """A worker over one memory, with a clock of its own for its rests."""

    memory: Memory
    chores: tuple[BackgroundJob, ...] = BACKGROUND_JOBS
    seconds: float = 0
    worker: JobRunner = field(init=False)

    def __post_init__(self) -> None:
        self.worker = JobRunner(lambda: [self.memory], jobs=self.chores, monotonic=lambda: self.seconds)

    def all(self) -> int:
        """Step until nothing more waits; how often."""
        count = 1
        while self.worker.step():
            count += 1
            assert count < 1000
        return count


@pytest.fixture
def steps(memory: Memory) -> Steps:
    return Steps(replace(memory, cache=WorkspaceCache([HashEmbedder()])))


def remember(memory: Memory, date: str, content: str) -> None:
    ask(memory, "memory_create", granularity="daily", date=date, content=content, instanceId="psy-desk")


def ids(memory: Memory) -> list[str]:
    return [each["id"] for each in ask(memory, "memory_list")["memories"]]


def test_what_was_written_is_read_embedded_and_linked(steps: Steps) -> None:
    answer = {"entities": [{"type": "person", "label": "Noor", "confidence": 0.9}], "relationships": []}
    model = ScriptedModel([answer])
    steps.memory = replace(steps.memory, choose_model=lambda _: model)
    remember(steps.memory, "2026-05-19", "- Noor keeps bees in Leuven")
    steps.all()
    assert len(model.asks) == 1
    with steps.memory.read() as view:
        assert count_unembedded_passages(view, steps.memory.embedder) == 0
    [found] = ask(steps.memory, "graph_node_search", query="Noor")["results"]
    assert found["node"]["label"] == "Noor"


def test_a_long_backlog_is_embedded_a_piece_at_a_time(steps: Steps) -> None:
    for day in range(1, 21):
        bullets = "".join(f"- {day} {number} {'word ' * 40}\n" for number in range(20))
        remember(steps.memory, f"2026-04-{day:02}", bullets)
    with steps.memory.read() as view:
        assert count_unembedded_passages(view, steps.memory.embedder) > 64
    assert steps.all() > 1
    with steps.memory.read() as view:
        assert count_unembedded_passages(view, steps.memory.embedder) == 0


def test_periods_are_summed_up_from_six_and_hourly(steps: Steps, clock: MovingClock) -> None:
    remember(steps.memory, "2026-05-12", "- a day of the week before")
    clock.set("2026-05-20T05:59:59Z")
    steps.all()
    assert "weekly-2026-W20" not in ids(steps.memory)
    clock.set("2026-05-20T06:00:00Z")
    steps.all()
    assert "weekly-2026-W20" in ids(steps.memory)
    remember(steps.memory, "2026-05-13", "- a late one")
    clock.set("2026-05-20T06:59:00Z")
    steps.all()
    assert ask(steps.memory, "sync_status")["staleSummaries"] == 1
    clock.set("2026-05-20T07:00:00Z")
    steps.all()
    assert ask(steps.memory, "sync_status")["staleSummaries"] == 0


def test_summing_up_can_be_switched_off(steps: Steps) -> None:
    remember(steps.memory, "2026-05-12", "- a day of the week before")
    steps.memory = replace(steps.memory, settings=Settings(workspace={"entity_core.auto_consolidate": False}))
    steps.all()
    assert "weekly-2026-W20" not in ids(steps.memory)


def test_the_day_has_one_snapshot_whoever_takes_it(steps: Steps, clock: MovingClock) -> None:
    remember(steps.memory, "2026-05-12", "- something")

    def taken() -> list[str]:
        with steps.memory.read() as view:
            return [each.source for each in snapshots_of(view, WHOLE_STATE) if each.reason == "scheduled"]

    clock.set("2026-05-20T02:59:00Z")
    steps.all()
    assert taken() == []
    clock.set("2026-05-20T03:00:00Z")
    steps.all()
    Steps(steps.memory).all()
    assert taken() == ["entity-core"]
    clock.set("2026-05-21T02:00:00Z")
    steps.all()
    assert len(taken()) == 1
    clock.set("2026-05-21T12:00:00Z")
    steps.all()
    assert len(taken()) == 2
    clock.set("2026-07-21T12:00:00Z")
    steps.all()
    assert len(taken()) == 1, "names whose time is over are dropped"


def test_the_hour_of_the_snapshot_can_be_set_and_a_bad_one_stops_nothing_else(
    steps: Steps, clock: MovingClock, caplog: pytest.LogCaptureFixture
) -> None:
    remember(steps.memory, "2026-05-12", "- something")
    clock.set("2026-05-20T10:00:00Z")
    steps.memory = replace(steps.memory, settings=Settings(workspace={"entity_core.daily_snapshot_at": "25:00"}))
    steps.all()
    assert "weekly-2026-W20" in ids(steps.memory)
    assert [record.getMessage() for record in caplog.records] == [
        f"background job take_snapshot failed: {BadSetting.code}"
    ]


def test_an_empty_workspace_is_left_alone(steps: Steps) -> None:
    assert steps.all() == 1
    with steps.memory.read() as view:
        assert view.last_tx == 0
        assert snapshots_of(view, WHOLE_STATE) == []


def test_a_job_that_fails_rests_for_longer_each_time_and_hinders_no_other(memory: Memory) -> None:
    ran: list[str] = []

    def fail(_: Memory) -> bool:
        ran.append("bad")
        raise Unavailable("no")

    def work(_: Memory) -> bool:
        ran.append("good")
        return False

    steps = Steps(memory, (BackgroundJob("bad", always, fail), BackgroundJob("good", always, work)))
    for seconds in (0, 4, 5, 9, 14, 15, 34, 35):
        steps.seconds = seconds
        steps.worker.step()
    assert ran.count("good") == 8
    assert ran.count("bad") == 4


def test_an_embedder_out_of_reach_is_tried_again_later(memory: Memory) -> None:
    class Broken(HashEmbedder):
        def embed(self, texts: Any) -> Any:
            del texts
            raise EmbeddingFailed("hash-64", "HTTP 500")

    remember(replace(memory, cache=WorkspaceCache([None])), "2026-05-12", "- something to embed")
    steps = Steps(replace(memory, cache=WorkspaceCache([Broken()])))
    steps.worker.step()
    steps.memory = replace(memory, cache=WorkspaceCache([HashEmbedder()]))
    steps.seconds = 60
    steps.all()
    with steps.memory.read() as view:
        assert count_unembedded_passages(view, steps.memory.embedder) == 0


def test_chores_know_when_they_last_ran(memory: Memory, clock: MovingClock) -> None:
    now = clock.now()
    assert (once(memory, None), once(memory, now)) == (True, False)
    assert (hourly(memory, None), hourly(memory, now)) == (True, False)
    clock.instant = type(now)(now + HOUR)
    assert hourly(memory, now)


def test_an_hourly_chore_is_due_after_the_clock_was_set_back(memory: Memory, clock: MovingClock) -> None:
    now = clock.now()
    clock.instant = type(now)(now - 5 * HOUR)
    assert hourly(memory, now)


def test_a_store_out_of_reach_is_tried_again() -> None:
    calls: list[int] = []

    def memories() -> list[Memory]:
        calls.append(1)
        raise Unavailable("away")

    worker = JobRunner(memories)
    assert (worker.step(), worker.step()) == (False, False)
    assert len(calls) == 2


def test_the_thread_steps_and_ends_with_its_server() -> None:
    stepped = threading.Event()

    def memories() -> list[Memory]:
        stepped.set()
        return []

    with BackgroundThread(JobRunner(memories), first_pause=0, pause=0.01) as running:
        assert stepped.wait(LONGEST_WAIT)
    assert has_ended(running)


def has_ended(running: BackgroundThread) -> bool:
    running._thread.join(LONGEST_WAIT)
    return not running._thread.is_alive()


def test_the_thread_is_woken_from_its_pause() -> None:
    stepped = threading.Event()

    def memories() -> list[Memory]:
        stepped.set()
        return []

    runner = JobRunner(memories)
    with BackgroundThread(runner, first_pause=0, pause=3600):
        assert stepped.wait(LONGEST_WAIT)
        stepped.clear()
        runner.wake()
        assert stepped.wait(LONGEST_WAIT)


def test_a_server_that_ends_at_once_did_no_chore() -> None:
    def memories() -> list[Memory]:
        raise AssertionError("nothing was due yet")

    with BackgroundThread(JobRunner(memories), first_pause=LONGEST_WAIT) as running:
        pass
    assert has_ended(running)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenStore]:
    with OpenStore(Settings({"RECOLLECT_DB": str(tmp_path / "m.db"), "RECOLLECT_EMBEDDING_MODEL": "none"})) as opened:
        yield opened


def names(running: BackgroundThread) -> set[str]:
    return {chore.name for chore in running._runner._jobs}


def test_only_a_server_with_a_moving_clock_keeps_hours(opened: OpenStore) -> None:
    assert names(start_background(opened, is_server=True)) == {chore.name for chore in BACKGROUND_JOBS}
    assert "consolidate" not in names(start_background(opened, is_server=False))
    opened.settings = Settings({**opened.settings.environment, "RECOLLECT_NOW": "2026-05-20T10:00:00Z"})
    assert "snapshot" not in names(start_background(opened, is_server=True))
    opened.settings = Settings({**opened.settings.environment, "RECOLLECT_SERVE_BACKGROUND": "off"})
    assert names(start_background(opened, is_server=True)) == set()


def test_reads_of_a_server_leave_indexing_to_its_thread(opened: OpenStore) -> None:
    create_workspace(opened.engine, "other", opened.clock)
    start_background(opened, is_server=True)
    indexers = [opened.workspace(name).cache for name in ("default", "other")]
    assert all(each.wake_indexer is not None for each in indexers)


def test_a_server_minds_every_workspace(opened: OpenStore) -> None:
    create_workspace(opened.engine, "other", opened.clock)
    found = start_background(opened, is_server=True)._runner._memories()
    assert [memory.workspace.name for memory in found] == ["default", "other"]


def test_the_background_waits_for_a_call_that_runs_and_calls_wait_for_nothing(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.deadline.LONGEST_YIELD_SECONDS", LONGEST_WAIT)
    steps, stepped = list[str](), threading.Event()

    def step(_: Memory) -> bool:
        steps.append("job")
        stepped.set()
        return False

    runner = JobRunner(lambda: [memory], jobs=(BackgroundJob("index", once, step),))

    def answer() -> None:
        background.__enter__()
        CallDeadline().run(lambda: steps.append("second call"))
        stepped.wait(0.2)
        steps.append("call")

    background = BackgroundThread(runner, first_pause=0)
    CallDeadline().run(answer)
    assert stepped.wait(LONGEST_WAIT)
    background.__exit__(None, None, None)
    assert steps == ["second call", "call", "job"]


def test_under_steady_calls_the_background_goes_on(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.deadline.LONGEST_YIELD_SECONDS", 0.01)
    stepped = threading.Event()

    def step(_: Memory) -> bool:
        stepped.set()
        return False

    runner = JobRunner(lambda: [memory], jobs=(BackgroundJob("index", once, step),))
    with BackgroundThread(runner, first_pause=0):
        assert CallDeadline().run(lambda: stepped.wait(LONGEST_WAIT))
