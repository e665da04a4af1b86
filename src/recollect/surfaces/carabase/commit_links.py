"""The links that a commit names: from its first part to memories that are here."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from recollect.keep.artifacts.artifact import is_memory
from recollect.keep.network.links import put_link
from recollect.model.ids import DocumentId
from recollect.model.memory_link import LINK_TYPES, USUAL_CONFIDENCE, LinkType
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.carabase.artifact import is_shown, read_artifact_id
from recollect.surfaces.carabase.problems import Problem
from recollect.surfaces.carabase.shapes import as_list

CERTAIN = 1.0


class ExplicitLink(NamedTuple):
    to: DocumentId
    type: LinkType
    confidence: float


class LinkInvalid(Problem):
    code = "LINK_INVALID"


def read_links(view: View, given: Mapping[str, Any]) -> list[ExplicitLink]:
    """The links of `links` and `supersedes`; a `LinkInvalid` names what cannot be taken."""
    links = given.get("links")
    found = [_link(view, each, f"extraMetadata.links[{at}]") for at, each in enumerate(as_list(links) if links else [])]
    older = given.get("supersedes")
    for at, each in enumerate(as_list(older) if older else []):
        found.append(ExplicitLink(_memory(view, each, f"extraMetadata.supersedes[{at}]"), "supersedes", CERTAIN))
    return found


def _link(view: View, given: Any, path: str) -> ExplicitLink:
    if not isinstance(given, Mapping):
        raise LinkInvalid(f"{path} must be an object {{to, type, confidence?}}", field=path)
    unknown = next((key for key in given if key not in ("to", "type", "confidence")), None)
    if unknown is not None:
        raise LinkInvalid(
            f"{path}.{unknown} is not known here", field=f"{path}.{unknown}", accepted=("to", "type", "confidence")
        )
    type_ = given.get("type")
    folded = type_.strip().casefold() if isinstance(type_, str) else None
    known = next((each for each in LINK_TYPES if each == folded), None)
    if known is None:
        raise LinkInvalid(
            f"{path}.type must be one of {', '.join(LINK_TYPES)}", field=f"{path}.type", accepted=LINK_TYPES
        )
    sure = given.get("confidence", USUAL_CONFIDENCE)
    if isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1:
        raise LinkInvalid(f"{path}.confidence must be 0..1", field=f"{path}.confidence")
    return ExplicitLink(_memory(view, given.get("to"), f"{path}.to"), known, float(sure))


def _memory(view: View, given: Any, path: str) -> DocumentId:
    id_ = read_artifact_id(given) if isinstance(given, str) else None
    document = None if id_ is None else view.document(id_)
    if document is None or not is_shown(document, view) or not is_memory(document):
        raise LinkInvalid(f"{path} must be the URI or UUID of a memory that is here", field=path)
    return document.id


def write_links(change: Change, documents: Sequence[DocumentId], links: Sequence[ExplicitLink]) -> int:
    """Join the first part to each memory; how many links that made."""
    return sum(put_link(change, documents[0], each.to, each.type, each.confidence) for each in links)
