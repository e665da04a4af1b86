"""Restoring identity files and memories from a snapshot as new versions, and snapshots of everything."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.keep import identity_files as identity
from recollect.keep.call_conflicts import ItemNotFound
from recollect.keep.document_versions import documents_of, live_documents, remaining_text, texts_of
from recollect.keep.identity_files import identity_files
from recollect.keep.memories.memory_store import (
    UPDATED_AT,
    load_memory,
    memory_documents,
    remove_memory,
    restore_memory,
)
from recollect.keep.memory_formats import CATEGORIES
from recollect.keep.memory_index.stored_memory import MEMORY_KIND as MEMORY
from recollect.keep.snapshot_store import (
    ALL_MEMORIES,
    EVERYTHING,
    MEMORIES,
    WHOLE_STATE,
    Snapshot,
    SnapshotReason,
    SnapshotSubject,
    create_snapshot,
    create_snapshots,
    file_subject,
)
from recollect.model.document import Document
from recollect.model.progress import ProgressListener, ignore_progress, report_each
from recollect.store.change import Change
from recollect.store.view import View
from recollect.write.tombstones import is_hidden_source


class DocumentState(NamedTuple):
    """A document as it was, or as a text that lost a conflict would have made it, with its text."""

    document: Document
    text: str


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """How many items were restored, unchanged or removed, and the snapshot of the state before."""

    identity: int
    memories: int
    unchanged: int
    removed: int
    before: Snapshot | None


class NothingToRestore(ItemNotFound):
    def __init__(self, subject: SnapshotSubject) -> None:
        super().__init__(f"{subject.category}/{subject.filename} did not exist then")


def states_covered_by(view: View, subject: SnapshotSubject) -> list[DocumentState]:
    """All live documents that a subject covers, with their texts."""
    documents = live_documents(_documents(view, subject))
    texts = texts_of(view, documents)
    return [DocumentState(document, texts[document.id]) for document in documents]


def _documents(view: View, subject: SnapshotSubject) -> Sequence[Document]:
    if subject == WHOLE_STATE:
        return [*documents_of(view, identity.KIND), *memory_documents(view)]
    if subject == ALL_MEMORIES:
        return memory_documents(view)
    kind, key = document_key(subject)
    found = view.document_named(kind, key)
    return [found] if found else []


def document_key(subject: SnapshotSubject) -> tuple[str, str]:
    """The kind and key of the one document that a subject covers."""
    if subject.category in CATEGORIES:
        return identity.KIND, f"{subject.category}/{subject.filename}"
    return MEMORY, subject.stem


def snapshot_states(view: View, snapshot: Snapshot) -> list[DocumentState]:
    """What a snapshot covers: the text that it holds itself, else the state at its transaction."""
    if snapshot.held is not None:
        return _held_state(view, document_key(snapshot.subject), snapshot.held)
    return states_covered_by(view.at(snapshot.tx), snapshot.subject)


def _held_state(view: View, key: tuple[str, str], held: Mapping[str, Any]) -> list[DocumentState]:
    document = view.document_named(*key)
    if document is None:
        return []
    version = document._replace(title=held["title"], properties=held["properties"], deleted=None)
    return [DocumentState(version, held["text"])]


def parse_target(target: str) -> SnapshotSubject:
    """The subject of a target: `category/filename`, a memory id, `memories` or `all`."""
    if target == EVERYTHING:
        return WHOLE_STATE
    if target == MEMORIES:
        return ALL_MEMORIES
    category, slash, filename = target.partition("/")
    return SnapshotSubject(category, filename.removesuffix(".md")) if slash else SnapshotSubject(MEMORIES, target)


def restore(
    change: Change,
    subject: SnapshotSubject,
    then: Sequence[DocumentState],
    known: int,
    *,
    exact: bool,
    tell: ProgressListener = ignore_progress,
) -> RestoreResult:
    """Make these states current; with `exact`, documents of a whole set that are not among them are deleted.

    What was forgotten since is not restored. Documents are matched by key: one may have been deleted and created again.
    """
    is_set = subject in (ALL_MEMORIES, WHOLE_STATE)
    if not then and not is_set:
        raise NothingToRestore(subject)
    now = {_state_key(state): state for state in states_covered_by(change, subject)}
    wanted = {_state_key(state): state for state in (_without_forgotten(change, then) if is_set else then)}
    changed = [state for key, state in wanted.items() if not _is_unchanged(state, now.get(key))]
    extra = [state for key, state in now.items() if exact and is_set and key not in set(map(_state_key, then))]
    before = create_snapshot(change, subject, "pre-replace") if changed or extra else None
    for state in report_each(changed, tell):
        _restore_document(change, state, known)
    for state in extra:
        _remove_document(change, state.document)
    files = sum(state.document.kind == identity.KIND for state in changed)
    return RestoreResult(files, len(changed) - files, len(wanted) - len(changed), len(extra), before)


def _state_key(state: DocumentState) -> tuple[str, str]:
    return state.document.kind, state.document.key


def _without_forgotten(change: Change, states: Sequence[DocumentState]) -> Iterator[DocumentState]:
    for state in states:
        text = remaining_text(change, state.document.kind, state.text)
        stored = change.document_named(state.document.kind, state.document.key)
        if text is not None and not is_hidden_source(stored, text):
            yield state._replace(text=text)


def _is_unchanged(then: DocumentState, now: DocumentState | None) -> bool:
    return now is not None and then.text == now.text and _metadata(then.document) == _metadata(now.document)


def _metadata(document: Document) -> dict[str, object]:
    ignored = {identity.MODIFIED_BY, UPDATED_AT}
    return {key: value for key, value in document.properties.items() if key not in ignored}


def _restore_document(change: Change, state: DocumentState, known: int) -> None:
    document = state.document
    if document.kind == identity.KIND:
        identity.put_file(change, identity.path_of_key(document.key), state.text, dict(document.properties))
    else:
        restore_memory(change, document, state.text, change.at(known))


def _remove_document(change: Change, document: Document) -> None:
    if document.kind == identity.KIND:
        identity.remove_file(change, document)
    else:
        remove_memory(change, load_memory(change, document))


def snapshot_everything(
    change: Change, reason: SnapshotReason, *, flagged: bool = False, label: str | None = None
) -> list[Snapshot]:
    """Snapshot every file, all memories if there are any, and last the whole state."""
    subjects = [file_subject(*file.path) for file in identity_files(change)]
    subjects += [ALL_MEMORIES] if live_documents(memory_documents(change)) else []
    return create_snapshots(change, [*subjects, WHOLE_STATE], reason, flagged=flagged, label=label)
