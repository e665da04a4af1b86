"""What surrounds every page: navigation, search box, clock bar, the message after a change."""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from recollect.model.ids import EntityId
from recollect.serve.web.framework.pages import (
    CLOCK_FIELDS,
    NOW,
    Clocks,
    Moment,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    page_address,
)
from recollect.serve.web.framework.rendering import human_time, local_instant
from recollect.serve.web.framework.sessions import Visitor, set_cookie
from recollect.store.activity_queries import ActivityFilter, list_transactions

MOST_MOMENTS = 60


def recent_moments(request: PageRequest, entities: Sequence[EntityId] | None = None) -> tuple[Moment, ...]:
    """The last transactions that touched some entities, or any; the oldest first. Later ones than the clock's too."""
    with request.memory.read() as view:
        if entities is None:
            found = list_transactions(view, ActivityFilter(limit=MOST_MOMENTS))
        else:
            every = (list_transactions(view, ActivityFilter(entity=each, limit=MOST_MOMENTS)) for each in entities)
            found = sorted({tx for some in every for tx in some}, reverse=True)[:MOST_MOMENTS]
        zone = view.world.zone
    return tuple(Moment(str(tx.tx), f"{human_time(local_instant(tx.at, zone))}: {tx.tool}") for tx in reversed(found))


if TYPE_CHECKING:
    from recollect.when.timeline import Timeline

FLASH_SECONDS = 60
_PREPOSITIONS = {"day": "on", "month": "in", "year": "in", "week": "in", "era": "in"}


@dataclass(frozen=True, slots=True)
class Flash:
    """The message after a change, with the transaction that its Undo button takes back."""

    message: str
    undo: int | None = None
    copy: str = ""


@dataclass(frozen=True, slots=True)
class NavLink:
    name: str
    label: str
    href: str
    group: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class LatestState:
    """The last transaction of a workspace, its calendar, and the workspaces that its visitor may see."""

    tx: int
    timeline: "Timeline"
    workspaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClockBar:
    """The clock bar of a page: the two fields, what they mean, and the other parameters of the address."""

    clocks: Clocks
    sentence: str
    kept: tuple[tuple[str, str], ...]
    now_href: str
    moments: tuple[Moment, ...] = ()
    """When something on the page became known, the oldest first."""
    true_moments: tuple[Moment, ...] = ()
    """When something on the page began or ended."""

    @property
    def is_now(self) -> bool:
        return self.clocks.is_now


@dataclass(frozen=True, slots=True)
class Chrome:
    page: str
    workspace: str
    here: str
    theme: str
    csrf: str = ""
    actor: str = ""
    may_write: bool = False
    may_sign_out: bool = False
    nav: tuple[NavLink, ...] = ()
    clock: ClockBar | None = None
    flash: Flash | None = None
    tx: int = 0
    updates_itself: bool = False
    query: str = ""
    is_now: bool = True
    back: str = ""
    """The page that a failed form was sent from."""
    timeline: "Timeline | None" = None
    """The calendar that times of the workspace are written in."""
    workspaces: tuple[str, ...] = ()
    may_administer: bool = False
    form_key: str = field(default_factory=lambda: secrets.token_urlsafe(12))

    @classmethod
    def of(
        cls,
        request: Request,
        visitor: Visitor,
        sections: tuple[WebSection, ...],
        page: Page,
        asked: PageRequest,
        model: PageModel,
        latest: LatestState,
        flash: Flash | None,
    ) -> "Chrome":
        return cls(
            page.name,
            asked.workspace,
            _current_url(request),
            _theme(request),
            visitor.csrf,
            visitor.caller.actor,
            visitor.caller.may_write,
            visitor.may_sign_out,
            tuple(_nav_links(sections, asked.workspace, asked.clocks.query(), page)),
            _clock_bar(request, asked, model, latest.timeline) if page.has_clock else None,
            flash,
            latest.tx,
            page.updates_itself,
            request.query_params.get("q", ""),
            asked.clocks.is_now,
            timeline=latest.timeline,
            workspaces=latest.workspaces,
            may_administer=visitor.caller.may_administer,
        )

    @classmethod
    def bare(cls, request: Request, visitor: Visitor | None, sections: tuple[WebSection, ...] = ()) -> "Chrome":
        """Without a page of a workspace: for signing in and for failures."""
        name, here, theme = (
            "login" if request.url.path == "/login" else "problem",
            _current_url(request),
            _theme(request),
        )
        if visitor is None:
            return cls(name, "", here, theme)
        caller = visitor.caller
        nav = tuple(_nav_links(sections, caller.workspace))
        may_write, back = caller.may_write, _back(request)
        return cls(name, caller.workspace, here, theme, visitor.csrf, caller.actor, may_write, nav=nav, back=back)

    def href(self, path: str, /, **query: object) -> str:
        return page_address(self.workspace, path, query)


def _current_url(request: Request) -> str:
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def _theme(request: Request) -> str:
    chosen = request.cookies.get("recollect_theme", "")
    return chosen if chosen in ("light", "dark") else "auto"


def _nav_links(
    sections: tuple[WebSection, ...],
    workspace: str,
    query: Mapping[str, object] | None = None,
    page: Page | None = None,
) -> Iterator[NavLink]:
    for section in sections:
        if section.label is not None:
            address = page_address(workspace, section.pages[0].path, query)
            yield NavLink(section.name, section.label, address, section.group, page in section.pages)


def _back(request: Request) -> str:
    """The page of ours that the browser says it comes from."""
    sent = urlsplit(request.headers.get("referer", ""))
    is_ours = sent.netloc == request.headers.get("host") and sent.path.startswith("/w/")
    return sent._replace(scheme="", netloc="").geturl() if is_ours else ""


def unreadable_clocks(request: Request) -> ClockBar:
    """The clock bar as it was filled in, for a page that says why it cannot be read."""
    at, as_of = (request.query_params.get(name, "") for name in CLOCK_FIELDS)
    return _clock_bar_of(request, Clocks(at, as_of), "")


def _clock_bar(request: Request, asked: PageRequest, model: PageModel, timeline: "Timeline") -> ClockBar:
    """With the moments that the page names; a page that names none has those of the whole workspace."""
    bar = _clock_bar_of(request, asked.clocks, clock_sentence(asked.clocks, timeline))
    named: tuple[Moment, ...] | None = getattr(model, "moments", None)
    moments = recent_moments(asked) if named is None else named
    return replace(bar, moments=moments, true_moments=getattr(model, "true_moments", ()))


def _clock_bar_of(request: Request, clocks: Clocks, sentence: str) -> ClockBar:
    kept = tuple((key, value) for key, value in request.query_params.multi_items() if key not in CLOCK_FIELDS)
    tail = "&".join(f"{quote(key)}={quote(value)}" for key, value in kept)
    return ClockBar(clocks, sentence, kept, f"{request.url.path}?{tail}".rstrip("?"))


def clock_sentence(clocks: Clocks, timeline: "Timeline | None" = None) -> str:
    """What a page shows when it is not now: "What was true on 3 March 2026, as known on 5 March 2026"."""
    if clocks is NOW or clocks.is_now:
        return ""
    parts = []
    if clocks.at is not None:
        parts.append(f"What was true {_PREPOSITIONS.get(clocks.at.grain, 'at')} {human_time(clocks.at.text, timeline)}")
    if clocks.known is not None:
        known = str(clocks.known_at)
        moment = f"after transaction {known.removeprefix('tx:')}" if known.removeprefix("tx:").isdigit() else ""
        parts.append(f"as known {moment or 'on ' + human_time(known)}")
    sentence = ", ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def read_flash(request: Request) -> Flash | None:
    """The message that the last action left for the next page."""
    try:
        kept = json.loads(unquote(request.cookies.get(_flash_cookie(request), "")))
        message, undo, copy = str(kept["message"]), kept["undo"], str(kept["copy"])
    except (ValueError, KeyError, TypeError):
        return None
    return Flash(message[:1000], undo if isinstance(undo, int) else None, copy[:1000])


def keep_flash(response: Response, request: Request, flash: Flash) -> None:
    value = quote(json.dumps({"message": flash.message[:1000], "undo": flash.undo, "copy": flash.copy}))
    set_cookie(response, request, _flash_cookie(request), value, FLASH_SECONDS)


def clear_flash(response: Response, request: Request) -> None:
    response.delete_cookie(_flash_cookie(request), path="/")


def _flash_cookie(request: Request) -> str:
    return f"recollect_flash_{request.url.port or 0}"
