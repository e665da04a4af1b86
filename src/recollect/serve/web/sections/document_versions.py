"""The versions of a document's text, as pages list them."""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.model.document import Document
from recollect.serve.web.framework.rendering import local_instant
from recollect.store.version_queries import instants_of, versions_of
from recollect.store.view import View


@dataclass(frozen=True, slots=True)
class VersionCard:
    number: int
    when: str
    characters: int
    is_shown: bool
    transaction: int
    """The one that wrote it: as of that, pages show this text."""


def text_versions(view: View, document: Document) -> list[Document]:
    """The versions with a text of their own, the first one first."""
    versions: list[Document] = []
    for version in versions_of(view, document.id):
        if version.content is not None and (not versions or versions[-1].content != version.content):
            versions.append(version)
    return versions


def version_cards(view: View, versions: Sequence[Document], shown: Document) -> tuple[VersionCard, ...]:
    when = instants_of(view, [version.tx_from for version in versions])
    zone = view.world.zone
    return tuple(
        VersionCard(
            number,
            local_instant(when[version.tx_from], zone),
            len(view.text_of(version) or ""),
            version.content == shown.content,
            version.tx_from,
        )
        for number, version in enumerate(versions, 1)
    )


def versions_to_choose(view: View, document: Document) -> tuple[VersionCard, ...]:
    """The versions of a text that was changed; none if it has one only."""
    versions = text_versions(view, document)
    return version_cards(view, versions, document) if len(versions) > 1 else ()
