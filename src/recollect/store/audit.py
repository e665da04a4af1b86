"""The audit log: who called which tool when, and which ids it touched, as a chain of hashes."""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from recollect.store.port import Engine, fetch

PAGE = 1_000


class AuditEntry(NamedTuple):
    """One call. Each hash covers the entry and the hash before it, so that no entry can be changed or left out."""

    number: int
    at: int
    workspace: str
    actor: str
    client: str
    surface: str
    tool: str
    outcome: str
    ids: str
    """The ids in its arguments and in its answer, as JSON."""
    hash: str = ""

    def sealed(self, previous: str) -> "AuditEntry":
        return self._replace(hash=sha256(json.dumps([previous, *self[:-1]]).encode()).hexdigest())


class AuditChain(NamedTuple):
    """Where the log begins, after what retention has removed, and where it ends."""

    first_number: int
    first_hash: str
    last_number: int
    last_hash: str


class _Link(NamedTuple):
    number: int
    hash: str


class AuditCheck(NamedTuple):
    """The outcome of following the chain; `broken_at` is the first number that does not fit."""

    entries: int
    last_hash: str
    broken_at: int | None = None


class AuditStore:
    """The audit log of one database, which holds all workspaces."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def append(self, entry: AuditEntry) -> None:
        """Add an entry, whose number and hash follow from the one before."""
        with self._engine.writing() as connection:
            # Updating the one row first makes other writers wait, so that numbers and hashes follow each other.
            [before] = fetch(connection, _Link, "audit_next")
            sealed = entry._replace(number=before.number).sealed(before.hash)
            connection.run("audit_add", sealed._asdict())
            connection.run("audit_seal", {"hash": sealed.hash})

    def entries(self, after: int = 0) -> Iterator[AuditEntry]:
        """Every entry after a number, in order; each page is a read of its own."""
        while True:
            with self._engine.reading() as connection:
                page = fetch(connection, AuditEntry, "audit_entries", after=after, limit=PAGE)
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].number

    def chain(self) -> AuditChain:
        with self._engine.reading() as connection:
            [chain] = fetch(connection, AuditChain, "audit_chain")
        return chain

    def verify(self) -> AuditCheck:
        """Follow the chain from its first entry to its last."""
        chain, count = self.chain(), 0
        previous = _Link(chain.first_number, chain.first_hash)
        for entry in self.entries(chain.first_number):
            if entry.number > chain.last_number:
                break
            if entry.number != previous.number + 1 or entry.sealed(previous.hash).hash != entry.hash:
                return AuditCheck(count, previous.hash, previous.number + 1)
            previous, count = _Link(entry.number, entry.hash), count + 1
        is_whole = previous == (chain.last_number, chain.last_hash)
        return AuditCheck(count, previous.hash, None if is_whole else previous.number + 1)

    def drop_before(self, instant: int, now: int) -> None:
        """Remove the entries before an instant; the chain then begins with the hash of the last of them.

        After a clock was set back, older times follow newer ones: the first entry of the time that is kept ends it.
        """
        with self._engine.writing() as connection:
            for last in fetch(connection, _Link, "audit_last_before", before=instant, now=now):
                connection.run("audit_begin_after", last._asdict())
                connection.run("audit_drop", {"number": last.number})
