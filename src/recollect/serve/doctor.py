"""Checks that everything Recollect needs is present and works."""

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
from recollect.surfaces.registry import find_surface, surface_names

LEAST_FREE = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HealthCheck:
    name: str
    ok: bool
    detail: str


def examine(settings: Settings) -> Iterator[HealthCheck]:
    """Run all checks; one that fails does not stop the rest."""
    yield HealthCheck("version", True, f"recollect {version}, Python {platform.python_version()}")
    with OpenStore(settings) as opened:
        checks: tuple[tuple[str, Callable[[], str]], ...] = (
            ("store", lambda: _store(opened)),
            ("disk", lambda: _disk(opened)),
            ("surfaces", _surfaces),
            ("embedding", lambda: _embedding(opened)),
            ("model", lambda: _model(opened)),
            ("access", lambda: _access(opened)),
            ("experts", lambda: _experts(opened)),
        )
        for name, check in checks:
            yield _run_check(name, check)


def _run_check(name: str, check: Callable[[], str]) -> HealthCheck:
    try:
        return HealthCheck(name, True, check())
    except (RecollectError, ImportError, OSError) as failure:
        return HealthCheck(name, False, str(failure))


def _store(opened: OpenStore) -> str:
    memory = opened.memory("doctor")
    with memory.read() as view:
        return f"{memory.engine.name} answers; workspace {view.workspace.name} is at transaction {view.last_tx}"


def _disk(opened: OpenStore) -> str:
    if "://" in opened.address and not opened.address.startswith("sqlite:"):
        return "kept by the database server"
    folder = Path(opened.address.removeprefix("sqlite:///")).expanduser().parent
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
    for needed in ("numpy", "onnxruntime", "tokenizers"):
        import_module(needed)
    return f"runs here, on {sys.platform}"


def _model(opened: OpenStore) -> str:
    found = opened.memory("doctor").endpoint
    return "no language model; everything has its fallback" if found is None else f"language model {found.name!r}"


def _access(opened: OpenStore) -> str:
    valid = sum(token.revoked_at is None for token in opened.tokens.all())
    return f"{valid} valid tokens" if valid else "no tokens; HTTP answers on this machine only"
