"""`recollect service` and `recollect completion`: the server as a service, and completion of commands in a shell."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from recollect.atomic_file import atomic_write
from recollect.errors import NotKnown
from recollect.serve.cli.main import as_json, main, settings_of, shared_options
from recollect.serve.cli.output import show
from recollect.serve.clients.launch import local_launch
from recollect.serve.service_units import NO_SECRETS, ServiceUnit, service_unit, windows_advice
from recollect.settings import MASK

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
    """Write the unit with the database, workspace and surface that are set here, and start it."""
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
