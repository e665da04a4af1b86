"""Tools for identity files: read, label, delete and edit, as a whole or by section."""

from typing import Annotated

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from recollect.keep.identity_files import (
    IdentityFile,
    IdentityFileEdit,
    IdentityPath,
    delete_file,
    edit_file,
    identity_files,
    labels,
    set_label,
)
from recollect.keep.markdown import add_to_section, append_text, normalize_section_name, prepend_text, rewrite_section
from recollect.memory import Memory
from recollect.store.change import Change
from recollect.surfaces.entity_core.parameters import (
    AnyContent,
    Category,
    Content,
    ExpectedVersion,
    Filename,
    InstanceId,
    PromptLabel,
    text_up_to,
)
from recollect.surfaces.entity_core.surface import WriteResult, acting_as, surface, write_receipt
from recollect.surfaces.parameter_types import AsOf, bad_value
from recollect.when.instant import format_millis

# ruff: noqa: N803, N815 the published names


class IdentityFileView(TypedDict):
    """One identity file."""

    filename: str
    content: str
    promptLabel: str
    version: int
    lastModified: str
    modifiedBy: str


class IdentityFilesResult(TypedDict):
    """All identity files, by category."""

    self: list[IdentityFileView]
    user: list[IdentityFileView]
    relationship: list[IdentityFileView]
    custom: list[IdentityFileView]


class FileEditResult(WriteResult):
    """The whole file after an edit."""

    content: str
    version: int
    snapshotId: str | None


class FileDeleteResult(WriteResult):
    snapshotId: str


class LabelsResult(TypedDict):
    """Prompt labels by `category/filename`."""

    success: bool
    meta: dict[str, str]


class LabelSetResult(WriteResult):
    version: int


def render_file(file: IdentityFile) -> IdentityFileView:
    return {
        "filename": file.path.filename,
        "content": file.content,
        "promptLabel": file.label,
        "version": file.version,
        "lastModified": format_millis(file.modified_at),
        "modifiedBy": file.modified_by,
    }


def render_edit(change: Change, edited: IdentityFileEdit, message: str) -> FileEditResult:
    said = message if change.has_changed else f"{edited.file.path.key} says that already."
    return {
        "success": True,
        "message": said,
        "content": edited.file.content,
        "version": edited.file.version,
        "snapshotId": edited.snapshot.id if edited.snapshot else None,
        **write_receipt(change),
    }


@surface.tool("read", example={})
def identity_get_all(memory: Memory, as_of: AsOf = None) -> IdentityFilesResult:
    """I use this to read all my identity files: self, user, relationship and custom."""
    with memory.read(as_of) as view:
        found = identity_files(view)
    shown: IdentityFilesResult = {"self": [], "user": [], "relationship": [], "custom": []}
    for file in found:
        shown[file.path.category].append(render_file(file))
    return shown


@surface.tool("read", example={"category": "self"})
def identity_get_meta(
    memory: Memory, category: Category | None = None, filename: Filename | None = None, as_of: AsOf = None
) -> LabelsResult:
    """I use this to see the labels that wrap my identity files in a prompt."""
    with memory.read(as_of) as view:
        found = identity_files(view)
    fitting = [file for file in found if file.path.category == (category or file.path.category)]
    return {
        "success": True,
        "meta": labels([file for file in fitting if file.path.filename == (filename or file.path.filename)]),
    }


@surface.tool(
    "write", example={"category": "user", "filename": "user_life.md", "promptLabel": "about_noor"}, idempotent=True
)
def identity_set_meta(
    memory: Memory,
    category: Category,
    filename: Filename,
    promptLabel: PromptLabel,
    instanceId: InstanceId | None = None,
) -> LabelSetResult:
    """I use this to choose the label that wraps one of my identity files in a prompt."""
    place = IdentityPath(category, filename)
    with acting_as(memory, instanceId).write() as change:
        file = set_label(change, place, promptLabel)
        message = f"{place.key} is now wrapped as {promptLabel}."
        return {"success": True, "message": message, "version": file.version, **write_receipt(change)}


@surface.tool("destroy", example={"filename": "rituals.md"}, idempotent=False)
def identity_delete_custom(
    memory: Memory, filename: Filename, instanceId: InstanceId | None = None
) -> FileDeleteResult:
    """I use this to delete one of my custom identity files; a snapshot can bring it back."""
    place = IdentityPath("custom", filename)
    with acting_as(memory, instanceId).write() as change:
        snapshot = delete_file(change, place)
        message = f"I deleted {place.key}."
        return {"success": True, "message": message, "snapshotId": snapshot.id, **write_receipt(change)}


MAX_SECTION_LENGTH = 200


def _check_heading(given: str) -> str:
    if len(given.splitlines()) > 1 or given.endswith(("\n", "\r")):
        raise bad_value("should be the text of one heading, without a line break")
    name = normalize_section_name(given)
    if not name:
        raise bad_value("should be the text of a heading")
    return name


Section = Annotated[
    str,
    AfterValidator(_check_heading),
    text_up_to(MAX_SECTION_LENGTH),
    Field(description="Text of a ## or ### heading; made if missing"),
]


def _describe_edit(edited: IdentityFileEdit, place: IdentityPath, verb: str) -> str:
    return f"I created {place.key}." if edited.is_new else f"I {verb} {place.key}."


@surface.tool(
    "destroy",
    example={"category": "user", "filename": "user_life.md", "content": "Noor sold the bees."},
    idempotent=True,
)
def identity_write(
    memory: Memory,
    category: Category,
    filename: Filename,
    content: AnyContent,
    instanceId: InstanceId | None = None,
    expectedVersion: ExpectedVersion | None = None,
) -> FileEditResult:
    """I use this to replace or create an identity file; a snapshot keeps the old text."""
    place = IdentityPath(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(change, place, lambda _: content, expected=expectedVersion, named=True)
        return render_edit(change, edited, f"I wrote {place.key}.")


@surface.tool("write", example={"category": "user", "filename": "user_life.md", "content": "She moved to Leuven."})
def identity_append(
    memory: Memory,
    category: Category,
    filename: Filename,
    content: Content,
    instanceId: InstanceId | None = None,
    expectedVersion: ExpectedVersion | None = None,
) -> FileEditResult:
    """I use this to add text at the end of one of my identity files."""
    place = IdentityPath(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(change, place, lambda text: append_text(text, content), expected=expectedVersion)
        return render_edit(change, edited, _describe_edit(edited, place, "added to"))


@surface.tool("write", example={"category": "custom", "filename": "rituals.md", "content": "Tea at four."})
def identity_prepend(
    memory: Memory,
    category: Category,
    filename: Filename,
    content: Content,
    instanceId: InstanceId | None = None,
    expectedVersion: ExpectedVersion | None = None,
) -> FileEditResult:
    """I use this to add text at the beginning of one of my identity files."""
    place = IdentityPath(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(change, place, lambda text: prepend_text(text, content), expected=expectedVersion)
        return render_edit(change, edited, _describe_edit(edited, place, "added to the beginning of"))


@surface.tool(
    "write",
    example={"category": "self", "filename": "my_wants.md", "section": "Learning", "content": "Knots."},
)
def identity_update_section(
    memory: Memory,
    category: Category,
    filename: Filename,
    section: Section,
    content: Content,
    instanceId: InstanceId | None = None,
    expectedVersion: ExpectedVersion | None = None,
) -> FileEditResult:
    """I use this to add text inside a section of an identity file, keeping what is there."""
    place = IdentityPath(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(
            change,
            place,
            lambda text: add_to_section(text, section, content),
            expected=expectedVersion,
            must_exist=True,
        )
        return render_edit(change, edited, f"I added to section {section}.")


@surface.tool(
    "destroy",
    example={"category": "self", "filename": "my_wants.md", "section": "Rest", "content": "Quiet mornings."},
    idempotent=True,
)
def identity_rewrite_section(
    memory: Memory,
    category: Category,
    filename: Filename,
    section: Section,
    content: AnyContent,
    instanceId: InstanceId | None = None,
    expectedVersion: ExpectedVersion | None = None,
) -> FileEditResult:
    """I use this to replace what a section says; a snapshot keeps the old text."""
    place = IdentityPath(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(
            change,
            place,
            lambda text: rewrite_section(text, section, content),
            expected=expectedVersion,
            must_exist=True,
            named=True,
        )
        return render_edit(change, edited, f"I rewrote section {section}.")
