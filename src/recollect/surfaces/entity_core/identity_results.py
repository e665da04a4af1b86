"""What the identity tools answer."""
# ruff: noqa: N815 the published names

from typing_extensions import TypedDict

from recollect.keep.identity.files import Edited, IdentityFile
from recollect.store.change import Change
from recollect.surfaces.entity_core.answers import Written, written
from recollect.when.instant import say_millis


class FileShown(TypedDict):
    """One identity file."""

    filename: str
    content: str
    promptLabel: str
    version: int
    lastModified: str
    modifiedBy: str


class Files(TypedDict):
    """All identity files, by category."""

    self: list[FileShown]
    user: list[FileShown]
    relationship: list[FileShown]
    custom: list[FileShown]


class FileEdited(Written):
    """The whole file after an edit."""

    success: bool
    message: str
    content: str
    version: int
    snapshotId: str | None


class FileDeleted(Written):
    success: bool
    message: str
    snapshotId: str


class Labels(TypedDict):
    """Prompt labels by `category/filename`."""

    success: bool
    meta: dict[str, str]


class LabelSet(Written):
    success: bool
    message: str
    version: int


def show_file(file: IdentityFile) -> FileShown:
    return {
        "filename": file.place.filename,
        "content": file.content,
        "promptLabel": file.label,
        "version": file.version,
        "lastModified": say_millis(file.modified_at),
        "modifiedBy": file.modified_by,
    }


def show_edit(change: Change, edited: Edited, message: str) -> FileEdited:
    said = message if change.has_changed else f"{edited.file.place.key} says that already."
    return {
        "success": True,
        "message": said,
        "content": edited.file.content,
        "version": edited.file.version,
        "snapshotId": edited.snapshot.id if edited.snapshot else None,
        **written(change),
    }
