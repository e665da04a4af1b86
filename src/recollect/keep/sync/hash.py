"""One hash for all files and memories: a sum over them, mended by what changed, so that it costs by the change."""

import json
from collections.abc import Iterable
from hashlib import sha256, sha512
from typing import Final, NamedTuple

from recollect.keep.artifacts.versions import documents_of, past
from recollect.keep.identity import files as identity
from recollect.keep.memories.dates import GRANULARITIES
from recollect.keep.memories.entry import KIND as MEMORY
from recollect.keep.memories.entry import is_memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.view import View

MODULUS: Final = 1 << 512
AT_ONCE = 1000


class _Total(NamedTuple):
    """What everything added up to after a transaction."""

    upto: int
    value: int


def state_hash(change: Change, known: int) -> str:
    """A hash over the names, labels and contents of all files and memories as they were after a transaction."""
    held = _held(change)
    total = _all(change, known) if held is None else _moved(change, held, known)
    if held is None or held.upto < known:
        row = {"ws": change.ws, "upto": known, "total": f"{total:x}"}
        change.connection.run("sync_state_put", row)
    return sha256(f"{total:x}".encode()).hexdigest()


def _held(view: View) -> _Total | None:
    found = view.rows("sync_state")
    return _Total(int(found[0][0]), int(found[0][1], 16)) if found else None


def _all(view: View, known: int) -> int:
    """The sum over everything."""
    then = past(view, known)
    files = _sum(documents_of(then, identity.KIND))
    memories = sum(
        _item(MEMORY, key, "", content)
        for type_, key, content in then.rows("memory_contents")
        if type_ in GRANULARITIES
    )
    return (files + memories) % MODULUS


def _moved(view: View, held: _Total, known: int) -> int:
    """The sum after another transaction: what changed in between is taken off as it was and put on as it is."""
    low, high = sorted((held.upto, known))
    changed = [DocumentId(row[0]) for row in view.rows("synced_between", low=low, high=high)] if low < high else []
    value = held.value
    for start in range(0, len(changed), AT_ONCE):
        some = changed[start : start + AT_ONCE]
        value -= _sum(past(view, held.upto).documents(some).values())
        value += _sum(past(view, known).documents(some).values())
    return value % MODULUS


def _sum(documents: Iterable[Document]) -> int:
    return sum(_item_of(each) for each in documents if not each.deleted)


def _item_of(document: Document) -> int:
    if document.kind == identity.KIND:
        label = identity.label_of(identity.place_of(document.key), document)
        return _item(identity.KIND, document.key, label, document.content or "")
    return _item(MEMORY, document.key, "", document.content or "") if is_memory(document) else 0


def _item(*parts: str) -> int:
    return int.from_bytes(sha512(json.dumps(parts, ensure_ascii=False).encode()).digest(), "big")
