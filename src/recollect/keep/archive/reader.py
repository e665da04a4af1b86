"""Reader of archives: every entry is validated before any is used."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from recollect.keep.archive.export import (
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
    ArchiveGraph,
)
from recollect.keep.archive.zip_file import MANIFEST, BadArchive, quote_name, unpack_zip
from recollect.keep.call_conflicts import ContentTooLarge
from recollect.keep.identity_files import IdentityPath
from recollect.keep.markdown import chat_ids_in
from recollect.keep.memories.memory_store import derive_slug
from recollect.keep.memory_formats import (
    AUTHOR,
    CATEGORIES,
    CHAT_ID,
    CONTENT_LIMIT,
    FILENAME,
    GRANULARITIES,
    INSTANCE,
    PROMPT_LABEL,
    SLUG,
    UNKNOWN_INSTANCE,
    BadMemoryDate,
    is_visible,
    matches_format,
    normalize_newlines,
    parse_period,
)
from recollect.keep.memory_index.stored_memory import SUMMARY_GRANULARITIES, MemoryDraft, SummaryProvenance
from recollect.when.instant import Instant, read_instant
from recollect.when.time_errors import BadTime

JsonObject = Mapping[str, Any]

METHODS = ("model", "extractive", "hand")
MAX_CHATS = 1000
MAX_INSTANCES = 100
MAX_VERSION = 1 << 31
_GRAPH_LISTS = ("nodes", "edges", "statements")


def read_archive(data: bytes, zone: tzinfo, now: Instant) -> Archive:
    """The parts that the manifest of an archive flags; anything invalid refuses the whole archive."""
    entries = unpack_zip(data)
    flags = _read_flags(entries)
    warnings = [f"{name} skipped: not part of an archive" for name in sorted(entries) if _is_foreign(name)]
    files, memories = _read_files(entries, zone), _read_memories(entries, zone, now, warnings)
    graph = _read_graph(entries)
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
    """Whether to skip an entry; an unknown one inside our own folder is refused."""
    if name in (MANIFEST, LABELS, IDENTITY_INFO, MEMORIES_INFO, GRAPH) or name.startswith((IDENTITY, MEMORIES)):
        return False
    if not name.startswith(ROOT):
        raise BadArchive(f"has an entry {quote_name(name)} that an archive cannot have")
    return True


def _read_flags(entries: Mapping[str, bytes]) -> dict[str, bool]:
    if MANIFEST not in entries:
        raise BadArchive(f"has no {MANIFEST}")
    manifest = _read_json(entries, MANIFEST)
    version = manifest.get("schema_version")
    if isinstance(version, bool) or version != SCHEMA_VERSION:
        raise BadArchive(f"has a {MANIFEST} without schema_version {SCHEMA_VERSION}")
    parts = manifest.get("parts")
    flagged = parts.get("entity_core") if isinstance(parts, dict) else None
    if not isinstance(flagged, dict):
        raise BadArchive(f"has a {MANIFEST} without parts.entity_core")
    return {part: flagged.get(part) is True for part in ("identity", "memories", "knowledge_graph")}


def _read_json(entries: Mapping[str, bytes], name: str) -> JsonObject:
    """The JSON object of an entry, empty if the entry is missing."""
    if name not in entries:
        return {}
    try:
        found = json.loads(_utf8(entries[name], name), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadArchive(f"has an entry {name} that is not JSON") from None
    if not isinstance(found, dict):
        raise BadArchive(f"has an entry {name} that is not a JSON object")
    return found


def _refuse_constant(text: str) -> float:
    raise ValueError(text)


def _utf8(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadArchive(f"has an entry {quote_name(name)} that is not UTF-8") from None


def _read_text(data: bytes, name: str) -> str:
    text = normalize_newlines(_utf8(data, name))
    if "\0" in text:
        raise BadArchive(f"has NUL in {name}")
    if len(text.encode()) > CONTENT_LIMIT:
        raise ContentTooLarge("data", f"1 MiB of UTF-8 in each text, which {name} exceeds")
    return text


def _read_files(entries: Mapping[str, bytes], zone: tzinfo) -> list[ArchivedFile]:
    labels, info = _read_json(entries, LABELS), _read_json(entries, IDENTITY_INFO)
    places = {_identity_path(name): name for name in sorted(entries) if name.startswith(IDENTITY)}
    known = {place.key for place in places}
    for key, label in labels.items():
        _expect(isinstance(label, str) and matches_format(PROMPT_LABEL, label), LABELS, key)
    found = []
    for place, name in places.items():
        fields = _info_of(info, IDENTITY_INFO, place.key)
        file = ArchivedFile(
            place, _read_text(entries[name], name), labels.get(place.key) if place.key in known else None
        )
        if fields is not None:
            by = fields.get("modifiedBy")
            _expect(by is None or (isinstance(by, str) and matches_format(AUTHOR, by)), IDENTITY_INFO, place.key)
            at = _read_instant(fields.get("lastModified"), zone, IDENTITY_INFO, place.key)
            file = replace(file, version=_read_version(fields, IDENTITY_INFO, place.key), at=at, by=by)
        found.append(file)
    return found


def _identity_path(name: str) -> IdentityPath:
    category, _, filename = name.removeprefix(IDENTITY).partition("/")
    if category not in CATEGORIES or not matches_format(FILENAME, filename):
        raise BadArchive(f"has an entry {quote_name(name)} that does not name an identity file")
    return IdentityPath(category, filename)


def _info_of(info: JsonObject, entry: str, key: str) -> JsonObject | None:
    fields = info.get(key)
    _expect(fields is None or isinstance(fields, dict), entry, key)
    return fields


def _expect(is_valid: bool, entry: str, key: str) -> None:
    if not is_valid:
        raise BadArchive(f"has an invalid value in {entry} at {quote_name(key)}")


def _read_version(fields: JsonObject, entry: str, key: str) -> int | None:
    version = fields.get("version")
    is_number = isinstance(version, int) and not isinstance(version, bool) and 1 <= version < MAX_VERSION
    _expect(version is None or is_number, entry, key)
    return version


def _read_instant(text: object, zone: tzinfo, entry: str, key: str) -> Instant | None:
    if text is None:
        return None
    try:
        return read_instant(str(text), zone)
    except BadTime:
        raise BadArchive(f"has an invalid time {quote_name(str(text))} in {entry} at {quote_name(key)}") from None


def _read_memories(
    entries: Mapping[str, bytes], zone: tzinfo, now: Instant, warnings: list[str]
) -> list[ArchivedMemory]:
    info = _read_json(entries, MEMORIES_INFO)
    found: dict[str, ArchivedMemory] = {}
    unnamed: list[MemoryDraft] = []
    texts: dict[int, str] = {}
    for name in sorted(name for name in entries if name.startswith(MEMORIES) and name != MEMORIES_INFO):
        text = _read_text(entries[name], name)
        if not is_visible(text):
            raise BadArchive(f"has an entry {name} without a visible character")
        draft = _draft_of_name(name, text, now)
        if draft.period.granularity == "significant" and draft.slug is None:
            texts[len(unnamed)] = text
            unnamed.append(draft)
            continue
        if draft.id in found:
            raise BadArchive(f"has the memory {draft.id} twice")
        fields = _info_of(info, MEMORIES_INFO, draft.id)
        found[draft.id] = _with_info(draft, text, fields, zone)
    for place, draft in enumerate(unnamed):
        slugged = _with_slug(draft, texts[place], found)
        found[slugged.id] = ArchivedMemory(slugged, texts[place], None, False)
    warnings += [f"{MEMORIES_INFO} describes {quote_name(key)}, which is missing" for key in info if key not in found]
    return list(found.values())


def _with_slug(draft: MemoryDraft, text: str, taken: Mapping[str, object]) -> MemoryDraft:
    """A significant memory with a slug that no other memory of the archive has."""
    slug, count = derive_slug(text), 1
    named = replace(draft, slug=slug)
    while named.id in taken:
        count += 1
        named = replace(draft, slug=f"{slug}-{count}")
    return named


def names_memory(name: str, now: Instant) -> bool:
    """Whether an entry has the name of a memory."""
    try:
        _draft_of_name(name, "", now)
    except BadArchive:
        return False
    return True


def _draft_of_name(name: str, text: str, now: Instant) -> MemoryDraft:
    """The draft of a memory derived from its name and text."""
    granularity, _, rest = name.removeprefix(MEMORIES).partition("/")
    date, mark, suffix = rest.removesuffix(".md").partition("_")
    has_suffix = granularity in ("daily", "significant") and bool(mark)
    if granularity not in GRANULARITIES or not rest.endswith(".md") or (mark and not has_suffix):
        raise BadArchive(f"has an entry {quote_name(name)} that does not name a memory")
    instance = suffix if has_suffix and granularity == "daily" else UNKNOWN_INSTANCE
    slug = suffix.lower() if has_suffix and granularity == "significant" and suffix.isascii() else None
    if not matches_format(INSTANCE, instance) or (
        has_suffix and granularity == "significant" and not matches_format(SLUG, slug or "")
    ):
        raise BadArchive(f"has an entry {quote_name(name)} that does not name a memory")
    try:
        period = parse_period(granularity, date)
    except BadMemoryDate as problem:
        raise BadArchive(f"has an entry {quote_name(name)}: {problem}") from None
    summary = SummaryProvenance("hand") if granularity in SUMMARY_GRANULARITIES else None
    return MemoryDraft(period, instance, (instance,), tuple(chat_ids_in(text)), now, now, slug, None, summary)


def _with_info(draft: MemoryDraft, text: str, fields: JsonObject | None, zone: tzinfo) -> ArchivedMemory:
    """The memory with its metadata from the archive."""
    if fields is None:
        return ArchivedMemory(draft, text, None, False)
    entry, key = MEMORIES_INFO, draft.id
    instance, edited_by = fields.get("sourceInstance", draft.instance), fields.get("editedBy")
    _expect(isinstance(instance, str) and matches_format(INSTANCE, instance), entry, key)
    _expect(draft.period.granularity != "daily" or instance == draft.instance, entry, key)
    _expect(edited_by is None or (isinstance(edited_by, str) and matches_format(AUTHOR, edited_by)), entry, key)
    created = _read_instant(fields.get("createdAt"), zone, entry, key) or draft.created_at
    chats = _read_list(fields, "chatIds", MAX_CHATS, lambda each: matches_format(CHAT_ID, each), key)
    instances = _read_list(
        fields, "participatingInstances", MAX_INSTANCES, lambda each: matches_format(INSTANCE, each), key
    )
    informed = replace(
        draft,
        instance=instance,
        participants=instances or (instance,),
        chats=draft.chats if chats is None else chats,
        created_at=created,
        updated_at=_read_instant(fields.get("updatedAt"), zone, entry, key) or created,
        edited_by=edited_by,
        summary=_read_summary(fields.get("summary"), key) if draft.summary else None,
    )
    return ArchivedMemory(informed, text, _read_version(fields, entry, key), True)


def _read_list(
    fields: JsonObject, name: str, most: int, is_valid: Callable[[str], bool], key: str
) -> tuple[str, ...] | None:
    values = fields.get(name)
    if values is None:
        return None
    _expect(isinstance(values, list) and len(values) <= most, MEMORIES_INFO, key)
    _expect(all(isinstance(each, str) and is_valid(each) for each in values), MEMORIES_INFO, key)
    return tuple(dict.fromkeys(values))


def _read_summary(fields: object, key: str) -> SummaryProvenance:
    if fields is None:
        return SummaryProvenance("hand")
    method = fields.get("method", "hand") if isinstance(fields, dict) else None
    sources = fields.get("sources", []) if isinstance(fields, dict) else None
    _expect(method in METHODS and isinstance(sources, list), MEMORIES_INFO, key)
    _expect(all(isinstance(each, str) and len(each) <= MAX_CHATS for each in sources or ()), MEMORIES_INFO, key)
    return SummaryProvenance(str(method), tuple(sources or ()))


def _read_graph(entries: Mapping[str, bytes]) -> ArchiveGraph | None:
    if GRAPH not in entries:
        return None
    found = _read_json(entries, GRAPH)
    lists = {name: found.get(name, []) for name in _GRAPH_LISTS}
    for name, rows in lists.items():
        _expect(isinstance(rows, list) and all(isinstance(row, dict) for row in rows), GRAPH, name)
    return lists
