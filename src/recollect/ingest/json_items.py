"""The items of a JSON file, read as a stream: elements of its lists, however the file wraps them."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import IO, Any, NamedTuple

from recollect.ingest.api_object import nodes_of
from recollect.ingest.json_stream import BrokenJson, JsonTextStream

Json = Mapping[str, Any]
Place = tuple[str, ...]
_MEMORY_LISTS = ("results", "memories", "history", "nodes", "edges", "episodes")
"""The lists in files of other memories."""
_TELEGRAM_LISTS = ("chats", "left_chats")
_LISTS: frozenset[Place] = frozenset(
    {
        *((key,) for key in ("items", "issues", "messages", "members", *_MEMORY_LISTS)),
        *((key, "list") for key in _TELEGRAM_LISTS),
        *((key, "list", "*", "messages") for key in _TELEGRAM_LISTS),
    }
)
"""Where lists of items stand in an object."""
_OBJECTS: frozenset[Place] = frozenset(
    {*((key,) for key in _TELEGRAM_LISTS), *((key, "list", "*") for key in _TELEGRAM_LISTS)}
)
_BESIDE = ("relations", "contacts")
"""Lists that are read after the others of their object, since they may come first and show nothing of its kind."""
_GRAPHQL_DEPTH = 8
_RECOGNISED_BY = 5


class JsonItem(NamedTuple):
    """One object of a file: the entries before it in the objects around it, its list, and the bytes read so far."""

    value: Any
    around: Json
    place: Place = ()
    bytes_read: int = 0


def iter_items(file: IO[bytes]) -> Iterator[JsonItem]:
    """Every item of a file that holds one JSON value or several, one at a time."""
    text = JsonTextStream(file)
    while text.peek():
        yield from _items(text, (), {})


@lru_cache(4)
def leading_items(head: bytes) -> tuple[JsonItem, ...]:
    """The first items of a file that begins so; none if it is not JSON."""
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return ()
    found: list[JsonItem] = []
    with suppress(BrokenJson):  # the head may end in the middle of an item
        found.extend(islice(iter_items(BytesIO(head)), _RECOGNISED_BY))
    return tuple(found)


def _items(text: JsonTextStream, place: Place, around: Json) -> Iterator[JsonItem]:
    opening = text.peek()
    if opening == "[" and (not place or place in _LISTS):
        yield from _list_items(text, place, around)
    elif opening == "{":
        yield from _object_items(text, place, around)
    else:
        yield JsonItem(text.value(), around, place, text.bytes_read)


def _list_items(text: JsonTextStream, place: Place, around: Json) -> Iterator[JsonItem]:
    text.expect("[")
    is_first, inside = True, (*place, "*")
    while text.peek() != "]":
        if not is_first:
            text.expect(",")
        is_first = False
        if inside in _OBJECTS and text.peek() == "{":
            yield from _object_items(text, inside, around)
        else:
            yield JsonItem(text.value(), around, place, text.bytes_read)
    text.expect("]")


def _object_items(text: JsonTextStream, place: Place, around: Json) -> Iterator[JsonItem]:
    """The items of the lists in an object, or the object itself if it has no such list."""
    own: dict[str, Any] = {}
    is_wrapper = False
    text.expect("{")
    is_first = True
    while text.peek() != "}":
        if not is_first:
            text.expect(",")
        is_first = False
        key = text.value()
        text.expect(":")
        inner = (*place, str(key))
        if (inner in _LISTS and text.peek() == "[") or (inner in _OBJECTS and text.peek() == "{"):
            is_wrapper = True
            yield from _items(text, inner, {**around, **own})
        else:
            own[str(key)] = text.value()
    text.expect("}")
    if not is_wrapper:
        yield from _unwrap(JsonItem(own, around, place, text.bytes_read))
        return
    for key in _BESIDE:
        found = own.get(key)
        listed = found.get("list") if isinstance(found, dict) else found
        yield from (
            JsonItem(each, around, (*place, key), text.bytes_read)
            for each in (listed if isinstance(listed, list) else ())
        )


def _unwrap(item: JsonItem) -> Iterator[JsonItem]:
    """The items in the answer to a GraphQL query; any other object is one itself."""
    data = item.value.get("data")
    found = list(_graphql_nodes(data, 0)) if isinstance(data, dict) else []
    yield from (item._replace(value=each, around={}) for each in found)
    if not found:
        yield item


def _graphql_nodes(value: Any, depth: int) -> Iterator[Json]:
    if not isinstance(value, dict) or depth > _GRAPHQL_DEPTH:
        return
    if "title" in value or "body" in value:
        yield value
        return
    for inner in value.values():
        nodes = nodes_of(inner)
        yield from (each for each in nodes if isinstance(each, dict))
        if not nodes:
            yield from _graphql_nodes(inner, depth + 1)
