"""Atomic writes of files: a reader finds either the old content or all of the new, even after a power failure."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def atomic_write(path: Path, mode: int = 0o600) -> Iterator[IO[bytes]]:
    """A file that gets its name once all of it is on the disk; after a failure the old file is still there."""
    from tempfile import mkstemp  # takes longer to load than most reads of a store

    folder = path.absolute().parent
    descriptor, name = mkstemp(prefix=f".{path.name}.", dir=folder)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.chmod(mode)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
