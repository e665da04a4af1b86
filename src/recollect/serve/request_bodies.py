"""Request bodies rewritten so that the MCP SDK can parse them, whatever values the arguments hold."""

from anyio import to_thread
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.serve.lenient_json import MAX_COMMAS, has_too_many_values, is_readable, make_readable

LARGEST_REWRITTEN = 8 * 1024 * 1024
"""Larger bodies that cannot be parsed get the parser's own error: rewriting them would take too long."""


class LenientBodies:
    """Rewrites a body that the parser rejects, so that the surface can refuse the argument at fault."""

    def __init__(self, app: ASGIApp, largest: int) -> None:
        self.app = app
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith("/mcp"):
            await self.app(scope, receive, send)
            return
        received = await self._received(receive)
        if received[-1]["type"] == "http.request" and not received[-1].get("more_body"):
            body = b"".join(each.get("body", b"") for each in received)
            if has_too_many_values(body):
                await _too_many_values()(scope, receive, send)
                return
            received = [await _readable_message(body)]
        await self.app(scope, replay_body(received, receive), send)

    async def _received(self, receive: Receive) -> list[Message]:
        """The messages of a body, up to its end or to the size limit."""
        received = [await receive()]
        size = len(received[0].get("body", b""))
        while received[-1].get("more_body") and size <= self.largest:
            received.append(await receive())
            size += len(received[-1].get("body", b""))
        return received


def _too_many_values() -> JSONResponse:
    message = f"the body has more than {MAX_COMMAS:,} values; send them in several calls"
    return JSONResponse({"error": "too_large", "message": message}, 413)


async def _readable_message(body: bytes) -> Message:
    if len(body) <= LARGEST_REWRITTEN and not is_readable(body):
        body = await to_thread.run_sync(_rewrite_body, body)
    return {"type": "http.request", "body": body, "more_body": False}


def _rewrite_body(body: bytes) -> bytes:
    try:
        return make_readable(body.decode()).encode()
    except UnicodeError:
        return body


def replay_body(received: list[Message], receive: Receive) -> Receive:
    """A channel that delivers messages again that were already received, then the rest."""
    waiting = iter(received)

    async def replay() -> Message:
        return next(waiting, None) or await receive()

    return replay
