"""Finding experts: those that can be used, and why the others cannot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

from recollect.errors import RecollectError
from recollect.ingest.experts.manifest import BadManifest, Manifest, read_manifest
from recollect.ingest.extract.types import TYPES
from recollect.settings import Settings

GROUP = "recollect.experts"
REPLACEABLE = "pearscarf.replaceable_types"


class ExpertCode(Protocol):
    """What an entry point yields; `classify` is there if the manifest asks for it."""

    @property
    def manifest(self) -> Mapping[str, Any]: ...

    def extract(self, record: dict[str, Any], context: dict[str, Any]) -> Mapping[str, Any]: ...


class ExpertFailed(RecollectError):
    code = "expert_failed"

    def __init__(self, name: str, problem: BaseException) -> None:
        super().__init__(f"expert {name!r} failed: {type(problem).__name__}")
        self.name = name


class CannotLoad(RecollectError):
    code = "expert_not_loaded"

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"expert {name!r} is not loaded: {why}")


@dataclass(frozen=True, slots=True)
class Expert:
    """An expert that can be used."""

    manifest: Manifest
    code: ExpertCode


@dataclass(frozen=True, slots=True)
class Experts:
    """The experts of this installation, by the record types they own, and why others were not loaded."""

    by_type: Mapping[str, Expert] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)

    @property
    def vocabulary(self) -> tuple[list[str], list[str]]:
        """The types of entities and of facts that the experts add."""
        manifests = [each.manifest for each in self.loaded]
        entity_types = {name for each in manifests for name in each.entity_types}
        return sorted(entity_types), sorted({name for each in manifests for name in each.fact_types})

    @property
    def loaded(self) -> list[Expert]:
        return sorted({each.manifest.name: each for each in self.by_type.values()}.values(), key=_name)


def _name(expert: Expert) -> str:
    return expert.manifest.name


NO_EXPERTS = Experts()


def load_experts(settings: Settings, points: Iterable[EntryPoint] | None = None) -> Experts:
    """Every expert whose manifest is right and whose record types are free; the first to claim a type owns it."""
    found = _installed() if points is None else points
    by_type: dict[str, Expert] = {}
    problems: dict[str, str] = {}
    free = _replaceable(settings)
    for point in sorted(found, key=lambda each: each.name):
        try:
            if _is_wanted(point, settings):
                _claim(loaded(point), by_type, free)
        except RecollectError as problem:
            problems[point.name] = str(problem)
    return Experts(by_type, problems)


def plugin_id(package: str) -> str:
    """Under what the settings know a package: `plugins.<id> = false` turns off all that it brings."""
    return package.lower().replace("_", "-")


def _is_wanted(point: EntryPoint, settings: Settings) -> bool:
    return point.dist is None or settings.flag(f"plugins.{plugin_id(point.dist.name)}", default=True)


@cache
def _installed() -> tuple[EntryPoint, ...]:
    """The entry points of this installation, which does not change while it runs."""
    return tuple(entry_points(group=GROUP))


def _replaceable(settings: Settings) -> frozenset[str]:
    given = settings.get(REPLACEABLE) or ()
    return frozenset(each.strip() for each in (given.split(",") if isinstance(given, str) else given))


def loaded(point: EntryPoint) -> Expert:
    """The expert behind an entry point; whatever its package does, only this expert fails."""
    try:
        yielded = point.load()
        code = yielded() if isinstance(yielded, type) else yielded
        manifest = read_manifest(getattr(code, "manifest", None))
    except BadManifest as problem:
        raise CannotLoad(point.name, str(problem)) from problem
    except Exception as problem:
        raise CannotLoad(point.name, f"{type(problem).__name__} while importing it") from problem
    if not callable(getattr(code, "extract", None)):
        raise CannotLoad(point.name, "it has no extract(record, context)")
    if manifest.asks_first and not callable(getattr(code, "classify", None)):
        raise CannotLoad(point.name, "its relevancy_check is required, but it has no classify(record)")
    return Expert(manifest, code)


def _claim(expert: Expert, by_type: dict[str, Expert], free: frozenset[str]) -> None:
    for name in expert.manifest.record_types:
        if name in by_type:
            raise CannotLoad(expert.manifest.name, f"{name} belongs to {by_type[name].manifest.name}")
        if name in TYPES and name not in free:
            raise CannotLoad(expert.manifest.name, f"{name} is built in; {REPLACEABLE} does not list it")
    by_type |= dict.fromkeys(expert.manifest.record_types, expert)
