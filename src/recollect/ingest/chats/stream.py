"""JSON read piece by piece: the elements of an array, the entries of an object, the lines of a file.

Only one element is in memory at a time, whatever the size of the file.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

PART = 1 << 16
LONGEST = 512 << 20
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Broken(ValueError):
    """The text is no JSON from here on."""


class Element(NamedTuple):
    """One element or entry: its place, its key in an object, and how many bytes were read so far."""

    place: int
    key: str | None
    value: Any
    done: int


class Text:
    """The text of a file, of which only the part that is still needed is kept."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._held = ""
        self._at = 0
        self.done = 0
        self._is_over = False

    def peek(self) -> str:
        """The next character that is no space; nothing at the end."""
        while True:
            self._at = _SPACE.match(self._held, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._held):
                return self._held[self._at]
            if not self._more(PART):
                return ""

    def take(self, mark: str) -> None:
        if self.peek() != mark:
            raise Broken(f"{mark!r} expected")
        self._at += 1

    def value(self) -> Any:
        """The next whole value, however long it is; the part read at once doubles, so that no byte is read often."""
        self.peek()
        size = PART
        while True:
            try:
                found, end = _DECODER.raw_decode(self._held, self._at)
            except RecursionError:
                raise Broken("it is nested too deeply") from None
            except ValueError as problem:
                if len(self._held) - self._at > LONGEST or not self._more(size):
                    raise Broken(f"no JSON: {problem.args[0].split(':')[0]}") from None
                size *= 2
                continue
            # A number may go on behind what was read.
            if end == len(self._held) and self._more(PART):
                continue
            self._at = end
            return found

    def _more(self, size: int) -> bool:
        """Read on; whether anything came."""
        if self._is_over:
            return False
        data = self._file.read(size)
        self.done += len(data)
        self._is_over = not data
        try:
            text = self._decoder.decode(data, final=self._is_over)
        except UnicodeDecodeError:
            raise Broken("it is not UTF-8") from None
        self._held = self._held[self._at :] + text
        self._at = 0
        return not self._is_over or bool(text)


def elements(file: IO[bytes]) -> Iterator[Element]:
    """The elements of the array or the entries of the object that a file holds."""
    text = Text(file)
    opening = text.peek()
    if opening not in ("[", "{"):
        raise Broken("it is neither a list nor an object")
    is_object = opening == "{"
    closing = "}" if is_object else "]"
    text.take(opening)
    index = 0
    while text.peek() != closing:
        if index:
            text.take(",")
        key = None
        if is_object:
            key = text.value()
            if not isinstance(key, str):
                raise Broken("a key is no text")
            text.take(":")
        yield Element(index, key, text.value(), text.done)
        index += 1


def whole(file: IO[bytes]) -> Any:
    """The one value that a file holds, or the first of several."""
    return Text(file).value()


def lines(file: IO[bytes]) -> Iterator[Element]:
    """The values of a file that has one in each line; blank lines are passed over."""
    done, index = 0, 0
    for raw in iter(lambda: file.readline(LONGEST), b""):
        done += len(raw)
        bare = raw.strip() if done > len(raw) else raw.removeprefix(codecs.BOM_UTF8).strip()
        if not bare:
            continue
        try:
            value = json.loads(bare)
        except (ValueError, RecursionError):
            value = Broken("the line is no JSON")
        yield Element(index, None, value, done)
        index += 1
