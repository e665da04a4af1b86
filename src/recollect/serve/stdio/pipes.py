"""stdin and stdout as lines of JSON, safe to use from any thread."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import suppress

LONGEST_LINE = 64 * 1024 * 1024
LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def claim_stdio() -> "tuple[InputLines, OutputLines]":
    """stdin and stdout, for us alone: whatever else prints goes to stderr, whatever else reads finds nothing."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return InputLines(incoming), OutputLines(outgoing)


class InputLines:
    """What the client says, until it goes."""

    def __init__(self, descriptor: int) -> None:
        self._file = os.fdopen(descriptor, "rb")

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(LONGEST_LINE):
            # Of one longer than any message each piece is no JSON, and is answered so.
            yield replace_lone_surrogates(line.decode("utf-8", "replace"))


class OutputLines:
    """What the client hears. One that has gone hears nothing, which is no failure of ours."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, line: bytes) -> None:
        with self._lock, suppress(BrokenPipeError):
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]


def replace_lone_surrogates(line: str) -> str:
    """The line with a mark for each half of a letter (a lone surrogate), which no answer could carry."""
    if not LONE_SURROGATE.search(line):
        return line
    try:
        said = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return said.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "\n"
