"""A project's memory with the personal one beside it: what is not found in the first is looked for in the second.

Transactions are counted in each workspace, so the changes of a session are noted with the workspace they were made in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recollect.errors import RecollectError, Refused
from recollect.surfaces.declarations import Result

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.surfaces.declarations import Tool

WORKSPACE, UNDO, UNDONE = "workspace", "undo", "undone"
"""Keys of results: the workspace, where it is the personal one; the transaction to undo; the one that was undone."""


class AmbiguousTransaction(Refused):
    def __init__(self, number: int, project: str, personal: str) -> None:
        super().__init__(
            f"transaction {number} is one of the workspace {project} and one of {personal}, both of this session; "
            f"name the workspace: recollect undo {number} --workspace {project}",
            field="transaction",
        )


@dataclass(slots=True)
class SessionChanges:
    """The changes of the sessions of this process in a project, in order, each with its workspace."""

    done: list[tuple[str, int]] = field(default_factory=list)
    places: dict[int, set[str]] = field(default_factory=dict)

    def note(self, project: str, result: Mapping[str, Any]) -> None:
        number, undone = result.get(UNDO), result.get(UNDONE)
        if not isinstance(number, int):
            return
        workspace = str(result.get(WORKSPACE, project))
        self.places.setdefault(number, set()).add(workspace)
        if undone is None:
            self.done.append((workspace, number))
        elif (workspace, undone) in self.done:
            self.done.remove((workspace, undone))


def personal_memory(memory: "Memory") -> "Memory | None":
    """The personal memory beside a project's, for the same call."""
    other = memory.personal
    if other is None:
        return None
    claim = None if memory.claim is None else replace(memory.claim, ws=other.workspace.ws)
    return other.with_parts(
        claim=claim,
        client_model=memory.client_model,
        is_confirmed=memory.is_confirmed,
        report_progress=memory.report_progress,
    )


def run_in_both(tool: "Tool", memory: "Memory", arguments: Mapping[str, Any]) -> Any:
    """The answer of a project's memory, or of the personal one if the first does not know what the call names."""
    try:
        returned = tool.invoke(memory, arguments)
    except RecollectError as failure:
        # Without a change of this session, `undo` would take back what another one did.
        is_elsewhere = failure.code == "not_found" and tool.name != UNDO
        personal = personal_memory(memory) if is_elsewhere else None
        if personal is None:
            raise
        try:
            returned = mark_personal(personal, tool.invoke(personal, arguments))
        except RecollectError as other:
            raise (failure if other.code == "not_found" else other) from None
    value = returned.value if isinstance(returned, Result) else returned
    if isinstance(value, Mapping):
        memory.cache.get_or_create(SessionChanges).note(memory.workspace.name, value)
    return returned


def mark_personal(personal: "Memory", returned: Any) -> Any:
    """A result of the personal memory that says so, in its value and its text."""
    result = returned if isinstance(returned, Result) else Result(returned)
    name = personal.workspace.name
    text = None if result.text is None else f"{personal_title(name)}\n{result.text}"
    return replace(result, value={**result.value, WORKSPACE: name}, text=text)


def personal_title(workspace: str) -> str:
    return f"Personal (workspace {workspace}):"


def personal_change(memory: "Memory", transaction: int | None) -> int | None:
    """The transaction to undo in the personal memory; none if the project's is meant.

    Without a number, that is the last change of the session; with one, the workspace where the session made it.
    """
    if memory.personal is None:
        return None
    project, personal = memory.workspace.name, memory.personal.workspace.name
    changes = memory.cache.get_or_create(SessionChanges)
    if transaction is None:
        workspace, number = changes.done[-1] if changes.done else (project, 0)
        return number if workspace == personal else None
    places = changes.places.get(transaction, set())
    if len(places) > 1:
        raise AmbiguousTransaction(transaction, project, personal)
    return transaction if personal in places else None
