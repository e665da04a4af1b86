"""stdin and stdout as lines of JSON, safe to use from any thread."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

MAX_LINE_LENGTH = 64 * 1024 * 1024
_END_LENGTH = 4_096
_PIECE_LENGTH = 1024 * 1024
_ID = r'"id"\s*:\s*(\d{1,18}|"[^"\\]{0,200}")'
_STRING_FIELD = r'"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"'
_ID_FIRST = re.compile(rf"\s*\{{\s*(?:{_STRING_FIELD}\s*,\s*)*{_ID}\s*,")
_ID_LAST = re.compile(rf",\s*{_ID}\s*(?:,\s*{_STRING_FIELD}\s*)*\}}\s*$")
LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def claim_stdio() -> "tuple[InputLines, OutputLines]":
    """Take stdin and stdout: other prints in this process go to stderr, other reads get end of file."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return InputLines(incoming), OutputLines(outgoing)


class InputLines:
    """Lines from the client, until it closes the stream."""

    def __init__(self, descriptor: int) -> None:
        self._file = os.fdopen(descriptor, "rb")

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(MAX_LINE_LENGTH):
            if len(line) == MAX_LINE_LENGTH and not line.endswith(b"\n"):
                yield self._cut(line[:_END_LENGTH])
            else:
                yield replace_lone_surrogates(line.decode("utf-8", "replace"))

    def _cut(self, start: bytes) -> "CutLine":
        """Both ends of a line over the limit, whose rest is read and thrown away."""
        end = b""
        while piece := self._file.readline(_PIECE_LENGTH):
            end = (end + piece)[-_END_LENGTH:]
            if piece.endswith(b"\n"):
                break
        return CutLine(f"{start.decode('utf-8', 'replace')}\n{end.decode('utf-8', 'replace')}")


class CutLine(str):
    """The start and the end of a line that is too long, on two lines."""

    __slots__ = ()

    @property
    def ident(self) -> Any:
        """The id of the request, which clients write first or last; none if it is not found."""
        start, _, end = self.partition("\n")
        found = _ID_FIRST.match(start) or _ID_LAST.search(end)
        return None if found is None else json.loads(found[1])


class OutputLines:
    """Lines to the client. A closed pipe is not an error: the client has gone."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, line: bytes) -> None:
        with self._lock, suppress(BrokenPipeError):
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]


def replace_lone_surrogates(line: str) -> str:
    """The line with lone surrogates replaced, since UTF-8 cannot encode them."""
    if not LONE_SURROGATE.search(line):
        return line
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "\n"
