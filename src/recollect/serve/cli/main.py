"""`recollect`: the verbs by name, and the options they all share."""

import errno
import importlib
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from recollect import __version__ as version
from recollect.errors import RecollectError, Refused
from recollect.model.json_limits import is_storable
from recollect.serve.cli.suggestions import nearest_options, suggest_verb
from recollect.settings import Settings, read_settings

if TYPE_CHECKING:
    from recollect.serve.open_store import OpenStore

Command = TypeVar("Command", bound=Callable[..., Any])

COMMAND_MODULES = {
    "backup": "backup",
    "call": "everyday",
    "check": "health",
    "completion": "service",
    "connect": "connect",
    "correct": "everyday",
    "decrypt": "backup",
    "doctor": "health",
    "encrypt": "backup",
    "eval": "evaluation",
    "forget": "data",
    "export": "data",
    "external": "external",
    "expert": "experts",
    "history": "search",
    "hook": "service",
    "import": "data",
    "ingest": "ingest",
    "list": "listing",
    "mesh": "external",
    "open-items": "everyday",
    "recall": "everyday",
    "rekey": "backup",
    "relationship": "listing",
    "remember": "everyday",
    "restore": "backup",
    "review": "everyday",
    "search": "search",
    "serve": "serve",
    "service": "service",
    "shard": "workspaces",
    "snapshot": "data",
    "status": "health",
    "stdio": "serve",
    "sync": "sync",
    "token": "tokens",
    "member": "tokens",
    "audit": "tokens",
    "trust": "workspaces",
    "undo": "everyday",
    "unread": "everyday",
    "verify": "backup",
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that is called; for an unknown one, those that resemble it."""
        name = args[0]
        if name not in COMMAND_MODULES and not name.startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"there is no verb {name!r}; {suggest_verb(name, COMMAND_MODULES)}", ctx)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reject arguments that are not valid text, unless they name an existing file."""
        for given in args:
            if not is_storable(given) and not Path(given).exists():
                raise click.UsageError(f"{given!r} is not valid text", ctx)
        with nearest_options():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Expected failures print one line to stderr with exit code 1; others are crashes with a traceback."""
        try:
            with _exit_on_sigterm(ctx), nearest_options():
                return super().invoke(ctx)
        except RecollectError as failure:
            click.echo(f"recollect: {failure}", err=True)
            for each in getattr(failure, "candidates", ()):
                click.echo(f"  {each['id']}  {each.get('text') or each['name']}", err=True)
            next_step = getattr(failure, "next_step", None)
            if next_step:
                click.echo(f"recollect: {next_step}", err=True)
            ctx.exit(1)
        except OSError as failure:
            click.echo(f"recollect: {_system_advice(failure)}", err=True)
            ctx.exit(1)
        except KeyboardInterrupt:
            after = AFTER_INTERRUPT.get(ctx.invoked_subcommand or "", UNFINISHED)
            # Whoever presses Ctrl-C twice is told once what to do.
            with _handling(signal.SIGINT, signal.SIG_IGN):
                click.echo(f"\nrecollect: interrupted; {after}", err=True)
            ctx.exit(EXIT_INTERRUPTED)


def _system_advice(failure: OSError) -> str:
    """What to do about a file that the system refuses; anything else is a crash."""
    if failure.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full; free some space and repeat the command"
    if failure.filename is None or failure.strerror is None:
        raise failure
    return f"{failure.filename}: {failure.strerror}; check the path and your rights to it"


@contextmanager
def _exit_on_sigterm(ctx: click.Context) -> Iterator[None]:
    """SIGTERM leaves every block on the way out, so that the store is closed; servers end with exit code 0."""

    def leave(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit(0 if ctx.invoked_subcommand in SERVERS else EXIT_TERMINATED)

    with _handling(signal.SIGTERM, leave):
        yield


@contextmanager
def _handling(number: signal.Signals, handler: "Callable[..., None] | signal.Handlers") -> Iterator[None]:
    """Handle a signal in another way for a while; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


SERVERS = ("serve", "stdio")
EXIT_TERMINATED = 143
EXIT_INTERRUPTED = 130
UNFINISHED = "what was complete is stored, the rest is not; repeat the command to finish it"
AFTER_INTERRUPT = {
    "check": "findings so far are kept; repeat the command to check the rest",
    "export": "no file was written; repeat the command to export",
    "import": "nothing was restored; repeat the command to start again",
    "ingest": "what was read is kept; repeat the command to resume, nothing is imported twice",
    "serve": "the server has stopped",
    "shard": "the workspace is served where it was or where it is going; repeat the command to finish it",
    "stdio": "the server has stopped",
    "sync": "what was exchanged is kept; repeat the command to resume",
    "watch": "no longer watching; what was read is kept, repeat the command to resume",
}


def shared_options(command: Command) -> Command:
    """The options of every verb, before or after its name."""
    for flag, meaning in (
        ("--surface", "The set of tools, such as recollect, pearscarf or cognitive-graph."),
        ("--workspace", "The workspace to use."),
        ("--key-file", "A file with the key of an encrypted store."),
        ("--db", "A path, sqlite:///… or postgresql://…"),
    ):
        command = click.option(flag, help=meaning, expose_value=False, callback=_override)(command)
    return _create_option(command)


_create_option = click.option(
    "--create",
    is_flag=True,
    expose_value=False,
    help="Create the folder of --db if it is missing.",
    callback=lambda ctx, _, given: ctx.find_root().meta.update({_CREATE: True}) if given else None,
)
_CREATE = "recollect.create"


class MissingFolder(Refused):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"the folder {folder} does not exist; correct --db, or create it with --create", field="db")


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def standard_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What most verbs take: the shared options, `--json`, and the context of the call."""
    return shared_options(as_json(click.pass_context(command)))


def _override(ctx: click.Context, option: click.Parameter, value: str | None) -> None:
    """The command line overrides the environment."""
    if value is not None:
        root = ctx.find_root()
        root.meta.setdefault("recollect.given", {})[f"RECOLLECT_{str(option.name).upper()}"] = value


def is_given(ctx: click.Context, option: str) -> bool:
    """Whether the option was given on the command line."""
    return f"RECOLLECT_{option.upper()}" in ctx.find_root().meta.get("recollect.given", {})


def given_options(ctx: click.Context) -> str:
    """The shared options of the command line as they were given, for a command that follows this one."""
    given = ctx.find_root().meta.get("recollect.given", {})
    options = {name.removeprefix("RECOLLECT_").lower().replace("_", "-"): value for name, value in given.items()}
    return "".join(f" --{name} {shlex.quote(value)}" for name, value in options.items())


class NoFolderToWriteTo(Refused):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"the folder {folder} does not exist; make it, or choose another place", field="file")


def require_folder_of(file: Path) -> None:
    """Refuse a file to be written in a folder that does not exist, before any work is done."""
    if not file.absolute().parent.is_dir():
        raise NoFolderToWriteTo(file.parent)


def settings_of(ctx: click.Context) -> Settings:
    settings = read_settings()
    given = ctx.find_root().meta.get("recollect.given", {})
    found = replace(settings, environment={**settings.environment, **given})
    file = found.database_file if is_given(ctx, "db") else None
    if file is not None and not file.parent.exists() and not ctx.find_root().meta.get(_CREATE):
        raise MissingFolder(file.parent)
    return found


def store_of(ctx: click.Context) -> "OpenStore":
    """The store that the options name; it opens on first use."""
    from recollect.serve.open_store import OpenStore

    return OpenStore(settings_of(ctx))


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version, prog_name="recollect")
@shared_options
def main() -> None:
    """Memory for AI agents: a temporal knowledge graph behind an MCP server."""
