"""Memory: what a tool receives. Wiring only."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from recollect.embed.factory import embedder_for
from recollect.embed.port import Embedder
from recollect.errors import NotKnown, Refused
from recollect.llm.factory import model_for
from recollect.llm.port import LanguageModel
from recollect.model.actor import LOCAL, Actor
from recollect.model.ids import IdMaker
from recollect.model.names import Types
from recollect.model.progress import ProgressListener, ignore_progress
from recollect.resolve.name_vectors import NameVectors
from recollect.settings import Settings, read_settings
from recollect.store.address import engine_for
from recollect.store.change import Change
from recollect.store.fact_index import index_all_facts, index_facts_if_due
from recollect.store.name_index import SimilarNames, StoredNameIndex
from recollect.store.passage_index import index_words
from recollect.store.port import Connection, Engine, NestedEngine
from recollect.store.tables import LATEST
from recollect.store.transaction import ChangedRows
from recollect.store.vectors import VectorCache
from recollect.store.view import View, Workspace
from recollect.store.write_buffer import BufferedConnection
from recollect.store.write_cache import BatchCache, WriteCache
from recollect.when.as_of import AtTransaction, parse_as_of
from recollect.when.clock import Clock, clock_from
from recollect.when.problems import BadTime

AsOf = int | str | None
Thing = TypeVar("Thing")
PYTHON_API = Actor("python", "api")


class WorkspaceCache:
    """What a process keeps of a workspace from call to call, filled when first needed."""

    def __init__(self, embedders: list[Embedder | None] | None = None) -> None:
        self.vectors = VectorCache()
        self.names = NameVectors()
        self._things: dict[type[Any], Any] = {}
        self._embedders: list[Embedder | None] = [] if embedders is None else embedders

    def embedder(self, settings: Settings) -> Embedder | None:
        if not self._embedders:
            self._embedders.append(embedder_for(settings))
        return self._embedders[0]

    def get_or_create(self, kind: type[Thing]) -> Thing:
        """The one thing of this kind that an ability keeps here."""
        found: Thing = self._things.setdefault(kind, kind()) if kind not in self._things else self._things[kind]
        return found

    def for_other_workspace(self) -> "WorkspaceCache":
        """What another workspace of the same store begins with: the model, loaded once for all."""
        return WorkspaceCache(self._embedders)


class UnknownWorkspace(NotKnown):
    code = "unknown_workspace"

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no workspace {name!r}; make it with: recollect workspace create {name}")


class BadAsOf(Refused):
    code = "as_of_invalid"

    def __init__(self, why: str) -> None:
        super().__init__(why, field="as_of")


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
    write_cache: WriteCache = field(default_factory=WriteCache)
    cache: WorkspaceCache = field(default_factory=WorkspaceCache)
    choose_model: Callable[[Settings], LanguageModel | None] = model_for
    client_model: LanguageModel | None = None
    report_progress: ProgressListener = ignore_progress
    """How a long work says how far it is."""
    tools: frozenset[str] | None = None
    """The tools at hand, where they are not all of the surface."""

    def as_actor(self, surface: str, tool: str, name: str = LOCAL, *, may_write: bool = True) -> "Memory":
        """The same memory in the hands of a tool."""
        return self.with_parts(actor=Actor(surface, tool, name), may_write=may_write)

    def with_parts(self, **parts: Any) -> "Memory":
        """The same memory with these parts in place of its own; `replace`, but every call of a tool begins with it."""
        other = object.__new__(Memory)
        other.__dict__.update(self.__dict__, **parts)
        return other

    def offers(self, tool: str) -> bool:
        """Whether its actor can be led on to this tool of the surface."""
        return self.tools is None or tool in self.tools

    def for_workspace(self, workspace: Workspace) -> "Memory":
        """The memory of another workspace of the same store."""
        return replace(self, workspace=workspace, write_cache=WriteCache(), cache=self.cache.for_other_workspace())

    @contextmanager
    def read(self, as_of: AsOf = None) -> Iterator[View]:
        """One consistent read of what was known at a moment, on a connection that cannot write."""
        with self.engine.reading() as connection:
            yield View(connection, self.workspace, self._known(connection, as_of), self.clock.now())

    def _known(self, connection: Connection, as_of: AsOf) -> int:
        if as_of is None:
            return LATEST
        latest = View(connection, self.workspace, LATEST, self.clock.now())
        try:
            moment = parse_as_of(as_of, latest.world.zone)
        except BadTime as problem:
            raise BadAsOf(str(problem)) from problem
        if isinstance(moment, AtTransaction):
            return moment.number
        found = latest.rows("tx_at", at=moment.instant)
        return int(found[0][0]) if found else 0

    def settings_in(self, view: View) -> Settings:
        """The settings with the workspace's own as a view knows them, without another read."""
        return self.settings.for_workspace(view.world.settings)

    def names(self, view: View) -> StoredNameIndex:
        """The names that a view knows, for the resolver to probe."""
        return StoredNameIndex(view, self._alike)

    def _alike(self, view: View, text: str, types: Types, floor: float, limit: int) -> SimilarNames | None:
        if self.embedder is None:
            return None
        return self.cache.names.nearest(view, self.embedder, text, types, floor, limit)

    @contextmanager
    def write(self, *, wait: bool = True) -> Iterator[Change]:
        """One transaction: kept whole at the end, or not at all; without `wait`, refused while another writes."""
        with self.engine.writing(wait=wait) as connection:
            change = self._change(connection)
            change.lock()
            try:
                yield change
                self._follow(change)
                if change.has_new_chunks:
                    index_words(change)
                index_facts_if_due(change)
            except BaseException:
                self.write_cache.clear()
                raise
            last = self.write_cache.last_tx
        # Another writer may be at work by now, but no other has this number.
        self.write_cache.kept_tx = last

    def _follow(self, change: Change) -> None:
        """Let everything that rests on what was written be brought up to it, in the same transaction."""
        if change.has_changed:
            for follow in self.listeners:
                follow(self, change)

    def _change(self, connection: Connection, new_id: Callable[[], str] | None = None) -> Change:
        now = self.clock.now()
        ids = new_id or partial(self.new_id, now)
        return Change(connection, self.workspace, now, self.actor, ids, self.write_cache, self.settings)

    @contextmanager
    def batch(self) -> Iterator["Batch"]:
        """Many transactions acknowledged together: each stands or falls alone."""
        with self.engine.writing() as connection:
            last = self._change(connection)
            before = last.lock()
            held = BufferedConnection(connection, self.workspace.ws, before)
            self.write_cache.batch = BatchCache()
            touched = ChangedRows()
            try:
                yield Batch(self, held, touched, partial(next, self.new_id.many()))
                held.flush()
                self.write_cache.batch = None
                if held.last_tx != before:
                    self._follow_batch(last, touched)
                index_words(last)
                index_all_facts(last)
            except BaseException:
                self.write_cache.clear()
                raise
            finally:
                self.write_cache.batch = None
            last_tx = self.write_cache.last_tx
        self.write_cache.kept_tx = last_tx

    def _follow_batch(self, last: Change, touched: ChangedRows) -> None:
        last.touched.add(touched)
        for follow in self.listeners:
            follow(self, last)

    @contextmanager
    def nested(self) -> Iterator["Memory"]:
        """The same memory, all of whose transactions are kept together at the end, or none of them."""
        with self.engine.writing() as connection:
            # What was never kept must not be remembered either.
            engine = NestedEngine(self.engine, connection)
            yield replace(self, engine=engine, write_cache=WriteCache(), cache=self.cache.for_other_workspace())

    def close(self) -> None:
        self.engine.close()

    @property
    def embedder(self) -> Embedder | None:
        """What turns text into vectors here, loaded when first used; none if it was switched off."""
        return self.cache.embedder(self.settings)

    @property
    def endpoint(self) -> LanguageModel | None:
        """The language model that was set up, which can be asked at any time; none unless one was."""
        return self.choose_model(self.settings)

    @property
    def model(self) -> LanguageModel | None:
        """The language model to ask during a call: the one that was set up, else the client's own, else none."""
        return self.endpoint or self.client_model


@dataclass(frozen=True, slots=True)
class Batch:
    """Several transactions that are committed together."""

    memory: Memory
    connection: BufferedConnection
    touched: ChangedRows
    new_id: Callable[[], str]

    def change(self) -> "_BatchTransaction":
        """One transaction of the batch; if it fails, it alone leaves no trace."""
        return _BatchTransaction(self)

    def keep(self, change: Change) -> None:
        self.connection.commit_transaction()
        self.touched.add(change.touched)

    def drop(self) -> None:
        self.connection.discard_transaction()
        self.memory.write_cache.clear()


class _BatchTransaction:
    """A context that ends in `keep` or `drop`; there is one for every line of a bundle, so it is no generator."""

    __slots__ = ("_batch", "_change")

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def __enter__(self) -> Change:
        batch = self._batch
        self._change = change = batch.memory._change(batch.connection, batch.new_id)
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


ChangeListener = Callable[[Memory, Change], None]
"""What brings up to date whatever rests on a change, before it is committed."""


def open_memory(
    db: str | None = None,
    workspace: str | None = None,
    settings: Settings | None = None,
    clock: Clock | None = None,
    followers: tuple[ChangeListener, ...] = (),
) -> Memory:
    """The memory at an address; the workspace `default` is made when first opened."""
    chosen = settings or read_settings()
    time = clock or clock_from(chosen.now)
    engine = engine_for(db or chosen.database)
    name = workspace or chosen.workspace_name
    found = find_workspace(engine, name)
    if found is None:
        if name != "default":
            engine.close()
            raise UnknownWorkspace(name)
        found = create_workspace(engine, name, time)
    return Memory(engine, found, time, chosen, IdMaker(time), listeners=followers)


def find_workspace(engine: Engine, name: str) -> Workspace | None:
    with engine.reading() as connection:
        rows = connection.rows("workspace_named", {"name": name})
    return Workspace(rows[0][0], rows[0][1]) if rows else None


def create_workspace(engine: Engine, name: str, clock: Clock) -> Workspace:
    """The workspace of this name, made if there is none."""
    with engine.writing() as connection:
        connection.run("workspace_create", {"name": name, "at": clock.now()})
        [row] = connection.rows("workspace_named", {"name": name})
    return Workspace(row[0], row[1])
