"""Import of chat exports: each conversation with its days in one transaction, so a run can stop anywhere."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, tzinfo
from pathlib import Path
from typing import Literal

from recollect.errors import Refused
from recollect.ingest.chats.conversation import BadConversation, ChatConversation, messages_digest, with_message_times
from recollect.ingest.chats.export_file import ExportFile, export_files
from recollect.ingest.chats.export_reader import ExportOptions, read_export
from recollect.ingest.extract.chat_text import MOST_TURNS, HumanTurn, parse_turn, read_chat
from recollect.ingest.extract.close_items import close_answered_items
from recollect.ingest.extract.record_text import ReadingRun
from recollect.ingest.extract.rules import rule_assertions
from recollect.keep.chats.conversations import (
    ConversationDiff,
    ImportOutcome,
    KeyedMessage,
    StoredConversation,
    conversation_key,
    conversations_with_fingerprint,
    diff_conversation,
    find_conversation,
    has_false_mark,
    have_common_prefix,
    key_messages,
    messages_of,
    new_conversation,
    render_transcript,
    renew_marks,
    store_conversation,
)
from recollect.keep.chats.daily_bullets import (
    Bullet,
    DailyMemoryChanges,
    add_bullets,
    group_by_day,
    make_bullets,
    remove_stale_bullets,
)
from recollect.keep.memory_formats import MemoryPeriod
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.model.document import CONVERSATION
from recollect.store.change import Change
from recollect.store.view import View
from recollect.text.redaction import SecretPolicy, apply_policy, secret_policy
from recollect.text_models.pair_model import reader_for
from recollect.when.instant import Instant, local_date


@dataclass(frozen=True, slots=True)
class ChatImportOptions:
    """Whose memories a chat becomes, how its times are read, and what is stored of it."""

    instance: str | None = None
    zone: tzinfo | None = None
    assistant: str | None = None
    memories: Literal["daily", "none"] = "daily"
    since: date | None = None
    dry_run: bool = False


ChatImportProgress = Callable[[int, int], None]
OUTCOMES: tuple[ImportOutcome, ...] = ("new", "grown", "changed", "unchanged", "older")


@dataclass(frozen=True, slots=True)
class UnreadConversation:
    """A conversation that could not be imported: its file and position, and why."""

    file: str
    index: int
    id: str | None
    reason: str


@dataclass(slots=True)
class ChatImportReport:
    """The result of an import."""

    kind: str
    files: int = 0
    conversations: dict[ImportOutcome, int] = field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    messages_added: int = 0
    empty: int = 0
    """Conversations without any text, which are among the unchanged."""
    unread_messages: int = 0
    """Entries among the messages of conversations that are none."""
    attached_texts: list[str] = field(default_factory=list)
    """Names of attached files whose text the export holds."""
    days: DailyMemoryChanges = field(default_factory=DailyMemoryChanges)
    skipped: list[UnreadConversation] = field(default_factory=list)
    facts: int = 0
    """Facts that conversations state, also known ones."""
    new_facts: int = 0
    pending: int = 0
    run: ReadingRun = field(default_factory=ReadingRun)


def import_chats(
    memory: Memory, path: Path, kind: str, options: ChatImportOptions, tell: ChatImportProgress | None = None
) -> ChatImportReport:
    """Import every conversation of a file or ZIP; unchanged ones are skipped."""
    report, files = ChatImportReport(kind, run=ReadingRun(reader=reader_for(memory.settings))), export_files(path)
    sizes = [file.size for file in files]
    with memory.read() as view:
        begun = view.last_tx
    for place, file in enumerate(files):
        report.files += 1
        for item in read_export(file, kind, _reader_options(memory, options)):
            if isinstance(item.result, BadConversation):
                report.skipped.append(UnreadConversation(file.name, item.place, item.result.id, str(item.result)))
            else:
                _import_or_skip(memory, file, item.place, item.result, options, report)
            if tell is not None:
                tell(sum(sizes[:place]) + min(item.bytes_read, sizes[place]), sum(sizes))
    if report.facts and not options.dry_run:
        close_answered_items(memory, begun)
    return report


def _reader_options(memory: Memory, options: ChatImportOptions) -> ExportOptions:
    def is_known(found: ChatConversation) -> bool:
        with memory.read() as view:
            return find_conversation(view, found.fingerprint) is not None

    with memory.read() as view:
        zone = options.zone or view.world.zone
    return ExportOptions(zone, options.assistant, is_known)


def _import_or_skip(
    memory: Memory,
    file: ExportFile,
    place: int,
    found: ChatConversation,
    options: ChatImportOptions,
    report: ChatImportReport,
) -> None:
    try:
        _import_conversation(memory, file, found, options, report)
    except Refused as problem:
        report.skipped.append(UnreadConversation(file.name, place, found.id, str(problem)))


def _import_conversation(
    memory: Memory, file: ExportFile, given: ChatConversation, options: ChatImportOptions, report: ChatImportReport
) -> None:
    instance = options.instance or report.kind
    report.empty += not given.messages
    report.unread_messages += given.unread
    report.attached_texts += [name for each in given.messages for name in each.attached_texts]
    with memory.read() as view:
        policy = secret_policy(memory.settings_in(view), "mask")
    found = _guard_secrets(with_message_times(given, file.changed_at, memory.clock.now()), policy)
    acting = replace(memory, actor=Actor("cli", "ingest", instance, trust=memory.actor.trust))
    outcome: ImportOutcome | None = None
    while outcome is None:
        with memory.read() as view:
            work = _plan_import(view, found, file, options)
            fresh = group_by_day(view, work.fresh) if options.memories == "daily" else {}
            zone = view.world.timeline.zone
        work = replace(work, turns=tuple(_human_turns(work.compared.messages, zone)))
        days = {day: make_bullets(messages, work.key, instance, memory.model) for day, messages in fresh.items()}
        outcome = _write_unless_changed(acting, work, _DailyBullets(instance, days), options, report)
    report.conversations[outcome] += 1
    if work.stored is not None and not options.dry_run:
        _correct_marks(acting, work.stored)


def _correct_marks(memory: Memory, stored: StoredConversation) -> None:
    with memory.read() as view:
        if not has_false_mark(view, stored):
            return
    with memory.write() as change:
        latest = find_conversation(change, stored.document.key)
        if latest is not None and has_false_mark(change, latest):
            renew_marks(change, latest)


def _guard_secrets(found: ChatConversation, policy: SecretPolicy) -> ChatConversation:
    """The conversation as the policy for secrets lets it be stored."""
    messages = [replace(each, content=apply_policy(each.content, policy).text) for each in found.messages]
    return replace(found, messages=tuple(messages))


def _write_unless_changed(
    memory: Memory, work: "_ImportPlan", daily: "_DailyBullets", options: ChatImportOptions, report: ChatImportReport
) -> ImportOutcome | None:
    """The outcome of a conversation; none if another process changed it meanwhile."""
    if work.compared.outcome in ("unchanged", "older"):
        return work.compared.outcome
    with memory.write(dry_run=options.dry_run) as change:
        conversation = change.document_named(CONVERSATION, work.key)
        if (conversation.tx_from if conversation else None) != work.stored_tx:
            return None
        _write_conversation(change, work, daily, report)
    return work.compared.outcome


@dataclass(frozen=True, slots=True)
class _ImportPlan:
    """A conversation and how it differs from the stored one."""

    key: str
    found: ChatConversation
    file: ExportFile
    compared: ConversationDiff
    stored_tx: int | None = None
    turns: tuple[HumanTurn, ...] = ()
    stored: StoredConversation | None = None
    """The conversation that is stored already, if the export is equal to it."""

    @property
    def fresh(self) -> list[KeyedMessage]:
        """The messages that are new or changed."""
        return [each for each in self.compared.messages if each.key in self.compared.new_keys]


@dataclass(frozen=True, slots=True)
class _DailyBullets:
    """The bullets of a conversation by day, and the instance that they are written as."""

    instance: str
    days: Mapping[MemoryPeriod, Sequence[Bullet]]


def _plan_import(view: View, found: ChatConversation, file: ExportFile, options: ChatImportOptions) -> _ImportPlan:
    incoming = key_messages(found)
    key, conversation = _match_stored(view, found, incoming, file)
    if conversation is None:
        deleted = view.document_named(CONVERSATION, key)
        wanted = list(_messages_since(view, incoming, options, frozenset()))
        compared = new_conversation(wanted) if wanted else ConversationDiff("unchanged")
        return _ImportPlan(key, found, file, compared, deleted.tx_from if deleted else None)
    if options.since is None and conversation.digest == _digest_messages(incoming):
        return _ImportPlan(key, found, file, ConversationDiff("unchanged"), stored=conversation)
    stored = messages_of(view, conversation)
    wanted = list(_messages_since(view, incoming, options, frozenset(each.key for each in stored)))
    compared = diff_conversation(
        stored, wanted, stored_at=conversation.updated_at, incoming_at=_last_update(found, wanted)
    )
    return _ImportPlan(key, found, file, compared, conversation.document.tx_from)


def _last_update(found: ChatConversation, messages: Sequence[KeyedMessage]) -> Instant | None:
    if found.updated_at is not None:
        return found.updated_at
    return max((each.message.at for each in messages if each.message.at is not None), default=None)


def _digest_messages(messages: list[KeyedMessage]) -> str:
    return messages_digest((each.key for each in messages), (each.message.content for each in messages))


def _messages_since(
    view: View, messages: list[KeyedMessage], options: ChatImportOptions, known: frozenset[str]
) -> Iterator[KeyedMessage]:
    """The messages from a day on, and those before it that are stored already."""
    zone = view.world.zone
    for each in messages:
        at = each.message.at
        if options.since is None or each.key in known or (at is not None and local_date(at, zone) >= options.since):
            yield each


def _match_stored(
    view: View, found: ChatConversation, incoming: list[KeyedMessage], file: ExportFile
) -> tuple[str, StoredConversation | None]:
    """The key of a conversation, and its stored version if there is one."""
    if found.id is not None:
        return found.id, find_conversation(view, found.id)
    number = 1
    for conversation in conversations_with_fingerprint(view, found.fingerprint):
        if conversation.file == file.name or have_common_prefix(messages_of(view, conversation), incoming):
            return conversation.document.key, conversation
        number += 1
    return conversation_key(found.fingerprint, number), None


def _human_turns(messages: Sequence[KeyedMessage], zone: tzinfo) -> Iterator[HumanTurn]:
    """The person's turns with a time, placed in the transcript and parsed."""
    _, spans = render_transcript(messages)
    placed = [
        (start, each.message.content, each.message.at)
        for each, (start, _) in zip(messages, spans, strict=True)
        if each.message.role == "user" and each.message.at is not None
    ]
    for start, text, at in placed[:MOST_TURNS]:
        parsed = parse_turn(start, text, at, zone)
        if parsed is not None:
            yield parsed


def _write_conversation(change: Change, work: _ImportPlan, daily: _DailyBullets, report: ChatImportReport) -> None:
    compared, first = work.compared, change.new_id()
    document = store_conversation(change, work.key, work.found, compared.messages, work.file.name)
    said = rule_assertions(change, document)
    found = read_chat(change, document, work.turns, said, report.run)
    report.facts += found.facts
    report.new_facts += change.touched.count_facts_after(first)
    report.pending += found.pending
    report.messages_added += len(compared.new_keys)
    if compared.removed_keys:
        remove_stale_bullets(change, document, compared.removed_keys, report.days)
    add_bullets(change, document, daily.instance, daily.days, report.days)
