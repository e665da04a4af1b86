"""`open_items`: what is still to be done, decided or unblocked."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.open_items import ItemKind, owner_of, topic_of
from recollect.reason.items.fact_state import ItemState
from recollect.reason.items.item_list import ItemFilter, ItemList, ListedItem, list_items
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.recollect.parameters import Limit, Name, When, find_entity, near_name_note, read_when
from recollect.surfaces.recollect.surface import surface
from recollect.surfaces.recollect.views import BriefFact, FactViews, fact_line, named_source
from recollect.surfaces.views import TrustMarks, trust_details
from recollect.text.fold import one_line
from recollect.write.owner import find_owner, is_owner_word

NOBODY = EntityId("")
"""No entity has this id."""


class ItemView(TrustMarks):
    id: str
    text: str
    state: ItemState
    kind: ItemKind
    owner: NotRequired[str]
    about: NotRequired[str]
    since: NotRequired[str]
    due: NotRequired[str]
    source: NotRequired[str]
    date: NotRequired[str]
    closed_by: NotRequired[BriefFact]


class ItemCountsView(TypedDict):
    open: int
    overdue: int
    done: int
    cancelled: int


class OpenItemsResult(TypedDict):
    items: list[ItemView]
    counts: ItemCountsView
    truncated: bool


Kinds = Annotated[list[ItemKind], Field(min_length=1, description="Only these kinds")]
IncludeClosed = Annotated[bool, Field(description="Also items that are done or cancelled")]


@surface.tool("read", example={"owner": "me"})
def open_items(
    memory: Memory,
    about: Name | None = None,
    owner: Name | None = None,
    due_before: When | None = None,
    kinds: Kinds | None = None,
    include_closed: IncludeClosed = False,
    limit: Limit = 50,
) -> Result[OpenItemsResult]:
    """What is still to be done, decided or unblocked, earliest due first.

    `due_before` includes that day. To close an item, `remember` a completion, resolution or cancellation that
    `replaces` its id.
    """
    with memory.read() as view:
        due_by = None if due_before is None else read_when(view.world, due_before, "due_before").hi
        wanted = ItemFilter(
            None if about is None else _entity_named(memory, view, about, "about"),
            None if owner is None else _entity_named(memory, view, owner, "owner"),
            due_by,
            frozenset(kinds or ()),
            include_closed,
            limit,
        )
        found = list_items(view, wanted)
        result = render_items(FactViews(view), found)
        named = ((about, wanted.about), (owner, wanted.owner))
        near = [note for name, id_ in named if id_ for note in near_name_note(memory, view, name, view.entity(id_))]
    return Result(result, "\n".join([*near, _as_text(result, include_closed)]))


def _entity_named(memory: Memory, view: View, name: str, field: str) -> EntityId:
    """The entity of a name; an owner of whom nothing was told yet has no items."""
    if is_owner_word(name) and find_owner(view) is None:
        return NOBODY
    return find_entity(memory, view, name, field).id


def render_items(views: FactViews, found: ItemList) -> OpenItemsResult:
    closed = {each.item.id: each.closing for each in found.items if each.closing is not None}
    closers = [closing.fact for closing in closed.values() if closing.fact is not None]
    closings = {item: closing.predicate for item, closing in closed.items()}
    facts = views.of([*(each.item.id for each in found.items), *closers], closings)
    return {
        "items": [_item_view(each, facts) for each in found.items if each.item.id in facts],
        "counts": {
            "open": found.counts["open"],
            "overdue": found.counts["overdue"],
            "done": found.counts["done"],
            "cancelled": found.counts["cancelled"],
        },
        "truncated": found.is_cut,
    }


def _item_view(listed: ListedItem, facts: dict[FactId, BriefFact]) -> ItemView:
    item, fact = listed.item, facts[listed.item.id]
    shown: ItemView = {"id": fact["id"], "text": fact["text"], "state": listed.state, "kind": item.kind}
    owner, topic = owner_of(item), topic_of(item)
    if owner is not None:
        shown["owner"] = owner.name
    if topic is not None:
        shown["about"] = topic.name
    if "since" in fact:
        shown["since"] = fact["since"]
    if "until" in fact:
        shown["due"] = fact["until"]
    if "source" in fact:
        shown["source"] = fact["source"]
    if "date" in fact:
        shown["date"] = fact["date"]
    if "trust" in fact:
        shown["trust"] = fact["trust"]
    if "suspect" in fact:
        shown["suspect"] = fact["suspect"]
    closer = None if listed.closing is None else listed.closing.fact
    if closer is not None and closer in facts:
        shown["closed_by"] = facts[closer]
    return shown


def _as_text(result: OpenItemsResult, include_closed: bool) -> str:
    counts = result["counts"]
    late, still = counts["overdue"], counts["open"] + counts["overdue"]
    overdue = f", {late} of them overdue" if late else ""
    head = f"{still} open{overdue}, {counts['done']} done, {counts['cancelled']} cancelled."
    if not result["items"]:
        has_closed = not include_closed and counts["done"] + counts["cancelled"] > 0
        hint = " `include_closed: true` lists those that are over." if has_closed else ""
        return f"No {'items' if include_closed else 'open items'}. {head}{hint}"
    more = ["More items match; narrow the request or raise `limit`."] if result["truncated"] else []
    return "\n".join([head, *map(_item_line, result["items"]), *more])


def _item_line(item: ItemView) -> str:
    details: list[str] = [item["kind"]]
    if item["state"] != "open":
        details.append(item["state"])
    if "due" in item:
        details.append(f"due {item['due']}")
    details += [f"{key} {item[key]}" for key in ("owner", "about") if key in item and item[key] not in item["text"]]
    details += trust_details(item)
    origin = ", ".join(each for each in (named_source(item.get("source")), item.get("date")) if each)
    line = one_line(f"- {item['text']} ({'; '.join([*details, origin] if origin else details)}) [{item['id']}]")
    return f"{line}\n  closed by: {fact_line(item['closed_by'])[2:]}" if "closed_by" in item else line
