"""The tools of the everyday surface as commands, made from their declarations, and `recollect call` for every tool."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from recollect.errors import Refused
from recollect.serve.cli.main import as_json, is_given, settings_of, shared_options, store_of
from recollect.serve.cli.output import show_json, show_text
from recollect.serve.lenient_json import load_json
from recollect.settings import Settings
from recollect.surfaces.declarations import Answer, Json, Parameter, Tool
from recollect.surfaces.registry import default_tool
from recollect.surfaces.schema import input_schema


def tool_command(name: str, tool_name: str, positional: Sequence[str] = ()) -> click.Command:
    """A command that calls a tool: the positional arguments in their order, the others as options."""
    tool = default_tool(tool_name)

    @click.pass_context
    def run(ctx: click.Context, /, as_json: bool, **given: Any) -> None:
        arguments = read_options(tool, given)
        if tool_name == "undo" and not arguments:
            arguments = _latest_change(ctx, tool)
        show_answer(ctx, call_tool(ctx, tool, arguments), as_json)

    command: Callable[..., None] = shared_options(as_json(run))
    schemas = input_schema(tool)["properties"]
    for parameter in reversed(tool.parameters):
        schema = schemas[parameter.name]
        if parameter.name in positional:
            required = parameter.required or parameter.name == "text"
            command = click.argument(parameter.name, required=required, type=_click_type(schema))(command)
        else:
            command = _option(parameter, schema)(command)
    return click.command(name, help=tool.description)(command)


def call_tool(ctx: click.Context, tool: Tool, arguments: dict[str, Any]) -> Answer:
    from recollect.serve.logs import log_to_stderr
    from recollect.surfaces.dispatch import call

    log_to_stderr()
    with store_of(ctx) as opened:
        return call(tool, lambda each: opened.open_for(opened.local, each), arguments)


def _latest_change(ctx: click.Context, tool: Tool) -> dict[str, Any]:
    """The arguments that undo the latest change of a command, unless a tool changed something later."""
    from recollect.surfaces.recollect.undo import latest_at_prompt

    with store_of(ctx) as opened:
        found = latest_at_prompt(opened.open_for(opened.local, tool))
    return {} if found is None else {"transaction": found}


def show_answer(ctx: click.Context, answer: Answer, as_json: bool) -> None:
    """The text for people or the structured result for programs; failures go to stderr with exit code 1."""
    if answer.is_error:
        error = answer.structured["error"]
        if as_json:
            show_json(answer.structured)
        else:
            click.echo(f"recollect: {error['message']}", err=True)
            for each in error.get("candidates", ()):
                click.echo(f"  {each['id']}  {each.get('text') or each['name']}", err=True)
            if error["next"].rstrip(".").lower() not in error["message"].lower():
                click.echo(f"recollect: {error['next']}", err=True)
        ctx.exit(1)
    show_text(answer.texts[0], answer.structured, as_json)


def read_options(tool: Tool, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call; objects come as JSON, lists as JSON or separated by commas."""
    schemas = input_schema(tool)["properties"]
    return {
        name: _read_value(schemas[name], name, value) for name, value in given.items() if value not in (None, False)
    }


def _option(parameter: Parameter, schema: Json) -> Callable[[Callable[..., None]], Callable[..., None]]:
    flag = "--" + parameter.name.replace("_", "-")
    words = str(schema.get("description", ""))
    if schema.get("type") == "boolean":
        return click.option(flag, parameter.name, is_flag=True, help=words)
    return click.option(flag, parameter.name, type=_click_type(schema), required=parameter.required, help=words)


def _click_type(schema: Json) -> "click.ParamType[Any]":
    if "enum" in schema:
        return click.Choice([str(each) for each in schema["enum"]])
    return click.INT if schema.get("type") == "integer" else click.STRING


def _read_value(schema: Json, name: str, value: Any) -> Any:
    kind = schema.get("type")
    if isinstance(kind, list) and "integer" in kind and value.isdigit():
        return int(value)
    if kind == "array" and not value.lstrip().startswith("["):
        return [each.strip() for each in value.split(",")]
    if kind not in ("array", "object"):
        return value
    try:
        return load_json(value)
    except ValueError as problem:
        raise BadJson(f"--{name}: {problem}") from None


def __getattr__(name: str) -> click.Command:
    """Commands are made when they are used, since each loads its tool."""
    made = _COMMANDS.get(name)
    if made is None:
        raise AttributeError(name)
    return tool_command(*made)


_COMMANDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "remember_command": ("remember", "remember", ("text",)),
    "recall_command": ("recall", "recall", ("query",)),
    "correct_command": ("correct", "correct", ("fact",)),
    "open-items_command": ("open-items", "open_items", ()),
    "review_command": ("review", "review", ()),
    "unread_command": ("unread", "unread", ()),
    "undo_command": ("undo", "undo", ("transaction",)),
}


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
