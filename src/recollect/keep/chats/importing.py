"""Taking an export in: each conversation with its days in one transaction, so that a run can stop anywhere."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect.errors import Refused
from recollect.ingest.chats.conversation import BadConversation, Conversation, digest_of, timed
from recollect.ingest.chats.export import Reading, read_export
from recollect.ingest.chats.files import File, files_of
from recollect.keep.chats.bullets import Bullet, bullets_of
from recollect.keep.chats.compare import Compared, Outcome, begins_alike, compare, first_time, keyed
from recollect.keep.chats.days import Days, by_day, forget_gone, remember
from recollect.keep.chats.options import Options
from recollect.keep.chats.stored import (
    KIND,
    Keyed,
    Stored,
    find_stored,
    messages_of,
    place_of,
    store_conversation,
    with_fingerprint,
)
from recollect.keep.memories.dates import Period
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant, local_date

Tell = Callable[[int, int], None]
OUTCOMES: tuple[Outcome, ...] = ("new", "grown", "changed", "unchanged", "older")


@dataclass(frozen=True, slots=True)
class Unread:
    """A conversation that could not be read: in which file, at which place, and why."""

    file: str
    index: int
    id: str | None
    reason: str


@dataclass(slots=True)
class Report:
    """What became of an export."""

    kind: str
    files: int = 0
    conversations: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    messages_added: int = 0
    days: Days = field(default_factory=Days)
    skipped: list[Unread] = field(default_factory=list)


class _OnlyTried(Exception):
    """Ends a transaction that is not to be kept."""


def take_export(memory: Memory, path: Path, kind: str, options: Options, tell: Tell | None = None) -> Report:
    """Take in every conversation of a file or ZIP; what is there already is passed over."""
    report, files = Report(kind), files_of(path)
    sizes = [file.size for file in files]
    for place, file in enumerate(files):
        report.files += 1
        for item in read_export(file, kind, _reading(memory, options)):
            if isinstance(item.found, BadConversation):
                report.skipped.append(Unread(file.name, item.place, item.found.id, str(item.found)))
            else:
                _take_or_skip(memory, file, item.place, item.found, options, report)
            if tell is not None:
                tell(sum(sizes[:place]) + min(item.done, sizes[place]), sum(sizes))
    return report


def _reading(memory: Memory, options: Options) -> Reading:
    def is_known(found: Conversation) -> bool:
        with memory.read() as view:
            return find_stored(view, found.fingerprint) is not None

    with memory.read() as view:
        zone = options.zone or view.world.zone
    return Reading(zone, options.assistant, is_known)


def _take_or_skip(
    memory: Memory, file: File, place: int, found: Conversation, options: Options, report: Report
) -> None:
    try:
        _take(memory, file, found, options, report)
    except Refused as problem:
        report.skipped.append(Unread(file.name, place, found.id, str(problem)))


def _take(memory: Memory, file: File, given: Conversation, options: Options, report: Report) -> None:
    instance = options.instance or report.kind
    found = timed(given, file.changed_at, memory.clock.now())
    acting = replace(memory, actor=Actor("cli", "ingest", instance))
    outcome: Outcome | None = None
    while outcome is None:
        with memory.read() as view:
            work = _worked_out(view, found, file, options)
            fresh = by_day(view, work.fresh) if options.memories == "daily" else {}
        days = {day: bullets_of(messages, work.key, instance, memory.model) for day, messages in fresh.items()}
        outcome = _written(acting, work, _Daily(instance, days), options, report)
    report.conversations[outcome] += 1


def _written(memory: Memory, work: "_Work", daily: "_Daily", options: Options, report: Report) -> Outcome | None:
    """What became of a conversation; none if another process changed it meanwhile."""
    if work.compared.outcome in ("unchanged", "older"):
        return work.compared.outcome
    try:
        with memory.write() as change:
            held = change.document_named(KIND, work.key)
            if (held.tx_from if held else None) != work.held_tx:
                return None
            _write(change, work, daily, report)
            if options.dry_run:
                raise _OnlyTried
    except _OnlyTried:
        pass
    return work.compared.outcome


@dataclass(frozen=True, slots=True)
class _Work:
    """A conversation and what is to be done with it."""

    key: str
    found: Conversation
    file: File
    compared: Compared
    held_tx: int | None = None

    @property
    def fresh(self) -> list[Keyed]:
        """The messages that are new, or say something else now."""
        return [each for each in self.compared.messages if each.key in self.compared.fresh]


@dataclass(frozen=True, slots=True)
class _Daily:
    """What is to be remembered of a conversation, day by day, and as whom."""

    instance: str
    days: Mapping[Period, Sequence[Bullet]]


def _worked_out(view: View, found: Conversation, file: File, options: Options) -> _Work:
    incoming = keyed(found)
    key, held = _same(view, found, incoming, file)
    if held is None:
        deleted = view.document_named(KIND, key)
        wanted = list(_since(view, incoming, options, frozenset()))
        compared = first_time(wanted) if wanted else Compared("unchanged")
        return _Work(key, found, file, compared, deleted.tx_from if deleted else None)
    if options.since is None and held.digest == _digest(incoming):
        return _Work(key, found, file, Compared("unchanged"))
    stored = messages_of(view, held)
    wanted = list(_since(view, incoming, options, frozenset(each.key for each in stored)))
    compared = compare(stored, wanted, stored_at=held.updated_at, incoming_at=_updated(found, wanted))
    return _Work(key, found, file, compared, held.document.tx_from)


def _updated(found: Conversation, messages: Sequence[Keyed]) -> Instant | None:
    if found.updated_at is not None:
        return found.updated_at
    return max((each.message.at for each in messages if each.message.at is not None), default=None)


def _digest(messages: list[Keyed]) -> str:
    return digest_of((each.key for each in messages), (each.message.content for each in messages))


def _since(view: View, messages: list[Keyed], options: Options, known: frozenset[str]) -> Iterator[Keyed]:
    """The messages from a day on, and those before it that are stored already."""
    zone = view.world.zone
    for each in messages:
        at = each.message.at
        if options.since is None or each.key in known or (at is not None and local_date(at, zone) >= options.since):
            yield each


def _same(view: View, found: Conversation, incoming: list[Keyed], file: File) -> tuple[str, Stored | None]:
    """The stored conversation that this one is, and the key that it has or is to have."""
    if found.id is not None:
        return found.id, find_stored(view, found.id)
    number = 1
    for held in with_fingerprint(view, found.fingerprint):
        if held.file == file.name or begins_alike(messages_of(view, held), incoming):
            return held.document.key, held
        number += 1
    return place_of(found.fingerprint, number), None


def _write(change: Change, work: _Work, daily: _Daily, report: Report) -> None:
    compared = work.compared
    document = store_conversation(change, work.key, work.found, compared.messages, work.file.name)
    report.messages_added += len(compared.fresh)
    if compared.gone:
        forget_gone(change, document, compared.gone, report.days)
    remember(change, document, daily.instance, daily.days, report.days)
