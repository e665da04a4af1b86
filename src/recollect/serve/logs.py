"""Logging to stderr: codes, ids and places, never stored or submitted text."""

import json
import logging
import re
import secrets
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, get_args

from recollect.settings import BadSetting, Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

Level = Literal["debug", "info", "warning", "error"]
Format = Literal["text", "json"]

REQUEST_ID_HEADER = b"x-request-id"
_REQUEST_ID = re.compile(rb"[\w.-]{1,64}", re.ASCII)

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Of the HTTP request being served: as its sender named it, else one of ours."""


class RedactingFormatter(logging.Formatter):
    """Formats our own records as they are; of others only the logger and the type of exception."""

    def format(self, record: logging.LogRecord) -> str:
        name, message = _origin_and_message(record)
        request = request_id.get()
        return f"{record.levelname.lower()} {name} {message}{f' request={request}' if request else ''}".rstrip()


class JsonFormatter(logging.Formatter):
    """The same as one JSON object a line, with the instant, for those who collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        name, message = _origin_and_message(record)
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": name,
            "message": message,
            "request": request_id.get(),
        }
        return json.dumps({key: value for key, value in line.items() if value}, ensure_ascii=False)


def _origin_and_message(record: logging.LogRecord) -> tuple[str, str]:
    if record.name.startswith("recollect"):
        return record.name, record.getMessage()
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
    return f"{record.name}:{record.lineno}", kind


class RequestIds:
    """Names every HTTP request: in what is logged for it, and in the header of its answer."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        given = dict(scope["headers"]).get(REQUEST_ID_HEADER, b"")
        name = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8).encode()

        async def send_named(message: "Message") -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (REQUEST_ID_HEADER, name)]}
            await send(message)

        token = request_id.set(name.decode())
        try:
            await self._app(scope, receive, send_named)
        finally:
            request_id.reset(token)


def log_to_stderr(settings: Settings | None = None) -> None:
    """Log from `log.level` on, as `log.format` says; warnings as text unless these are set."""
    level, form = _choices(settings or Settings())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else RedactingFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("recollect").setLevel(level.upper())


def _choices(settings: Settings) -> tuple[str, str]:
    return _choice(settings, "log.level", Level, "warning"), _choice(settings, "log.format", Format, "text")


def _choice(settings: Settings, key: str, allowed: object, default: str) -> str:
    value = (settings.text(key) or default).lower()
    if value not in get_args(allowed):
        raise BadSetting(key, value, " or ".join(get_args(allowed)))
    return value
