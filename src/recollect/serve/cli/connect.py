"""`recollect connect`: this server in the configuration of MCP clients."""

import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from recollect.errors import Refused, Unavailable
from recollect.serve.cli.main import as_json, settings_of, shared_options
from recollect.serve.cli.output import show_json, show_rows
from recollect.serve.clients import configuration_files
from recollect.serve.clients.declarations import CLIENTS, SERVER_NAME, Client, find_client
from recollect.serve.clients.jsonc import UnreadableConfiguration
from recollect.serve.clients.launch import (
    Launch,
    SecretInSharedFile,
    claude_arguments,
    entry,
    local_launch,
    remote_launch,
)
from recollect.serve.clients.plan import (
    ClientState,
    FileChange,
    Machine,
    apply,
    configuration_file,
    plan,
    plan_removal,
    read_state,
    this_machine,
    write_backup,
)
from recollect.settings import DEFAULT_WORKSPACE, Settings, default_database

CLAUDE_SECONDS = 60


class NeedsClient(Refused):
    def __init__(self, option: str) -> None:
        super().__init__(f"name a client: recollect connect CLIENT {option}", field="client")


class OnlyClaudeCode(Refused):
    def __init__(self) -> None:
        super().__init__("the plugin is for Claude Code: recollect connect claude-code --plugin", field="plugin")


class NoTerminal(Refused):
    def __init__(self) -> None:
        super().__init__("there is no terminal to ask on, and nothing was changed; run it with --yes", field="yes")


class ClaudeFailed(Unavailable):
    def __init__(self, arguments: list[str], why: str) -> None:
        super().__init__(f"claude {shlex.join(arguments)} failed: {why}")


@click.command("connect")
@click.argument("client", required=False)
@click.option("--print", "print_only", is_flag=True, help="Print the entry and where it belongs; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before writing.")
@click.option("--remove", is_flag=True, help="Disconnect: restore what connect changed.")
@click.option("--http", "over_http", is_flag=True, help="Use the address of a running 'recollect serve'.")
@click.option("--url", help="Another address for --http, such as http://memory.example:8377/mcp.")
@click.option("--project", is_flag=True, help="The configuration of the project in this folder, not the user's.")
@click.option("--plugin", is_flag=True, help="For claude-code: install the plugin with hooks, commands and a skill.")
@click.option("--check", is_flag=True, help="Start each connected server as its client would; count tools and time.")
@shared_options
@as_json
@click.pass_context
def connect_command(
    ctx: click.Context,
    client: str | None,
    print_only: bool,
    yes: bool,
    remove: bool,
    over_http: bool,
    url: str | None,
    project: bool,
    plugin: bool,
    check: bool,
    as_json: bool,
) -> None:
    """Connect a client such as claude-code, cursor or codex; without one, list those on this machine.

    Shows the change as a diff, asks, and writes it with a backup. The database, workspace and surface that are set here
    are passed on.
    """
    machine = this_machine()
    folder = Path.cwd() if project else None
    chosen = find_client(client) if client else None
    if plugin:
        _plugin(ctx, machine, chosen, yes, remove)
    elif check:
        _check(ctx, machine, chosen, folder, as_json)
    elif chosen is None:
        if print_only or remove or over_http or url:
            raise NeedsClient("--remove" if remove else "--print" if print_only else "--http")
        show_rows([_row(machine, each) for each in CLIENTS], as_json)
    elif remove:
        _disconnect(chosen, machine, folder, yes)
    else:
        settings = settings_of(ctx)
        check_settings(settings)
        launch = remote_launch(settings, url) if over_http or url else local_launch(settings)
        if project and launch.url is None:
            launch = _in_project(launch)
        if print_only or chosen.is_printed_only:
            _print(chosen, machine, launch, folder, as_json)
        else:
            _connect(chosen, machine, launch, folder, yes)


def _in_project(launch: Launch) -> Launch:
    """The launch for a project's file, which is shared: nothing that opens the store may stand in it."""
    if launch.secrets:
        raise SecretInSharedFile(launch.secrets, "the configuration of the project, which is shared")
    return launch.in_project()


def check_settings(settings: Settings) -> None:
    """Refuse a surface or workspace that the server would not find; a store that cannot be opened now may be later."""
    from recollect.memory import UnknownWorkspace
    from recollect.serve.open_store import OpenStore
    from recollect.surfaces.registry import check_surface

    surface, workspace = settings.text("surface"), settings.text("workspace")
    if surface:
        check_surface(surface)
    database = settings.text("db") or default_database()
    if not workspace or workspace == DEFAULT_WORKSPACE:
        return
    if "://" not in database and not Path(database).expanduser().exists():
        raise UnknownWorkspace(workspace)
    with suppress(Unavailable), OpenStore(settings) as opened:
        opened.memory("connect")


def _plugin(ctx: click.Context, machine: Machine, chosen: Client | None, yes: bool, remove: bool) -> None:
    """Install or remove the plugin by the `claude` command; without one, say what to run."""
    from recollect.serve.clients.launch import install_commands, removal_commands, write_plugin

    if chosen is None or chosen.name != "claude-code":
        raise OnlyClaudeCode
    if not remove:
        check_settings(settings_of(ctx))
        if secrets := local_launch(settings_of(ctx)).secrets:
            told = "not written into the plugin, since everybody can list the commands of hooks"
            click.echo(f"{' and '.join(secrets)}: {told}; set it in the environment of Claude Code.", err=True)
    target = Path(default_database()).parent / "claude-code-plugin"
    commands = removal_commands() if remove else install_commands(target)
    for arguments in commands:
        click.echo(f"claude {shlex.join(arguments)}")
    claude = machine.which("claude")
    _confirm("Remove the plugin?" if remove else f"Write the plugin to {target} and run these commands?", yes)
    if not remove:
        write_plugin(target, local_launch(settings_of(ctx)))
    elif claude is None:
        shutil.rmtree(target, ignore_errors=True)
    if claude is None:
        click.echo("There is no claude command on this machine; run the commands above where it is installed.")
        return
    for arguments in commands:
        _run_claude(claude, arguments, may_fail=remove)
    if remove:
        shutil.rmtree(target, ignore_errors=True)
    click.echo("The plugin is removed." if remove else "The plugin is installed. Start a new session.")


def _row(machine: Machine, client: Client) -> dict[str, Any]:
    path = machine.user_file(client)
    found = ClientState("printed") if path is None else read_state(client, path)
    state = "prints what to insert" if found.state == "printed" else found.problem or found.state
    return {
        "client": client.name,
        "installed": "yes" if machine.has(client) else "no",
        "state": state,
        "server": _server(found.entry),
        "file": None if path is None else str(path),
    }


def _server(entry: dict[str, Any] | None) -> str | None:
    """How the client reaches the server, in one line."""
    if entry is None:
        return None
    address = next((entry[key] for key in ("url", "httpUrl", "serverUrl", "uri") if key in entry), None)
    if address:
        return str(address)
    command = str(entry.get("command") or entry.get("cmd") or "")
    missing = "" if not Path(command).is_absolute() or Path(command).exists() else " (missing)"
    return shlex.join([command, *map(str, entry.get("args") or [])]) + missing


def _print(client: Client, machine: Machine, launch: Launch, folder: Path | None, as_json: bool) -> None:
    made = entry(client, launch)
    if as_json:
        show_json(configuration_files.document_with(client, made))
    else:
        click.echo(configuration_files.snippet(client, made))
    if not client.is_printed_only:
        click.echo(f"Insert this into {configuration_file(client, machine, folder)}", err=True)
    if client.next_step:
        click.echo(client.next_step, err=True)


def _connect(client: Client, machine: Machine, launch: Launch, folder: Path | None, yes: bool) -> None:
    change = plan(client, machine, launch, folder)
    if change.is_empty:
        click.echo(f"{client.title} is connected already: {change.path}")
        return
    if not machine.has(client):
        click.echo(f"{client.title} was not found on this machine; its configuration is prepared.", err=True)
    claude = machine.which("claude") if client.name == "claude-code" else None
    # The arguments of a command can be listed by everybody, so a secret is written into the file.
    if claude is not None and not launch.secrets:
        _connect_by_claude(claude, change, launch, folder, yes)
    else:
        _write(change, f"Connect {client.title}?", yes)
    click.echo(f"{client.title} is connected. {client.next_step}".rstrip())


def _connect_by_claude(claude: str, change: FileChange, launch: Launch, folder: Path | None, yes: bool) -> None:
    """Claude Code rewrites its file while it runs, so its own command makes the change."""
    scope = _scope(folder)
    known = read_state(find_client("claude-code"), change.path).entry
    arguments = claude_arguments(launch, scope, known)
    click.echo(f"claude {shlex.join(arguments)}")
    _confirm("Run this command?", yes)
    write_backup(change)
    if change.before is not None and SERVER_NAME.encode() in change.before:
        _run_claude(claude, ["mcp", "remove", "--scope", scope, SERVER_NAME], may_fail=True)
    _run_claude(claude, arguments)


def _disconnect(client: Client, machine: Machine, folder: Path | None, yes: bool) -> None:
    if client.is_printed_only:
        click.echo(f"Remove the entry {SERVER_NAME!r} from the configuration of {client.title} by hand.")
        return
    change = plan_removal(client, machine, folder)
    if change.is_empty:
        click.echo(f"{client.title} is not connected: {change.path}")
        return
    claude = machine.which("claude") if client.name == "claude-code" else None
    if claude is not None and not change.restores:
        arguments = ["mcp", "remove", "--scope", _scope(folder), SERVER_NAME]
        click.echo(f"claude {shlex.join(arguments)}")
        _confirm("Run this command?", yes)
        _run_claude(claude, arguments)
        change.backup.unlink(missing_ok=True)
    else:
        _write(change, f"Disconnect {client.title}?", yes)
    click.echo(f"{client.title} is disconnected.")


def _scope(folder: Path | None) -> str:
    return "user" if folder is None else "project"


def _run_claude(claude: str, arguments: list[str], may_fail: bool = False) -> None:
    ended = subprocess.run(
        [claude, *arguments], capture_output=True, text=True, timeout=CLAUDE_SECONDS, check=False, encoding="utf-8"
    )
    if ended.returncode and not may_fail:
        raise ClaudeFailed(arguments, (ended.stderr or ended.stdout).strip() or f"exit code {ended.returncode}")


def _write(change: FileChange, question: str, yes: bool) -> None:
    click.echo(change.diff())
    _confirm(question, yes)
    apply(change)
    if change.on_backup != "drop" and change.backup.exists():
        click.echo(f"Previous file: {change.backup}")


def _confirm(question: str, yes: bool) -> None:
    if yes:
        return
    try:
        is_wanted = click.confirm(question)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        click.echo()
        raise NoTerminal from None
    if not is_wanted:
        raise click.Abort


def _check(ctx: click.Context, machine: Machine, chosen: Client | None, folder: Path | None, as_json: bool) -> None:
    """One line for each connected client; exit code 1 if a server does not answer."""
    from recollect.serve.clients.probe import probe

    rows = []
    for client in (chosen,) if chosen else CLIENTS:
        found = _state(client, machine, folder)
        if found.entry is not None:
            answer = probe(found.entry)
            state = answer.problem or "ok"
            rows.append(
                {"client": client.name, "state": state, "tools": answer.tools, "milliseconds": answer.milliseconds}
            )
    show_rows(rows, as_json, "no client is connected; see: recollect connect")
    ctx.exit(1 if any(row["state"] != "ok" for row in rows) else 0)


def _state(client: Client, machine: Machine, folder: Path | None) -> ClientState:
    if client.is_printed_only or (folder is not None and client.project_file is None):
        return ClientState("printed")
    try:
        return read_state(client, configuration_file(client, machine, folder))
    except UnreadableConfiguration as problem:
        return ClientState("unreadable", problem=str(problem))
