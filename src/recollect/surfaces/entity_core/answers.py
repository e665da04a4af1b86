"""What every writing tool also says: the transaction it made, or that there was nothing to change."""

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.store.change import Change


class Written(TypedDict):
    """The number of the transaction, or of the latest one where nothing changed."""

    tx: int
    unchanged: NotRequired[bool]


def written(change: Change) -> Written:
    """To be asked inside the transaction, once all is written."""
    if change.has_changed:
        return {"tx": change.tx}
    return {"tx": change.last_tx, "unchanged": True}
