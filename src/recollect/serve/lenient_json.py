"""JSON that strict parsers reject, rewritten so that one argument fails alone; bodies for the MCP SDK too."""

import json
import re
from typing import Any

from anyio import to_thread
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

DEEPEST = 150
"""Deeper than any argument may be nested, and not too deep for any parser."""
MAX_COMMAS = 500_000
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]|[^"\[\]{}]+|"', re.DOTALL)
_LONG_INTEGER = re.compile(r"-?\d{1000,}(?![\d.eE])")
_INFINITE = "1e999"
_ESCAPE = re.compile(r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_LONE_SURROGATE = len("\\ud800")
_NUL = "\\u0000"


def load_json(text: str) -> Any:
    """The value of a JSON text; a `ValueError` only if it is malformed."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return json.loads(make_readable(text))


def has_too_many_values(text: str | bytes) -> bool:
    """Whether parsing a JSON text could stop everything else for seconds; commas in strings count as well."""
    commas = text.count(",") if isinstance(text, str) else text.count(b",")
    return commas > MAX_COMMAS


def is_readable(text: str | bytes) -> bool:
    """Whether the MCP SDK's parser takes a text."""
    from pydantic_core import from_json

    try:
        from_json(text)
    except ValueError:
        return False
    return True


def make_readable(text: str) -> str:
    """The text with the values replaced that parsers give up on; malformed JSON stays malformed."""
    kept: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in ("[", "{"):
            depth += 1
        if depth <= DEEPEST:
            kept.append(_replace_token(token))
        elif depth == DEEPEST + 1 and token in ("[", "{"):
            kept.append("null")
        if token in ("]", "}"):
            depth -= 1
    return "".join(kept)


def _replace_token(token: str) -> str:
    if token.startswith('"'):
        return _ESCAPE.sub(lambda found: _NUL if len(found[0]) == _LONE_SURROGATE else found[0], token)
    return _LONG_INTEGER.sub(_INFINITE, token)


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
        received = await self._receive_body(receive)
        if received[-1]["type"] == "http.request" and not received[-1].get("more_body"):
            body = b"".join(each.get("body", b"") for each in received)
            if has_too_many_values(body):
                await _too_many_values()(scope, receive, send)
                return
            received = [await _readable_message(body)]
        await self.app(scope, replay_body(received, receive), send)

    async def _receive_body(self, receive: Receive) -> list[Message]:
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
