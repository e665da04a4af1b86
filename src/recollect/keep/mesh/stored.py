"""The stored document whose body an address names."""

from recollect.keep.artifacts.artifact import DARK, tier_of
from recollect.keep.mesh.accounts import account_of
from recollect.keep.mesh.problems import Purged
from recollect.keep.mesh.uri import MeshUri
from recollect.model.document import Document
from recollect.model.filing import BODY_UNTIL, MESH_URI
from recollect.model.ids import DocumentId
from recollect.store.view import View


def stored_with(view: View, uri: str) -> Document | None:
    """The newest live document that says its body is there."""
    ids = [DocumentId(row[0]) for row in view.rows("mesh_bodies", uri=uri)]
    held = [each for each in view.documents(ids).values() if not each.deleted and each.properties.get(MESH_URI) == uri]
    return max(held, key=lambda each: (each.source_at, each.id), default=None)


def check_fetchable(view: View, document: Document | None, uri: MeshUri) -> None:
    """What is dark is never fetched; what is past its retention, only where the account allows it."""
    if document is None:
        return
    if tier_of(document, view.now) == DARK:
        raise Purged
    until = document.properties.get(BODY_UNTIL)
    if isinstance(until, int) and view.now >= until:
        account = account_of(view, uri.connector, uri.account)
        if account is None or not account.refetch:
            raise Purged
