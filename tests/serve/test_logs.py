"""The log names places, never words."""

import json
import logging
import sys

import pytest

from recollect.serve.logs import JsonFormatter, RedactingFormatter, log_to_stderr, request_id
from recollect.settings import BadSetting, Settings


def record(name: str, message: str, *, failing: bool = False) -> str:
    kind = None
    if failing:
        try:
            raise ValueError("private words")
        except ValueError:
            kind = sys.exc_info()
    return RedactingFormatter().format(logging.LogRecord(name, logging.WARNING, "x.py", 7, message, (), kind))


def test_our_own_records_are_shown() -> None:
    assert record("recollect.call", "crash 1234") == "warning recollect.call crash 1234"


def test_of_foreign_records_only_the_place_and_the_kind_are_shown() -> None:
    assert record("mcp.server.sse", "got private words", failing=True) == "warning mcp.server.sse:7 ValueError"


def test_a_json_line_has_the_instant_the_level_and_the_request() -> None:
    token = request_id.set("req-1")
    try:
        line = json.loads(JsonFormatter().format(logging.LogRecord("recollect.calls", 20, "x.py", 7, "ok", (), None)))
    finally:
        request_id.reset(token)
    assert line.pop("at").endswith("+00:00")
    assert line == {"level": "info", "logger": "recollect.calls", "message": "ok", "request": "req-1"}


def test_an_unknown_level_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadSetting, match="debug or info or warning or error"):
        log_to_stderr(Settings(file={"log.level": "loud"}))
