"""What a path brings: files, and folders that are taken in as one thing."""

from collections.abc import Iterator
from pathlib import Path

from recollect.intake.kinds import KINDS, Kind


def wholes(path: Path, forced: str | None = None) -> Iterator[tuple[Path, Kind | None]]:
    """The files of a path, and the folders of a kind with that kind; no folder twice, whatever links lead to it."""
    return _wholes(path, forced, set())


def _wholes(path: Path, forced: str | None, entered: set[Path]) -> Iterator[tuple[Path, Kind | None]]:
    if not path.is_dir():
        yield path, None
        return
    place = path.resolve()
    if place in entered:
        return
    entered.add(place)
    kind = next((kind for kind in KINDS if forced in (None, kind.name) and kind.takes_folder(path)), None)
    if kind is not None:
        yield path, kind
        return
    for inner in sorted(path.iterdir()):
        # A pipe would keep us waiting.
        if not inner.name.startswith(".") and (inner.is_file() or inner.is_dir()):
            yield from _wholes(inner, forced, entered)
