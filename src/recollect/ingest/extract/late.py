"""A reader of records that stand alone, made when the first of them comes: a plain bundle does not pay for it."""

from typing import TYPE_CHECKING, Protocol

from recollect.ingest.extract.read_to import is_all_read
from recollect.ingest.line import Line
from recollect.memory import Memory
from recollect.store.change import Change

if TYPE_CHECKING:
    from recollect.ingest.extract.alone import Reader


class RunReader(Protocol):
    """Reads the records of one run that stand alone, and remembers what its user should know."""

    @property
    def facts(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...

    def take(self, change: Change, line: Line) -> bool: ...
    def finish(self, memory: Memory) -> None: ...


class LateReader:
    """Stands in for the reader of a memory's workspace until there is something to read."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._made: Reader | None = None

    @property
    def facts(self) -> int:
        return self._made.facts if self._made is not None else 0

    @property
    def warnings(self) -> list[str]:
        return self._made.warnings if self._made is not None else []

    def take(self, change: Change, line: Line) -> bool:
        """Keep the record and write what it tells; false if it is known as it is."""
        return self._reader.take(change, line)

    def finish(self, memory: Memory) -> None:
        """See to what came later than the records it matters to, if there are any."""
        if self._made is not None or not is_all_read(memory):
            self._reader.finish(memory)

    @property
    def _reader(self) -> "Reader":
        if self._made is None:
            from recollect.ingest.extract.alone import reader_for

            self._made = reader_for(self._memory)
        return self._made
