"""Settings: the workspace, its owner, extensions, tokens, storage and state of the models."""

import json
from dataclasses import dataclass
from typing import Any

from recollect.indexing import count_pending_texts
from recollect.reason.activity import count_rows
from recollect.serve.web.framework.error_pages import Forbidden403
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    required_field,
)
from recollect.serve.web.framework.rendering import local_instant
from recollect.serve.web.sections.administration import ACTIONS, DOWNLOADS, WorkspaceLine, list_workspaces
from recollect.serve.web.sections.extensions import EXTENSION_ACTIONS, Extensions, read_extensions
from recollect.serve.workspace_settings import (
    POLICIES,
    TIMELINES,
    describe_workspace,
    predicate_section,
    put_setting,
    require_known_section,
)
from recollect.settings import MASK, is_secret
from recollect.store.access_tokens import SCOPES, TokenStore
from recollect.store.activity_queries import storage_bytes
from recollect.store.view import View
from recollect.surfaces.recollect.failures import NotFound
from recollect.when.instant import Instant
from recollect.write.owner import OWNER_SETTINGS, find_owner

MOST_TOKENS = 200
ALIASES_HELP = "What chats and notes call you, with commas between."
EMAILS_HELP = (
    "With commas between. Set them before you import mail: yours then counts as your own words, and people you write to"
    " are known. Other senders are marked as unknown, and replace nothing that you said."
)


@dataclass(frozen=True, slots=True)
class SettingField:
    """A setting that has a field of its own."""

    key: str
    label: str
    value: str
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenLine:
    id: str
    name: str
    scope: str
    created: str
    revoked: str | None


@dataclass(frozen=True, slots=True)
class SettingsPage(PageModel):
    workspace: str
    transaction: int
    fields: tuple[SettingField, ...]
    others: tuple[tuple[str, str], ...]
    counts: dict[str, int]
    model: str
    waiting: int
    extensions: Extensions
    tokens: tuple[TokenLine, ...]
    workspaces: tuple[WorkspaceLine, ...]
    bytes: int
    scopes: tuple[str, ...] = SCOPES


def show(request: PageRequest) -> SettingsPage:
    memory = request.memory
    with memory.read() as view:
        described = describe_workspace(view)
        waiting = count_pending_texts(view, memory.embedder)
        tokens = tuple(_tokens(request, view)) if request.caller.may_administer else ()
        counts = count_rows(request.memory, view)._asdict()
        owner, size = find_owner(view), storage_bytes(view)
        now = str(view.world.settings.get("now", ""))
        extensions = read_extensions(request, view)
    others = described["settings"]
    name = others.get("me.name", "" if owner is None else owner.name)
    return SettingsPage(
        "Settings",
        str(described["name"]),
        int(described["tx"]),
        (
            SettingField("me.name", "Your name", str(name), "Whose memory this is: I, me and my in notes and chats."),
            SettingField("me.aliases", "Your other names", _as_text(others.get("me.aliases", "")), ALIASES_HELP),
            SettingField("me.emails", "Your email addresses", _as_text(others.get("me.emails", "")), EMAILS_HELP),
            SettingField("timezone", "Time zone", str(described["timezone"]), "Decides which day an instant is on."),
            SettingField("now", "Now", now, "The present of an invented world; empty for ours."),
            SettingField(
                "timeline", "Timeline", str(described["timeline"]), "The Gregorian calendar, or your own.", TIMELINES
            ),
            SettingField(
                "conflict_policy",
                "When two values disagree",
                str(described["conflict_policy"]),
                "supersede: the newer wins. accumulate: both stay. dispute: both stay and wait in Review.",
                POLICIES,
            ),
        ),
        tuple((key, _as_text(value)) for key, value in sorted(others.items()) if key not in OWNER_SETTINGS),
        counts,
        "search by meaning is off" if memory.embedder is None else memory.embedder.model,
        waiting,
        extensions,
        tokens,
        list_workspaces(request),
        size,
    )


def _as_text(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tokens(request: PageRequest, view: View) -> list[TokenLine]:
    zone, name = view.world.zone, request.memory.workspace.name
    found = [each for each in TokenStore(request.memory.engine).all() if each.workspace == name]
    return [
        TokenLine(
            each.id,
            each.name,
            each.scope,
            local_instant(Instant(each.created_at), zone),
            None if each.revoked_at is None else local_instant(Instant(each.revoked_at), zone),
        )
        for each in found[:MOST_TOKENS]
    ]


AT_THE_MACHINE = frozenset({"embedding", "llm"})
"""Where the server sends texts, with a key that may be the operator's."""
FOR_ADMINISTRATORS = frozenset({"hooks", "secrets", "trust"})
"""Whose words count, and what is kept of them."""


def change_setting(request: PageRequest) -> ActionResult:
    """Check and set one key; an empty value removes it."""
    key, text = required_field(request, "key", 200), request.text("value")
    _require_right(request, key)
    if text:
        require_known_section(key)
    with request.acting("settings").write() as change:
        put_setting(change, key, _parse(text) if text else None)
        tx = change.own_tx
    said = f"{key} is now {MASK if is_secret(key) else text}" if text else f"{key} is no longer set"
    return ActionResult(request.back("settings"), said if tx else f"{key} is so already", tx)


def _require_right(request: PageRequest, key: str) -> None:
    section = key.partition(".")[0]
    if section in AT_THE_MACHINE and not request.is_local:
        raise Forbidden403(f"{key} is set at the machine: recollect workspace set {key} VALUE")
    if request.caller.may_administer:
        return
    if predicate_section(key) is not None or section in FOR_ADMINISTRATORS:
        what = "predicates are" if predicate_section(key) is not None else f"{key} is"
        raise Forbidden403(f"{what} changed by administrators; your token has scope {request.caller.scope}")


def _parse(text: str) -> Any:
    """Numbers, flags and lists as JSON; anything else is a text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, bool | int | float | list | dict) else text


def revoke_token(request: PageRequest) -> ActionResult:
    ident = required_field(request, "token", 100)
    memory = request.memory
    tokens = TokenStore(memory.engine)
    found = tokens.find_by_id(ident)
    if found is None or found.workspace != memory.workspace.name or not tokens.revoke(ident, memory.clock.now()):
        raise NotFound(f"no valid token {ident!r} in this workspace", field="token")
    return ActionResult(request.back("settings"), f"Token {found.name} is revoked")


SECTION = WebSection(
    "settings",
    pages=(Page("settings", "settings", show),),
    actions=(
        Action("settings/change", change_setting),
        Action("settings/revoke", revoke_token, scope="admin"),
        *ACTIONS,
        *EXTENSION_ACTIONS,
    ),
    downloads=DOWNLOADS,
    label="Settings",
    group="Set up",
)
