"""Administration, as a part of the settings: workspaces, storage and a backup."""

from collections.abc import Iterator
from dataclasses import dataclass

from recollect.keep.workspace_export import export_lines
from recollect.memory import create_workspace, find_workspace
from recollect.serve.web.framework.error_pages import Forbidden403
from recollect.serve.web.framework.pages import Action, ActionResult, Download, PageRequest, required_field
from recollect.serve.workspace_settings import WorkspaceExists, check_name
from recollect.store.workspaces import all_workspaces, delete_workspace, last_tx_of, rename_workspace
from recollect.surfaces.recollect.failures import InvalidInput

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class WorkspaceLine:
    name: str
    transactions: int
    is_current: bool


def list_workspaces(request: PageRequest) -> tuple[WorkspaceLine, ...]:
    """Every workspace, for somebody at the machine; others see their own only."""
    if not request.is_local:
        return ()
    engine = request.memory.engine
    return tuple(
        WorkspaceLine(each.name, last_tx_of(engine, each.ws), each.name == request.workspace)
        for each in all_workspaces(engine)
    )


def create(request: PageRequest) -> ActionResult:
    require_local(request)
    name = _unused_name(request)
    create_workspace(request.memory.engine, name, request.memory.clock)
    return ActionResult("settings", f"Created the workspace {name}", workspace=name)


def rename(request: PageRequest) -> ActionResult:
    _require_other_than_default(request)
    before, name = request.workspace, _unused_name(request)
    rename_workspace(request.memory.engine, request.memory.workspace, name)
    request.release(before)
    return ActionResult("settings", f"Renamed {before} to {name}; restart other servers on this store", workspace=name)


def delete(request: PageRequest) -> ActionResult:
    """Delete the workspace with its history and its tokens, once its name was typed."""
    _require_other_than_default(request)
    if required_field(request, "confirm", 200) != request.workspace:
        raise InvalidInput("type the name of the workspace to delete it", field="confirm")
    delete_workspace(request.memory.engine, request.memory.workspace)
    request.release(request.workspace)
    return ActionResult("settings", f"Deleted the workspace {request.workspace}", workspace=DEFAULT)


def require_local(request: PageRequest) -> None:
    if not request.is_local:
        raise Forbidden403("this is administered at the machine: recollect --help lists the commands")


def _require_other_than_default(request: PageRequest) -> None:
    require_local(request)
    if request.workspace == DEFAULT:
        raise InvalidInput("every store has a workspace named default; it stays", field="workspace")


def _unused_name(request: PageRequest) -> str:
    name = check_name(required_field(request, "name", 200))
    if find_workspace(request.memory.engine, name) is not None:
        raise WorkspaceExists(name)
    return name


def backup(request: PageRequest) -> Iterator[str]:
    """Everything in the workspace with its history; `recollect import` reads it."""
    with request.memory.read() as view:
        yield from export_lines(view)


ACTIONS = (
    Action("settings/workspace/create", create, scope="admin"),
    Action("settings/workspace/rename", rename, scope="admin"),
    Action("settings/workspace/delete", delete, scope="admin"),
)
DOWNLOADS = (Download("settings/backup", backup, "{workspace}.jsonl"),)
