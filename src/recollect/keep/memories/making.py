"""Making a memory: the first of its name, joined with the one of the day, or in place of what is there."""

from dataclasses import dataclass, replace
from typing import Literal

from recollect.errors import Refused
from recollect.keep.forms import CONTENT_LIMIT
from recollect.keep.identity.blocks import chats_in
from recollect.keep.memories.daily_merge import count_bullets, merge_texts
from recollect.keep.memories.dates import Period
from recollect.keep.memories.keeping import (
    SUMMARIES,
    Kept,
    MemoryDraft,
    Summary,
    derived_slug,
    find_memory,
    kept,
    memories_of,
    put_memory,
    union,
)
from recollect.keep.problems import AlreadyExists, TooLarge
from recollect.store.change import Change

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
    """A memory as somebody gives it."""

    period: Period
    content: str
    instance: str
    chats: tuple[str, ...] = ()
    participants: tuple[str, ...] | None = None
    slug: str | None = None
    on_existing: OnExisting | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """The memory as it now stands, whether it is new, and what became of the bullets."""

    memory: Kept
    is_new: bool
    added: int = 0
    repeated: int = 0


def check_new(new: NewMemory) -> None:
    """Refuse what fits no memory of this granularity."""
    if new.slug is not None and new.period.granularity != "significant":
        raise SlugRefused
    if new.on_existing == "merge" and new.period.granularity != "daily":
        raise MergeRefused


def make_memory(change: Change, new: NewMemory) -> Made:
    """The memory, made or joined with what is there; unchanged if it says nothing new."""
    check_new(new)
    draft = _first(change, new)
    held = find_memory(change, draft.id)
    if new.period.granularity == "significant" and new.slug is None:
        draft, held = _free_place(change, draft, new)
    if held is None:
        return Made(put_memory(change, draft, new.content), True, count_bullets(new.content), 0)
    match new.on_existing or ("merge" if new.period.granularity == "daily" else "error"):
        case "merge":
            return _merged(change, held, new)
        case "replace":
            return _replaced(change, held, new)
        case "error":
            return _same_or_refused(held, new)


def _first(change: Change, new: NewMemory) -> MemoryDraft:
    significant = new.period.granularity == "significant"
    return MemoryDraft(
        period=new.period,
        instance=new.instance,
        participants=union(new.participants or (new.instance,)),
        chats=union(new.chats, chats_in(new.content)),
        created_at=change.now,
        updated_at=change.now,
        slug=(new.slug or derived_slug(new.content)) if significant else None,
        summary=Summary("hand") if new.period.granularity in SUMMARIES else None,
    )


def _free_place(change: Change, draft: MemoryDraft, new: NewMemory) -> tuple[MemoryDraft, Kept | None]:
    """A place under a derived slug: that of a memory with the same text, else the first that is free."""
    day = new.period.text
    held = {each.draft.slug: each for each in kept(change, memories_of(change, "significant", day, day))}
    slugs = (f"{draft.slug}-{count}" if count > 1 else draft.slug for count in range(1, len(held) + 2))
    places = list(slugs)
    same = next((slug for slug in places if slug in held and held[slug].content == new.content), None)
    slug = same or next(slug for slug in places if slug not in held)
    return replace(draft, slug=slug), held.get(slug)


def _merged(change: Change, held: Kept, new: NewMemory) -> Made:
    joined = merge_texts(held.content, new.content)
    draft = replace(
        held.draft,
        chats=union(held.draft.chats, new.chats, chats_in(new.content)),
        participants=union(held.draft.participants, new.participants or ()),
    )
    if not joined.has_new and draft == held.draft:
        return Made(held, False, 0, joined.repeated)
    if len(joined.text.encode()) > CONTENT_LIMIT:
        raise TooLarge("content", "1 MiB of UTF-8, with what is there already")
    memory = put_memory(change, replace(draft, updated_at=change.now), joined.text, is_grown=True)
    return Made(memory, False, joined.added, joined.repeated)


def _replaced(change: Change, held: Kept, new: NewMemory) -> Made:
    draft = replace(
        held.draft,
        chats=union(new.chats, chats_in(new.content)),
        participants=union(new.participants) if new.participants else held.draft.participants,
        summary=Summary("hand", held.draft.summary.sources) if held.draft.summary else None,
    )
    if new.content == held.content and replace(draft, summary=held.draft.summary) == held.draft:
        return Made(held, False, 0, count_bullets(new.content))
    memory = put_memory(change, replace(draft, updated_at=change.now), new.content)
    return Made(memory, False, count_bullets(new.content), 0)


def _same_or_refused(held: Kept, new: NewMemory) -> Made:
    if held.content == new.content:
        return Made(held, False, 0, count_bullets(new.content))
    raise AlreadyExists(f"{held.id} exists and says something else", (held.id,), field="date")
