"""Names of vaults: notes are known by the name of their vault, so two vaults of one name are told apart by their paths.

The first one keeps the plain name. Where it no longer lies at its path, the next of that name is taken for it, moved.
Paths are those of one installation: on another device the same vault lies elsewhere and has the same name.
"""

import tempfile
from hashlib import sha256
from pathlib import Path

from recollect.memory import Memory
from recollect.store.ingest_queries import KnownFolder, known_folders, put_known_folder

VAULT_FOLDER = ".obsidian"
UPLOADS_PREFIX = "recollect-import-"
_DIGITS = 6


def is_vault(path: Path) -> bool:
    return (path / VAULT_FOLDER).is_dir()


def vault_of(path: Path) -> Path | None:
    """The vault that a file lies in."""
    return next((each for each in path.resolve().parents if is_vault(each)), None)


def name_of_folder(memory: Memory, folder: Path | None) -> str | None:
    """The name that the notes of a vault or another folder are known by here; none if there is none."""
    if folder is None:
        return None
    place = folder.resolve()
    if _is_upload(place):
        return place.name
    with memory.read() as view:
        known = known_folders(view, place.name)
    found = next((each for each in known if each.path == str(place)), None)
    if found is None:
        is_second = any(each.is_first and Path(each.path).is_dir() for each in known)
        found = KnownFolder(place.name, str(place), not is_second)
        with memory.write() as change:
            put_known_folder(change, found)
    return found.name if found.is_first else f"{found.name}~{sha256(found.path.encode()).hexdigest()[:_DIGITS]}"


def _is_upload(place: Path) -> bool:
    """Whether it is an unpacked upload, which lies elsewhere each time."""
    temporary = Path(tempfile.gettempdir()).resolve()
    return any(each.parent == temporary and each.name.startswith(UPLOADS_PREFIX) for each in place.parents)
