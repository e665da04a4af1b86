"""Who brought a document in, and when."""

from collections.abc import Collection, Mapping

from recollect.model.ids import DocumentId
from recollect.store.view import Tx, View


def first_transactions(view: View, documents: Collection[DocumentId]) -> Mapping[DocumentId, Tx]:
    """By document, the transaction that began its first version."""
    rows = view.rows("documents_first", ids=sorted(documents)) if documents else ()
    return {row[0]: Tx(*row[1:]) for row in rows}
