"""`recollect`: the verbs by name, and the options they all share."""

import importlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from recollect import __version__ as version
from recollect.errors import RecollectError
from recollect.model.json_limits import is_storable
from recollect.settings import Settings, read_settings

Command = TypeVar("Command", bound=Callable[..., Any])

COMMAND_MODULES = {
    "call": "call",
    "check": "check",
    "completion": "service",
    "connect": "connect",
    "correct": "everyday",
    "doctor": "health",
    "eval": "evaluation",
    "forget": "data",
    "export": "data",
    "external": "external",
    "expert": "experts",
    "history": "search",
    "hook": "hook",
    "import": "data",
    "ingest": "ingest",
    "mesh": "mesh",
    "open-items": "everyday",
    "recall": "everyday",
    "remember": "everyday",
    "review": "everyday",
    "search": "search",
    "serve": "serve",
    "service": "service",
    "snapshot": "data",
    "status": "health",
    "stdio": "serve",
    "token": "tokens",
    "undo": "everyday",
    "unread": "everyday",
    "watch": "ingest",
    "workspace": "workspaces",
}


class CommandGroup(click.Group):
    """A group that imports a verb's module when the verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(COMMAND_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMAND_MODULES:
            return None
        module = importlib.import_module(f"recollect.serve.cli.{COMMAND_MODULES[cmd_name]}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reject arguments that are not valid text, unless they name an existing file."""
        for given in args:
            if not is_storable(given) and not Path(given).exists():
                raise click.UsageError(f"{given!r} is not valid text", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Expected failures print one line to stderr with exit code 1; others are crashes with a traceback."""
        try:
            return super().invoke(ctx)
        except RecollectError as failure:
            click.echo(f"recollect: {failure}", err=True)
            ctx.exit(1)


def shared_options(command: Command) -> Command:
    """The options of every verb, before or after its name."""
    for flag, meaning in (
        ("--surface", "The set of tools, such as recollect, pearscarf or cognitive-graph."),
        ("--workspace", "The workspace to use."),
        ("--db", "A path, sqlite:///… or postgresql://…"),
    ):
        command = click.option(flag, help=meaning, expose_value=False, callback=_override)(command)
    return command


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _override(ctx: click.Context, option: click.Parameter, value: str | None) -> None:
    """The command line overrides the environment."""
    if value is not None:
        root = ctx.find_root()
        root.meta.setdefault("recollect.given", {})[f"RECOLLECT_{str(option.name).upper()}"] = value


def is_given(ctx: click.Context, option: str) -> bool:
    """Whether the option was given on the command line."""
    return f"RECOLLECT_{option.upper()}" in ctx.find_root().meta.get("recollect.given", {})


def settings_of(ctx: click.Context) -> Settings:
    settings = read_settings()
    given = ctx.find_root().meta.get("recollect.given", {})
    return replace(settings, environment={**settings.environment, **given})


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version, prog_name="recollect")
@shared_options
def main() -> None:
    """Memory for AI agents: a temporal knowledge graph behind an MCP server."""
