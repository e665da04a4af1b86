"""Reading an archive: every entry checked before anything of it is used."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from recollect.keep.archive.entries import (
    GRAPH,
    IDENTITY,
    IDENTITY_INFO,
    LABELS,
    MEMORIES,
    MEMORIES_INFO,
    ROOT,
    SCHEMA_VERSION,
    Archive,
    ArchivedFile,
    ArchivedMemory,
)
from recollect.keep.archive.graph import Graph
from recollect.keep.archive.zipped import MANIFEST, BadArchive, shown, unpack
from recollect.keep.forms import (
    AUTHOR,
    CATEGORIES,
    CHAT_ID,
    CONTENT_LIMIT,
    FILENAME,
    INSTANCE,
    PROMPT_LABEL,
    SLUG,
    UNKNOWN,
    is_form,
    is_visible,
    normal_text,
)
from recollect.keep.identity.blocks import chats_in
from recollect.keep.identity.files import Place
from recollect.keep.memories.dates import GRANULARITIES, BadMemoryDate, read_period
from recollect.keep.memories.entry import SUMMARIES, MemoryDraft, Summary
from recollect.keep.memories.keeping import derived_slug
from recollect.keep.problems import TooLarge
from recollect.when.instant import Instant, read_instant
from recollect.when.problems import BadTime

JsonObject = Mapping[str, Any]

METHODS = ("model", "extractive", "hand")
MOST_CHATS = 1000
MOST_INSTANCES = 100
HIGHEST_VERSION = 1 << 31
_LIST = ("nodes", "edges", "statements")


def read_archive(data: bytes, zone: tzinfo, now: Instant) -> Archive:
    """What the archive holds of the parts that its manifest flags; refused whole if anything in it is wrong."""
    entries = unpack(data)
    flags = _flags(entries)
    warnings = [f"{name} is not part of an archive and was left out" for name in sorted(entries) if _is_foreign(name)]
    files, memories = _files(entries, zone), _memories(entries, zone, now, warnings)
    graph = _graph(entries)
    if flags["knowledge_graph"] and graph is None:
        warnings.append(f"the manifest flags a graph, but there is no {GRAPH}")
    return Archive(
        files if flags["identity"] else None,
        memories if flags["memories"] else None,
        graph if flags["knowledge_graph"] else None,
        flags["identity"] and LABELS in entries,
        tuple(warnings),
    )


def _is_foreign(name: str) -> bool:
    """Whether an entry is to be passed over; what stands where only our own may stand is refused."""
    if name in (MANIFEST, LABELS, IDENTITY_INFO, MEMORIES_INFO, GRAPH) or name.startswith((IDENTITY, MEMORIES)):
        return False
    if not name.startswith(ROOT):
        raise BadArchive(f"has an entry {shown(name)} that no archive has")
    return True


def _flags(entries: Mapping[str, bytes]) -> dict[str, bool]:
    if MANIFEST not in entries:
        raise BadArchive(f"has no {MANIFEST}")
    manifest = _json(entries, MANIFEST)
    version = manifest.get("schema_version")
    if isinstance(version, bool) or version != SCHEMA_VERSION:
        raise BadArchive(f"has a {MANIFEST} without schema_version {SCHEMA_VERSION}")
    parts = manifest.get("parts")
    flagged = parts.get("entity_core") if isinstance(parts, dict) else None
    if not isinstance(flagged, dict):
        raise BadArchive(f"has a {MANIFEST} without parts.entity_core")
    return {part: flagged.get(part) is True for part in ("identity", "memories", "knowledge_graph")}


def _json(entries: Mapping[str, bytes], name: str) -> JsonObject:
    """The object that an entry holds; an absent one is empty."""
    if name not in entries:
        return {}
    try:
        found = json.loads(_utf8(entries[name], name), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BadArchive(f"has an entry {name} that is not JSON") from None
    if not isinstance(found, dict):
        raise BadArchive(f"has an entry {name} that is not a JSON object")
    return found


def _no_number(text: str) -> float:
    raise ValueError(text)


def _utf8(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadArchive(f"has an entry {shown(name)} that is not UTF-8") from None


def _text(data: bytes, name: str) -> str:
    text = normal_text(_utf8(data, name))
    if "\0" in text:
        raise BadArchive(f"has NUL in {name}")
    if len(text.encode()) > CONTENT_LIMIT:
        raise TooLarge("data", f"1 MiB of UTF-8 in each text, which {name} exceeds")
    return text


def _files(entries: Mapping[str, bytes], zone: tzinfo) -> list[ArchivedFile]:
    labels, info = _json(entries, LABELS), _json(entries, IDENTITY_INFO)
    places = {_place(name): name for name in sorted(entries) if name.startswith(IDENTITY)}
    known = {place.key for place in places}
    for key, label in labels.items():
        _expect(isinstance(label, str) and is_form(PROMPT_LABEL, label), LABELS, key)
    found = []
    for place, name in places.items():
        told = _told(info, IDENTITY_INFO, place.key)
        file = ArchivedFile(place, _text(entries[name], name), labels.get(place.key) if place.key in known else None)
        if told is not None:
            by = told.get("modifiedBy")
            _expect(by is None or (isinstance(by, str) and is_form(AUTHOR, by)), IDENTITY_INFO, place.key)
            at = _instant(told.get("lastModified"), zone, IDENTITY_INFO, place.key)
            file = replace(file, version=_version(told, IDENTITY_INFO, place.key), at=at, by=by)
        found.append(file)
    return found


def _place(name: str) -> Place:
    category, _, filename = name.removeprefix(IDENTITY).partition("/")
    if category not in CATEGORIES or not is_form(FILENAME, filename):
        raise BadArchive(f"has an entry {shown(name)} that names no identity file")
    return Place(category, filename)


def _told(info: JsonObject, entry: str, key: str) -> JsonObject | None:
    told = info.get(key)
    _expect(told is None or isinstance(told, dict), entry, key)
    return told


def _expect(is_right: bool, entry: str, key: str) -> None:
    if not is_right:
        raise BadArchive(f"has a wrong value in {entry} at {shown(key)}")


def _version(told: JsonObject, entry: str, key: str) -> int | None:
    version = told.get("version")
    is_number = isinstance(version, int) and not isinstance(version, bool) and 1 <= version < HIGHEST_VERSION
    _expect(version is None or is_number, entry, key)
    return version


def _instant(text: object, zone: tzinfo, entry: str, key: str) -> Instant | None:
    if text is None:
        return None
    try:
        return read_instant(str(text), zone)
    except BadTime:
        raise BadArchive(f"has a time {shown(str(text))} in {entry} at {shown(key)}") from None


def _memories(entries: Mapping[str, bytes], zone: tzinfo, now: Instant, warnings: list[str]) -> list[ArchivedMemory]:
    info = _json(entries, MEMORIES_INFO)
    found: dict[str, ArchivedMemory] = {}
    nameless: list[MemoryDraft] = []
    texts: dict[int, str] = {}
    for name in sorted(name for name in entries if name.startswith(MEMORIES) and name != MEMORIES_INFO):
        text = _text(entries[name], name)
        if not is_visible(text):
            raise BadArchive(f"has an entry {name} without a visible character")
        draft = _draft(name, text, now)
        if draft.period.granularity == "significant" and draft.slug is None:
            texts[len(nameless)] = text
            nameless.append(draft)
            continue
        if draft.id in found:
            raise BadArchive(f"has the memory {draft.id} twice")
        told = _told(info, MEMORIES_INFO, draft.id)
        found[draft.id] = _informed(draft, text, told, zone)
    for place, draft in enumerate(nameless):
        slugged = _slugged(draft, texts[place], found)
        found[slugged.id] = ArchivedMemory(slugged, texts[place], None, False)
    warnings += [f"{MEMORIES_INFO} tells of {shown(key)}, which is not there" for key in info if key not in found]
    return list(found.values())


def _slugged(draft: MemoryDraft, text: str, taken: Mapping[str, object]) -> MemoryDraft:
    """The memory under a short name of its own, one that no other of the archive has."""
    slug, count = derived_slug(text), 1
    named = replace(draft, slug=slug)
    while named.id in taken:
        count += 1
        named = replace(draft, slug=f"{slug}-{count}")
    return named


def _draft(name: str, text: str, now: Instant) -> MemoryDraft:
    """The memory as its name and text tell it."""
    granularity, _, rest = name.removeprefix(MEMORIES).partition("/")
    date, mark, suffix = rest.removesuffix(".md").partition("_")
    has_suffix = granularity in ("daily", "significant") and bool(mark)
    if granularity not in GRANULARITIES or not rest.endswith(".md") or (mark and not has_suffix):
        raise BadArchive(f"has an entry {shown(name)} that names no memory")
    instance = suffix if has_suffix and granularity == "daily" else UNKNOWN
    slug = suffix.lower() if has_suffix and granularity == "significant" and suffix.isascii() else None
    if not is_form(INSTANCE, instance) or (
        has_suffix and granularity == "significant" and not is_form(SLUG, slug or "")
    ):
        raise BadArchive(f"has an entry {shown(name)} that names no memory")
    try:
        period = read_period(granularity, date)
    except BadMemoryDate as problem:
        raise BadArchive(f"has an entry {shown(name)}: {problem}") from None
    summary = Summary("hand") if granularity in SUMMARIES else None
    return MemoryDraft(period, instance, (instance,), tuple(chats_in(text)), now, now, slug, None, summary)


def _informed(draft: MemoryDraft, text: str, told: JsonObject | None, zone: tzinfo) -> ArchivedMemory:
    """The memory with what the archive tells beside its text."""
    if told is None:
        return ArchivedMemory(draft, text, None, False)
    entry, key = MEMORIES_INFO, draft.id
    instance, edited_by = told.get("sourceInstance", draft.instance), told.get("editedBy")
    _expect(isinstance(instance, str) and is_form(INSTANCE, instance), entry, key)
    _expect(draft.period.granularity != "daily" or instance == draft.instance, entry, key)
    _expect(edited_by is None or (isinstance(edited_by, str) and is_form(AUTHOR, edited_by)), entry, key)
    created = _instant(told.get("createdAt"), zone, entry, key) or draft.created_at
    chats = _listed(told, "chatIds", MOST_CHATS, lambda each: is_form(CHAT_ID, each), key)
    instances = _listed(told, "participatingInstances", MOST_INSTANCES, lambda each: is_form(INSTANCE, each), key)
    informed = replace(
        draft,
        instance=instance,
        participants=instances or (instance,),
        chats=draft.chats if chats is None else chats,
        created_at=created,
        updated_at=_instant(told.get("updatedAt"), zone, entry, key) or created,
        edited_by=edited_by,
        summary=_summary(told.get("summary"), key) if draft.summary else None,
    )
    return ArchivedMemory(informed, text, _version(told, entry, key), True)


def _listed(
    told: JsonObject, name: str, most: int, is_right: Callable[[str], bool], key: str
) -> tuple[str, ...] | None:
    values = told.get(name)
    if values is None:
        return None
    _expect(isinstance(values, list) and len(values) <= most, MEMORIES_INFO, key)
    _expect(all(isinstance(each, str) and is_right(each) for each in values), MEMORIES_INFO, key)
    return tuple(dict.fromkeys(values))


def _summary(told: object, key: str) -> Summary:
    if told is None:
        return Summary("hand")
    method = told.get("method", "hand") if isinstance(told, dict) else None
    sources = told.get("sources", []) if isinstance(told, dict) else None
    _expect(method in METHODS and isinstance(sources, list), MEMORIES_INFO, key)
    _expect(all(isinstance(each, str) and len(each) <= MOST_CHATS for each in sources or ()), MEMORIES_INFO, key)
    return Summary(str(method), tuple(sources or ()))


def _graph(entries: Mapping[str, bytes]) -> Graph | None:
    if GRAPH not in entries:
        return None
    found = _json(entries, GRAPH)
    lists = {name: found.get(name, []) for name in _LIST}
    for name, rows in lists.items():
        _expect(isinstance(rows, list) and all(isinstance(row, dict) for row in rows), GRAPH, name)
    return lists
