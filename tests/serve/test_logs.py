"""The log names places, never words."""

import logging
import sys

from recollect.serve.logs import RedactingFormatter


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
