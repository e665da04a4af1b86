"""Access tokens for HTTP callers, which are not versioned."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from recollect.errors import NotKnown
from recollect.store.port import Engine, fetch
from recollect.store.view import View

Scope = Literal["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
LIST_LIMIT = 10_000


class AccessToken(NamedTuple):
    """A token as stored: a digest instead of the secret."""

    id: str
    name: str
    workspace: str
    scope: Scope
    digest: str
    created_at: int
    revoked_at: int | None = None
    limits: str = "{}"
    """Limits of its own as JSON; the settings `limits.*` apply where it has none."""

    @property
    def subject(self) -> str:
        """Whom it stands for in the list of members."""
        return f"token:{self.id}"


class Grant(NamedTuple):
    workspace: str
    scope: Scope


class WorkspaceMember(NamedTuple):
    """A token or a subject of the authorization server that may use a workspace."""

    workspace: str
    subject: str
    scope: Scope
    created_at: int


class NoSuchWorkspace(NotKnown):
    code = "unknown_workspace"

    def __init__(self, name: str) -> None:
        super().__init__(f"no workspace {name!r}")


class TokenStore:
    """The tokens of one database; revoked ones are listed but never found."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, digest: str) -> AccessToken | None:
        with self._engine.reading() as connection:
            found = fetch(connection, AccessToken, "token_by_hash", hash=digest)
        return found[0] if found else None

    def find_by_id(self, token_id: str) -> AccessToken | None:
        with self._engine.reading() as connection:
            found = fetch(connection, AccessToken, "token_by_id", id=token_id)
        return found[0] if found else None

    def all(self) -> Sequence[AccessToken]:
        with self._engine.reading() as connection:
            return fetch(connection, AccessToken, "tokens", limit=LIST_LIMIT)

    def add(self, token: AccessToken) -> None:
        row = {
            "id": token.id,
            "name": token.name,
            "hash": token.digest,
            "scope": token.scope,
            "created_at": token.created_at,
            "workspace": token.workspace,
            "limits": token.limits,
        }
        with self._engine.writing() as connection:
            if not connection.rows("token_add", row):
                raise NoSuchWorkspace(token.workspace)

    def revoke(self, token_id: str, at: int) -> bool:
        """Whether there was such a token to revoke."""
        with self._engine.writing() as connection:
            return bool(connection.rows("token_revoke", {"id": token_id, "at": at}))

    def end_session(self, token: AccessToken, session: str, at: int, forget_before: int) -> None:
        """Note that a session of a token was signed out, and forget all that could not be used any more anyway."""
        row = _session_row(token, session)
        with self._engine.writing() as connection:
            connection.run("sessions_forget", {"before": forget_before})
            connection.run("session_end", {**row, "at": at})

    def has_ended(self, token: AccessToken, session: str) -> bool:
        """Whether a session of a token was signed out."""
        with self._engine.reading() as connection:
            return bool(connection.rows("session_ended", _session_row(token, session)))

    def grants(self, subject: str) -> dict[str, Scope]:
        """The scope of a subject in each workspace of which it is a member."""
        with self._engine.reading() as connection:
            return dict(fetch(connection, Grant, "grants_of", subject=subject, limit=LIST_LIMIT))

    def members(self) -> Sequence[WorkspaceMember]:
        with self._engine.reading() as connection:
            return fetch(connection, WorkspaceMember, "members", limit=LIST_LIMIT)

    def put_member(self, member: WorkspaceMember) -> None:
        with self._engine.writing() as connection:
            if not connection.rows("member_put", member._asdict()):
                raise NoSuchWorkspace(member.workspace)

    def drop_member(self, subject: str, workspace: str) -> bool:
        """Whether the subject was a member."""
        with self._engine.writing() as connection:
            return bool(connection.rows("member_drop", {"subject": subject, "workspace": workspace}))


def _session_row(token: AccessToken, session: str) -> dict[str, str]:
    return {"token": token.id, "subject": f"session:{token.id}", "session": session}


def count_facts_written(view: View, actor: str, since: int) -> int:
    """How many facts an actor has stated or confirmed in the transactions since an instant."""
    return view.fetch_number("facts_written_since", actor=actor, since=since)
