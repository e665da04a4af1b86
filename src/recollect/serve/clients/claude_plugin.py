"""The plugin for Claude Code: a copy that names the running command, and the `claude` commands that install it."""

import json
import shlex
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import recollect
from recollect.errors import Unavailable
from recollect.serve.clients.declarations import SERVER_NAME
from recollect.serve.clients.launch import Launch

PLUGIN = f"{SERVER_NAME}@{SERVER_NAME}"
HOOKS, SERVERS = Path("hooks/hooks.json"), Path(".mcp.json")


class PluginMissing(Unavailable):
    def __init__(self) -> None:
        super().__init__("this installation has no plugin for Claude Code; install the wheel or a complete checkout")


def plugin_source() -> Path:
    """The plugin as it is shipped: in the package, or beside it in a checkout."""
    package = Path(recollect.__file__).parent
    for folder in (package / "integrations", package.parents[1] / "integrations"):
        if (folder / "claude-code" / ".claude-plugin").is_dir():
            return folder / "claude-code"
    raise PluginMissing


def write_plugin(target: Path, launch: Launch) -> None:
    """A copy of the plugin whose hooks and server are this very installation, with the settings of this call."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(plugin_source(), target)
    hooks = json.loads((target / HOOKS).read_text("utf-8"))
    for groups in hooks["hooks"].values():
        for group in groups:
            group["hooks"] = [_with_command(each, launch) for each in group["hooks"]]
    servers = json.loads((target / SERVERS).read_text("utf-8"))
    servers["mcpServers"][SERVER_NAME] = {
        "command": launch.command[0],
        "args": replace(launch, is_in_project=True).arguments,
    }
    for path, content in ((HOOKS, hooks), (SERVERS, servers)):
        (target / path).write_text(json.dumps(content, indent=2) + "\n", "utf-8")


def _with_command(hook: dict[str, Any], launch: Launch) -> dict[str, Any]:
    words = shlex.split(hook["command"])
    return {**hook, "command": shlex.join([*launch.command, *words[1:], *launch.options])}


def install_commands(target: Path) -> list[list[str]]:
    """The arguments of `claude` that install the plugin from a folder."""
    return [["plugin", "marketplace", "add", str(target)], ["plugin", "install", PLUGIN]]


def removal_commands() -> list[list[str]]:
    return [["plugin", "uninstall", PLUGIN], ["plugin", "marketplace", "remove", SERVER_NAME]]
