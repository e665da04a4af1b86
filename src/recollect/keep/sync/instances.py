"""The embodiments that ever pulled or pushed: bookkeeping, kept durably, part of no transaction."""

from dataclasses import dataclass, replace

from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant

OTHER = "other"


@dataclass(frozen=True, slots=True)
class Instance:
    """One embodiment, when it last came and up to which transaction it knows all."""

    id: str
    type: str = OTHER
    name: str | None = None
    version: float | None = None
    synced_at: Instant | None = None
    synced_tx: int = 0


def instances(view: View) -> list[Instance]:
    """All of them, the latest first."""
    found = [Instance(*row) for row in view.rows("instances")]
    return sorted(found, key=lambda each: (-(each.synced_at or 0), each.id))


def known_instance(view: View, id_: str) -> Instance:
    """The instance of this id; one that nobody knows is of type `other`."""
    return next((each for each in instances(view) if each.id == id_), Instance(id_))


def note_sync(change: Change, instance: Instance, tx: int | None) -> None:
    """Note that it came now, and that it knows all up to a transaction if it does."""
    known = known_instance(change, instance.id)
    noted = replace(instance, synced_at=change.now, synced_tx=known.synced_tx if tx is None else tx)
    change.connection.run(
        "instance_put",
        {
            "ws": change.ws,
            "id": noted.id,
            "type": noted.type,
            "name": noted.name,
            "version": noted.version,
            "synced_at": noted.synced_at,
            "synced_tx": noted.synced_tx,
        },
    )
