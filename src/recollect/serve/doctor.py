"""Checks that everything Recollect needs is present and works."""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from recollect import __version__ as version
from recollect.errors import RecollectError
from recollect.serve.open_store import OpenStore
from recollect.settings import Settings
from recollect.store.encryption import EncryptionMissing, can_encrypt
from recollect.store.file_copies import copies_beside
from recollect.store.sqlite_file import StoreDamaged, StoreFile
from recollect.store.workspaces import all_workspaces, bypasses_row_security
from recollect.surfaces.registry import find_surface, surface_names

LEAST_FREE = 100 * 1024 * 1024
NEED_AN_ANSWER = ("isolation", "model", "access", "moves")
"""Checks that would each wait for a database server again."""


@dataclass(frozen=True, slots=True)
class HealthCheck:
    name: str
    ok: bool
    detail: str


def examine(settings: Settings, *, full: bool = False) -> Iterator[HealthCheck]:
    """Run all checks; one that fails does not stop the rest, but for those that need a store which does not answer."""
    yield HealthCheck("version", True, f"recollect {version}, Python {platform.python_version()}")
    with OpenStore(settings) as opened:
        store = _run_check("store", lambda: _store(opened))
        yield store
        checks: tuple[tuple[str, Callable[[], str]], ...] = (
            ("file", lambda: _file(opened, full)),
            ("private", lambda: _private(opened)),
            ("isolation", lambda: _isolation(opened)),
            ("moves", lambda: _moves(opened)),
            ("encryption", lambda: _encryption(opened)),
            ("disk", lambda: _disk(opened)),
            ("surfaces", _surfaces),
            ("embedding", lambda: _embedding(opened)),
            ("model", lambda: _model(opened)),
            ("access", lambda: _access(opened)),
            ("experts", lambda: _experts(opened)),
        )
        for name, check in checks:
            if store.ok or name not in NEED_AN_ANSWER or opened.file is not None:
                yield _run_check(name, check)
            else:
                yield HealthCheck(name, False, "not checked: the store does not answer")


def _run_check(name: str, check: Callable[[], str]) -> HealthCheck:
    try:
        return HealthCheck(name, True, check())
    except (RecollectError, ImportError, OSError) as failure:
        return HealthCheck(name, False, str(failure))


def _store(opened: OpenStore) -> str:
    memory = opened.memory("doctor")
    with memory.read() as view:
        return f"{memory.engine.name} answers; workspace {view.workspace.name} is at transaction {view.last_tx}"


def _file(opened: OpenStore, full: bool) -> str:
    if opened.file is None:
        return "kept by the database server; pg_amcheck checks it"
    damage = opened.engine.check(full=full)
    if damage:
        raise StoreDamaged(opened.file.path, damage[0])
    return "no damage found" if full else "no damage found by the quick check; --full compares the indexes as well"


def _private(opened: OpenStore) -> str:
    """A warning, since a folder may be shared on purpose."""
    if opened.file is None or os.name != "posix":
        return "kept by the database server" if opened.file is None else "not a matter of modes here"
    path = Path(opened.file.path)
    wanted = {path.parent: 0o700, path: 0o600, **dict.fromkeys(copies_beside(path), 384)}
    if not _is_loose(path):
        # Otherwise they have the mode of the file, and may be gone once this check ends.
        wanted |= {opened.file.log: 0o600, Path(f"{path}-shm"): 0o600}
    key_file = opened.settings.text("key_file")
    if key_file:
        wanted[Path(key_file).expanduser()] = 0o600
    loose = [f"chmod {mode:o} {each}" for each, mode in wanted.items() if _is_loose(each)]
    return f"warning: others may read it; run: {' && '.join(loose)}" if loose else "only you can read the files"


def _is_loose(path: Path) -> bool:
    return path.exists() and bool(path.stat().st_mode & 0o077)


def _isolation(opened: OpenStore) -> str:
    """A warning, since every query names its workspace all the same."""
    if opened.file is not None:
        return "every query names its workspace"
    if bypasses_row_security(opened.engine):
        advice = "let an ordinary role own the database, as docs/operators/postgresql.md says"
        return f"warning: the role is a superuser or has BYPASSRLS, so row security does not apply; {advice}"
    return "every query names its workspace, and row security holds"


def _moves(opened: OpenStore) -> str:
    """A move that was killed leaves triggers behind, which cost every writer something; they are dropped."""
    if opened.file is not None:
        return "one file has all workspaces"
    from recollect.store.postgres_shards import ShardedPostgres
    from recollect.store.workspace_move import end_killed_moves

    if not isinstance(opened.engine, ShardedPostgres):
        return "one database has all workspaces"
    ended = end_killed_moves(opened.engine)
    names = {each.ws: each.name for each in all_workspaces(opened.engine)}
    under_way = [names.get(each.ws, str(each.ws)) for each in opened.engine.homes() if each.moving_to is not None]
    told = [f"dropped what a killed move of {names.get(ws, ws)} left behind" for ws in ended]
    told += [f"warning: the move of {name} is not finished; see: recollect shard list" for name in under_way]
    return "; ".join(told) or "none is unfinished"


def _encryption(opened: OpenStore) -> str:
    if opened.file is None:
        return "left to the database server: TLS and an encrypted disk"
    if not can_encrypt():
        raise EncryptionMissing
    if opened.file.is_plain:
        return "the store is not encrypted; recollect encrypt does that"
    plain = [str(each) for each in copies_beside(Path(opened.file.path)) if StoreFile(str(each)).is_plain]
    told = f"; warning: {', '.join(plain)} is not; delete it once the store opens"
    return f"encrypted{told if plain else ''}"


def _disk(opened: OpenStore) -> str:
    if opened.file is None:
        return "kept by the database server"
    folder = Path(opened.file.path).parent
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        raise OSError(f"only {free // 1024**2} MB free at the database")
    return f"{free // 1024**3} GB free"


def _experts(opened: OpenStore) -> str:
    from recollect.ingest.experts.registry import load_experts

    found = load_experts(opened.settings)
    if found.problems:
        raise RecollectError("; ".join(found.problems.values()))
    return ", ".join(f"{each.manifest.name} {each.manifest.version}" for each in found.loaded) or "none installed"


def _surfaces() -> str:
    return ", ".join(f"{name} {len(find_surface(name).listed_tools(may_write=True))}" for name in surface_names())


def _embedding(opened: OpenStore) -> str:
    if opened.settings.text("embedding.url"):
        return "a remote embedder is configured"
    from recollect.embed.model_session import load_runtime

    for needed in ("numpy", "tokenizers"):
        import_module(needed)
    load_runtime()
    return f"runs here, on {sys.platform}"


def _model(opened: OpenStore) -> str:
    found = opened.memory("doctor").endpoint
    return "no language model; everything has its fallback" if found is None else f"language model {found.name!r}"


def _access(opened: OpenStore) -> str:
    valid = sum(token.revoked_at is None for token in opened.tokens.all())
    return f"{valid} valid tokens" if valid else "no tokens; HTTP answers on this machine only"
