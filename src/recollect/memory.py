"""Memory: what a tool receives, one workspace with its engine, clock, settings and models."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from sys import exc_info
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.errors import Refused
from recollect.model.actor import LOCAL, Actor
from recollect.model.ids import IdMaker
from recollect.model.names import Types
from recollect.model.progress import ProgressListener, ignore_progress
from recollect.settings import Settings, read_settings
from recollect.store.address import engine_for
from recollect.store.encryption import key_from
from recollect.store.port import FOREVER, Connection, Engine, NestedEngine
from recollect.store.tables import LATEST
from recollect.store.view import View, Workspace
from recollect.store.workspaces import UnknownWorkspace, create_workspace, find_workspace
from recollect.when.clock import Clock, clock_from
from recollect.when.instant import Instant
from recollect.when.time_errors import BadTime

# A hook of a coding agent only reads, and is a process of its own: what writes or ranks is imported when it is used.
if TYPE_CHECKING:
    from recollect.embed.port import Embedder
    from recollect.llm.port import LanguageModel
    from recollect.resolve.name_vectors import NameVectors
    from recollect.store.change import Change
    from recollect.store.idempotency import CallClaim
    from recollect.store.name_index import SimilarNames, StoredNameIndex
    from recollect.store.transaction import ChangedRows
    from recollect.store.vectors import VectorCache
    from recollect.store.write_buffer import BufferedConnection
    from recollect.store.write_cache import WriteCache
    from recollect.text_models.closure import ClosureMatcher

__all__ = [
    "PYTHON_API",
    "AsOfValue",
    "BadAsOf",
    "Batch",
    "ChangeListener",
    "Memory",
    "UnknownWorkspace",
    "WorkspaceCache",
    "create_workspace",
    "find_workspace",
    "open_memory",
]

AsOfValue = int | str | None  # a transaction number, an instant or a date, which `when/as_of.py` reads
Thing = TypeVar("Thing")
PYTHON_API = Actor("python", "api")


class WorkspaceCache:
    """In-process caches of a workspace that live across calls, filled on first use."""

    def __init__(self, embedders: "list[Embedder | None] | None" = None) -> None:
        self._things: dict[type[Any], Any] = {}
        self._embedders: list[Embedder | None] = [] if embedders is None else embedders
        self.wake_indexer: Callable[[], None] | None = None  # where a thread indexes in the background

    @cached_property
    def vectors(self) -> "VectorCache":
        from recollect.store.vectors import VectorCache

        return VectorCache()

    @cached_property
    def writes(self) -> "WriteCache":
        """What a writer of the workspace has looked up or written."""
        from recollect.store.write_cache import WriteCache

        return WriteCache()

    @cached_property
    def names(self) -> "NameVectors":
        from recollect.resolve.name_vectors import NameVectors

        return NameVectors()

    def embedder(self, settings: Settings) -> "Embedder | None":
        if not self._embedders:
            from recollect.embed.cached import embedder_for

            self._embedders.append(embedder_for(settings))
        return self._embedders[0]

    @property
    def loaded_embedder(self) -> "Embedder | None":  # asking does not load it
        return self._embedders[0] if self._embedders else None

    def get_or_create(self, kind: type[Thing]) -> Thing:
        if kind not in self._things:
            self._things.setdefault(kind, kind())
        found: Thing = self._things[kind]
        return found

    def for_other_workspace(self) -> "WorkspaceCache":
        """Empty caches for another workspace of the same store, with the same embedding model."""
        return WorkspaceCache(self._embedders)


class _DryRun(Exception):
    """Rolls back the transaction of a dry run."""


class BadAsOf(Refused):
    code = "as_of_invalid"

    def __init__(self, why: str) -> None:
        super().__init__(why, field="as_of")


def _configured_model(settings: Settings) -> "LanguageModel | None":
    from recollect.llm.factory import language_model_for

    return language_model_for(settings)


@dataclass(frozen=True)
class Memory:
    """One workspace of one store, used by one actor."""

    engine: Engine
    workspace: Workspace
    clock: Clock
    settings: Settings
    new_id: IdMaker
    actor: Actor = PYTHON_API
    may_write: bool = True
    listeners: "tuple[ChangeListener, ...]" = ()
    cache: WorkspaceCache = field(default_factory=WorkspaceCache)
    choose_model: "Callable[[Settings], LanguageModel | None]" = _configured_model
    client_model: "LanguageModel | None" = None
    claim: "CallClaim | None" = None
    """The idempotency key of this call, committed with whatever it writes."""
    is_confirmed: bool = False
    """Whether a person was asked about this call and agreed."""
    report_progress: ProgressListener = ignore_progress
    personal: "Memory | None" = None
    """The personal memory that is read beside this one, which is a project's."""

    def as_actor(self, surface: str, tool: str, name: str = LOCAL, *, may_write: bool = True) -> "Memory":
        """The same memory used by a tool on behalf of somebody."""
        return self.with_parts(actor=Actor(surface, tool, name, trust=self.actor.trust), may_write=may_write)

    def with_parts(self, **parts: Any) -> "Memory":
        """The same memory with some fields replaced; faster than `replace`, since every tool call starts with it."""
        other = object.__new__(Memory)
        other.__dict__.update(self.__dict__, **parts)
        return other

    def for_workspace(self, workspace: Workspace) -> "Memory":
        """The memory of another workspace of the same store."""
        return replace(self, workspace=workspace, cache=self.cache.for_other_workspace())

    def read(self, as_of: AsOfValue = None) -> "_Read":
        """One consistent read of what was known at a moment, on a read-only connection."""
        return _Read(self, as_of)

    def view_on(self, connection: Connection, as_of: AsOfValue) -> View:
        """What was known at a moment, read through a connection."""
        return View(connection, self.workspace, self._resolve_as_of(connection, as_of), self.clock.now())

    def _resolve_as_of(self, connection: Connection, as_of: AsOfValue) -> int:
        if as_of is None:
            return LATEST
        from recollect.when.as_of import AtTransaction, parse_as_of

        latest = View(connection, self.workspace, LATEST, self.clock.now())
        try:
            moment = parse_as_of(as_of, latest.world.zone)
        except BadTime as problem:
            raise BadAsOf(str(problem)) from problem
        if isinstance(moment, AtTransaction):
            return moment.number
        return latest.last_tx_at(moment.instant)

    def settings_in(self, view: View) -> Settings:
        """The settings including those of the workspace as of a view, without another read."""
        return self.settings.for_workspace(view.world.settings)

    def names(self, view: View) -> "StoredNameIndex":
        """The name index of a view, for the resolver."""
        from recollect.store.name_index import StoredNameIndex

        return StoredNameIndex(view, self._similar_names)

    def _similar_names(self, view: View, text: str, types: Types, floor: float, limit: int) -> "SimilarNames | None":
        if self.embedder is None:
            return None
        return self.cache.names.nearest(view, self.embedder, text, types, floor, limit)

    @contextmanager
    def write(self, *, wait: float = FOREVER, dry_run: bool = False) -> "Iterator[Change]":
        """One transaction, committed as a whole or, in a dry run, rolled back; `wait` is for other writers."""
        from recollect.store.fact_index import index_facts_if_due
        from recollect.store.passage_index import index_words

        with suppress(_DryRun), self._writing(wait=wait) as connection:
            change = self._change(connection)
            change.lock()
            yield change
            if dry_run:
                raise _DryRun
            if change.has_changed:
                self._notify(change)
            if change.has_new_chunks:
                index_words(change)
            index_facts_if_due(change)

    @contextmanager
    def _writing(self, *, wait: float = FOREVER) -> Iterator[Connection]:
        """A connection that writes; the write cache outlives a commit and is cleared after a failure."""
        with self.engine.writing(self.workspace.ws, wait=wait) as connection:
            try:
                if self.claim is not None:
                    self.claim.make(connection)
                yield connection
            except BaseException:
                self.cache.writes.clear()
                raise
            last_tx = self.cache.writes.last_tx
        # Another writer may be active by now, but no other has this number.
        self.cache.writes.kept_tx = last_tx

    def _notify(self, change: "Change") -> None:
        """Let the listeners update what is derived from the rows that changed, in the same transaction."""
        for listener in self.listeners:
            listener(self, change)

    def _change(self, connection: Connection) -> "Change":
        from recollect.store.change import Change

        now, cache = self.clock.now(), self.cache.writes
        return Change(connection, self.workspace, now, self.actor, partial(self.new_id, now), cache, self.settings)

    @contextmanager
    def batch(self) -> Iterator["Batch"]:
        """Many transactions committed together; one that fails is discarded alone."""
        from recollect.store.fact_index import index_all_facts
        from recollect.store.passage_index import index_words
        from recollect.store.write_buffer import BufferedConnection

        with self._writing() as connection:
            last = self._change(connection)
            before = last.lock()
            buffer = BufferedConnection(connection, self.workspace.ws, before, self.cache.writes)
            try:
                yield Batch(self, buffer, last.recent, last.touched, partial(next, self.new_id.many()), last.now)
                buffer.close()
                if buffer.last_tx != before:
                    self._notify(last)
                index_words(last)
                index_all_facts(last)
            finally:
                self.cache.writes.batch = None

    @contextmanager
    def nested(self, *, wait: float = FOREVER, dry_run: bool = False) -> Iterator["Memory"]:
        """The same memory, whose transactions are committed together at the end, or none of them."""
        with suppress(_DryRun), self.engine.writing(self.workspace.ws, wait=wait) as connection:
            # Caches of its own: what is rolled back must not stay cached.
            engine = NestedEngine(self.engine, connection)
            yield replace(self, engine=engine, cache=self.cache.for_other_workspace(), personal=None)
            if dry_run:
                raise _DryRun

    def close(self) -> None:
        self.engine.close()

    @property
    def embedder(self) -> "Embedder | None":
        """The embedding model, loaded on first use; None if it is switched off."""
        return self.cache.embedder(self.settings)

    @property
    def loaded_embedder(self) -> "Embedder | None":
        return self.cache.loaded_embedder

    @property
    def closure_matcher(self) -> "ClosureMatcher | None":
        """The model that decides what closes an item, loaded on first use; None if it is switched off."""
        from recollect.text_models.pair_model import matcher_for

        return matcher_for(self.settings)

    @property
    def endpoint(self) -> "LanguageModel | None":
        """The configured language model, or None; it can be called at any time."""
        return self.choose_model(self.settings)

    @property
    def model(self) -> "LanguageModel | None":
        """The language model to use during a call: the configured one, else the client's own, else None."""
        return self.endpoint or self.client_model


class _Read:
    """A context with one read; a class, since a generator for every call is slower."""

    __slots__ = ("_as_of", "_memory", "_reading")

    def __init__(self, memory: Memory, as_of: AsOfValue) -> None:
        self._memory, self._as_of = memory, as_of

    def __enter__(self) -> View:
        memory, as_of = self._memory, self._as_of
        self._reading = memory.engine.reading(memory.workspace.ws, as_of if isinstance(as_of, int) else LATEST)
        connection = self._reading.__enter__()
        try:
            return memory.view_on(connection, as_of)
        except BaseException:
            self._reading.__exit__(*exc_info())
            raise

    def __exit__(self, *failure: Any) -> None:
        self._reading.__exit__(*failure)


@dataclass(frozen=True, slots=True)
class Batch:
    """Several transactions that are committed together."""

    memory: Memory
    connection: "BufferedConnection"
    cache: "WriteCache"
    touched: "ChangedRows"
    new_id: Callable[[], str]
    begun_at: Instant

    def change(self) -> "_BatchTransaction":
        """One transaction of the batch; if it fails, it alone is rolled back."""
        return _BatchTransaction(self)

    def begin(self) -> "Change":
        from recollect.store.change import Change

        own, now = self.memory, max(self.memory.clock.now(), self.begun_at)
        return Change(self.connection, own.workspace, now, own.actor, self.new_id, self.cache, own.settings)

    def keep(self, change: "Change") -> None:
        self.connection.commit_transaction()
        self.touched.add(change.touched)

    def drop(self) -> None:
        self.connection.discard_transaction()


class _BatchTransaction:
    """A context that ends in `keep` or `drop`; a class, since a generator for every line of a bundle is slower."""

    __slots__ = ("_batch", "_change")

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def __enter__(self) -> "Change":
        self._change = change = self._batch.begin()
        return change

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if failure is not None:
            self._batch.drop()
            return
        try:
            self._batch.keep(self._change)
        except BaseException:
            self._batch.drop()
            raise


ChangeListener = Callable[[Memory, "Change"], None]
"""Updates derived data after a change, before it is committed."""


def open_memory(
    db: str | None = None,
    workspace: str | None = None,
    settings: Settings | None = None,
    clock: Clock | None = None,
    followers: tuple[ChangeListener, ...] = (),
) -> Memory:
    """The memory at an address; the workspace `default` is created when first opened."""
    chosen = settings or read_settings()
    time = clock or clock_from(chosen.now)
    engine = engine_for(db or chosen.database, key_from(chosen), () if db else chosen.replicas)
    name = workspace or chosen.workspace_name
    found = find_workspace(engine, name)
    if found is None:
        if name != "default":
            engine.close()
            raise UnknownWorkspace(name)
        found = create_workspace(engine, name, time)
    return Memory(engine, found, time, chosen, IdMaker(time), listeners=followers)
