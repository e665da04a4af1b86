"""The verb `ingest`: a text, or a bundle of JSON lines, imported as `recollect ingest` does."""

from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from pydantic import Field, WithJsonSchema

from recollect.importers.formats import BUNDLE, SAMPLE_BYTES, format_named
from recollect.importers.import_counts import ImportCounts, import_counts
from recollect.importers.import_plan import import_planned, planned_file
from recollect.importers.import_run import ImportItem, ImportResult, import_items
from recollect.importers.notes import note_line
from recollect.importers.record_formats import RECORD_FORMATS
from recollect.importers.timeline_guard import WouldChangeTimeline, check_timeline
from recollect.importers.unsupported_formats import refusal_of
from recollect.memory import Memory
from recollect.surfaces.declarations import Surface
from recollect.surfaces.parameter_types import trimmed_text
from recollect.surfaces.recollect.failures import InvalidInput, LaterChanges
from recollect.surfaces.recollect.surface import render_failure

NAME_LIMIT = 200
CHAT_TEXT = "whatsapp"
NOTE = "note"
"""The format of a text, by the name that `recollect ingest` gives it."""

surface = Surface(
    "api",
    "What the HTTP API has beyond the everyday surface.",
    render_failure,
    blank_is_absent=True,
)
NoteText = Annotated[str, Field(description="A text or Markdown document; facts are read from plain sentences")]
BundleText = Annotated[str, Field(description="JSON lines of records, entities and facts (docs/records.md)")]
DocumentName = Annotated[
    str,
    trimmed_text(NAME_LIMIT),
    WithJsonSchema({"type": "string", "maxLength": NAME_LIMIT}),
    Field(description="Name of the text; the same name again replaces it"),
]


@surface.tool(
    "write", idempotent=True, example={"name": "stand-up.md", "text": "Lena works at Acme since 2024. Ada uses Linux."}
)
def ingest(
    memory: Memory, text: NoteText | None = None, bundle: BundleText | None = None, name: DocumentName | None = None
) -> ImportCounts:
    """Import a text or a bundle; what was imported before changes nothing.

    A document named again with other content becomes its new version. Lines of a bundle that cannot be read are listed
    in `skipped`, and the others are imported.
    """
    if (text is None) == (bundle is None):
        raise InvalidInput("either text or bundle is needed", field="text", next_step="Send `text` or `bundle`.")
    if bundle is not None:
        return import_counts([_import_bundle(memory, bundle)])
    return import_counts([_import_text(memory, text or "", name)])


INGEST = surface.tools["ingest"]


def _import_text(memory: Memory, text: str, name: str | None) -> ImportResult:
    content = text.encode()
    path = Path(name or "text")
    head = content[:SAMPLE_BYTES]
    reason = refusal_of(head, path.suffix.lower(), is_whole=len(content) < SAMPLE_BYTES) or _foreign_format(path, head)
    if reason is not None:
        raise InvalidInput(f"text {reason}", field="text", next_step="Send plain text or Markdown, or a `bundle`.")
    digest = blake2b((name or "").encode() + b"\0" + content, digest_size=16, person=b"note").hexdigest()
    key = f"note:api/{name}" if name else f"note_{digest[:12]}"
    item = ImportItem(1, len(content), digest, lambda: note_line(path, key, content, digest), path.name)
    taken = import_items(memory, path.name, iter([item]), len(content))
    for each in taken.files:
        each.kind = NOTE
    return taken


def _foreign_format(path: Path, head: bytes) -> str | None:
    """Why a text is not one: it is the content of a file that has a reader of its own. A pasted chat is a text."""
    found = next((each for each in RECORD_FORMATS if each.name != CHAT_TEXT and each.matches(path, head)), None)
    return None if found is None else f"is {found.description}; import the file with recollect ingest"


def _import_bundle(memory: Memory, lines: str) -> ImportResult:
    with TemporaryDirectory(prefix="recollect-") as folder:
        path = Path(folder) / "bundle.jsonl"
        path.write_text(lines, "utf-8")
        try:
            check_timeline(memory, path, [path])
        except WouldChangeTimeline:
            message = "the bundle defines a calendar or present that would change this workspace's timeline"
            next_step = "Nothing was written. Use a token of a workspace that is only for this world."
            raise LaterChanges(message, field="bundle", next_step=next_step) from None
        kind = format_named(BUNDLE)
        return import_planned(memory, planned_file(path, path.name, kind), lambda _: None)
