"""Settings that only some values make sense for: each is read as whoever uses it will read it."""

from collections.abc import Callable, Mapping
from typing import Any

from recollect.settings import BadSetting, Settings

Read = Callable[[Settings], object]
_FLAGS = (
    "carabase.external_mcp",
    "cognitive_graph.legacy_predicate_code",
    "cognitive_graph.mark_errors",
    "entity_core.auto_consolidate",
)
_LEAST = {
    "carabase.compaction.max_tokens": 1,
    "carabase.mesh.confirm_above_tokens": 0,
    "carabase.mesh.batch_tokens": 0,
    "carabase.mesh.daily_tokens": 0,
    "carabase.mesh.concurrency": 1,
    "carabase.retention_days": 0,
}


def check_setting(key: str, value: Any) -> None:
    """Nothing if the value can be used; else the refusal that its first use would meet."""
    read = _readers().get(key)
    if read is not None:
        read(Settings(workspace={key: value}))


def _readers() -> Mapping[str, Read]:
    from recollect.reason.checks.added import SECONDS_SETTING, limits_of
    from recollect.surfaces.cognitive_graph.projection import EXTENSIONS, projection_from

    flags: dict[str, Read] = {key: _flag(key) for key in _FLAGS}
    counts = {key: _count(key, least) for key, least in _LEAST.items()}
    return flags | counts | {EXTENSIONS: projection_from, SECONDS_SETTING: limits_of}


def _flag(key: str) -> Read:
    return lambda settings: settings.flag(key)


def _count(key: str, least: int) -> Read:
    def read(settings: Settings) -> None:
        if settings.integer(key, least) < least:
            raise BadSetting(key, settings.get(key), f"a whole number of at least {least}")

    return read
