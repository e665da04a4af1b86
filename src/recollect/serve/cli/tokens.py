"""`recollect token`, `member` and `audit`: access tokens for HTTP, and the log of calls made with them."""

import json
from itertools import islice
from typing import Any

import click

from recollect.errors import Conflict, NotKnown
from recollect.serve.cli.main import standard_options, store_of
from recollect.serve.cli.output import show, show_rows


class NoSuchToken(NotKnown):
    def __init__(self, token_id: str) -> None:
        super().__init__(f"no single valid token has the id or name {token_id!r}; see: recollect token list")


SCOPE = click.option("--scope", type=click.Choice(["read", "write", "admin"]), default="read", help="What it may do.")


@click.group("token")
def token_command() -> None:
    """Access tokens for HTTP, each for one workspace."""


@token_command.command("create")
@click.argument("name")
@SCOPE
@click.option("--calls-per-minute", type=click.IntRange(min=0), help="The most calls in a minute; 0 for no limit.")
@click.option("--bytes-per-day", type=click.IntRange(min=0), help="The most bytes sent in a day.")
@click.option("--facts-per-day", type=click.IntRange(min=0), help="The most facts written in a day (UTC).")
@standard_options
def create(ctx: click.Context, /, name: str, scope: Any, as_json: bool, **limits: int | None) -> None:
    """Create a token for this workspace. It is shown only once."""
    from recollect.serve.auth import make_token

    with store_of(ctx) as opened:
        memory = opened.memory("token")
        given = {key: value for key, value in limits.items() if value is not None}
        secret, token = make_token(name, memory.workspace.name, scope, memory.clock.now(), given)
        opened.tokens.add(token)
    show({"token": secret, "id": token.id, "name": name, "workspace": token.workspace, "scope": scope}, as_json)


@token_command.command("list")
@standard_options
def list_tokens(ctx: click.Context, as_json: bool) -> None:
    """Every token of this store, without its secret."""
    from recollect.when.instant import Instant, format_instant

    def row(token: Any) -> dict[str, Any]:
        revoked = None if token.revoked_at is None else format_instant(Instant(token.revoked_at))
        made = format_instant(Instant(token.created_at))
        named = {"id": token.id, "name": token.name, "workspace": token.workspace, "scope": token.scope}
        return named | {"created_at": made, "revoked_at": revoked}

    with store_of(ctx) as opened:
        show_rows([row(each) for each in opened.tokens.all()], as_json, "no tokens")


@token_command.command("revoke")
@click.argument("token")
@standard_options
def revoke(ctx: click.Context, token: str, as_json: bool) -> None:
    """Revoke the token with this id or name, effective at once."""
    with store_of(ctx) as opened:
        valid = [each for each in opened.tokens.all() if each.revoked_at is None]
        meant = [each for each in valid if each.id == token] or [each for each in valid if each.name == token]
        if len(meant) != 1 or not opened.tokens.revoke(meant[0].id, opened.memory("token").clock.now()):
            raise NoSuchToken(token)
    show({"revoked": meant[0].id}, as_json)


class NoSuchMember(NotKnown):
    def __init__(self, subject: str, workspace: str) -> None:
        super().__init__(f"{subject!r} is not a member of {workspace!r}; see: recollect member list")


@click.group("member")
def member_command() -> None:
    """Members of this workspace: other tokens (token:ID), or subjects of the authorization server (oauth:SUBJECT)."""


@member_command.command("add")
@click.argument("subject")
@SCOPE
@standard_options
def add_member(ctx: click.Context, subject: str, scope: Any, as_json: bool) -> None:
    """Let a subject use this workspace with its own scope; its calls send the header Recollect-Workspace."""
    from recollect.store.access_tokens import WorkspaceMember

    if not subject.startswith(("token:", "oauth:")):
        raise click.UsageError("write token:ID (see: recollect token list) or oauth:SUBJECT", ctx)
    with store_of(ctx) as opened:
        memory = opened.memory("member")
        member = WorkspaceMember(memory.workspace.name, subject, scope, memory.clock.now())
        opened.tokens.put_member(member)
    show({"member": subject, "workspace": member.workspace, "scope": scope}, as_json)


@member_command.command("list")
@standard_options
def list_members(ctx: click.Context, as_json: bool) -> None:
    """The members of every workspace."""
    with store_of(ctx) as opened:
        members = opened.tokens.members()
    rows = [{"workspace": each.workspace, "member": each.subject, "scope": each.scope} for each in members]
    show_rows(rows, as_json, "no members")


@member_command.command("remove")
@click.argument("subject")
@standard_options
def remove_member(ctx: click.Context, subject: str, as_json: bool) -> None:
    """End the membership of a subject in this workspace, effective at once."""
    with store_of(ctx) as opened:
        workspace = opened.memory("member").workspace.name
        if not opened.tokens.drop_member(subject, workspace):
            raise NoSuchMember(subject, workspace)
    show({"removed": subject, "workspace": workspace}, as_json)


class BrokenAuditLog(Conflict):
    code = "audit_log_broken"

    def __init__(self, number: int, what: str) -> None:
        super().__init__(f"the audit log is damaged: {what} {number}; compare it with a backup")


@click.group("audit")
def audit_command() -> None:
    """Who called what over HTTP; enabled by the setting audit.enabled."""


@audit_command.command("show")
@click.option("--after", type=int, default=0, help="Only entries after this number.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=100, help="The most entries.")
@standard_options
def show_entries(ctx: click.Context, after: int, limit: int, as_json: bool) -> None:
    """The entries of the log, oldest first."""
    from recollect.store.audit import AuditStore
    from recollect.when.instant import Instant, format_instant

    with store_of(ctx) as opened:
        entries = list(islice(AuditStore(opened.engine).entries(after), limit))
    rows = [
        {
            "number": each.number,
            "at": format_instant(Instant(each.at)),
            "workspace": each.workspace,
            "actor": each.actor,
            "client": each.client,
            "tool": f"{each.surface}.{each.tool}",
            "outcome": each.outcome,
            "ids": json.loads(each.ids),
        }
        for each in entries
    ]
    show_rows(rows, as_json, "the audit log is empty")


@audit_command.command("verify")
@click.option("--expect", metavar="HASH", help="The last hash of an earlier check, which must still be in the log.")
@standard_options
def verify(ctx: click.Context, expect: str | None, as_json: bool) -> None:
    """Check the hash chain and print the last hash; store it elsewhere for --expect."""
    from recollect.store.audit import AuditStore

    with store_of(ctx) as opened:
        store = AuditStore(opened.engine)
        found = store.verify()
        if found.broken_at is not None:
            raise BrokenAuditLog(found.broken_at, "the chain breaks at entry")
        known = (store.chain().first_hash, *(entry.hash for entry in store.entries())) if expect is not None else ()
        if expect is not None and expect not in known:
            raise BrokenAuditLog(found.entries, "the expected hash is not among its entries, of which there are")
    show({"entries": found.entries, "last_hash": found.last_hash}, as_json)
