"""Moves a workspace to another PostgreSQL while it is used; a move that was cut short is begun again by the same call.

At every moment at most one database serves the workspace: it is closed where it was before the catalogue names its new
home, and open there only after that. All rows of one moment are copied while writers go on, then those that triggers
have noted since, round after round. Nothing that was acknowledged is left behind, since the last few are copied while
all writers wait.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import NamedTuple

import psycopg

from recollect.errors import Conflict
from recollect.store.port import Engine, fetch
from recollect.store.postgres import PostgresConnection, PostgresEngine, transaction
from recollect.store.postgres_connect import Raw
from recollect.store.postgres_shards import FIRST, ShardedPostgres, WorkspaceHome
from recollect.store.workspace_copy import (
    SAME_TEXT,
    copied_tables,
    copy_changes,
    copy_table,
    copy_workspace_row,
    drop_copy,
    drop_notes,
    filled_tables,
    forget_changes,
    noted_workspaces,
    noting_changes,
)

LOCK_SECONDS = 20
"""How long a move waits for another one to end: the server may not have noticed yet that its process was killed."""
MAX_ROUNDS = 20
FEW_ROWS = 200
"""So few rows are copied while writers wait."""
SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

CopyCheck = Callable[[Engine, Engine], None]
"""Raises if two engines do not hold the same of the workspace."""
StepListener = Callable[[str], None]


class MoveInProgress(Conflict):
    code = "move_in_progress"

    def __init__(self) -> None:
        super().__init__("another command is moving this workspace; wait for it, then: recollect shard list")


class FinishedMove(NamedTuple):
    before: str
    after: str
    rows: int
    """How many were copied, those that changed meanwhile again."""
    pause: float
    """For how many seconds writers waited, from the last round until the new home was open."""


def move_workspace(
    engine: ShardedPostgres,
    ws: int,
    shard: str,
    check: CopyCheck | None = None,
    on_step: StepListener = lambda _: None,
) -> FinishedMove:
    """Move a workspace to a shard, verified; the copy that is left behind stays until it is dropped."""
    target = engine.engine_of(shard)
    with ExitStack() as noting:
        with transaction(engine.first.pool, "BEGIN", None, f"; SET LOCAL lock_timeout = '{LOCK_SECONDS}s'") as raw:
            # Held until the catalogue is changed by this very transaction, so two commands cannot both change it.
            catalogue = PostgresConnection(raw)
            _lock_move(catalogue, ws)
            home = _home_of(engine.first, ws)
            move = _Move(ws, engine.engine_of(home), target, check, on_step)
            rows, paused_at = 0, time.monotonic()
            if home == shard:
                _forget_changes(engine, ws)
            else:
                noting.enter_context(noting_changes(move.source.pool, ws))
                rows, paused_at = _copy_and_close(engine, move, home, shard)
            catalogue.run("shard_home_put", {"ws": ws, "shard": shard, "moving_to": None})
            raw.execute(b"COMMIT", prepare=False)
        on_step("switched")
        with transaction(target.pool, "BEGIN", ws) as raw:
            PostgresConnection(raw).run("workspace_open", {"ws": ws})
            raw.execute(b"COMMIT", prepare=False)
        pause = time.monotonic() - paused_at
    engine.reload()
    return FinishedMove(home, shard, rows, pause)


def _lock_move(catalogue: PostgresConnection, ws: int) -> None:
    try:
        catalogue.rows("move_lock", {"ws": ws})
    except psycopg.errors.LockNotAvailable as busy:
        raise MoveInProgress from busy


def _forget_changes(engine: ShardedPostgres, ws: int) -> None:
    """Stop noting changes where a command that was killed left off."""
    for name in (FIRST, *(each.name for each in engine.shards())):
        forget_changes(engine.engine_of(name).pool, ws)


def end_killed_moves(engine: ShardedPostgres) -> list[int]:
    """Stop recording the changes of workspaces whose move was killed; returns these workspaces."""
    ended = set[int]()
    for name in (FIRST, *(each.name for each in engine.shards())):
        pool = engine.engine_of(name).pool
        for ws in noted_workspaces(pool):
            with transaction(engine.first.pool, "BEGIN", None) as raw:
                [[is_free]] = PostgresConnection(raw).rows("move_lock_if_free", {"ws": ws})
                if is_free:
                    forget_changes(pool, ws)
                    ended.add(ws)
    return sorted(ended)


class _Move(NamedTuple):
    ws: int
    source: PostgresEngine
    target: PostgresEngine
    check: CopyCheck | None
    on_step: StepListener


def _home_of(first: PostgresEngine, ws: int) -> str:
    with first.reading() as connection:
        found = fetch(connection, WorkspaceHome, "shard_home", ws=ws)
    return found[0].shard if found else FIRST


def _copy_and_close(engine: ShardedPostgres, move: _Move, home: str, shard: str) -> tuple[int, float]:
    """Copy everything, the last rows while writers wait; how many rows there were, and since when writers wait."""
    with engine.first.writing() as connection:
        connection.run("shard_home_put", {"ws": move.ws, "shard": home, "moving_to": shard})
    rows = _copy_all(move) + _catch_up(move)
    move.on_step("copied")
    paused_at = time.monotonic()
    with transaction(move.source.pool, "BEGIN", move.ws, SAME_TEXT) as source:
        last = PostgresConnection(source)
        last.rows("write_pause", {"ws": move.ws})
        rows += _copy_round(move, source)
        if move.check is not None:
            move.check(move.source.serving_moved(), move.target.serving_moved())
        move.on_step("verified")
        last.run("workspace_close", {"ws": move.ws})
        source.execute(b"COMMIT", prepare=False)
    move.on_step("closed")
    return rows, paused_at


def _copy_all(move: _Move) -> int:
    """Every row of one moment, table by table, each committed by itself: a move that is begun again finds it done."""
    with transaction(move.source.pool, SNAPSHOT, move.ws, SAME_TEXT) as source:
        rows, tables = 0, copied_tables(source)
        with transaction(move.target.pool, "BEGIN", move.ws, SAME_TEXT) as target:
            copy_workspace_row(source, target, move.ws)
            filled = filled_tables(source, tables, move.ws) | filled_tables(target, tables, move.ws)
            target.execute(b"COMMIT", prepare=False)
        for table in tables:
            if table.name in filled:
                with transaction(move.target.pool, "BEGIN", move.ws, SAME_TEXT) as target:
                    rows += copy_table(source, target, table, move.ws)
                    target.execute(b"COMMIT", prepare=False)
    return rows


def _catch_up(move: _Move) -> int:
    """Copy again and again what has changed meanwhile, until little is left; each time there is less of it."""
    rows = 0
    for _ in range(MAX_ROUNDS):
        with transaction(move.source.pool, "BEGIN ISOLATION LEVEL REPEATABLE READ", move.ws, SAME_TEXT) as source:
            copied = _copy_round(move, source)
            source.execute(b"COMMIT", prepare=False)
        rows += copied
        if copied <= FEW_ROWS:
            break
    return rows


def _copy_round(move: _Move, source: Raw) -> int:
    """What has changed by the moment that the source's transaction sees."""
    rows, tables = 0, copied_tables(source)
    with transaction(move.target.pool, "BEGIN", move.ws, SAME_TEXT) as target:
        copy_workspace_row(source, target, move.ws)
        while True:
            done, copied = copy_changes(source, target, move.ws, tables)
            if not done:
                break
            drop_notes(source, move.ws, done)
            rows += copied
        target.execute(b"COMMIT", prepare=False)
    return rows


def drop_copies(engine: ShardedPostgres, ws: int) -> dict[str, int]:
    """Delete what moves of a workspace have left behind; by shard, how many rows."""
    home = _home_of(engine.first, ws)
    dropped = dict[str, int]()
    for name in (FIRST, *(each.name for each in engine.shards())):
        if name == home:
            continue
        with transaction(engine.engine_of(name).pool, "BEGIN", ws) as raw:
            dropped[name] = drop_copy(raw, ws)
            raw.execute(b"COMMIT", prepare=False)
    return {name: rows for name, rows in dropped.items() if rows}
