"""Bulk requests: one call per line in, one answer per line out, while the request is still being read."""

from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from recollect.serve.api.calls import NDJSON

LONGEST_LINE = 1024 * 1024
AnswerLine = Callable[[int, bytes | None], Awaitable[bytes]]


async def split_lines(chunks: AsyncIterator[bytes], longest: int = LONGEST_LINE) -> AsyncIterator[bytes | None]:
    """The lines of a body; None in place of one that is too long."""
    rest, is_too_long = b"", False
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield None if is_too_long or len(line) > longest else line
            is_too_long = False
        if len(rest) > longest:
            rest, is_too_long = b"", True
    if rest or is_too_long:
        yield None if is_too_long else rest


class AnswerLines(Response):
    """Answers each line as it arrives. Starlette's own streaming response would read the request body away."""

    media_type = NDJSON

    def __init__(self, answer: AnswerLine) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        number = 0
        try:
            async for line in split_lines(Request(scope, receive).stream()):
                number += 1
                if line is None or line.strip():
                    answer = await self._answer(number, line)
                    await send({"type": "http.response.body", "body": answer, "more_body": True})
        except ClientDisconnect:
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})
