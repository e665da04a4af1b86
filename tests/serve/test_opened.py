"""The store behind the doors."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect.memory import UnknownWorkspace, create_workspace
from recollect.serve.background_jobs import shorten_audit_log
from recollect.serve.callers import Caller
from recollect.serve.open_store import OpenStore
from recollect.serve.workspace_settings import ServerWideSetting, put_setting
from recollect.settings import Settings
from recollect.store.audit import AuditStore
from recollect.store.port import StoreUnavailable
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.when.clock import FixedClock
from recollect.when.instant import DAY, Instant


def settings(path: Path, **more: str) -> Settings:
    return Settings({"RECOLLECT_DB": str(path), **more})


def test_a_tool_gets_the_memory_of_its_caller_s_workspace_and_its_caller_s_name(tmp_path: Path) -> None:
    tool = find_surface("cognitive-graph").find("recall_entity")
    with OpenStore(settings(tmp_path / "a.db")) as opened:
        create_workspace(opened.engine, "aster", opened.clock)
        memory = opened.open_for(Caller("ann", "aster", "read"), tool)
        assert (memory.workspace.name, memory.may_write) == ("aster", False)
        assert (memory.actor.surface, memory.actor.tool, memory.actor.name) == (
            "cognitive-graph",
            "recall_entity",
            "ann",
        )


def test_a_tool_is_told_which_session_calls_it(tmp_path: Path) -> None:
    tool = find_surface("carabase").find("carabase_resolve_mesh_uri")
    with OpenStore(settings(tmp_path / "a.db"), session="one") as opened:
        assert opened.open_for(opened.local, tool).actor.session == "one"
        other = Caller("ann", "default", "read", client="desk", session="two")
        actor = opened.open_for(other, tool).actor
        assert (actor.name, actor.client, actor.session) == ("ann", "desk", "two")


def test_a_workspace_s_own_settings_are_seen_by_the_next_call_and_the_environment_wins(tmp_path: Path) -> None:
    with OpenStore(settings(tmp_path / "a.db", RECOLLECT_TOY_LOUD="no")) as opened:
        with opened.memory("test").write() as change:
            put_setting(change, "toy.quiet", True)
            put_setting(change, "toy.loud", True)
        seen = opened.memory("test").settings
        assert (seen.flag("toy.quiet"), seen.flag("toy.loud")) == (True, False)


def test_a_workspace_decides_nothing_for_the_whole_server(tmp_path: Path) -> None:
    with OpenStore(settings(tmp_path / "a.db")) as opened:
        for key in ("audit.enabled", "audit.retention_days", "limits.calls_per_minute", "serve.call_seconds"):
            with pytest.raises(ServerWideSetting, match="server-wide"), opened.memory("test").write() as change:
                put_setting(change, key, 1)
            with opened.memory("test").write() as change:
                change.put_setting(key, 1)  # as an import of another store would
            assert opened.memory("test").settings.get(key) is None


def test_a_workspace_does_not_shorten_the_audit_log_of_all(tmp_path: Path) -> None:
    with OpenStore(settings(tmp_path / "a.db", RECOLLECT_AUDIT_ENABLED="yes")) as opened:
        assert opened.audit is not None
        opened.audit.add(opened.local, "recollect", "recall", "ok", ())
        with opened.memory("test").write() as change:
            change.put_setting("audit.retention_days", 1)
        later = FixedClock(Instant(opened.clock.now() + 9 * DAY))
        shorten_audit_log(opened.memory("test").with_parts(clock=later))
        assert len(list(AuditStore(opened.engine).entries())) == 1


def test_a_workspace_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with OpenStore(settings(tmp_path / "a.db")) as opened, pytest.raises(UnknownWorkspace):
        opened.workspace("nowhere")


def test_a_store_that_comes_back_is_used_without_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.mkdir()
    with OpenStore(settings(path)) as opened:
        with pytest.raises(StoreUnavailable):
            opened.check()
        path.rmdir()
        opened.check()


def test_a_password_in_the_address_is_not_shown() -> None:
    assert OpenStore(Settings({"RECOLLECT_DB": "postgresql://ann:secret@db/x"})).address == "postgresql://ann@db/x"


@pytest.mark.parametrize("floor", [{}, {"min_similarity": 0.9}], ids=["no floor", "a floor"])
@pytest.mark.parametrize("name", ["carabase"])
def test_a_hint_names_only_tools_that_the_surface_lists(tmp_path: Path, name: str, floor: dict[str, float]) -> None:
    surface = find_surface(name)
    with OpenStore(settings(tmp_path / "a.db", RECOLLECT_EMBEDDING_MODEL="none")) as opened:
        tool = surface.find("carabase_search_semantic")
        said = call(tool, lambda each: opened.open_for(opened.local, each), {"query": "anything", **floor})
    hint = said.structured["_hint"]
    named = set(re.findall(r"\bcarabase_\w+", hint["text"])) | {each["tool"] for each in hint["next"]}
    assert named <= surface.tools.keys()
    assert ("carabase_route_and_execute" in named) == (name == "carabase")


@pytest.mark.parametrize("name", ["entity-core"])
def test_who_cannot_create_a_memory_is_pointed_only_to_a_tool_at_hand(tmp_path: Path, name: str) -> None:
    surface = find_surface(name)
    week = {"granularity": "weekly", "date": "2026-W20", "instanceId": "desk"}
    with OpenStore(settings(tmp_path / "a.db", RECOLLECT_EMBEDDING_MODEL="none")) as opened:
        first, second = (
            call(
                surface.find("memory_create"),
                lambda each: opened.open_for(opened.local, each),
                {**week, "content": content},
            )
            for content in ("One.", "Another.")
        )
    assert (first.structured["success"], second.structured["error"]) == (True, "already_exists")
    assert ("memory_update" in second.structured["message"]) == ("memory_update" in surface.tools)


class CountedLock:
    """A lock that tells how many threads have asked for it."""

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self.asked.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_calls_that_wait_for_a_store_that_does_not_answer_wait_for_one_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = []

    def silent(**_: object) -> None:
        attempts.append(1)
        for _each in range(8 if len(attempts) == 1 else 1):
            assert lock.asked.acquire(timeout=30)
        raise StoreUnavailable("silent")

    def ask(_: int) -> str:
        with pytest.raises(StoreUnavailable) as caught:
            opened.workspace("default")
        return str(caught.value)

    lock = CountedLock()
    monkeypatch.setattr("recollect.memory.open_memory", silent)
    with OpenStore(settings(tmp_path / "a.db")) as opened, ThreadPoolExecutor(8) as threads:
        monkeypatch.setattr(opened, "_lock", lock)
        assert len(set(threads.map(ask, range(8)))) == 1
        assert len(attempts) == 1
        ask(0)
        assert len(attempts) == 2
