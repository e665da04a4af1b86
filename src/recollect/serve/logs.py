"""Logging to stderr: codes, ids and places, never stored or submitted text."""

import logging
import sys


class RedactingFormatter(logging.Formatter):
    """Formats our own records as they are; of others only the logger and the type of exception."""

    def format(self, record: logging.LogRecord) -> str:
        if record.name.startswith("recollect"):
            return f"{record.levelname.lower()} {record.name} {record.getMessage()}"
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        return f"{record.levelname.lower()} {record.name}:{record.lineno} {kind}".rstrip()


def log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
