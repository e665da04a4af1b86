"""Index keys of accented tokens without their accents, for stores whose names were indexed before there were any."""

from recollect.store.change import Change
from recollect.store.index_progress import IndexProgress
from recollect.store.view import View

_PROGRESS = IndexProgress("plain tokens")


def lacks_plain_tokens(view: View) -> bool:
    return _PROGRESS.find(view) is None


def index_plain_tokens(change: Change) -> None:
    """Index every accented token again; keys that exist are skipped."""
    for [token] in change.rows("accented_tokens"):
        change.add_variants(token)
    _PROGRESS.save(change, 1)
