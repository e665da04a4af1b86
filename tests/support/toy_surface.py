"""A memory without a store, and the surface that works on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import recollect.surfaces as home
from recollect.memory import Memory, UnknownWorkspace
from recollect.model.actor import Actor
from recollect.serve.callers import Caller
from recollect.serve.listeners import ProgressListeners
from recollect.settings import Settings
from recollect.store.access_tokens import AccessToken, Scope
from recollect.surfaces import registry
from recollect.surfaces.declarations import Surface, Tool
from recollect.surfaces.dispatch import CallMemory

TOYS = str(Path(__file__).parents[1] / "surfaces" / "toy_home")


@dataclass
class Notes:
    """What the toy's tools work on."""

    notes: dict[str, str] = field(default_factory=lambda: {"first": "hello"})
    settings: Settings = field(default_factory=Settings)
    may_write: bool = True


@contextmanager
def toy_surface() -> Iterator[Surface]:
    """The toy stands beside the real surfaces for a while."""
    home.__path__.append(TOYS)
    _forget()
    try:
        yield registry.find_surface("toy")
    finally:
        home.__path__.remove(TOYS)
        _forget()


def _forget() -> None:
    registry.package_names.cache_clear()
    registry.find_surface.cache_clear()


@dataclass
class KeptTokens:
    """Tokens in a list."""

    tokens: list[AccessToken] = field(default_factory=list)
    members: dict[str, dict[str, Scope]] = field(default_factory=dict)
    ended: set[tuple[str, str]] = field(default_factory=set)

    def find(self, digest: str) -> AccessToken | None:
        return next((each for each in self.tokens if each.digest == digest and each.revoked_at is None), None)

    def find_by_id(self, token_id: str) -> AccessToken | None:
        return next((each for each in self.tokens if each.id == token_id and each.revoked_at is None), None)

    def end_session(self, token: AccessToken, session: str, _at: int, _forget_before: int) -> None:
        self.ended.add((token.id, session))

    def has_ended(self, token: AccessToken, session: str) -> bool:
        return (token.id, session) in self.ended

    def grants(self, subject: str) -> dict[str, Scope]:
        return self.members.get(subject, {})

    def all(self) -> list[AccessToken]:
        return self.tokens

    def add(self, token: AccessToken) -> None:
        self.tokens.append(token)

    def revoke(self, token_id: str, at: int) -> bool:
        del at
        before = len(self.tokens)
        self.tokens = [each for each in self.tokens if each.id != token_id]
        return len(self.tokens) < before


@dataclass
class ToyServed:
    """An opened memory, as the HTTP door sees it."""

    memory: Notes = field(default_factory=Notes)
    tokens: KeptTokens = field(default_factory=KeptTokens)
    local: Caller = field(default_factory=lambda: Caller("local", "default", "write"))
    default_surface: str = "toy"
    call_seconds: float = 60.0
    audit: None = None
    listeners: ProgressListeners = field(default_factory=ProgressListeners)

    def open_for(self, caller: Caller, _: Tool) -> CallMemory:
        return Notes(self.memory.notes, self.memory.settings, caller.may_write)

    def open_as(self, caller: Caller, actor: Actor, *, is_write: bool) -> Memory:
        del actor, is_write
        raise UnknownWorkspace(caller.workspace)

    def workspace(self, name: str) -> Memory:
        raise UnknownWorkspace(name)

    def release(self, workspace: str) -> None:
        del workspace

    def gauges(self) -> dict[str, float]:
        return {"recollect_tx": 7, "recollect_waiting_texts": 0}

    def check(self) -> None:
        return None
