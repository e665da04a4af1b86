"""`recollect audit`: the log of calls over HTTP."""

import json
from itertools import islice

import click

from recollect.errors import Conflict
from recollect.serve.cli.main import standard_options, store_of
from recollect.serve.cli.output import show, show_rows


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
