"""Identity files: documents at category/filename, each with the label that wraps it in a prompt."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.keep.call_conflicts import ContentTooLarge, ItemNotFound, check_version
from recollect.keep.document_versions import (
    carried_properties,
    documents_of,
    live_documents,
    texts_of,
    version_number,
    version_numbers,
)
from recollect.keep.memory_formats import CATEGORIES, CONTENT_LIMIT, Category, is_visible
from recollect.keep.snapshot_store import Snapshot, create_snapshot, file_subject
from recollect.model.document import Document
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.write.retract import retract_document

KIND: Final = "identity"
LABEL = "promptLabel"
MODIFIED_BY = "modifiedBy"
KNOWN_FILES: dict[Category, tuple[str, ...]] = {
    "self": ("my_identity", "my_persona", "my_personhood", "my_wants", "my_mechanics"),
    "user": ("user_identity", "user_life", "user_beliefs", "user_preferences", "user_patterns", "user_notes"),
    "relationship": ("relationship_dynamics", "relationship_history", "relationship_notes"),
    "custom": (),
}


class IdentityPath(NamedTuple):
    """The category and filename of an identity file."""

    category: Category
    filename: str

    @property
    def key(self) -> str:
        return f"{self.category}/{self.filename}"

    @property
    def default_label(self) -> str:
        stem = self.filename.removesuffix(".md")
        return f"_{stem}" if stem[0].isdigit() or stem[0] == "-" or stem[:3].lower() == "xml" else stem


@dataclass(frozen=True, slots=True)
class IdentityFile:
    """One file as a view shows it."""

    path: IdentityPath
    content: str
    version: int
    document: Document

    @property
    def label(self) -> str:
        """The label that was set, else the default for the filename."""
        return label_of(self.path, self.document)

    @property
    def modified_by(self) -> str:
        return str(self.document.properties.get(MODIFIED_BY, "unknown"))

    @property
    def modified_at(self) -> Instant:
        return self.document.source_at


@dataclass(frozen=True, slots=True)
class IdentityFileEdit:
    """A file after an edit: whether it is new, and the snapshot of the state before, if one was taken."""

    file: IdentityFile
    is_new: bool
    snapshot: Snapshot | None


class IdentityFileNotFound(ItemNotFound):
    def __init__(self, place: IdentityPath) -> None:
        super().__init__(f"there is no identity file {place.key}", field="filename", listed_by="identity_get_meta")


def label_of(place: IdentityPath, document: Document) -> str:
    return str(document.properties.get(LABEL) or place.default_label)


def path_of_key(key: str) -> IdentityPath:
    category, filename = key.split("/", 1)
    return IdentityPath(cast(Category, category), filename)


def listing_order(place: IdentityPath) -> tuple[int, int, str]:
    """The sort key of listings: by category, well-known files first, then by name."""
    category = CATEGORIES.index(place.category)
    known = KNOWN_FILES[place.category]
    stem = place.filename.removesuffix(".md")
    return category, known.index(stem) if stem in known else len(known), place.filename


def identity_files(view: View) -> list[IdentityFile]:
    """All files in listing order."""
    return load_files(view, live_documents(documents_of(view, KIND)))


def load_files(view: View, documents: Collection[Document]) -> list[IdentityFile]:
    """These documents as files, in listing order."""
    texts, versions = texts_of(view, documents), version_numbers(view, documents)
    found = [IdentityFile(path_of_key(each.key), texts[each.id], versions[each.id], each) for each in documents]
    return sorted(found, key=lambda file: listing_order(file.path))


def find_file(view: View, place: IdentityPath) -> IdentityFile | None:
    """The file at a path, unless it is deleted."""
    document = view.document_named(KIND, place.key)
    if document is None or document.deleted:
        return None
    return IdentityFile(place, view.text_of(document) or "", version_number(view, document), document)


def require_file(view: View, place: IdentityPath) -> IdentityFile:
    found = find_file(view, place)
    if found is None:
        raise IdentityFileNotFound(place)
    return found


def edit_file(
    change: Change,
    place: IdentityPath,
    edit: Callable[[str], str],
    *,
    expected: int | None = None,
    must_exist: bool = False,
    named: bool = False,
) -> IdentityFileEdit:
    """Replace the text of a file by what `edit` returns for it; with `named`, the state before gets a snapshot."""
    old = require_file(change, place) if must_exist else find_file(change, place)
    check_version(expected, old.version if old else 0, place.key)
    text = edit(old.content if old else "")
    if old is not None and text == old.content:
        return IdentityFileEdit(old, False, None)
    if len(text.encode()) > CONTENT_LIMIT:
        raise ContentTooLarge("content", "1 MiB of UTF-8, with what is there already")
    needs_snapshot = named and old is not None and (must_exist or is_visible(old.content))
    snapshot = create_snapshot(change, file_subject(*place), "pre-replace") if needs_snapshot else None
    properties = dict(old.document.properties) if old else {}
    return IdentityFileEdit(put_file(change, place, text, properties), old is None, snapshot)


def put_file(
    change: Change,
    place: IdentityPath,
    text: str,
    properties: dict[str, Any],
    by: str | None = None,
    at: Instant | None = None,
) -> IdentityFile:
    """A new version of a file, or its first."""
    old = change.document_named(KIND, place.key)
    written = properties | carried_properties(old) | {MODIFIED_BY: by or change.actor.name}
    source_at = change.now if at is None else at
    draft = DocumentDraft(KIND, place.category, place.key, place.key, None, None, source_at, text, written)
    document = store_document(change, draft, old)
    return IdentityFile(place, text, version_number(change, document), document)


def set_label(change: Change, place: IdentityPath, label: str) -> IdentityFile:
    """Change the prompt label of a file, which is a new version of it."""
    file = require_file(change, place)
    if file.label == label:
        return file
    return put_file(change, place, file.content, {**file.document.properties, LABEL: label})


def delete_file(change: Change, place: IdentityPath) -> Snapshot:
    """Delete a file; the returned snapshot names the state before."""
    file = require_file(change, place)
    snapshot = create_snapshot(change, file_subject(*place), "pre-delete")
    remove_file(change, file.document)
    return snapshot


def remove_file(change: Change, document: Document, reason: str = "deleted") -> None:
    retract_document(change, document._replace(source_at=change.now), reason)


def labels(files: Sequence[IdentityFile]) -> dict[str, str]:
    return {file.path.key: file.label for file in files}
