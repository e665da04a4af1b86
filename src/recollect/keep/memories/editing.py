"""Creating, merging, correcting and deleting a memory, and resolving its address."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from recollect.errors import InvalidField, Refused
from recollect.keep.call_conflicts import AlreadyExists, Ambiguous, Choice, ContentTooLarge, ItemNotFound, check_version
from recollect.keep.markdown import chat_ids_in
from recollect.keep.memories.daily_merge import count_bullets, merge_daily_texts
from recollect.keep.memories.memory_store import (
    derive_slug,
    edited_by_hand,
    extend_draft,
    find_memory,
    load_memories,
    memories_between,
    merge_unique,
    put_memory,
    remove_memory,
)
from recollect.keep.memory_formats import (
    CONTENT_LIMIT,
    INSTANCE,
    MEMORY_ID,
    SLUG,
    Granularity,
    MemoryPeriod,
    matches_format,
    parse_period,
)
from recollect.keep.memory_index.stored_memory import (
    SUMMARY_GRANULARITIES,
    MemoryDraft,
    StoredMemory,
    SummaryProvenance,
)
from recollect.keep.snapshot_store import Snapshot, create_snapshot, memory_subject
from recollect.store.change import Change
from recollect.store.view import View

OnExisting = Literal["merge", "replace", "error"]


class SlugRefused(Refused):
    def __init__(self) -> None:
        super().__init__("slug belongs to significant memories only; leave it out", field="slug")


class MergeRefused(Refused):
    def __init__(self) -> None:
        super().__init__(
            "onExisting merge is for daily memories only", field="onExisting", accepted=("replace", "error")
        )


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to write."""

    period: MemoryPeriod
    content: str
    instance: str
    chats: tuple[str, ...] = ()
    participants: tuple[str, ...] | None = None
    slug: str | None = None
    on_existing: OnExisting | None = None


@dataclass(frozen=True, slots=True)
class MemoryUpsert:
    """The stored memory, whether it is new, and how many of the given bullets were added or duplicates."""

    memory: StoredMemory
    is_new: bool
    added: int = 0
    duplicates: int = 0


def check_new_memory(new: NewMemory) -> None:
    """Refuse options that do not apply to the granularity."""
    if new.slug is not None and new.period.granularity != "significant":
        raise SlugRefused
    if new.on_existing == "merge" and new.period.granularity != "daily":
        raise MergeRefused


def upsert_memory(change: Change, new: NewMemory) -> MemoryUpsert:
    """Create a memory, or merge it into the existing one; unchanged if it adds nothing."""
    check_new_memory(new)
    draft = _new_draft(change, new)
    stored = find_memory(change, draft.id)
    if new.period.granularity == "significant" and new.slug is None:
        draft, stored = _free_slug(change, draft, new)
    if stored is None:
        return MemoryUpsert(put_memory(change, draft, new.content), True, count_bullets(new.content), 0)
    match new.on_existing or ("merge" if new.period.granularity == "daily" else "error"):
        case "merge":
            return _merge_into(change, stored, new)
        case "replace":
            return _replace_content(change, stored, new)
        case "error":
            return _refuse_unless_same(stored, new)


def _new_draft(change: Change, new: NewMemory) -> MemoryDraft:
    significant = new.period.granularity == "significant"
    return MemoryDraft(
        period=new.period,
        instance=new.instance,
        participants=merge_unique(new.participants or (new.instance,)),
        chats=merge_unique(new.chats, chat_ids_in(new.content)),
        created_at=change.now,
        updated_at=change.now,
        slug=(new.slug or derive_slug(new.content)) if significant else None,
        summary=SummaryProvenance("hand") if new.period.granularity in SUMMARY_GRANULARITIES else None,
    )


def _free_slug(change: Change, draft: MemoryDraft, new: NewMemory) -> tuple[MemoryDraft, StoredMemory | None]:
    """The derived slug of a memory with the same text, else the first numbered one that is free."""
    day = new.period.text
    known = {each.draft.slug: each for each in load_memories(change, memories_between(change, "significant", day, day))}
    slugs = [f"{draft.slug}-{count}" if count > 1 else draft.slug for count in range(1, len(known) + 2)]
    same = next((slug for slug in slugs if slug in known and known[slug].content == new.content), None)
    slug = same or next(slug for slug in slugs if slug not in known)
    return replace(draft, slug=slug), known.get(slug)


def _merge_into(change: Change, stored: StoredMemory, new: NewMemory) -> MemoryUpsert:
    joined = merge_daily_texts(stored.content, new.content)
    draft = extend_draft(stored.draft, (*new.chats, *chat_ids_in(new.content)), new.participants or ())
    if not joined.has_new and draft == stored.draft:
        return MemoryUpsert(stored, False, 0, joined.repeated)
    if len(joined.text.encode()) > CONTENT_LIMIT:
        raise ContentTooLarge("content", "1 MiB of UTF-8, with what is there already")
    memory = put_memory(change, replace(draft, updated_at=change.now), joined.text, is_grown=True)
    return MemoryUpsert(memory, False, joined.added, joined.repeated)


def _replace_content(change: Change, stored: StoredMemory, new: NewMemory) -> MemoryUpsert:
    draft = replace(
        stored.draft,
        chats=merge_unique(new.chats, chat_ids_in(new.content)),
        participants=merge_unique(new.participants) if new.participants else stored.draft.participants,
        summary=edited_by_hand(stored.draft.summary),
    )
    if new.content == stored.content and replace(draft, summary=stored.draft.summary) == stored.draft:
        return MemoryUpsert(stored, False, 0, count_bullets(new.content))
    memory = put_memory(change, replace(draft, updated_at=change.now), new.content)
    return MemoryUpsert(memory, False, count_bullets(new.content), 0)


def _refuse_unless_same(stored: StoredMemory, new: NewMemory) -> MemoryUpsert:
    if stored.content == new.content:
        return MemoryUpsert(stored, False, 0, count_bullets(new.content))
    raise AlreadyExists(f"{stored.id} exists and says something else", (stored.id,), field="date")


def correct_memory(
    change: Change, stored: StoredMemory, content: str, editor: str | None, expected: int | None
) -> StoredMemory:
    """Replace the text of a memory; everything else about it stays."""
    check_version(expected, stored.version, stored.id)
    if content == stored.content:
        return stored
    summary = edited_by_hand(stored.draft.summary)
    return put_memory(change, replace(stored.draft, updated_at=change.now, edited_by=editor, summary=summary), content)


def delete_memory(change: Change, stored: StoredMemory) -> Snapshot:
    """Delete a memory; the returned snapshot names the state before."""
    snapshot = create_snapshot(change, memory_subject(stored.id), "pre-delete")
    remove_memory(change, stored)
    return snapshot


MAX_CHOICES = 20
PREVIEW_LENGTH = 100


@dataclass(frozen=True, slots=True)
class MemoryAddress:
    """The parts by which a caller addresses a memory, its date parsed."""

    granularity: Granularity | None
    period: MemoryPeriod | None
    instance: str | None
    slug: str | None
    id: str | None

    @property
    def is_unique(self) -> bool:
        """Whether it can match only one memory, now and later."""
        match self.granularity if self.id is None else None:
            case "daily":
                return self.instance is not None
            case "significant":
                return self.slug is not None
            case _:
                return True


def parse_address(
    granularity: Granularity | None, date: str | None, instance: str | None, slug: str | None, id_: str | None
) -> MemoryAddress:
    """Parse an address; the date may be followed by an instance or a slug."""
    if id_ is not None and not matches_format(MEMORY_ID, id_):
        raise InvalidField("id", "should be as it was printed, such as daily-2026-05-12_psy-desk")
    if id_ is None and (granularity is None or date is None):
        raise InvalidField("date" if granularity else "granularity", "is required, unless id is given")
    if slug is not None and granularity not in (None, "significant"):
        raise SlugRefused
    if id_ is not None and granularity is None:
        granularity = cast(Granularity, id_.partition("-")[0])
    if granularity is None or date is None:
        return MemoryAddress(granularity, None, instance, slug, id_)
    day, separator, tail = date.partition("_")
    if separator and granularity == "daily":
        instance = _require_same_name(tail, instance, matches_format(INSTANCE, tail))
    elif separator and granularity == "significant":
        slug = _require_same_name(tail, slug, matches_format(SLUG, tail))
    else:
        day = date
    return MemoryAddress(granularity, parse_period(granularity, day), instance, slug, id_)


def _require_same_name(tail: str, given: str | None, is_valid: bool) -> str:
    if not is_valid or given not in (None, tail):
        raise InvalidField("date", "should end with the day, or with the name that is also given")
    return tail


def resolve_memory(view: View, address: MemoryAddress, *, strict: bool = False) -> StoredMemory:
    """The one live memory at an address; with `strict`, only if no other could ever match it."""
    found = matching_memories(view, address)
    if not found:
        message = f"there is no memory {_describe_address(address)}"
        raise ItemNotFound(message, field="id" if address.id else "date", listed_by="memory_list")
    if len(found) > 1 or (strict and not address.is_unique):
        wanted = "slug" if address.period and address.period.granularity == "significant" else "instanceId"
        message = f"{len(found)} memories fit {_describe_address(address)}; say which with {wanted} or id"
        raise Ambiguous(message, [describe_choice(each) for each in found[:MAX_CHOICES]], field=wanted)
    return found[0]


def resolve_edited_memory(view: View, address: MemoryAddress) -> StoredMemory:
    """The memory at an address; if the editor's instance has none, the only one of any instance.

    Hosts send their own instance with every edit, also of memories that another one wrote.
    """
    if address.instance is not None and address.id is None and not matching_memories(view, address):
        others = replace(address, instance=None)
        if matching_memories(view, others):
            return resolve_memory(view, others)
    return resolve_memory(view, address)


def matching_memories(view: View, address: MemoryAddress) -> list[StoredMemory]:
    """The live memories that match every part of an address, by id."""
    if address.id is not None:
        found = find_memory(view, address.id)
        candidates = [found] if found else []
    elif address.period is not None:
        period = address.period
        candidates = load_memories(view, memories_between(view, period.granularity, period.text, period.text))
    else:
        candidates = []
    return [each for each in candidates if _matches_address(each, address)]


def _matches_address(memory: StoredMemory, address: MemoryAddress) -> bool:
    draft = memory.draft
    by_instance = draft.period.granularity in ("daily", "significant")
    return (
        address.granularity in (None, draft.period.granularity)
        and (address.period is None or address.period == draft.period)
        and (address.slug is None or address.slug == draft.slug)
        and (address.instance is None or not by_instance or address.instance == draft.instance)
    )


def _describe_address(address: MemoryAddress) -> str:
    if address.id is not None:
        return f"{address.id}{_describe_more(address)}"
    parts: Sequence[str | None] = (address.instance, address.slug)
    name = f"{address.period.granularity} {address.period.text}" if address.period else ""
    return " ".join((name, *(part for part in parts if part)))


def _describe_more(address: MemoryAddress) -> str:
    """What an address says besides its id."""
    given = {
        "granularity": address.granularity,
        "date": address.period.text if address.period else None,
        "instanceId": address.instance,
        "slug": address.slug,
    }
    said = [f"{key} {value}" for key, value in given.items() if value and not (address.id or "").startswith(value)]
    return f" with {', '.join(said)}" if said else ""


def describe_choice(memory: StoredMemory) -> Choice:
    draft = memory.draft
    return {
        "id": memory.id,
        "granularity": draft.period.granularity,
        "date": draft.period.text,
        "slug": draft.slug,
        "sourceInstance": draft.instance,
        "title": memory.title,
        "preview": memory.content[:PREVIEW_LENGTH],
    }
