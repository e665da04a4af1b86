"""Anchors of a walk through the memory network: parsed from the call and looked up."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from typing_extensions import TypedDict

from recollect.keep.network.link_derivation import is_linkable
from recollect.model.ids import DocumentId, format_uuid
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import is_visible, parse_artifact_id
from recollect.surfaces.carabase.hints import Hint, quote, suggest_call
from recollect.surfaces.carabase.surface import CarabaseError


class UnknownAnchor(TypedDict):
    id: str
    reason: Literal["not_found", "not_a_memory"]


class AnchorInvalid(CarabaseError):
    code = "ANCHOR_INVALID"

    def __init__(self, said: str) -> None:
        text = f"{quote(said)} is no UUID of a memory. Find ids with `carabase_search_semantic` first."
        find = suggest_call("carabase_search_semantic", query=said[:1000], kinds=["memory", "commit"])
        super().__init__(
            f"anchor {quote(said)} is not a memory's UUID, memory:UUID or artifact URI",
            field="anchor",
            hint=Hint("badInput", text, (find,)),
            trace=[f"read anchor {quote(said)} → no UUID"],
        )


@dataclass(frozen=True, slots=True)
class Anchors:
    """The memories to start from in the given order, and ids that name no memory."""

    given: list[DocumentId]
    known: list[DocumentId]
    unknown: list[UnknownAnchor]
    titles: dict[DocumentId, str | None] = field(default_factory=dict)

    def to_json(self) -> list[str]:
        return [format_uuid(each) for each in self.known]

    def describe(self, memory: DocumentId) -> str:
        return quote(self.titles.get(memory) or format_uuid(memory))


def parse_anchors(view: View, given: Sequence[str]) -> Anchors:
    ids: list[DocumentId] = []
    for said in given:
        found = parse_artifact_id(said)
        if found is None:
            raise AnchorInvalid(said)
        ids.append(found)
    ids = list(dict.fromkeys(ids))
    documents = view.documents(ids)
    known = [each for each in ids if is_linkable(documents.get(each), view)]
    unknown: list[UnknownAnchor] = [
        {"id": format_uuid(each), "reason": "not_a_memory" if is_visible(documents.get(each), view) else "not_found"}
        for each in ids
        if each not in known
    ]
    return Anchors(ids, known, unknown, {each: documents[each].title for each in known})
