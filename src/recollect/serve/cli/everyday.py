"""The tools of the everyday surface as commands, made from their declarations."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from recollect.serve.cli.call import BadJson
from recollect.serve.cli.main import as_json, shared_options, store_of
from recollect.serve.cli.output import show_json, show_text
from recollect.serve.lenient_json import load_json
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
