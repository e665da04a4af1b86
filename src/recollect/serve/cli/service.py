"""`recollect service` and `completion`: a systemd unit or launchd agent, and completion of commands."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import click

from recollect.atomic_file import atomic_write
from recollect.errors import NotKnown
from recollect.serve.cli.main import as_json, main, settings_of, shared_options
from recollect.serve.cli.output import show
from recollect.serve.clients.launch import local_launch
from recollect.settings import MASK

NO_SECRETS: Mapping[str, str] = {}
LABEL = "io.github.recollect.serve"


@dataclass(frozen=True, slots=True)
class ServiceUnit:
    """A file that describes the service, and the commands that start, stop and show it."""

    path: Path
    text: str
    start: tuple[tuple[str, ...], ...]
    stop: tuple[tuple[str, ...], ...]
    show: tuple[str, ...]
    variables: tuple[Path, str] | None = None
    """The file that has the variables of the service, and its text; none if the unit has them or there are none."""


def service_unit(
    platform: str, home: Path, command: Sequence[str], user_id: int = 0, secrets: Mapping[str, str] = NO_SECRETS
) -> ServiceUnit | None:
    """The unit for this platform; none where there is no service manager for users."""
    if platform == "darwin":
        return _launchd(home, command, user_id, secrets)
    return _systemd(home, command, secrets) if platform.startswith("linux") else None


def windows_advice(command: Sequence[str], secrets: Mapping[str, str] = NO_SECRETS) -> str:
    """How to start the server at logon on Windows, where the task scheduler does that."""
    line = " ".join(f'\\"{word}\\"' if " " in word else word for word in command)
    return "\n".join(
        (
            "Windows starts programs at logon from the task scheduler. In a command prompt:",
            f'  schtasks /Create /TN Recollect /SC ONLOGON /TR "{line}"',
            "  schtasks /Run /TN Recollect",
            *(f"Set {name} for your user first: setx {name} VALUE" for name in secrets),
            "To remove it: schtasks /Delete /TN Recollect /F",
        )
    )


def _systemd(home: Path, command: Sequence[str], secrets: Mapping[str, str]) -> ServiceUnit:
    folder = home / ".config/systemd/user"
    variables = (folder / "recollect.env", "".join(f"{name}={_quoted(value)}\n" for name, value in secrets.items()))
    text = "\n".join(
        (
            "[Unit]",
            "Description=Recollect, memory for AI agents",
            "",
            "[Service]",
            *([f"EnvironmentFile={_systemd_path(variables[0])}"] if secrets else []),
            f"ExecStart={' '.join(_systemd_word(word) for word in command)}",
            "Restart=on-failure",
            "RestartSec=5",
            "NoNewPrivileges=true",
            "UMask=0077",
            "",
            "[Install]",
            "WantedBy=default.target",
            "",
        )
    )
    systemctl = ("systemctl", "--user")
    return ServiceUnit(
        folder / "recollect.service",
        text,
        start=((*systemctl, "daemon-reload"), (*systemctl, "enable", "--now", "recollect.service")),
        stop=((*systemctl, "disable", "--now", "recollect.service"),),
        show=(*systemctl, "is-active", "recollect.service"),
        variables=variables if secrets else None,
    )


def _systemd_path(path: Path) -> str:
    """A path as the value of a setting, where only % is expanded and nothing is quoted."""
    return str(path).replace("%", "%%")


def _quoted(value: str) -> str:
    """Quoted for an EnvironmentFile."""
    return '"' + re.sub(r'(["\\\\$`])', r"\\\1", value) + '"'


def _systemd_word(word: str) -> str:
    """Quoted for ExecStart, where % and $ are expanded."""
    escaped = word.replace("%", "%%").replace("$", "$$")
    return escaped if shlex.quote(word) == word else '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _launchd(home: Path, command: Sequence[str], user_id: int, secrets: Mapping[str, str]) -> ServiceUnit:
    words = "\n".join(f"    <string>{escape(word)}</string>" for word in command)
    variables = "".join(
        f"    <key>{escape(name)}</key>\n    <string>{escape(value)}</string>\n" for name, value in secrets.items()
    )
    environment = f"  <key>EnvironmentVariables</key>\n  <dict>\n{variables}  </dict>\n" if secrets else ""
    log = escape(str(home / "Library/Logs/recollect.log"))
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{LABEL}</string>
  <key>ProgramArguments</key>
  <array>
{words}
  </array>
{environment}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardErrorPath</key>
  <string>{log}</string>
</dict>
</plist>
"""
    path = home / f"Library/LaunchAgents/{LABEL}.plist"
    domain = f"gui/{user_id}"
    return ServiceUnit(
        path,
        text,
        start=(("launchctl", "bootstrap", domain, str(path)),),
        stop=(("launchctl", "bootout", f"{domain}/{LABEL}"),),
        show=("launchctl", "print", f"{domain}/{LABEL}"),
    )


MANAGER_SECONDS = 60


class NoServiceManager(NotKnown):
    def __init__(self, advice: str) -> None:
        super().__init__(advice)


@click.group("service")
def service_command() -> None:
    """Run 'recollect serve' in the background: a systemd user unit or a launchd agent."""


@service_command.command("install")
@click.option("--print", "print_only", is_flag=True, help="Print the unit; install nothing.")
@click.option("--no-start", is_flag=True, help="Write the unit but do not start it.")
@shared_options
@click.pass_context
def install(ctx: click.Context, print_only: bool, no_start: bool) -> None:
    """Write the unit with the current database, workspace and surface, and start it."""
    launch = local_launch(settings_of(ctx))
    command = (*launch.command, "serve", *launch.options)
    unit = _unit(command, launch.secrets)
    if unit is None:
        click.echo(windows_advice(command, launch.secrets))
    elif print_only:
        click.echo(_masked(unit.text, launch.secrets), nl=False)
        if unit.variables is not None:
            click.echo(
                f"It reads {' and '.join(launch.secrets)} from {unit.variables[0]}, which is yours alone.", err=True
            )
    else:
        _install(unit, no_start)


def _masked(text: str, secrets: Mapping[str, str]) -> str:
    for value in secrets.values():
        text = text.replace(value, MASK)
    return text


def _install(unit: ServiceUnit, no_start: bool) -> None:
    unit.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path, text in ((unit.path, unit.text), *((unit.variables,) if unit.variables is not None else ())):
        # Its owner's alone: passwords and keys may stand in it.
        with atomic_write(path) as out:
            out.write(text.encode())
        click.echo(f"Wrote {path}")
    if no_start or not all(_run(each) for each in unit.start):
        click.echo("Start it with:")
        for each in unit.start:
            click.echo(f"  {shlex.join(each)}")
    else:
        click.echo("Recollect is running; see: recollect service status")


@service_command.command("status")
@as_json
def status(as_json: bool) -> None:
    """Whether the service is installed and running."""
    unit = _known_unit()
    running = unit.path.exists() and _run(unit.show)
    found: dict[str, Any] = {"installed": unit.path.exists(), "running": running, "file": str(unit.path)}
    show(found, as_json)


@service_command.command("remove")
def remove() -> None:
    """Stop the service and remove its unit; the database stays."""
    unit = _known_unit()
    if not unit.path.exists():
        click.echo("The service is not installed.")
        return
    for each in unit.stop:
        _run(each)
    unit.path.unlink()
    unit.path.with_suffix(".env").unlink(missing_ok=True)
    click.echo(f"Removed {unit.path}")


def _known_unit() -> ServiceUnit:
    unit = _unit(())
    if unit is None:
        raise NoServiceManager(windows_advice(("recollect", "serve")))
    return unit


def _unit(command: tuple[str, ...], secrets: Mapping[str, str] = NO_SECRETS) -> ServiceUnit | None:
    return service_unit(sys.platform, Path.home(), command, os.getuid() if hasattr(os, "getuid") else 0, secrets)


def _run(command: tuple[str, ...]) -> bool:
    """Whether the service manager is there and did as asked."""
    if shutil.which(command[0]) is None:
        return False
    ended = subprocess.run(command, capture_output=True, timeout=MANAGER_SECONDS, check=False)
    return ended.returncode == 0


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print a script that completes commands and options: eval "$(recollect completion bash)"."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None, "click completes these shells"
    click.echo(found(main, {}, "recollect", "_RECOLLECT_COMPLETE").source())


@click.command("hook", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, metavar="EVENT", type=click.UNPROCESSED)
def hook_command(words: tuple[str, ...]) -> None:
    """Answer a hook of a coding agent, which gives its JSON on stdin; never fails.

    EVENT is session-start, user-prompt, pre-compact, stop or session-end, or the client's own name for it. Options --db
    and --workspace are taken; see docs/hooks.md.
    """
    from recollect.serve.hooks.process import main

    main(list(words))
