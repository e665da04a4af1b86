"""Reading identity files, and what wraps them in a prompt."""
# ruff: noqa: N803 the published names

from recollect.keep.identity.files import Place, delete_file, identity_files, labels, set_label
from recollect.memory import Memory
from recollect.surfaces.entity_core.answers import written
from recollect.surfaces.entity_core.identity_results import FileDeleted, Files, Labels, LabelSet, show_file
from recollect.surfaces.entity_core.instances import acting_as
from recollect.surfaces.entity_core.shapes import Category, Filename, InstanceId, PromptLabel
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import AsOf


@surface.tool("read", example={})
def identity_get_all(memory: Memory, as_of: AsOf = None) -> Files:
    """I use this to read all my identity files: self, user, relationship and custom."""
    with memory.read(as_of) as view:
        found = identity_files(view)
    shown: Files = {"self": [], "user": [], "relationship": [], "custom": []}
    for file in found:
        shown[file.place.category].append(show_file(file))
    return shown


@surface.tool("read", example={"category": "self"})
def identity_get_meta(
    memory: Memory, category: Category | None = None, filename: Filename | None = None, as_of: AsOf = None
) -> Labels:
    """I use this to see the labels that wrap my identity files in a prompt."""
    with memory.read(as_of) as view:
        found = identity_files(view)
    fitting = [file for file in found if file.place.category == (category or file.place.category)]
    return {
        "success": True,
        "meta": labels([file for file in fitting if file.place.filename == (filename or file.place.filename)]),
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
) -> LabelSet:
    """I use this to choose the label that wraps one of my identity files in a prompt."""
    place = Place(category, filename)
    with acting_as(memory, instanceId).write() as change:
        file = set_label(change, place, promptLabel)
        message = f"{place.key} is now wrapped as {promptLabel}."
        return {"success": True, "message": message, "version": file.version, **written(change)}


@surface.tool("destroy", example={"filename": "rituals.md"}, idempotent=False)
def identity_delete_custom(memory: Memory, filename: Filename, instanceId: InstanceId | None = None) -> FileDeleted:
    """I use this to delete one of my custom identity files; a snapshot can bring it back."""
    place = Place("custom", filename)
    with acting_as(memory, instanceId).write() as change:
        snapshot = delete_file(change, place)
        message = f"I deleted {place.key}."
        return {"success": True, "message": message, "snapshotId": snapshot.id, **written(change)}
