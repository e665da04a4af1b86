"""stdin and stdout as the event loop's own pipes: no thread for every line read and written."""

import asyncio
import json
import os
import re
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from recollect.serve.straight import Straight

LONGEST_LINE = 64 * 1024 * 1024
LAST_ANSWERS_SECONDS = 30
REPLY = re.compile(r'\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(?:result|error)"')
HALF_LETTER = re.compile(r"\\u[dD][89a-fA-F]")


def are_pipes() -> bool:
    """Whether both ends can be watched by the loop; files, terminals and Windows cannot."""
    return sys.platform != "win32" and all(_is_pipe(descriptor) for descriptor in (0, 1))


@asynccontextmanager
async def pipes(straight: Straight | None = None) -> AsyncIterator[tuple[Any, Any]]:
    """The two ends of the conversation. Whatever else prints goes to stderr, whatever else reads finds nothing.

    What goes straight to its tool is not among the lines that are given out.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    loop = asyncio.get_running_loop()
    reader, still_open = asyncio.StreamReader(limit=LONGEST_LINE), Open()
    source, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(incoming, "rb", buffering=0)
    )
    sink, flow = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(outgoing, "wb", buffering=0)
    )
    try:
        writer = Writer(asyncio.StreamWriter(sink, flow, None, loop), still_open)
        yield Lines(reader, still_open, writer, straight), writer
    finally:
        sink.close()
        source.close()


class Open:
    """Requests that are not answered yet: a client may close its end right behind its last one."""

    def __init__(self) -> None:
        self._ids: set[str | int] = set()
        self._all_answered = asyncio.Event()
        self._all_answered.set()

    def asked(self, message: Any) -> None:
        if isinstance(message, dict) and "method" in message and isinstance(message.get("id"), str | int):
            self._ids.add(message["id"])
            self._all_answered.clear()

    def answered(self, line: str) -> None:
        reply = REPLY.match(line)
        if reply:
            self.dropped(json.loads(reply[1]))

    def dropped(self, ident: str | int) -> None:
        """Nobody waits for this one any more."""
        self._ids.discard(ident)
        if not self._ids:
            self._all_answered.set()

    async def wait(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_answered.wait(), LAST_ANSWERS_SECONDS)


class Lines:
    """What the client says, line by line; it ends when the client has gone and has its answers."""

    def __init__(
        self, reader: asyncio.StreamReader, still_open: Open, writer: "Writer", straight: Straight | None
    ) -> None:
        self._reader = reader
        self._open = still_open
        self._writer = writer
        self._straight = straight

    def __aiter__(self) -> "Lines":
        return self

    async def __anext__(self) -> str:
        while True:
            line = await self._line()
            message = _message(line)
            self._open.asked(message)
            if self._straight is None or not self._straight.takes(message, self._writer.say, self._open):
                return line

    async def _line(self) -> str:
        try:
            line = (await self._reader.readline()).decode("utf-8", "replace")
        except ValueError:
            # Longer than any message: what is left of it is no JSON either, and is answered so.
            return "\n"
        if not line:
            await self._open.wait()
            raise StopAsyncIteration
        return whole_letters(line)


def whole_letters(line: str) -> str:
    """The line with a mark for each half of a letter (a lone surrogate), which no answer could carry."""
    if not HALF_LETTER.search(line):
        return line
    try:
        said = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return said.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "\n"


def _message(line: str) -> Any:
    """What the line says, or none if it is no JSON; whoever gets the line says so to the client."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


class Writer:
    """What the client hears."""

    def __init__(self, writer: asyncio.StreamWriter, still_open: Open) -> None:
        self._writer = writer
        self._open = still_open

    async def write(self, text: str) -> None:
        self._writer.write(text.encode())
        self._open.answered(text)

    async def flush(self) -> None:
        await self._writer.drain()

    async def say(self, text: str) -> None:
        await self.write(text)
        await self.flush()


def _is_pipe(descriptor: int) -> bool:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
