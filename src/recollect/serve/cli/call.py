"""`recollect call`: one tool call from the shell."""

import sys
from typing import Any

import click

from recollect.errors import Refused
from recollect.serve.cli.main import is_given, settings_of, shared_options
from recollect.serve.lenient_json import load_json
from recollect.settings import Settings
from recollect.surfaces.declarations import Tool


class BadJson(Refused):
    code = "bad_json"

    def __init__(self, problem: str) -> None:
        super().__init__(f"--json takes one JSON object: {problem}", field="json")


@click.command("call")
@click.argument("tool")
@click.option("--json", "given", default="{}", help="The arguments as a JSON object; - reads them from stdin.")
@shared_options
@click.pass_context
def call_command(ctx: click.Context, tool: str, given: str) -> None:
    """Call one tool and print its answer as JSON. Exit code 1 if the tool failed."""
    from recollect.serve.logs import log_to_stderr
    from recollect.serve.open_store import OpenStore
    from recollect.surfaces.dispatch import call, json_text

    log_to_stderr()
    settings = settings_of(ctx)
    chosen = _tool(settings, tool, is_given(ctx, "surface"))
    arguments = _arguments(sys.stdin.read() if given == "-" else given)
    with OpenStore(settings) as opened:
        answer = call(chosen, lambda each: opened.open_for(opened.local, each), arguments)
    click.echo(json_text(answer.structured, 2))
    for text in answer.texts[1:]:
        click.echo(text, err=True)
    ctx.exit(0 if answer.outcome == "ok" else 1)


def _tool(settings: Settings, name: str, is_named: bool) -> Tool:
    """The tool of the configured surface if it has it or was named by an option, else of the only one that has it."""
    from recollect.surfaces.registry import find_surface, find_tool

    if settings.text("surface"):
        chosen = find_surface(settings.surface)
        if is_named or name in chosen.tools:
            return chosen.find(name)
    return find_tool(name)


def _arguments(text: str) -> dict[str, Any]:
    try:
        arguments = load_json(text)
    except ValueError as problem:
        raise BadJson(str(problem)) from None
    if not isinstance(arguments, dict):
        raise BadJson(f"got {type(arguments).__name__}")
    return arguments
