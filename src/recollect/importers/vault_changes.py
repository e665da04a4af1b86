"""Notes of a vault that lie elsewhere since the last import, and those that are no longer there."""

from collections.abc import Callable, Mapping
from pathlib import Path

from recollect.memory import Memory
from recollect.model.document import Document, content_hash
from recollect.model.ids import format_document_id
from recollect.store.ingest_queries import records_below

MOST_NAMED = 20


def follow_moved_notes(
    memory: Memory, prefix: str, files: Mapping[str, Path], text_of: Callable[[Path], str | None]
) -> list[Document]:
    """Give notes that lie elsewhere now their new keys; returns those that are gone.

    `files` are the notes of the vault by key. One has moved if a new file has its text.
    """
    with memory.read() as view:
        stored = {each.key: each for each in records_below(view, prefix)}
    gone = [each for key, each in stored.items() if key not in files]
    by_text = {each.content: each for each in gone if each.content is not None}
    if not by_text:
        return gone
    for key in sorted(files.keys() - stored.keys()):
        text = text_of(files[key])
        moved = by_text.pop(content_hash(text), None) if text else None
        if moved is not None:
            gone.remove(moved)
            with memory.write() as change:
                change.put_document(moved._replace(key=key))
    return gone


def missing_warning(vault: str, prefix: str, gone: list[Document]) -> str:
    """Which notes are stored and no longer in their vault, and how to erase them."""
    named = [f"{each.key.removeprefix(prefix)} ({format_document_id(each.id)})" for each in gone[:MOST_NAMED]]
    more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
    return (
        f"{vault}: {'1 stored note is' if len(gone) == 1 else f'{len(gone)} stored notes are'} no longer there: "
        f"{', '.join(named)}{more}; "
        "`recollect forget ID` erases one"
    )
