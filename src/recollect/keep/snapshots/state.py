"""The present state of identity and memories under names: one for each file, one for all memories, one for all."""

from recollect.keep.artifacts.versions import live
from recollect.keep.identity.files import identity_files
from recollect.keep.memories.remembered import memory_documents
from recollect.keep.snapshots.naming import ALL_MEMORIES, WHOLE, Reason, Snapshot, name_state, of_file
from recollect.store.change import Change


def name_whole_state(
    change: Change, reason: Reason, *, flagged: bool = False, label: str | None = None
) -> list[Snapshot]:
    """Name every file, all memories if there are any, and last the whole."""
    subjects = [of_file(*file.place) for file in identity_files(change)]
    subjects += [ALL_MEMORIES] if live(memory_documents(change)) else []
    return name_state(change, [*subjects, WHOLE], reason, flagged=flagged, label=label)
