"""The memory that `recollect.open()` returns: the everyday verbs as typed methods, and a context manager."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from recollect import change_listeners
from recollect.memory import PYTHON_API, Memory
from recollect.model.actor import Actor, Framework
from recollect.settings import Settings
from recollect.surfaces.registry import DEFAULT, find_surface
from recollect.when.clock import Clock

if TYPE_CHECKING:
    from recollect.reason.corrections import Mode
    from recollect.search.recall import RecallKind
    from recollect.surfaces.recollect.correct import CorrectResult
    from recollect.surfaces.recollect.forget import ForgetResult
    from recollect.surfaces.recollect.history import HistoryResult
    from recollect.surfaces.recollect.open_items import OpenItemsResult
    from recollect.surfaces.recollect.recall import RecallAnswer
    from recollect.surfaces.recollect.remembered_views import RememberResult
    from recollect.surfaces.recollect.review import ReviewResult
    from recollect.surfaces.recollect.undo import UndoView
    from recollect.surfaces.recollect.unread import UnreadResult

OTHER_SURFACES = (PYTHON_API.surface, *get_args(Framework))
"""By these surfaces, too, a program writes with the memory it has opened: itself, or through an adapter."""


class EverydayMemory(Memory):
    """A memory with the nine verbs of the everyday surface; `None` stands for the default of an argument.

    Failures are raised as `RecollectError`. Leaving the `with` block closes the store.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def remember(
        self,
        text: str | None = None,
        facts: Iterable[Mapping[str, Any]] | None = None,
        about: str | None = None,
        source: str | None = None,
        source_at: str | None = None,
        document: str | None = None,
        dry_run: bool | None = None,
    ) -> "RememberResult":
        """Keep a text word for word, record facts, or both."""
        given = None if facts is None else [dict(each) for each in facts]
        result: RememberResult = self._call(
            "remember",
            text=text,
            facts=given,
            about=about,
            source=source,
            source_at=source_at,
            document=document,
            dry_run=dry_run,
        )
        return result

    def recall(
        self,
        query: str,
        about: str | None = None,
        at: str | None = None,
        as_of: int | str | None = None,
        since: str | None = None,
        until: str | None = None,
        kinds: "Iterable[RecallKind] | None" = None,
        max_tokens: int | None = None,
    ) -> "RecallAnswer":
        """Find facts and passages, best first."""
        result: RecallAnswer = self._call(
            "recall",
            query=query,
            about=about,
            at=at,
            as_of=as_of,
            since=since,
            until=until,
            kinds=None if kinds is None else list(kinds),
            max_tokens=max_tokens,
        )
        return result

    def correct(
        self,
        fact: str,
        mode: "Mode",
        value: str | float | bool | None = None,
        object: str | Mapping[str, str] | None = None,  # noqa: A002 - the name of the argument
        when: str | None = None,
        reason: str | None = None,
    ) -> "CorrectResult":
        """Retract, end or change a fact, found by its id or its words."""
        entity = object if object is None or isinstance(object, str) else dict(object)
        result: CorrectResult = self._call(
            "correct", fact=fact, mode=mode, value=value, object=entity, when=when, reason=reason
        )
        return result

    def forget(self, target: str, erase: bool | None = None, confirm: str | None = None) -> "ForgetResult":
        """Hide something until `undo`; with `erase`, delete it for good in two calls."""
        result: ForgetResult = self._call("forget", target=target, erase=erase, confirm=confirm)
        return result

    def history(
        self,
        about: str | None = None,
        since: str | None = None,
        until: str | None = None,
        clock: Literal["world", "knowledge"] | None = None,
        limit: int | None = None,
    ) -> "HistoryResult":
        """What began, ended or is due; or what was learned, and when."""
        result: HistoryResult = self._call("history", about=about, since=since, until=until, clock=clock, limit=limit)
        return result

    def open_items(
        self,
        about: str | None = None,
        owner: str | None = None,
        due_before: str | None = None,
        kinds: Iterable[str] | None = None,
        include_closed: bool | None = None,
        limit: int | None = None,
    ) -> "OpenItemsResult":
        """What is still to be done, decided or unblocked, earliest due first."""
        result: OpenItemsResult = self._call(
            "open_items",
            about=about,
            owner=owner,
            due_before=due_before,
            kinds=None if kinds is None else list(kinds),
            include_closed=include_closed,
            limit=limit,
        )
        return result

    def review(
        self,
        kind: Literal["conflict", "duplicate", "ambiguous", "finding"] | None = None,
        about: str | None = None,
        limit: int | None = None,
        decide: Mapping[str, str] | None = None,
    ) -> "ReviewResult":
        """Questions that only a person can decide, or the decision of one."""
        chosen = None if decide is None else dict(decide)
        result: ReviewResult = self._call("review", kind=kind, about=about, limit=limit, decide=chosen)
        return result

    def undo(self, transaction: int | None = None) -> "UndoView":
        """Take back a transaction; without a number, the latest of this program: a verb, a write or an adapter's."""
        result: UndoView = self._call("undo", transaction=transaction)
        return result

    def unread(self, limit: int | None = None, about: str | None = None) -> "UnreadResult":
        """Passages from which no facts were read yet."""
        result: UnreadResult = self._call("unread", limit=limit, about=about)
        return result

    def _call(self, verb: str, **arguments: Any) -> Any:
        """The result of a tool, called as every transport calls it; failures are raised."""
        from recollect.surfaces.dispatch import invoke

        tool = find_surface(DEFAULT).find(verb)
        actor = Actor(DEFAULT, verb, self.actor.name, trust=self.actor.trust, other_surfaces=OTHER_SURFACES)
        memory = self.with_parts(actor=actor)
        return invoke(tool, memory, {name: value for name, value in arguments.items() if value is not None})


def open_memory(
    db: str | None = None, workspace: str | None = None, settings: Settings | None = None, clock: Clock | None = None
) -> EverydayMemory:
    """The memory at an address, ready for use."""
    opened = change_listeners.open_memory(db, workspace, settings, clock)
    return EverydayMemory(**{each.name: getattr(opened, each.name) for each in fields(opened)})
