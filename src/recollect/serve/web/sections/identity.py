"""Identity files of a companion: their texts, an editor, and the snapshots that bring earlier states back."""

from dataclasses import dataclass, replace

from recollect.keep.call_conflicts import ItemNotFound
from recollect.keep.identity_files import IdentityFile, IdentityPath, edit_file, identity_files, path_of_key
from recollect.keep.memories.restore import restore, snapshot_everything, snapshot_states
from recollect.keep.memory_formats import CATEGORIES, CONTENT_LIMIT, FILENAME, matches_format, normalize_newlines
from recollect.keep.snapshot_store import EVERYTHING, MEMORIES, Snapshot, find_snapshot, snapshots_in
from recollect.model.ids import format_document_id
from recollect.serve.web.framework.cards import mark_changes
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    number_field,
    optional_field,
    required_field,
)
from recollect.serve.web.framework.rendering import local_instant, render_markdown
from recollect.serve.web.sections.document_views import VersionCard, versions_to_choose
from recollect.store.view import View
from recollect.surfaces.recollect.failures import InvalidInput

MOST_SNAPSHOTS = 200
REASONS = {
    "manual": "by hand",
    "scheduled": "by schedule",
    "pre-replace": "before a text was replaced",
    "pre-delete": "before a text was deleted",
    "conflict": "two texts differed",
    "pre-import": "before an import",
}


@dataclass(frozen=True, slots=True)
class FileLine:
    key: str
    category: str
    filename: str
    label: str
    version: int
    characters: int
    change: str = ""


@dataclass(frozen=True, slots=True)
class FileText:
    line: FileLine
    document: str
    content: str
    rendered: str
    modified_by: str
    modified_at: str
    versions: tuple[VersionCard, ...] = ()
    replaced: int | None = None
    """The version that it has now, on a page that shows an earlier text."""


@dataclass(frozen=True, slots=True)
class SnapshotLine:
    id: str
    subject: str
    at: str
    reason: str
    label: str | None
    is_part: bool
    """Whether it holds one file or the memories only."""


@dataclass(frozen=True, slots=True)
class IdentityPage(PageModel):
    files: tuple[FileLine, ...]
    file: FileText | None
    snapshots: tuple[SnapshotLine, ...]
    snapshot_count: int
    limit: int


def show(request: PageRequest) -> IdentityPage:
    wanted = request.query.get("file", "")
    with request.read() as view:
        files = identity_files(view)
        chosen = next((each for each in files if each.path.key == wanted), files[0] if files and not wanted else None)
        text = None if chosen is None else _file_text(view, chosen)
        snapshots = snapshots_in(view, {*CATEGORIES, MEMORIES, EVERYTHING})
        shown = tuple(_snapshot_line(view, each) for each in snapshots[:MOST_SNAPSHOTS])
    title = "Identity" if text is None else text.line.key
    lines = tuple(map(_line, files))
    if not request.clocks.is_now:
        now = show(request.of_now)
        lines = mark_changes(lines, now.files, lambda line: line.key)
        if text is not None and now.file is not None and now.file.content != text.content:
            text = replace(text, replaced=now.file.line.version)
    return IdentityPage(title, lines, text, shown, len(snapshots), CONTENT_LIMIT)


def _line(file: IdentityFile) -> FileLine:
    place = file.path
    return FileLine(place.key, place.category, place.filename, file.label, file.version, len(file.content))


def _file_text(view: View, file: IdentityFile) -> FileText:
    return FileText(
        _line(file),
        format_document_id(file.document.id),
        file.content,
        str(render_markdown(file.content, levels=2)),
        file.modified_by,
        local_instant(file.modified_at, view.world.zone),
        versions_to_choose(view, file.document),
    )


def _snapshot_line(view: View, snapshot: Snapshot) -> SnapshotLine:
    subject = snapshot.subject
    whole = {EVERYTHING: "everything", MEMORIES: "all memories"}.get(subject.category)
    named = whole or f"{subject.category}/{subject.filename}"
    at, is_part = local_instant(snapshot.at, view.world.zone), subject.category != EVERYTHING
    reason = REASONS.get(snapshot.reason, snapshot.reason)
    return SnapshotLine(snapshot.id, named, at, reason, snapshot.label, is_part)


def edit(request: PageRequest) -> ActionResult:
    """Replace the text of a file; a snapshot keeps the state before."""
    place = _place(required_field(request, "file", 200))
    content = normalize_newlines(required_field(request, "content", CONTENT_LIMIT))
    with request.acting("identity").write() as change:
        edit_file(
            change, place, lambda _: content, expected=number_field(request, "version"), must_exist=True, named=True
        )
        tx = change.own_tx
    return ActionResult(request.back("identity"), f"Saved {place.key}" if tx else "Nothing changed", tx)


def _place(key: str) -> IdentityPath:
    category, _, filename = key.partition("/")
    if category not in CATEGORIES or not matches_format(FILENAME, filename):
        raise InvalidInput(f"{key[:80]!r} is not an identity file", field="file")
    return path_of_key(key)


def take_snapshot(request: PageRequest) -> ActionResult:
    """Name the present state of all files and memories, so that it can be restored."""
    label = optional_field(request, "label")
    if label is not None and len(label) > 200:
        raise InvalidInput("the name of a snapshot has at most 200 characters", field="label")
    with request.acting("snapshot").write() as change:
        *_, whole = snapshot_everything(change, "manual", flagged=label is not None, label=label)
        tx = change.tx
    return ActionResult(request.back("identity"), f"Snapshot {label or whole.id} taken", tx)


def restore_snapshot(request: PageRequest) -> ActionResult:
    ident = required_field(request, "snapshot", 300)
    with request.acting("restore").write() as change:
        snapshot = find_snapshot(change, ident)
        if snapshot is None:
            raise ItemNotFound(f"there is no snapshot {ident!r}", field="snapshot")
        result = restore(change, snapshot.subject, snapshot_states(change, snapshot), snapshot.tx, exact=False)
        tx = change.own_tx
    counts = f"{result.identity} files and {result.memories} memories restored"
    return ActionResult(request.back("identity"), counts if tx else "All of it is so already", tx)


SECTION = WebSection(
    "identity",
    pages=(Page("identity", "identity", show, has_clock=True),),
    actions=(
        Action("identity/edit", edit),
        Action("identity/snapshot", take_snapshot),
        Action("identity/restore", restore_snapshot),
    ),
    label="Identity",
    group="Look",
)
