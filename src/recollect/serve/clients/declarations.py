"""The table of clients. The command line, the web page and the documentation read the same declarations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.errors import NotKnown

SERVER_NAME = "recollect"
COMMAND, ARGUMENTS, URL = "${command}", "${args}", "${url}"
"""Placeholders in the shape of an entry."""

Format = Literal["json", "toml", "yaml"]
Shape = Mapping[str, Any]


class UnknownClient(NotKnown):
    code = "unknown_client"

    def __init__(self, name: str) -> None:
        super().__init__(f"no client {name!r}; available: {', '.join(each.name for each in CLIENTS)}")


@dataclass(frozen=True, slots=True)
class Client:
    """One program that can use an MCP server.

    Files are templates by platform: `~` is the home folder, `${NAME:-default}` an environment variable. Of the files in
    `elsewhere`, whose folders may have a `*`, the first whose folder exists is used instead.
    """

    name: str
    title: str
    format: Format
    key: tuple[str, ...]
    stdio: Shape | None = None
    http: Shape | None = None
    user_file: Mapping[str, str] = field(default_factory=dict)
    project_file: str | None = None
    project_folder: str = ""
    """What stands for the folder of the project in its files; empty if servers are started in it."""
    elsewhere: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    traces: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    in_list: bool = False
    next_step: str = ""
    documentation: str = ""

    @property
    def is_printed_only(self) -> bool:
        return not self.user_file


def find_client(name: str) -> Client:
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    wanted = ALIASES.get(wanted, wanted)
    for client in CLIENTS:
        if client.name == wanted:
            return client
    raise UnknownClient(name)


def _everywhere(path: str) -> dict[str, str]:
    return dict.fromkeys(("linux", "darwin", "win32"), path)


def _in_config_folder(path: str) -> dict[str, str]:
    return {
        "linux": f"${{XDG_CONFIG_HOME:-~/.config}}/{path}",
        "darwin": f"~/Library/Application Support/{path}",
        "win32": f"${{APPDATA:-~/AppData/Roaming}}/{path}",
    }


_PLAIN = {"command": COMMAND, "args": ARGUMENTS}
_TYPED = {"type": "stdio", "command": COMMAND, "args": ARGUMENTS}
_TYPED_HTTP = {"type": "http", "url": URL}

ALIASES = {"claude": "claude-code", "code": "vscode", "vs-code": "vscode", "openwebui": "open-webui"}

CLIENTS = (
    Client(
        "claude-code",
        "Claude Code",
        "json",
        ("mcpServers",),
        {**_TYPED, "env": {}},
        _TYPED_HTTP,
        _everywhere("${CLAUDE_CONFIG_DIR:-~}/.claude.json"),
        ".mcp.json",
        traces=("~/.claude",),
        commands=("claude",),
        next_step="Start a new session; /mcp lists the server.",
        documentation="code.claude.com/docs/en/mcp; claude 2.1.197",
    ),
    Client(
        "claude-desktop",
        "Claude Desktop",
        "json",
        ("mcpServers",),
        _PLAIN,
        None,
        _in_config_folder("Claude/claude_desktop_config.json"),
        # As a package of the store, Windows gives it folders of its own, and it never reads the usual one.
        elsewhere={
            "win32": (
                "${LOCALAPPDATA:-~/AppData/Local}/Claude-Data/claude*/claude_desktop_config.json",
                "${LOCALAPPDATA:-~/AppData/Local}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
            )
        },
        next_step="Quit Claude Desktop and start it again. Over HTTP, add a connector in its settings instead.",
        documentation="modelcontextprotocol.io/docs/develop/connect-local-servers",
    ),
    Client(
        "cursor",
        "Cursor",
        "json",
        ("mcpServers",),
        _PLAIN,
        {"url": URL},
        _everywhere("~/.cursor/mcp.json"),
        ".cursor/mcp.json",
        project_folder="${workspaceFolder}",
        commands=("cursor", "cursor-agent"),
        next_step="Enable the server under Settings, MCP.",
        documentation="cursor.com/docs/context/mcp",
    ),
    Client(
        "vscode",
        "VS Code",
        "json",
        ("servers",),
        _TYPED,
        _TYPED_HTTP,
        _in_config_folder("Code/User/mcp.json"),
        ".vscode/mcp.json",
        project_folder="${workspaceFolder}",
        commands=("code",),
        next_step="Run 'MCP: List Servers' and start it.",
        documentation="code.visualstudio.com/docs/agents/reference/mcp-configuration",
    ),
    Client(
        "codex",
        "Codex CLI",
        "toml",
        ("mcp_servers",),
        _PLAIN,
        {"url": URL},
        _everywhere("${CODEX_HOME:-~/.codex}/config.toml"),
        ".codex/config.toml",
        commands=("codex",),
        next_step="Start a new session; /mcp lists the server.",
        documentation="developers.openai.com/codex/mcp; codex-cli 0.166.0",
    ),
    Client(
        "gemini",
        "Gemini CLI",
        "json",
        ("mcpServers",),
        _PLAIN,
        {"httpUrl": URL},
        _everywhere("~/.gemini/settings.json"),
        ".gemini/settings.json",
        commands=("gemini",),
        next_step="Start a new session; /mcp lists the server.",
        documentation="geminicli.com/docs/tools/mcp-server; gemini 0.61.0",
    ),
    Client(
        "windsurf",
        "Windsurf",
        "json",
        ("mcpServers",),
        _PLAIN,
        {"serverUrl": URL},
        _everywhere("~/.codeium/windsurf/mcp_config.json"),
        commands=("windsurf",),
        next_step="Refresh the list of servers in Cascade. Since June 2026 Windsurf is Devin Desktop: connect devin.",
        documentation="docs.windsurf.com/windsurf/cascade/mcp",
    ),
    Client(
        "devin",
        "Devin Desktop",
        "json",
        ("mcpServers",),
        _PLAIN,
        {"url": URL},
        {
            "linux": "${XDG_CONFIG_HOME:-~/.config}/devin/mcp_config.json",
            "darwin": "~/.config/devin/mcp_config.json",
            "win32": "${APPDATA:-~/AppData/Roaming}/devin/mcp_config.json",
        },
        ".devin/mcp_config.json",
        commands=("devin",),
        next_step="Open the list of MCP servers; the agent asks before it calls a tool for the first time.",
        documentation="docs.devin.ai, Devin Desktop (formerly Windsurf)",
    ),
    Client(
        "zed",
        "Zed",
        "json",
        ("context_servers",),
        _PLAIN,
        {"url": URL},
        {
            "linux": "${XDG_CONFIG_HOME:-~/.config}/zed/settings.json",
            "darwin": "~/.config/zed/settings.json",
            "win32": "${APPDATA:-~/AppData/Roaming}/Zed/settings.json",
        },
        ".zed/settings.json",
        commands=("zed",),
        next_step="Zed reads its settings at once; the dot in the agent panel turns green.",
        documentation="zed.dev/docs/ai/mcp",
    ),
    Client(
        "continue",
        "Continue",
        "yaml",
        ("mcpServers",),
        {"name": SERVER_NAME, "command": COMMAND, "args": ARGUMENTS},
        {"name": SERVER_NAME, "type": "streamable-http", "url": URL},
        _everywhere("~/.continue/config.yaml"),
        commands=("cn",),
        in_list=True,
        next_step="Use agent mode; Continue reads the file at once.",
        documentation="docs.continue.dev/customize/deep-dives/mcp",
    ),
    Client(
        "cline",
        "Cline",
        "json",
        ("mcpServers",),
        {**_PLAIN, "disabled": False},
        {"type": "streamableHttp", "url": URL, "disabled": False},
        _in_config_folder("Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
        next_step="Open the MCP servers of Cline; it reads the file at once.",
        documentation="docs.cline.bot/mcp/configuring-mcp-servers",
    ),
    Client(
        "cline-cli",
        "Cline CLI",
        "json",
        ("mcpServers",),
        {**_PLAIN, "disabled": False},
        {"type": "streamableHttp", "url": URL, "disabled": False},
        _everywhere("${CLINE_MCP_SETTINGS_PATH:-~/.cline/data/settings/cline_mcp_settings.json}"),
        commands=("cline",),
        next_step="Start a new session; cline mcp lists the server.",
        documentation="docs.cline.bot/mcp/mcp-overview",
    ),
    Client(
        "goose",
        "Goose",
        "yaml",
        ("extensions",),
        {
            "name": SERVER_NAME,
            "description": "Memory across sessions",
            "type": "stdio",
            "enabled": True,
            "cmd": COMMAND,
            "args": ARGUMENTS,
            "envs": {},
            "timeout": 300,
        },
        {
            "name": SERVER_NAME,
            "description": "Memory across sessions",
            "type": "streamable_http",
            "enabled": True,
            "uri": URL,
            "timeout": 300,
        },
        {
            "linux": "${XDG_CONFIG_HOME:-~/.config}/goose/config.yaml",
            "darwin": "~/.config/goose/config.yaml",
            "win32": "${APPDATA:-~/AppData/Roaming}/Block/goose/config/config.yaml",
        },
        commands=("goose",),
        next_step="Start a new session.",
        documentation="block.github.io/goose/docs/guides/config-files",
    ),
    Client(
        "librechat",
        "LibreChat",
        "yaml",
        ("mcpServers",),
        _TYPED,
        {"type": "streamable-http", "url": URL},
        next_step="Put this into librechat.yaml and restart it. In a container, give --url an address it can reach.",
        documentation="www.librechat.ai/docs/features/mcp",
    ),
    Client(
        "open-webui",
        "Open WebUI",
        "json",
        (),
        None,
        {"type": "mcp", "url": URL, "auth_type": "none"},
        next_step="Add these values under Admin Settings, External Tools, type 'MCP (Streamable HTTP)'.",
        documentation="docs.openwebui.com/features/mcp (0.6.31 and later)",
    ),
)
