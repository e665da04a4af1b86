"""Idempotency keys: a claim that is committed with the first write of a call, and the answer that follows."""

import secrets
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.errors import Conflict
from recollect.store.port import Connection, Engine, fetch


class EarlierCall(NamedTuple):
    """A call that was carried out under a key; its answer may have been lost."""

    fingerprint: str
    answer: bytes | None


class KeyConflict(Conflict):
    """A key that belongs to another call, or to one that is still running or whose answer is lost."""

    code = "idempotency_conflict"
    field = "Idempotency-Key"


class CallRepeated(KeyConflict):
    def __init__(self) -> None:
        super().__init__(
            "a call with this idempotency key was carried out, and its answer is not at hand; look at the latest "
            "transactions, or repeat the call in a moment"
        )


@dataclass(frozen=True, slots=True)
class CallClaim:
    """The right to carry out the call of one key, valid for one subject in one workspace."""

    ws: int
    subject: str
    key: str
    fingerprint: str
    created_at: int
    call: str = field(default_factory=lambda: secrets.token_hex(8))

    def make(self, connection: Connection) -> None:
        """Claim the key in a transaction of the call, which then commits both or neither."""
        row = {"ws": self.ws, "subject": self.subject, "key": self.key, "call": self.call}
        more = {"fingerprint": self.fingerprint, "created_at": self.created_at}
        if not connection.rows("idempotent_claim", row | more):
            raise CallRepeated

    def find(self, engine: Engine) -> EarlierCall | None:
        with engine.reading(self.ws) as connection:
            found = fetch(connection, EarlierCall, "idempotent_find", ws=self.ws, subject=self.subject, key=self.key)
        return found[0] if found else None

    def keep(self, engine: Engine, answer: bytes) -> None:
        """Keep the answer, if this call has committed anything."""
        row = {"ws": self.ws, "subject": self.subject, "key": self.key, "call": self.call, "answer": answer}
        with engine.writing(self.ws) as connection:
            connection.run("idempotent_keep", row)


def sweep_claims(engine: Engine, ws: int, before: int) -> None:
    """Forget the keys of calls in a workspace before an instant."""
    with engine.writing(ws) as connection:
        connection.run("idempotent_sweep", {"ws": ws, "before": before})
