"""Registry of expert packages: loading them, running them on a record, resolving their identifiers."""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal, Protocol, get_args

from recollect.errors import RecollectError
from recollect.ingest.experts.manifest import BadManifest, ExpertManifest, IdentifierPattern, parse_manifest
from recollect.ingest.fields import BadLine
from recollect.ingest.record_types import RECORD_TYPES, find_by_identity, put_identity
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.text.patterns import user_pattern
from recollect.when.instant import format_instant
from recollect.write.entity_refs import AmbiguousName, NamedRef, ResolvedRef, complete, create, find, find_or_create

ENTRY_POINT_GROUP = "recollect.experts"
REPLACEABLE_TYPES_SETTING = "pearscarf.replaceable_types"


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


class ExpertNotLoaded(RecollectError):
    code = "expert_not_loaded"

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"expert {name!r} is not loaded: {why}")


@dataclass(frozen=True, slots=True)
class Expert:
    """A loaded expert."""

    manifest: ExpertManifest
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
        return sorted({each.manifest.name: each for each in self.by_type.values()}.values(), key=_expert_name)


def _expert_name(expert: Expert) -> str:
    return expert.manifest.name


NO_EXPERTS = Experts()


def load_experts(settings: Settings, points: Iterable[EntryPoint] | None = None) -> Experts:
    """Every expert whose manifest is right and whose record types are free; the first to claim a type owns it."""
    found = _installed_entry_points() if points is None else points
    by_type: dict[str, Expert] = {}
    problems: dict[str, str] = {}
    free = _replaceable_types(settings)
    for point in sorted(found, key=lambda each: each.name):
        try:
            if _is_enabled(point, settings):
                _claim_types(load_expert(point), by_type, free)
        except RecollectError as problem:
            problems[point.name] = str(problem)
    return Experts(by_type, problems)


def plugin_id(package: str) -> str:
    """The id of a package in the settings: `plugins.<id> = false` turns off all that it brings."""
    return package.lower().replace("_", "-")


def _is_enabled(point: EntryPoint, settings: Settings) -> bool:
    return point.dist is None or settings.flag(f"plugins.{plugin_id(point.dist.name)}", default=True)


@cache
def _installed_entry_points() -> tuple[EntryPoint, ...]:
    """The entry points of this installation, which does not change while it runs."""
    return tuple(entry_points(group=ENTRY_POINT_GROUP))


def _replaceable_types(settings: Settings) -> frozenset[str]:
    given = settings.get(REPLACEABLE_TYPES_SETTING) or ()
    return frozenset(each.strip() for each in (given.split(",") if isinstance(given, str) else given))


def load_expert(point: EntryPoint) -> Expert:
    """The expert behind an entry point; an error in its package affects only this expert."""
    try:
        yielded = point.load()
        code = yielded() if isinstance(yielded, type) else yielded
        manifest = parse_manifest(getattr(code, "manifest", None))
    except BadManifest as problem:
        raise ExpertNotLoaded(point.name, str(problem)) from problem
    except Exception as problem:
        raise ExpertNotLoaded(point.name, f"{type(problem).__name__} while importing it") from problem
    if not callable(getattr(code, "extract", None)):
        raise ExpertNotLoaded(point.name, "it has no extract(record, context)")
    if manifest.requires_relevancy_check and not callable(getattr(code, "classify", None)):
        raise ExpertNotLoaded(point.name, "its relevancy_check is required, but it has no classify(record)")
    return Expert(manifest, code)


def _claim_types(expert: Expert, by_type: dict[str, Expert], free: frozenset[str]) -> None:
    for name in expert.manifest.record_types:
        if name in by_type:
            raise ExpertNotLoaded(expert.manifest.name, f"{name} belongs to {by_type[name].manifest.name}")
        if name in RECORD_TYPES and name not in free:
            raise ExpertNotLoaded(
                expert.manifest.name, f"{name} is built in; {REPLACEABLE_TYPES_SETTING} does not list it"
            )
    by_type |= dict.fromkeys(expert.manifest.record_types, expert)


Relevancy = Literal["relevant", "noise", "uncertain"]
RELEVANCIES: tuple[Relevancy, ...] = get_args(Relevancy)


def check_record_schema(expert: Expert, type_: str, metadata: Mapping[str, Any]) -> None:
    """Reject a record whose metadata violates the schema of its type."""
    schema = expert.manifest.schemas.get(type_)
    if schema is None:
        return
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.exceptions import best_match
    from jsonschema.validators import extend

    def check_pattern(_: object, pattern: str, value: object, __: object) -> Iterator[ValidationError]:
        if isinstance(value, str) and not user_pattern(pattern).is_found_in(value):
            yield ValidationError(f"does not match {pattern!r}")

    validator = extend(Draft202012Validator, {"pattern": check_pattern})
    worst = best_match(validator(schema).iter_errors(dict(metadata)))
    if worst is not None:
        place = ".".join(["record.metadata", *(str(part) for part in worst.absolute_path)])
        raise BadLine(place, f"breaks the schema of {type_} ({worst.validator}), says expert {expert.manifest.name}")


def classify_record(expert: Expert, record: dict[str, Any]) -> Relevancy:
    """The expert's classification of a record before reading it; relevant by default."""
    if not expert.manifest.requires_relevancy_check:
        return "relevant"
    try:
        answer = expert.code.classify(deepcopy(record))  # type: ignore[attr-defined]  # loading saw to it
    except Exception as problem:
        raise ExpertFailed(expert.manifest.name, problem) from problem
    if answer not in RELEVANCIES:
        raise ExpertFailed(expert.manifest.name, ValueError(answer))
    found: Relevancy = answer
    return found


def extract_from_record(expert: Expert, record: dict[str, Any], context: dict[str, Any]) -> Mapping[str, Any]:
    """What the expert finds in a record, in bundle form."""
    try:
        answer = expert.code.extract(deepcopy(record), deepcopy(context))
        found = {"entities": list(answer.get("entities") or ()), "facts": list(answer.get("facts") or ())}
    except Exception as problem:
        raise ExpertFailed(expert.manifest.name, problem) from problem
    return found


def record_for_expert(document: Document, text: str | None) -> dict[str, Any]:
    """A record as an expert sees it."""
    return {
        "id": document.key,
        "type": document.type,
        "title": document.title,
        "source_at": format_instant(document.source_at),
        "url": document.url,
        "content": text,
        "metadata": deepcopy(dict(document.properties)),
    }


@dataclass(frozen=True, slots=True)
class EntityIdentifier:
    """One identifier of an entity, as it is kept."""

    space: str
    value: str


def find_by_identifier(change: Change, end: NamedRef, manifest: ExpertManifest) -> ResolvedRef:
    """The entity with an identifier of this end, whatever its name; else the one it names, or a new one."""
    marks = list(_identifiers_of(end, manifest))
    if not marks:
        return find_or_create(change, end)
    known = next((entity for mark in marks if (entity := _entity_with(change, mark)) is not None), None)
    if known is not None:
        found = ResolvedRef(complete(change, known, replace(end, aliases=(end.name, *end.aliases))))
    elif _is_distinguished(change, end, manifest):
        found = ResolvedRef(create(change, end), True)
    else:
        found = find_or_create(change, end)
    for mark in marks:
        put_identity(change, mark.space, mark.value, found.entity.id)
    return found


def _identifiers_of(end: NamedRef, manifest: ExpertManifest) -> Iterator[EntityIdentifier]:
    for each in manifest.identifiers:
        if end.type != each.entity_type:
            continue
        if each.field is not None:
            value = _identifier_text(end.properties.get(each.field))
            yield from [_identifier(each, manifest, value)] if value else []
        elif each.pattern is not None:
            texts = (end.name, *end.aliases, *(_identifier_text(value) for value in end.properties.values()))
            yield from (_identifier(each, manifest, text) for text in texts if text and each.pattern.matches(text))


def _identifier(identifier: IdentifierPattern, manifest: ExpertManifest, value: str) -> EntityIdentifier:
    """Record types contain no spaces, so the two kinds of keys cannot collide."""
    source = "" if identifier.is_global else f" of {manifest.source_type}"
    return EntityIdentifier(f"entity {identifier.entity_type} by {identifier.field or 'form'}{source}", fold(value))


def _identifier_text(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _entity_with(change: Change, mark: EntityIdentifier) -> Entity | None:
    key = find_by_identity(change, mark.space, mark.value)
    return change.survivor(EntityId(key)) if key is not None else None


def _is_distinguished(change: Change, end: NamedRef, manifest: ExpertManifest) -> bool:
    """Whether who has that name has an identifier of the same kind, but another one; or several have that name."""
    try:
        named = find(change, end)
    except AmbiguousName:
        return True
    for each in manifest.identifiers:
        if named is None or each.field is None or end.type != each.entity_type:
            continue
        own, theirs = (
            _identifier_text(end.properties.get(each.field)),
            _identifier_text(named.properties.get(each.field)),
        )
        if own and theirs and fold(own) != fold(theirs):
            holder = _entity_with(change, _identifier(each, manifest, theirs))
            if holder is not None and holder.id == named.id:
                return True
    return False
