"""Declarations of the web app: sections, pages, actions that change something, form fields, and the two clocks."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from starlette.datastructures import FormData, QueryParams, UploadFile

from recollect.model.actor import Actor
from recollect.serve.callers import Caller
from recollect.store.access_tokens import Scope
from recollect.surfaces.recollect.failures import InvalidInput
from recollect.surfaces.recollect.parameters import knowledge_moment, read_when

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.serve.metrics import RecentCall
    from recollect.store.view import View
    from recollect.when.period import Time
    from recollect.when.span import Span


CLOCK_FIELDS = ("at", "as_of")
PRESENT = "now"
"""What an empty field means, and says."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the clock bar says: as written, and as read. Nothing means now."""

    at_text: str = ""
    as_of_text: str = ""
    at: "Time | None" = None
    known: int | str | None = None
    known_at: str | None = None
    """The moment of knowledge, for people to read."""

    @property
    def is_now(self) -> bool:
        return not self.at_text and not self.as_of_text

    def query(self) -> dict[str, object]:
        """The parameters that put another page on the same clocks."""
        return {"at": self.at_text, "as_of": self.as_of_text}


NOW = Clocks()

SURFACE = "web"
"""The surface under which the transactions of this app are recorded."""
LARGEST_FORM = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PageModel:
    """What a page shows; also its JSON form. Extended by every page."""

    title: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment at which something on a page changed: a stop of the clock bar's slider."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What an action did: where to go, what to say there if anything, and the transaction that *Undo* takes back."""

    path: str
    message: str
    undo: int | None = None
    workspace: str | None = None
    """Where the page is, if not in the workspace of the action."""
    copy: str = ""
    """A text that the visitor takes away, such as a new token."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """One request of a caller who may make it."""

    memory: "Memory"
    caller: Caller
    path: Mapping[str, str] = field(default_factory=dict)
    query: QueryParams = field(default_factory=QueryParams)
    form: FormData = field(default_factory=FormData)
    clocks: Clocks = NOW
    origin: str = ""
    """Scheme, host and port under which the server was reached."""
    is_local: bool = False
    """Whether the visitor sits at the machine, and so may see every workspace."""
    release: Callable[[str], None] = lambda _: None
    """Forgets what the server keeps of a workspace that was renamed or deleted."""
    recent_calls: "Callable[[str, int], list[RecentCall]]" = lambda _, __: []
    """The last tool calls of a workspace that this server answered, newest first."""

    @property
    def workspace(self) -> str:
        return self.memory.workspace.name

    @contextmanager
    def read(self) -> "Iterator[View]":
        """One consistent read of what was known at the moment the clock bar shows."""
        with self.memory.read(self.clocks.known) as view:
            yield view

    def at(self, view: "View") -> "Span":
        """The time of the world that the clock bar shows."""
        return view.world.present if self.clocks.at is None else self.clocks.at.span

    def text(self, name: str) -> str:
        """A field of the form, without blanks around it; empty if it was not sent."""
        value = self.form.get(name)
        return value.strip() if isinstance(value, str) else ""

    def files(self, name: str) -> list[UploadFile]:
        """The files of a field; a browser sends one without a name when none was chosen."""
        sent = self.form.getlist(name)
        return [each for each in sent if isinstance(each, UploadFile) and each.filename]

    def back(self, default: str = "") -> str:
        """The page of this workspace that the form was sent from, for the redirect after an action."""
        prefix, sent = page_address(self.workspace, ""), self.text("back")
        return sent.removeprefix(prefix) if sent.startswith(prefix) else default

    def acting(self, tool: str) -> "Memory":
        """The memory for a change by the signed-in person; `tool` names the change in the history."""
        actor = Actor(SURFACE, tool, self.caller.actor, client=self.caller.client, session=self.caller.session)
        return self.memory.with_parts(actor=actor, may_write=self.caller.may_write)

    @property
    def of_now(self) -> "PageRequest":
        """The same page at the present, to compare with."""
        return replace(self, clocks=NOW)

    def href(self, path: str, /, **query: object) -> str:
        """The address of a page of this workspace, with the clocks of this one."""
        return page_address(self.workspace, path, {**self.clocks.query(), **query})


@dataclass(frozen=True, slots=True)
class Page:
    """A page that reads. `name` is its `data-page` and its template; `path` is relative to the workspace."""

    name: str
    path: str
    read: Callable[[PageRequest], PageModel]
    has_clock: bool = False
    updates_itself: bool = False
    scope: Scope = "read"
    template: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A POST route that changes something, open to callers with this scope."""

    path: str
    run: Callable[[PageRequest], ActionResult]
    scope: Scope = "write"
    largest: int = LARGEST_FORM
    """The most bytes of a request."""


@dataclass(frozen=True, slots=True)
class Download:
    """A route that sends a file; its name is made from that of the workspace."""

    path: str
    lines: Callable[[PageRequest], Iterator[str]]
    filename: str
    scope: Scope = "admin"


@dataclass(frozen=True, slots=True)
class WebSection:
    """A part of the app; with a label it is in the navigation."""

    name: str
    pages: tuple[Page, ...]
    actions: tuple[Action, ...] = ()
    label: str | None = None
    group: str = ""
    downloads: tuple[Download, ...] = ()


def page_address(workspace: str, path: str, query: Mapping[str, object] | None = None) -> str:
    """The address of a page; parameters without a value are left out."""
    given = {key: value for key, value in (query or {}).items() if value not in (None, "", False)}
    tail = f"?{urlencode(given)}" if given else ""
    return f"/w/{quote(workspace, safe='')}/{path}{tail}"


def whole_number(text: str) -> int | None:
    """The number that a text of at most 18 digits is."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def number_field(request: PageRequest, name: str) -> int:
    """A positive whole number."""
    text = request.text(name)
    number = whole_number(text)
    if not number:
        raise InvalidInput(f"{name} is {text[:50]!r}; it must be a whole number", field=name)
    return number


def required_field(request: PageRequest, name: str, limit: int = 2_000) -> str:
    """A text that must not be empty."""
    text = request.text(name)
    if not 0 < len(text) <= limit:
        raise InvalidInput(
            f"{name.replace('_', ' ')} has {len(text)} characters; it must have 1 to {limit}", field=name
        )
    return text


def optional_field(request: PageRequest, name: str) -> str | None:
    return request.text(name) or None


def read_clocks(memory: "Memory", at: str, as_of: str) -> Clocks:
    """The clocks that two fields name; a time that cannot be read is refused."""
    at, as_of = ("" if each.casefold() == PRESENT else each for each in (at, as_of))
    if not at and not as_of:
        return NOW
    known = knowledge_moment(memory, as_of) if as_of else None
    with memory.read(known) as view:
        time = read_when(view.world, at, "at") if at else None
    return Clocks(at, as_of, time, known, None if known is None else str(known))
