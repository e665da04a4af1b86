"""Removing for good, in every version: for privacy and retention alone, since all else only ends."""

from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.codes import erasing


def erase_body(change: Change, document: DocumentId) -> None:
    """Remove the text of a document, its passages with their words and vectors, and what was quoted from it."""
    key = {"ws": change.ws, "document": document}
    passages = change.rows("chunks_ever", document=document)
    change.connection.run_many("words_drop", [{"ws": change.ws, "number": number} for number, _, _ in passages])
    change.connection.run("chunk_number_keep", key)
    change.connection.run("chunks_erase", key)
    hashes = sorted({digest for _, digest, _ in passages})
    with erasing(change, hashes):
        change.connection.run("embeddings_erase", {"ws": change.ws, "hashes": hashes})
    texts = sorted(digest for (digest,) in change.rows("contents_ever", document=document))
    change.connection.run("contents_unname", key)
    change.connection.run("contents_erase", {"ws": change.ws, "hashes": texts})
    change.connection.run("quotes_erase", key)
    # What all texts add up to is worked out anew: this is no change that it could follow.
    change.connection.run("sync_state_drop", {"ws": change.ws})
