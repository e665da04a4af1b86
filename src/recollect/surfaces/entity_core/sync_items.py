"""What an embodiment pushes: identity files and memories as it has them, checked before anything is written."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Annotated, Any, NotRequired

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from recollect.keep.forms import CONTENT_LIMIT, is_visible, normal_text
from recollect.keep.identity.blocks import chats_in
from recollect.keep.identity.files import Place
from recollect.keep.memories.dates import read_period
from recollect.keep.memories.entry import SUMMARIES, MemoryDraft, Summary
from recollect.keep.memories.keeping import derived_slug, find_memory, union
from recollect.keep.problems import TooLarge
from recollect.keep.sync.push import FileItem, Item, MemoryItem
from recollect.store.view import View
from recollect.surfaces.entity_core.shapes import (
    Author,
    Category,
    ChatIds,
    Filename,
    Granularity,
    InstanceId,
    Instances,
    InstanceType,
    PromptLabel,
    Slug,
    text_of,
)
from recollect.surfaces.entity_core.surface import camel
from recollect.surfaces.problems import BadArgument
from recollect.surfaces.shapes import Flag, Whole, refuse
from recollect.when.instant import Instant, read_instant
from recollect.when.problems import BadTime

MOST_ITEMS = 5000
MOST_BYTES = 32 << 20
PRINTED_BESIDE = frozenset({"id", "title", "summary", "tx"})
"""Of a memory, what `sync_pull` prints and a push does not ask for."""


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise refuse("should not contain NUL")
    return normal_text(text)


def _spelled(value: Any) -> Any:
    """The item with its keys in camelCase and without those that are null."""
    if not isinstance(value, Mapping):
        return value
    given = {key: inner for key, inner in value.items() if inner is not None}
    spelled: dict[Any, Any] = {}
    for key, inner in given.items():
        name = camel(key) if isinstance(key, str) and key.islower() else key
        if spelled.setdefault(name, inner) != inner:
            raise refuse(f"should not have {name} in two spellings that differ")
    return spelled


def _as_pulled(value: Any) -> Any:
    """The item without what a pull printed beside it: its id, if that is its own, and what follows from the rest."""
    item = _spelled(value)
    if not isinstance(item, dict) or (item.get("id") and not _is_own_id(item)):
        return item
    return {key: inner for key, inner in item.items() if key not in PRINTED_BESIDE}


def _is_own_id(item: Mapping[str, Any]) -> bool:
    start = f"{item.get('granularity')}-{item.get('date')}"
    rest = {"daily": item.get("sourceInstance"), "significant": item.get("slug")}.get(item.get("granularity", ""))
    return bool(item["id"] == (f"{start}_{rest}" if rest else start))


Spelled = BeforeValidator(_spelled)
Pulled = BeforeValidator(_as_pulled)
BaseVersion = Annotated[int, Field(ge=0, description="The version it started from"), Whole]
InstantText = Annotated[str, Field(max_length=64, description="ISO 8601")]
PushedText = Annotated[str, AfterValidator(_without_nul)]


@with_config(ConfigDict(extra="forbid", strict=True))
class InstanceGiven(TypedDict):
    """Who pushes."""

    id: InstanceId
    type: InstanceType
    name: NotRequired[Annotated[str, text_of(200)]]
    version: NotRequired[float]


@with_config(ConfigDict(extra="forbid", strict=True))
class FileGiven(TypedDict):
    """An identity file as the embodiment has it."""

    category: Category
    filename: Filename
    content: NotRequired[PushedText]
    version: NotRequired[BaseVersion]
    lastModified: NotRequired[InstantText]
    modifiedBy: NotRequired[Author]
    promptLabel: NotRequired[PromptLabel]
    deleted: NotRequired[Flag]


@with_config(ConfigDict(extra="forbid", strict=True))
class MemoryGiven(TypedDict):
    """A memory as the embodiment has it."""

    granularity: Granularity
    date: Annotated[str, Field(max_length=10)]
    sourceInstance: InstanceId
    content: NotRequired[PushedText]
    chatIds: NotRequired[ChatIds]
    participatingInstances: NotRequired[Instances]
    version: NotRequired[BaseVersion]
    createdAt: NotRequired[InstantText]
    updatedAt: NotRequired[InstantText]
    slug: NotRequired[Slug]
    editedBy: NotRequired[Author]
    deleted: NotRequired[Flag]


Pusher = Annotated[InstanceGiven, Spelled, Field(description="The embodiment that pushes")]
FilesGiven = Annotated[list[Annotated[FileGiven, Spelled]], Field(description="Identity files it changed")]
MemoriesGiven = Annotated[list[Annotated[MemoryGiven, Pulled]], Field(description="Memories it changed")]


def items_of(view: View, pusher: str, files: list[FileGiven], memories: list[MemoryGiven]) -> list[Item]:
    """All items, each checked and none of them twice."""
    if len(files) + len(memories) > MOST_ITEMS:
        raise TooLarge("memoryChanges" if memories else "identityChanges", f"{MOST_ITEMS} changes in all")
    if sum(len(each.get("content", "").encode()) for each in (*files, *memories)) > MOST_BYTES:
        raise TooLarge("memoryChanges" if memories else "identityChanges", "32 MiB in all")
    zone = view.world.zone
    found: list[Item] = [_file(each, f"identityChanges[{at}]", pusher, zone) for at, each in enumerate(files)]
    taken: dict[str, str | None] = {}
    for at, each in enumerate(memories):
        item = _memory(view, each, f"memoryChanges[{at}]")
        if "slug" not in each and not each.get("version"):
            item = _freely_named(view, item, taken)
        taken[item.id] = item.text
        found.append(item)
    _check_once(found)
    return found


def _freely_named(view: View, item: MemoryItem, taken: Mapping[str, str | None]) -> MemoryItem:
    """A significant memory without a slug of its own takes a place that no other text holds."""
    slug, count = item.draft.slug, 1
    while item.draft.slug is not None:
        held = find_memory(view, item.id)
        if taken.get(item.id, held.content if held else item.text) == item.text:
            break
        count += 1
        item = replace(item, draft=replace(item.draft, slug=f"{slug}-{count}"))
    return item


def _check_once(items: list[Item]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for item in items:
        first = seen.setdefault((item.kind, item.id), item.field)
        if first != item.field:
            raise BadArgument(item.field, "bad_value", f"{item.field} is the same item as {first}: {item.id}")


def _file(given: FileGiven, field: str, pusher: str, zone: tzinfo) -> FileItem:
    place = Place(given["category"], given["filename"])
    is_deleted = given.get("deleted", False)
    if is_deleted and place.category != "custom":
        raise BadArgument(f"{field}.deleted", "bad_value", f"{field}.deleted is for files of category custom only")
    text = None if is_deleted else _content(given, field, is_enough=bool)
    at = _instant(given, "lastModified", field, zone)
    by = given.get("modifiedBy", pusher)
    return FileItem(field, place, text, given.get("promptLabel"), given.get("version"), at, by)


def _memory(view: View, given: MemoryGiven, field: str) -> MemoryItem:
    granularity, zone = given["granularity"], view.world.zone
    period = read_period(granularity, given["date"], f"{field}.date")
    if "slug" in given and granularity != "significant":
        raise BadArgument(f"{field}.slug", "bad_value", f"{field}.slug belongs to significant memories only")
    text = None if given.get("deleted") else _content(given, field, is_enough=is_visible)
    if granularity == "significant" and "slug" not in given and text is None:
        raise BadArgument(f"{field}.slug", "missing", f"{field}.slug is required to say which memory was deleted")
    updated = _instant(given, "updatedAt", field, zone)
    draft = MemoryDraft(
        period,
        given["sourceInstance"],
        union(given.get("participatingInstances") or (given["sourceInstance"],)),
        union(given.get("chatIds", ()), chats_in(text or "")),
        _instant(given, "createdAt", field, zone) or updated or view.now,
        updated or view.now,
        (given.get("slug") or derived_slug(text or "")) if granularity == "significant" else None,
        given.get("editedBy"),
        Summary("hand") if granularity in SUMMARIES else None,
    )
    return MemoryItem(field, draft, text, given.get("version"), updated)


def _content(given: FileGiven | MemoryGiven, field: str, is_enough: Callable[[str], bool]) -> str:
    text = given.get("content", "")
    if not is_enough(text):
        raise BadArgument(f"{field}.content", "missing", f"{field}.content should not be empty, unless it is deleted")
    if len(text.encode()) > CONTENT_LIMIT:
        raise TooLarge(f"{field}.content", "1 MiB of UTF-8")
    return text


def _instant(given: Mapping[str, Any], key: str, field: str, zone: tzinfo) -> Instant | None:
    if key not in given:
        return None
    try:
        return read_instant(given[key], zone)
    except BadTime as problem:
        raise BadArgument(f"{field}.{key}", "bad_value", f"{field}.{key}: {problem}") from None
