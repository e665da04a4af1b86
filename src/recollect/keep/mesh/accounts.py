"""Which accounts may be fetched from: all are off until somebody with the shell switches one on."""

from pathlib import Path
from typing import NamedTuple

from recollect.errors import NotKnown, Refused
from recollect.keep.mesh.bundles import Bundles
from recollect.keep.mesh.connector import Connector
from recollect.keep.mesh.files import Files
from recollect.keep.mesh.mails import Mails
from recollect.store.change import Change
from recollect.store.view import View

CONNECTORS: dict[str, Connector] = {"bundle": Bundles(), "files": Files(), "mail": Mails()}


class UnknownConnector(Refused):
    def __init__(self, name: str) -> None:
        super().__init__(f"there is no connector {name!r}", field="connector", accepted=sorted(CONNECTORS))


class UnknownAccount(NotKnown):
    def __init__(self, connector: str, account: str) -> None:
        super().__init__(f"connector {connector} has no account {account!r}; recollect mesh list shows those it has")


class Account(NamedTuple):
    connector: str
    account: str
    path: str
    enabled: bool
    refetch: bool
    retention_days: int | None

    @property
    def folder(self) -> Path:
        return Path(self.path)


def accounts(view: View) -> list[Account]:
    return [_account(row) for row in view.rows("mesh_accounts")]


def account_of(view: View, connector: str, account: str) -> Account | None:
    found = view.rows("mesh_account_one", connector=connector, account=account)
    return _account(found[0]) if found else None


def _account(row: tuple[str, str, str, int, int, int | None]) -> Account:
    connector, account, path, enabled, refetch, days = row
    return Account(connector, account, path, bool(enabled), bool(refetch), days)


def enable(change: Change, wanted: Account) -> None:
    """Let bodies be fetched from an account."""
    if wanted.connector not in CONNECTORS:
        raise UnknownConnector(wanted.connector)
    _put(change, wanted)


def disable(change: Change, connector: str, account: str) -> None:
    known = account_of(change, connector, account)
    if known is None:
        raise UnknownAccount(connector, account)
    _put(change, known._replace(enabled=False))


def _put(change: Change, account: Account) -> None:
    values = account._asdict() | {"enabled": int(account.enabled), "refetch": int(account.refetch)}
    change.connection.run("mesh_account_put", {"ws": change.ws, **values})
