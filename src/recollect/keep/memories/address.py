"""Which one memory a caller means; no guess is made where several fit."""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.errors import Refused
from recollect.keep.forms import INSTANCE, MEMORY_ID, SLUG, is_form
from recollect.keep.memories.dates import Granularity, Period, read_period
from recollect.keep.memories.keeping import Kept, find_memory, kept, memories_of
from recollect.keep.memories.making import SlugRefused
from recollect.keep.problems import Ambiguous, Choice, NotFound
from recollect.store.view import View

MOST_CHOICES = 20
PREVIEW = 100


class BadMemoryAddress(Refused):
    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field} {why}", field=field)


@dataclass(frozen=True, slots=True)
class Address:
    """What a caller says of a memory, its date read."""

    period: Period | None
    instance: str | None
    slug: str | None
    id: str | None

    @property
    def is_whole(self) -> bool:
        """Whether it can fit only one memory, now and later."""
        match self.period.granularity if self.period and self.id is None else None:
            case "daily":
                return self.instance is not None
            case "significant":
                return self.slug is not None
            case _:
                return True


def read_address(
    granularity: Granularity | None, date: str | None, instance: str | None, slug: str | None, id_: str | None
) -> Address:
    """The address with its parts told apart, also where the date carries an instance or a slug."""
    if id_ is not None and not is_form(MEMORY_ID, id_):
        raise BadMemoryAddress("id", "should be as it was printed, such as daily-2026-05-12_psy-desk")
    if id_ is None and (granularity is None or date is None):
        raise BadMemoryAddress("date" if granularity else "granularity", "is required, unless id is given")
    if slug is not None and granularity not in (None, "significant"):
        raise SlugRefused
    if granularity is None or date is None:
        if date is not None:
            raise BadMemoryAddress("granularity", "is required with date")
        return Address(None, instance, slug, id_)
    day, apart, tail = date.partition("_")
    if apart and granularity == "daily":
        instance = _agreed("date", tail, instance, is_form(INSTANCE, tail))
    elif apart and granularity == "significant":
        slug = _agreed("date", tail, slug, is_form(SLUG, tail))
    else:
        day = date
    return Address(read_period(granularity, day), instance, slug, id_)


def _agreed(field: str, tail: str, given: str | None, is_good: bool) -> str:
    if not is_good or given not in (None, tail):
        raise BadMemoryAddress(field, "should end with the day, or with the same name as is given beside it")
    return tail


def the_memory(view: View, address: Address, *, strict: bool = False) -> Kept:
    """The one live memory that fits; strict, only if nothing else could ever fit."""
    found = candidates(view, address)
    if not found:
        raise NotFound(f"there is no memory {_said(address)}", field="id" if address.id else "date")
    if len(found) > 1 or (strict and not address.is_whole):
        wanted = "slug" if address.period and address.period.granularity == "significant" else "instanceId"
        message = f"{len(found)} memories fit {_said(address)}; say which with {wanted} or id"
        raise Ambiguous(message, [choice(each) for each in found[:MOST_CHOICES]], field=wanted)
    return found[0]


def candidates(view: View, address: Address) -> list[Kept]:
    """The live memories that fit everything given, by id."""
    if address.id is not None:
        found = find_memory(view, address.id)
        nearby = [found] if found else []
    elif address.period is not None:
        period = address.period
        nearby = kept(view, memories_of(view, period.granularity, period.text, period.text))
    else:
        nearby = []
    return [each for each in nearby if _fits(each, address)]


def _fits(memory: Kept, address: Address) -> bool:
    draft = memory.draft
    by_instance = draft.period.granularity in ("daily", "significant")
    return (
        (address.period is None or address.period == draft.period)
        and (address.slug is None or address.slug == draft.slug)
        and (address.instance is None or not by_instance or address.instance == draft.instance)
    )


def _said(address: Address) -> str:
    if address.id is not None:
        return address.id
    parts: Sequence[str | None] = (address.instance, address.slug)
    name = f"{address.period.granularity} {address.period.text}" if address.period else ""
    return " ".join((name, *(part for part in parts if part)))


def choice(memory: Kept) -> Choice:
    draft = memory.draft
    return {
        "id": memory.id,
        "granularity": draft.period.granularity,
        "date": draft.period.text,
        "slug": draft.slug,
        "sourceInstance": draft.instance,
        "title": memory.title,
        "preview": memory.content[:PREVIEW],
    }
