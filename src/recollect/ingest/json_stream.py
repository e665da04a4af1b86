"""A streaming JSON reader: one value at a time, however large the file is."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

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
