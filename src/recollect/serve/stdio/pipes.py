"""stdin and stdout as lines of JSON, safe to use from any thread."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import suppress

MAX_LINE_LENGTH = 64 * 1024 * 1024
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
            # A line over the limit arrives in pieces that are invalid JSON and are answered as such.
            yield replace_lone_surrogates(line.decode("utf-8", "replace"))


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
