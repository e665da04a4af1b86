"""The store behind all transports: opened on first use, closed once."""

import math
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self

from recollect.deadline import without_deadline
from recollect.errors import Unavailable
from recollect.model.actor import Actor
from recollect.serve.callers import Caller, MemoryOpener
from recollect.serve.listeners import ProgressListeners
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.serve.audit import AuditLog
    from recollect.serve.auth import Tokens
    from recollect.store.access_tokens import TokenStore
    from recollect.store.port import Engine
    from recollect.store.sqlite_file import StoreFile
    from recollect.surfaces.declarations import Tool
    from recollect.when.clock import Clock


CALL_SECONDS = 60
CHECKED_AT_START = 64 * 1024 * 1024


class OpenStore:
    """One store for all calls of a process. An unavailable store is tried again at the next call."""

    def __init__(self, settings: Settings, session: str | None = None) -> None:
        self.settings = settings
        self.local = Caller("local", settings.workspace_name, "admin", session=session)
        self.listeners = ProgressListeners()
        self._lock = threading.Lock()
        self._memories: dict[str, Memory] = {}
        self._failures = 0
        self._last_failure: Unavailable | None = None
        self._wake: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for memory in list(self._memories.values())[:1]:
            memory.close()

    @property
    def call_seconds(self) -> float:
        """The time limit of a tool call; the setting 0 is for none."""
        seconds = self.settings.integer("serve.call_seconds", CALL_SECONDS)
        return seconds if seconds > 0 else math.inf

    @property
    def default_surface(self) -> str:
        return self.settings.surface

    @property
    def file(self) -> "StoreFile | None":
        """The file of a SQLite store with its key; none for PostgreSQL."""
        from recollect.store.encryption import key_from
        from recollect.store.sqlite_file import StoreFile

        path = self.settings.database_file
        return None if path is None else StoreFile(str(path), key_from(self.settings))

    @property
    def address(self) -> str:
        """Where the store is, without a password."""
        return re.sub(r"(://[^/@:]*):[^/@]*@", r"\1@", self.settings.database)

    @property
    def engine(self) -> "Engine":
        return self._first.engine

    @property
    def clock(self) -> "Clock":
        return self._first.clock

    @property
    def tokens(self) -> "TokenStore":
        from recollect.store.access_tokens import TokenStore

        return TokenStore(self.engine)

    @cached_property
    def audit(self) -> "AuditLog | None":
        """The log of calls over HTTP, if it is switched on."""
        if not self.settings.flag("audit.enabled"):
            return None
        from recollect.serve.audit import AuditLog
        from recollect.store.audit import AuditStore

        return AuditLog(AuditStore(self.engine), self.clock)

    def open_for(self, caller: Caller, tool: "Tool", /) -> "Memory":
        actor = Actor(tool.surface.name, tool.name, caller.actor, client=caller.client, session=caller.session)
        memory = self.open_as(caller, actor, is_write=not tool.is_for_readers)
        if tool.surface.enforces_retention:
            from recollect.keep.artifacts.artifact import sweep_expired_bodies

            sweep_expired_bodies(memory)
        return memory

    def open_as(self, caller: Caller, actor: Actor, *, is_write: bool) -> "Memory":
        """The memory of a caller's workspace; no write is begun once the facts of the day are used."""
        memory = self.workspace(caller.workspace, actor=actor, may_write=caller.may_write)
        if caller.project is not None:
            memory = self._in_project(caller.project, memory, is_write=is_write)
        if caller.limits.facts_per_day and is_write:
            _check_facts_of_today(memory, caller)
        return memory

    def _in_project(self, name: str, personal: "Memory", *, is_write: bool) -> "Memory":
        """The memory of a project, which a caller also reads the personal one with; that alone while there is none."""
        found = self.project_to_write(name) if is_write and personal.may_write else self.project(name)
        if found is None:
            return personal
        return found.with_parts(actor=personal.actor, may_write=personal.may_write, personal=personal)

    def project(self, name: str) -> "Memory | None":
        """The memory of a project's workspace; none before anything was stored for it."""
        from recollect.store.workspaces import UnknownWorkspace

        try:
            return self.workspace(name)
        except UnknownWorkspace:
            return None

    def project_to_write(self, name: str) -> "Memory":
        """The memory of a project's workspace, which is created when it is first written."""
        from recollect.store.workspaces import create_workspace

        if self.project(name) is None:
            create_workspace(self.engine, name, self.clock)
        return self.workspace(name)

    def memory(self, verb: str) -> "Memory":
        """The memory of the local workspace, for a command."""
        return self.workspace(self.local.workspace).as_actor("cli", verb)

    def workspace(self, name: str, **held: Any) -> "Memory":
        """The memory of a workspace, with settings of its own that are read on first use."""
        memory = self._memories.get(name) or self._open(name)
        values = WorkspaceValues(lambda: _workspace_values(memory))
        return memory.with_parts(settings=self.settings.for_workspace(values), **held)

    def index_in_background(self, wake: Callable[[], None]) -> None:
        """Let reads leave what waits for a vector to a thread, which they wake."""
        self._wake = wake
        for memory in self._memories.values():
            self._with_indexer(memory)

    def _with_indexer(self, memory: "Memory") -> "Memory":
        memory.cache.wake_indexer = self._wake
        return memory

    def _open(self, name: str) -> "Memory":
        from recollect.memory import UnknownWorkspace, find_workspace
        from recollect.store.workspaces import all_workspaces

        first = self._first
        found = find_workspace(first.engine, name)
        if found is None:
            raise UnknownWorkspace(name, [each.name for each in all_workspaces(first.engine)])
        return self._memories.setdefault(name, self._with_indexer(first.for_workspace(found)))

    @property
    def _first(self) -> "Memory":
        """Any memory of the store, since all share its engine."""
        failures = self._failures
        # Without the deadline of the first call: a migration may take longer, and would begin anew at each call.
        with self._lock, without_deadline():
            if not self._memories:
                if self._last_failure is not None and self._failures != failures:
                    # Calls that waited for this attempt fail with it; each with its own would wait one after the other.
                    raise self._last_failure
                self._memories["default"] = self._open_first()
            return next(iter(self._memories.values()))

    def _open_first(self) -> "Memory":
        from recollect.change_listeners import standard_listeners
        from recollect.memory import open_memory

        try:
            return self._with_indexer(
                open_memory(workspace="default", settings=self.settings, followers=standard_listeners())
            )
        except Unavailable as failure:
            self._failures += 1
            self._last_failure = failure
            raise

    def release(self, workspace: str) -> None:
        """Forget what is kept of a workspace that was renamed or deleted; not of the first, which has the engine."""
        with self._lock:
            if next(iter(self._memories), "") != workspace:
                self._memories.pop(workspace, None)

    def check(self) -> None:
        """Raises `Unavailable` unless the store answers."""
        with self.workspace(self.local.workspace).read() as view:
            _ = view.last_tx

    def check_key(self) -> None:
        """Raises if the key given does not open the file of the store, or an encrypted one has none given."""
        from recollect.store.sqlite_file import KeyNeeded, NotEncrypted, WrongKey

        file, path = self.file, self.settings.database_file
        is_there = path is not None and path.is_file() and path.stat().st_size > 0
        if file is None or not is_there or (file.key is None and file.is_plain):
            return
        try:
            file.open(read_only=True).close()
        except (KeyNeeded, NotEncrypted, WrongKey):
            raise
        except Unavailable:
            return  # each call says what is wrong, and goes on once it is right

    def check_file(self) -> None:
        """Raises `StoreDamaged` if a small file is; a large one is checked in the background, an absent one later."""
        from recollect.store.sqlite_file import StoreDamaged

        file = self.settings.database_file
        if file is None or not file.is_file() or file.stat().st_size > CHECKED_AT_START:
            return
        try:
            damage = self.engine.check()
        except StoreDamaged:
            raise
        except Unavailable:
            return
        if damage:
            raise StoreDamaged(str(file), damage[0])

    def gauges(self) -> dict[str, float]:
        from recollect.indexing import count_pending_texts

        memory = self.workspace(self.local.workspace)
        with memory.read() as view:
            waiting = count_pending_texts(view, memory.embedder)
            return {"recollect_tx": view.last_tx, "recollect_waiting_texts": waiting}


class WorkspaceValues(Mapping[str, Any]):
    """Settings of a workspace, read on first use: most calls need none."""

    def __init__(self, read: Callable[[], Mapping[str, Any]]) -> None:
        self._read = read

    @cached_property
    def _values(self) -> Mapping[str, Any]:
        try:
            return self._read()
        except Unavailable:
            # Settings must be readable while this very failure is rendered.
            return {}

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class ServedStore(Protocol):
    """An open store, as HTTP sees it."""

    @property
    def open_for(self) -> MemoryOpener: ...
    @property
    def tokens(self) -> "Tokens": ...
    @property
    def local(self) -> Caller: ...
    @property
    def listeners(self) -> ProgressListeners: ...
    @property
    def audit(self) -> "AuditLog | None": ...
    @property
    def call_seconds(self) -> float: ...
    @property
    def default_surface(self) -> str: ...
    def open_as(self, caller: Caller, actor: Actor, *, is_write: bool) -> "Memory": ...
    def workspace(self, name: str) -> "Memory": ...
    def gauges(self) -> dict[str, float]: ...
    def check(self) -> None: ...
    def release(self, workspace: str) -> None:
        """Forget what is kept of a workspace that was renamed or deleted."""


def _check_facts_of_today(memory: "Memory", caller: Caller) -> None:
    from recollect.serve.metrics import DailyFactLimitReached
    from recollect.store.access_tokens import count_facts_written
    from recollect.when.instant import DAY, SECOND

    with memory.read() as view:
        so_far = view.now % DAY
        written = count_facts_written(view, caller.actor, view.now - so_far)
    if written >= caller.limits.facts_per_day:
        raise DailyFactLimitReached(caller.limits.facts_per_day, (DAY - so_far) / SECOND)


def _workspace_values(memory: "Memory") -> Mapping[str, Any]:
    with memory.read() as view:
        return view.world.settings
