"""`undo`: take a transaction back, or do it again by undoing the undo."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.errors import Conflict
from recollect.ingest.timeline_definitions import undo_transaction
from recollect.keep.graph.extraction_queue import requeue_after_undo
from recollect.memory import Memory
from recollect.reason.activity import describe_changes, describe_kept
from recollect.store.change import Change
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import IntegralFloat
from recollect.surfaces.personal import mark_personal, personal_change, personal_memory
from recollect.surfaces.recollect.failures import NO_EXAMPLE, LaterChanges, NotFound
from recollect.surfaces.recollect.surface import surface
from recollect.write.trust_rules import check_may_overrule
from recollect.write.undo import (
    AlreadyUndone,
    ErasureIsFinal,
    ImportedSince,
    LaterTransactionsDepend,
    NoSuchTransaction,
    check_not_erased_since,
    check_not_imported_since,
    latest_by_command,
    latest_undoable,
)

TransactionNumber = Annotated[
    int, Field(ge=1, description="`undo` of a result; default: your latest change here"), IntegralFloat
]


class UndoView(TypedDict):
    undone: int
    undo: int
    changes: list[str]
    kept: NotRequired[list[str]]


@surface.tool("write", example={"transaction": 5})
def undo(memory: Memory, transaction: TransactionNumber | None = None) -> Result[UndoView]:
    """Take a change back, whoever made it; undoing an undo does it again.

    Without arguments your latest change; repeat to go further back. Refused if a later one changed the same fact.
    """
    in_personal, personal = personal_change(memory, transaction), personal_memory(memory)
    if in_personal is not None and personal is not None:
        marked: Result[UndoView] = mark_personal(personal, _undo(personal, in_personal))
        return marked
    return _undo(memory, transaction)


def _undo(memory: Memory, transaction: int | None) -> Result[UndoView]:
    with memory.write() as change:
        check_may_overrule(memory.settings_in(change), memory.actor)
        tx = transaction or _latest(memory, change)
        try:
            done = undo_transaction(memory, change, tx)
        except Conflict as problem:
            raise _later_changes(problem) from problem
        except NoSuchTransaction as problem:
            raise NotFound(str(problem), field="transaction", example=NO_EXAMPLE) from problem
        requeue_after_undo(change)
        result: UndoView = {"undone": tx, "undo": done.tx, "changes": describe_changes(change, done)}
        kept = describe_kept(change, done)
        if kept:
            result["kept"] = kept
    return Result(result, "\n".join(_lines(result)))


def _latest(memory: Memory, change: Change) -> int:
    """The caller's latest change; refused if that is an erasure, rather than undoing an unrelated older one."""
    tx = latest_undoable(change, memory.actor)
    try:
        check_not_erased_since(change, memory.actor, tx)
    except ErasureIsFinal as problem:
        raise _later_changes(problem) from problem
    if tx is None:
        raise NotFound("you have changed nothing here that could be undone", next_step="Name a transaction.")
    return tx


def latest_at_prompt(memory: Memory) -> int | None:
    """The caller's latest change where commands change things too, such as settings; refused if it is an import.

    On the surface itself the latest change is the latest on this surface.
    """
    actor = memory.actor
    with memory.write() as change:
        own = latest_undoable(change, actor)
        try:
            check_not_imported_since(change, actor.name, own)
        except ImportedSince as problem:
            raise _later_changes(problem) from problem
        command = latest_by_command(change, actor.name)
        return command if command is not None and command > (own or 0) else None


def _later_changes(problem: Conflict) -> LaterChanges:
    next_step = None
    if isinstance(problem, LaterTransactionsDepend) and problem.transactions:
        next_step = f"Undo {_in_order(problem.transactions)} first; or use `correct` on the fact."
    elif isinstance(problem, AlreadyUndone):
        next_step = f"Undo {problem.by} to do it again."
    elif isinstance(problem, ErasureIsFinal):
        next_step = "See `history` with clock `knowledge` for other transactions."
        if problem.before is not None:
            next_step = f"To undo your change before it, call `undo` with transaction {problem.before}."
    elif isinstance(problem, ImportedSince):
        next_step = f"To take the import back, undo {_in_order(problem.transactions)}."
        if problem.before is not None:
            next_step += f" To undo your change before it, call `undo` with transaction {problem.before}."
    return LaterChanges(str(problem), field="transaction", next_step=next_step, example=NO_EXAMPLE)


def _in_order(transactions: Sequence[int]) -> str:
    """The transactions as they are to be undone, the latest first."""
    return ", then ".join(map(str, reversed(transactions)))


def _lines(result: UndoView) -> Iterator[str]:
    yield f"Transaction {result['undone']} is undone. To do it again: `undo` with transaction {result['undo']}."
    yield from (f"- {change}" for change in result["changes"])
    if "kept" in result:
        yield "Kept, because later changes use it:"
        yield from (f"- {text}" for text in result["kept"])
