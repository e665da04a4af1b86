"""Whom a document names, looked up together before it is written."""

from collections.abc import Iterator

from recollect.ingest.lore.draft import Named, Reading
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.foreseen import foresee_names
from recollect.write.ends import IDENTIFIERS


def foresee(change: Change, reading: Reading) -> None:
    """Make a document cheaper to write; it decides nothing."""
    foresee_names(change, {fold(name) for name in _names(reading)})


def _names(reading: Reading) -> Iterator[str]:
    for entity in reading.entities:
        yield entity.name
        yield from entity.aliases
        yield from (value for kind in IDENTIFIERS if isinstance(value := entity.properties.get(kind), str))
    for name, _ in reading.links:
        yield name
    for relation in reading.relations:
        yield from (end.name for end in (relation.subject, relation.target) if isinstance(end, Named))
