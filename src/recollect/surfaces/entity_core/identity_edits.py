"""Editing identity files: whole ones, at either end, or one section."""
# ruff: noqa: N803 the published names

from typing import Annotated

from pydantic import AfterValidator, Field

from recollect.keep.identity.files import Edited, Place, edit_file
from recollect.keep.identity.sections import add_to_section, append_text, prepend_text, rewrite_section, section_name
from recollect.memory import Memory
from recollect.surfaces.entity_core.identity_results import FileEdited, show_edit
from recollect.surfaces.entity_core.instances import acting_as
from recollect.surfaces.entity_core.shapes import (
    AnyContent,
    Category,
    Content,
    ExpectedVersion,
    Filename,
    InstanceId,
    text_of,
)
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import refuse

SECTION_LIMIT = 200


def _heading(given: str) -> str:
    if len(given.splitlines()) > 1 or given.endswith(("\n", "\r")):
        raise refuse("should be the text of one heading, without a line break")
    name = section_name(given)
    if not name:
        raise refuse("should be the text of a heading")
    return name


Section = Annotated[
    str,
    AfterValidator(_heading),
    text_of(SECTION_LIMIT),
    Field(description="Text of a ## or ### heading; made if missing"),
]


def _said(edited: Edited, place: Place, verb: str) -> str:
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
) -> FileEdited:
    """I use this to replace or create an identity file; a snapshot keeps the old text."""
    place = Place(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(change, place, lambda _: content, expected=expectedVersion, named=True)
        return show_edit(change, edited, f"I wrote {place.key}.")


@surface.tool("write", example={"category": "user", "filename": "user_life.md", "content": "She moved to Leuven."})
def identity_append(
    memory: Memory,
    category: Category,
    filename: Filename,
    content: Content,
    instanceId: InstanceId | None = None,
    expectedVersion: ExpectedVersion | None = None,
) -> FileEdited:
    """I use this to add text at the end of one of my identity files."""
    place = Place(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(change, place, lambda text: append_text(text, content), expected=expectedVersion)
        return show_edit(change, edited, _said(edited, place, "added to"))


@surface.tool("write", example={"category": "custom", "filename": "rituals.md", "content": "Tea at four."})
def identity_prepend(
    memory: Memory,
    category: Category,
    filename: Filename,
    content: Content,
    instanceId: InstanceId | None = None,
    expectedVersion: ExpectedVersion | None = None,
) -> FileEdited:
    """I use this to add text at the beginning of one of my identity files."""
    place = Place(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(change, place, lambda text: prepend_text(text, content), expected=expectedVersion)
        return show_edit(change, edited, _said(edited, place, "added to the beginning of"))


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
) -> FileEdited:
    """I use this to add text inside a section of an identity file, keeping what is there."""
    place = Place(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(
            change,
            place,
            lambda text: add_to_section(text, section, content),
            expected=expectedVersion,
            must_exist=True,
        )
        return show_edit(change, edited, f"I added to section {section}.")


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
) -> FileEdited:
    """I use this to replace what a section says; a snapshot keeps the old text."""
    place = Place(category, filename)
    with acting_as(memory, instanceId).write() as change:
        edited = edit_file(
            change,
            place,
            lambda text: rewrite_section(text, section, content),
            expected=expectedVersion,
            must_exist=True,
            named=True,
        )
        return show_edit(change, edited, f"I rewrote section {section}.")
