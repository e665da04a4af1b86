"""What happens at each event of a hook, in the workspace of its repository."""

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recollect.errors import RecollectError
from recollect.serve.hooks.payload import HookInput
from recollect.serve.hooks.session import forget_old_sessions, last_transaction, load_session

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.serve.open_store import OpenStore

PROJECT_FILE = ".recollect.toml"
_ONE_NAME = re.compile(r'workspace = "([\w .-]*)"\n?')
"""What most such files say; loading the parser takes longer than reading a store."""
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


class Project(NamedTuple):
    """A repository: its name, and the workspace that has its memory."""

    name: str
    workspace: str


def find_project(folder: str) -> Project | None:
    """The project that a folder belongs to; none outside of any repository."""
    if not folder:
        return None
    place = Path(folder)
    for each in (place, *place.parents):
        named = _named_workspace(each / PROJECT_FILE)
        if named is not None:
            return Project(each.name, named)
        if (each / ".git").exists():
            return Project(each.name, _workspace_of(each))
    return None


def _named_workspace(file: Path) -> str | None:
    if not file.is_file():
        return None
    try:
        text = file.read_text("utf-8")
        plain = _ONE_NAME.fullmatch(text)
        found = plain[1] if plain is not None else _parse_toml(text).get("workspace")
    except (ValueError, OSError):
        return None
    return found if isinstance(found, str) and found.strip() else None


def _parse_toml(text: str) -> dict[str, object]:
    import tomllib

    return tomllib.loads(text)


def _workspace_of(root: Path) -> str:
    """The name of the folder with a part of the hash of its path: two repositories of one name stay apart."""
    slug = _NOT_IN_NAMES.sub("-", root.name.lower()).strip("-") or "project"
    return f"{slug[:40]}-{hashlib.sha256(str(root).encode('utf-8', 'replace')).hexdigest()[:6]}"


SAMPLE_BYTES = 64 * 1024


def answer_event(opened: "OpenStore", given: HookInput, *, by_meaning: bool = False) -> str:
    """The context that a hook prints; empty if nothing is to be said.

    `by_meaning` if the embedding model is loaded: loading it takes longer than anybody waits for a hook.
    """
    match given.event:
        case "session-start":
            return _start(opened, given)
        case "user-prompt":
            return _recall(opened, given, by_meaning)
        case "capture":
            return ""


def _start(opened: "OpenStore", given: HookInput) -> str:
    from recollect.serve.hooks.context import new_block
    from recollect.serve.hooks.session_start import START_CHARACTERS, add_start

    project = find_project(given.folder)
    personal, own = _personal(opened), _existing(opened, project)
    block = new_block(START_CHARACTERS, ())
    last_tx = 0
    if own is not None:
        with own.read() as view:
            last_tx = last_transaction(own.workspace.name, view.last_tx)
    add_start(block, personal, own, project.name if project else "", last_tx)
    state = load_session(given.session)
    state.shown = list(block.new)
    state.save()
    forget_old_sessions()
    return block.text()


def _recall(opened: "OpenStore", given: HookInput, by_meaning: bool) -> str:
    from recollect.serve.hooks.context import new_block
    from recollect.serve.hooks.prompt_recall import PROMPT_CHARACTERS, add_recall

    project = find_project(given.folder)
    personal, own = _personal(opened), _existing(opened, project)
    state = load_session(given.session)
    block = new_block(PROMPT_CHARACTERS, state.shown)
    if own is not None and project is not None:
        add_recall(block, own, given.prompt, f"project {project.name}", by_meaning=by_meaning)
    if own is None or own.workspace != personal.workspace:
        add_recall(block, personal, given.prompt, "personal", by_meaning=by_meaning)
    if block.new:
        state.shown += block.new
        state.save()
    return block.text()


def _personal(opened: "OpenStore") -> "Memory":
    return opened.workspace(opened.local.workspace)


def _existing(opened: "OpenStore", project: Project | None) -> "Memory | None":
    """The memory of a project; none before anything was stored for it."""
    if project is None:
        return None
    try:
        return opened.workspace(project.workspace)
    except RecollectError:
        return None


def capture(opened: "OpenStore", given: HookInput) -> int:
    """Take in the transcript of a session; how many turns were new or had grown."""
    path = Path(given.transcript)
    if not path.is_file():
        return 0
    from recollect.importers.transcripts import import_transcript
    from recollect.ingest.transcripts.messages import is_transcript

    with path.open("rb") as file:
        if not is_transcript(path, file.read(SAMPLE_BYTES)):
            return 0
    project = find_project(given.folder)
    memory = _writable(opened, project).as_actor("hook", "capture")
    return import_transcript(memory, path, None, project.name if project else None).tally.changed


def _writable(opened: "OpenStore", project: Project | None) -> "Memory":
    """The memory of a project, whose workspace is created at the first capture."""
    from recollect.memory import create_workspace

    if project is None:
        return _personal(opened)
    if _existing(opened, project) is None:
        create_workspace(opened.engine, project.workspace, opened.clock)
    return opened.workspace(project.workspace)
