"""Making an earlier state current again: as new versions, with nothing in history rewritten."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.keep.artifacts.versions import documents_of, live, past, texts_of
from recollect.keep.forgetting.tombstones import left_of
from recollect.keep.forms import CATEGORIES
from recollect.keep.identity import files as identity
from recollect.keep.memories import remembered
from recollect.keep.memories.entry import KIND as MEMORY
from recollect.keep.problems import NotFound
from recollect.keep.snapshots.naming import ALL_MEMORIES, EVERYTHING, MEMORIES, WHOLE, Snapshot, Subject, name_one
from recollect.model.document import Document
from recollect.model.progress import Told, counted, tell_nobody
from recollect.store.change import Change
from recollect.store.view import View


class State(NamedTuple):
    """A document as it once was, or as it would have been, with its text."""

    document: Document
    text: str


@dataclass(frozen=True, slots=True)
class Restored:
    """How much was brought back, was so already or was removed, and the name of the state before."""

    identity: int
    memories: int
    unchanged: int
    removed: int
    before: Snapshot | None


class NothingThere(NotFound):
    def __init__(self, subject: Subject) -> None:
        super().__init__(f"{subject.category}/{subject.filename} did not exist then")


def covered(view: View, subject: Subject) -> list[State]:
    """Everything that a subject covers in a view, live things only."""
    documents = live(_documents(view, subject))
    texts = texts_of(view, documents)
    return [State(document, texts[document.id]) for document in documents]


def _documents(view: View, subject: Subject) -> Sequence[Document]:
    if subject == WHOLE:
        return [*documents_of(view, identity.KIND), *remembered.memory_documents(view)]
    if subject == ALL_MEMORIES:
        return remembered.memory_documents(view)
    kind, key = key_of(subject)
    found = view.document_named(kind, key)
    return [found] if found else []


def key_of(subject: Subject) -> tuple[str, str]:
    """The kind and key of the one document that a subject covers."""
    if subject.category in CATEGORIES:
        return identity.KIND, f"{subject.category}/{subject.filename}"
    return MEMORY, subject.stem


def held_by(view: View, snapshot: Snapshot) -> list[State]:
    """What a snapshot holds: the text it kept itself, else what there was at its transaction."""
    if snapshot.held is not None:
        return _held(view, key_of(snapshot.subject), snapshot.held)
    return covered(past(view, snapshot.tx), snapshot.subject)


def _held(view: View, place: tuple[str, str], held: Mapping[str, Any]) -> list[State]:
    document = view.document_named(*place)
    if document is None:
        return []
    kept = document._replace(title=held["title"], properties=held["properties"], deleted=None)
    return [State(kept, held["text"])]


def subject_of(target: str) -> Subject:
    """What a target names: `category/filename`, a memory id, `memories` or `all`."""
    if target == EVERYTHING:
        return WHOLE
    if target == MEMORIES:
        return ALL_MEMORIES
    category, slash, filename = target.partition("/")
    return Subject(category, filename.removesuffix(".md")) if slash else Subject(MEMORIES, target)


def restore(
    change: Change, subject: Subject, then: Sequence[State], known: int, *, exact: bool, tell: Told = tell_nobody
) -> Restored:
    """Make these states current; with `exact`, a whole set also loses what is not among them.

    What was forgotten since stays away. A thing is known by its key: it may have come, gone and come anew.
    """
    is_set = subject in (ALL_MEMORIES, WHOLE)
    if not then and not is_set:
        raise NothingThere(subject)
    now = {_place(state): state for state in covered(change, subject)}
    wanted = {_place(state): state for state in (_without_forgotten(change, then) if is_set else then)}
    back = [state for place, state in wanted.items() if not _is_so(state, now.get(place))]
    gone = [state for place, state in now.items() if exact and is_set and place not in set(map(_place, then))]
    before = name_one(change, subject, "pre-replace") if back or gone else None
    for state in counted(back, tell):
        _bring_back(change, state, known)
    for state in gone:
        _remove(change, state.document)
    files = sum(state.document.kind == identity.KIND for state in back)
    return Restored(files, len(back) - files, len(wanted) - len(back), len(gone), before)


def _place(state: State) -> tuple[str, str]:
    return state.document.kind, state.document.key


def _without_forgotten(change: Change, states: Sequence[State]) -> Iterator[State]:
    for state in states:
        text = left_of(change, state.document.kind, state.text)
        if text is not None:
            yield state._replace(text=text)


def _is_so(then: State, now: State | None) -> bool:
    return now is not None and then.text == now.text and _metadata(then.document) == _metadata(now.document)


def _metadata(document: Document) -> dict[str, object]:
    passing = {identity.MODIFIED_BY, remembered.UPDATED_AT}
    return {key: value for key, value in document.properties.items() if key not in passing}


def _bring_back(change: Change, state: State, known: int) -> None:
    document = state.document
    if document.kind == identity.KIND:
        identity.put_file(change, identity.place_of(document.key), state.text, dict(document.properties))
    else:
        remembered.bring_back(change, document, state.text, past(change, known))


def _remove(change: Change, document: Document) -> None:
    if document.kind == identity.KIND:
        identity.remove_file(change, document)
    else:
        remembered.remove(change, document)
