"""The command line, called in the process of a test."""

import json
from collections.abc import Callable
from typing import Any

from click.testing import CliRunner, Result

from recollect.serve.cli.main import main

Run = Callable[..., Result]


def command_line(*words: Any, **options: Any) -> Result:
    """What `recollect WORDS` prints, and its exit code."""
    return CliRunner().invoke(main, [str(word) for word in words], **options)


def answer(result: Result) -> Any:
    """What a command that succeeded printed as JSON."""
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
