"""Queries of the mesh: accounts, token usage, fetch slots, confirmation tokens; and registered external servers."""

from pathlib import Path
from typing import NamedTuple

from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant


class MeshAccount(NamedTuple):
    """An account of a connector that bodies may be fetched from."""

    connector: str
    account: str
    path: str
    enabled: bool
    refetch: bool
    retention_days: int | None

    @property
    def folder(self) -> Path:
        return Path(self.path)


class TokenUse(NamedTuple):
    """How many tokens one fetch gave to a session."""

    session: str
    at: Instant
    tokens: int


class ExternalServerRow(NamedTuple):
    """A registered server; `value` is its configuration as JSON."""

    name: str
    enabled: bool
    value: str


def list_mesh_accounts(view: View) -> list[MeshAccount]:
    return [_account(*row) for row in view.rows("mesh_accounts")]


def find_account(view: View, connector: str, account: str) -> MeshAccount | None:
    rows = view.rows("mesh_account_one", connector=connector, account=account)
    return _account(*rows[0]) if rows else None


def _account(connector: str, account: str, path: str, enabled: int, refetch: int, days: int | None) -> MeshAccount:
    return MeshAccount(connector, account, path, enabled == 1, refetch == 1, days)


def put_account(change: Change, account: MeshAccount) -> None:
    values = account._asdict() | {"enabled": int(account.enabled), "refetch": int(account.refetch)}
    change.run("mesh_account_put", **values)


def documents_with_uri(view: View, uri: str) -> list[DocumentId]:
    return view.fetch_values("mesh_bodies", uri=uri)


def token_uses(view: View, since: int) -> list[TokenUse]:
    return view.fetch(TokenUse, "mesh_used", since=since)


def add_token_use(change: Change, id_: str, use: TokenUse) -> None:
    change.run("mesh_use_add", id=id_, **use._asdict())


def drop_token_uses(change: Change, before: int) -> None:
    change.run("mesh_use_forget", before=before)


def count_slots(view: View) -> int:
    """How many fetches are under way."""
    return len(view.rows("mesh_slots", now=view.now))


def take_slot(change: Change, slot: str, until: int) -> None:
    change.run("mesh_slot_take", id=slot, until=until)


def free_slot(change: Change, slot: str) -> None:
    """Free a slot, and those whose lease has run out."""
    change.run("mesh_slot_free", id=slot, now=change.now)


def is_token_used(view: View, digest: str) -> bool:
    return bool(view.rows("mesh_token_used", token=digest))


def mark_token_used(change: Change, digest: str) -> None:
    change.run("mesh_token_use", token=digest, at=change.now)


def unmark_token_used(change: Change, digest: str) -> None:
    change.run("mesh_token_give_back", token=digest)


def drop_used_tokens(change: Change, before: int) -> None:
    change.run("mesh_tokens_forget", before=before)


def workspace_secret(view: View) -> str | None:
    return view.fetch_text("mesh_secret")


def put_workspace_secret(change: Change, secret: str) -> None:
    change.run("mesh_secret_put", secret=secret)


def external_servers(view: View) -> list[ExternalServerRow]:
    return [ExternalServerRow(name, enabled == 1, value) for name, enabled, value in view.rows("external_servers")]


def put_external_server(change: Change, server: ExternalServerRow) -> None:
    change.run("external_server_put", name=server.name, enabled=int(server.enabled), value=server.value)


def drop_external_server(change: Change, name: str) -> None:
    change.run("external_server_drop", name=name)
