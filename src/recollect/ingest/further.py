"""Bundle lines beside records, entities and facts: each key and what takes it in.

Each imports its ability when such a line comes, so that a plain bundle does not pay for it.
"""

from collections.abc import Callable

from recollect.ingest.fields import Json
from recollect.memory import Memory
from recollect.store.change import Change

TakeFurther = Callable[[Memory, Change, Json], bool]
"""Writes what the line says; whether that changed anything."""

FURTHER: dict[str, TakeFurther] = {}

LAST = frozenset({"memory_link"})
"""These are taken after all other lines of their file, since they name what those bring."""
