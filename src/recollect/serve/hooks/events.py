"""What happens at each event of a hook, in the workspace of its repository."""

from pathlib import Path
from typing import TYPE_CHECKING

from recollect.serve.hooks.payload import HookInput
from recollect.serve.hooks.session import forget_old_sessions, last_transaction, load_session
from recollect.serve.projects import Project, find_project

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.serve.open_store import OpenStore

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
    return None if project is None else opened.project(project.workspace)


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
    memory = _personal(opened) if project is None else opened.project_to_write(project.workspace)
    memory = memory.as_actor("hook", "capture")
    return import_transcript(memory, path, None, project.name if project else None).tally.changed
