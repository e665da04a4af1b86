"""What the surface carabase offers to Python alone, in the process that holds the memory."""

from typing import TypedDict

from recollect.keep.artifacts.filing import make_log_card, store_attachment
from recollect.memory import Memory
from recollect.model.ids import format_uuid

SURFACE = "carabase"


class AttachedFileResult(TypedDict):
    artifact_id: str
    uri: str
    log_card: str
    size: int
    sha256: str
    deduplicated: bool


def add_log_card(memory: Memory, title: str, text: str | None = None) -> str:
    """The id of a new log card, which files of a run can be attached to."""
    with memory.as_actor(SURFACE, "add_log_card", memory.actor.name).write() as change:
        return format_uuid(make_log_card(change, title, text).id)


def attach_file(
    memory: Memory, name: str, data: bytes, *, mime: str | None = None, log_card: str
) -> AttachedFileResult:
    """A file joined to a log card; the same bytes on the same card are the first one again."""
    with memory.as_actor(SURFACE, "carabase_attach_file", memory.actor.name).write() as change:
        found = store_attachment(change, name, data, mime, log_card)
    ident = format_uuid(found.document.id)
    return {
        "artifact_id": ident,
        "uri": f"carabase://artifact/{ident}",
        "log_card": format_uuid(found.log_card),
        "size": found.size,
        "sha256": found.sha256,
        "deduplicated": found.is_repeat,
    }
