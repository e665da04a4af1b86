"""A streaming JSON reader, however large the file: one value at a time, and the elements of its lists."""

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import IO, Any, NamedTuple

from recollect.ingest.api_object import nodes_of

READ_SIZE = 1 << 16
MAX_VALUE_CHARS = 512 << 20
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class BrokenJson(ValueError):
    """The text is not valid JSON from here on."""


class JsonElement(NamedTuple):
    """One element or entry: its index, its key in an object, and the bytes read so far."""

    place: int
    key: str | None
    value: Any
    bytes_read: int


class JsonTextStream:
    """Decodes a file incrementally and parses one JSON value at a time, keeping only the unread part."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._buffer = ""
        self._at = 0
        self.bytes_read = 0
        self._is_over = False

    def peek(self) -> str:
        """The next character that is not whitespace; empty at the end."""
        while True:
            self._at = _SPACE.match(self._buffer, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._read_more(READ_SIZE):
                return ""

    def expect(self, mark: str) -> None:
        if self.peek() != mark:
            raise BrokenJson(f"{mark!r} expected")
        self._at += 1

    def value(self) -> Any:
        """The next value; the read size doubles until it is complete, so that parsing stays linear."""
        self.peek()
        size = READ_SIZE
        while True:
            try:
                found, end = _DECODER.raw_decode(self._buffer, self._at)
            except RecursionError:
                raise BrokenJson("it is nested too deeply") from None
            except ValueError as problem:
                if len(self._buffer) - self._at > MAX_VALUE_CHARS or not self._read_more(size):
                    raise BrokenJson(f"invalid JSON: {problem.args[0].split(':')[0]}") from None
                size *= 2
                continue
            # A number may continue beyond what was read.
            if end == len(self._buffer) and self._read_more(READ_SIZE):
                continue
            self._at = end
            return found

    def _read_more(self, size: int) -> bool:
        """Read more; returns whether there was any."""
        if self._is_over:
            return False
        data = self._file.read(size)
        self.bytes_read += len(data)
        self._is_over = not data
        try:
            text = self._decoder.decode(data, final=self._is_over)
        except UnicodeDecodeError:
            raise BrokenJson("it is not UTF-8") from None
        self._buffer = self._buffer[self._at :] + text
        self._at = 0
        return not self._is_over or bool(text)


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


def iter_elements(file: IO[bytes]) -> Iterator[JsonElement]:
    """The elements of the array or the entries of the object in a file."""
    text = JsonTextStream(file)
    opening = text.peek()
    if opening not in ("[", "{"):
        raise BrokenJson("it is neither a list nor an object")
    is_object = opening == "{"
    closing = "}" if is_object else "]"
    text.expect(opening)
    index = 0
    while text.peek() != closing:
        if index:
            text.expect(",")
        key = None
        if is_object:
            key = text.value()
            if not isinstance(key, str):
                raise BrokenJson("a key is not a string")
            text.expect(":")
        yield JsonElement(index, key, text.value(), text.bytes_read)
        index += 1


def read_value(file: IO[bytes]) -> Any:
    """The first value in a file."""
    return JsonTextStream(file).value()


def iter_lines(file: IO[bytes]) -> Iterator[JsonElement]:
    """The values of a file with one per line; blank lines are skipped."""
    done, index = 0, 0
    for raw in iter(lambda: file.readline(MAX_VALUE_CHARS), b""):
        done += len(raw)
        bare = raw.strip() if done > len(raw) else raw.removeprefix(codecs.BOM_UTF8).strip()
        if not bare:
            continue
        try:
            value = json.loads(bare)
        except (ValueError, RecursionError):
            value = BrokenJson("the line is not valid JSON")
        yield JsonElement(index, None, value, done)
        index += 1


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


def _graphql_nodes(value: Any, depth: int) -> Iterator[Any]:
    if not isinstance(value, dict) or depth > _GRAPHQL_DEPTH:
        return
    if "title" in value or "body" in value:
        yield value
        return
    for inner in value.values():
        nodes = nodes_of(inner)
        yield from nodes
        if not nodes:
            yield from _graphql_nodes(inner, depth + 1)
