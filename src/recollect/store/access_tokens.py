"""Access tokens of the HTTP doors, outside every transaction's history."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from recollect.errors import NotKnown
from recollect.store.port import Engine

Scope = Literal["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "write", "admin")
LIST_LIMIT = 10_000


class AccessToken(NamedTuple):
    """What is kept of a token. The secret itself is not."""

    id: str
    name: str
    workspace: str
    scope: Scope
    digest: str
    created_at: int
    revoked_at: int | None = None


class NoSuchWorkspace(NotKnown):
    code = "unknown_workspace"

    def __init__(self, name: str) -> None:
        super().__init__(f"no workspace {name!r}")


class TokenStore:
    """The tokens of one database. Those that were revoked are listed but never found."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, digest: str) -> AccessToken | None:
        with self._engine.reading() as connection:
            found = connection.rows("token_by_hash", {"hash": digest})
        return AccessToken(*found[0]) if found else None

    def all(self) -> Sequence[AccessToken]:
        with self._engine.reading() as connection:
            return [AccessToken(*row) for row in connection.rows("tokens", {"limit": LIST_LIMIT})]

    def add(self, token: AccessToken) -> None:
        kept = {
            "id": token.id,
            "name": token.name,
            "hash": token.digest,
            "scope": token.scope,
            "created_at": token.created_at,
            "workspace": token.workspace,
        }
        with self._engine.writing() as connection:
            if not connection.rows("token_add", kept):
                raise NoSuchWorkspace(token.workspace)

    def revoke(self, token_id: str, at: int) -> bool:
        """Whether there was such a token to revoke."""
        with self._engine.writing() as connection:
            return bool(connection.rows("token_revoke", {"id": token_id, "at": at}))
