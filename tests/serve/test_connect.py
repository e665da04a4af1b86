"""`recollect connect` over scratch home folders."""

import json
import os
import shlex
import stat
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from recollect import __version__ as version
from recollect.serve.cli.main import main
from recollect.serve.clients import launch, probe
from recollect.serve.clients.declarations import CLIENTS, find_client
from recollect.serve.clients.launch import PLUGIN, Launch, entry, plugin_source, running_command
from recollect.serve.clients.plan import Machine, apply, plan, plan_removal
from tests.support.processes import http

Run = Callable[..., Result]
LAUNCH = Launch(("/opt/recollect/bin/recollect",))
WITH_FILES = [client for client in CLIENTS if not client.is_printed_only]

COMMENTED = {
    "json": '{\n\t// mine\n\t"theme":"dark",// keep\n\t"KEY": {\n\t\t"other": {"command": "x"} // the other\n\t},\n}\n',
    "toml": '# mine\nmodel = "o3"\n\n[KEY.other] # the other\ncommand = "x"\n\n[tui]\ntheme = "dark" # keep\n',
    "yaml": "# mine\ntheme: dark # keep\nKEY:\n  other:\n    command: x # the other\n# tail\nlast: 1\n",
}
LISTED = "# mine\ntheme: dark # keep\nKEY:\n  - name: other\n    command: x # the other\n# tail\nlast: 1\n"


def commented(client: Any) -> str:
    text = LISTED if client.in_list else COMMENTED[client.format]
    return text.replace("KEY", client.key[0])


def data(client: Any, text: str) -> Any:
    loaders: dict[str, Callable[[str], Any]] = {"toml": tomllib.loads, "yaml": yaml.safe_load, "json": json.loads}
    return loaders[client.format](text)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "RECOLLECT_WORKSPACE", "RECOLLECT_SURFACE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "memory.db"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(home: Path) -> Run:
    del home
    return lambda *words, **options: CliRunner().invoke(main, ["connect", *words], **options)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_packaged_claude_desktop_of_windows_has_its_file_in_a_folder_of_its_own(tmp_path: Path) -> None:
    client, machine = find_client("claude-desktop"), Machine(tmp_path, "win32")
    assert machine.user_file(client) == tmp_path / "AppData/Roaming/Claude/claude_desktop_config.json"
    packaged = tmp_path / "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude"
    packaged.mkdir(parents=True)
    assert machine.user_file(client) == packaged / "claude_desktop_config.json"
    newer = tmp_path / "AppData/Local/Claude-Data/claude_1"
    newer.mkdir(parents=True)
    assert machine.user_file(client) == newer / "claude_desktop_config.json"


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("client", WITH_FILES, ids=lambda each: each.name)
def test_removing_restores_a_commented_file_byte_for_byte(client: Any, platform: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path, platform)
    path = machine.user_file(client)
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(commented(client), "utf-8")
    before = files(tmp_path)
    apply(plan(client, machine, LAUNCH))
    text = path.read_text("utf-8")
    assert all(mark in text for mark in ("mine", "keep", "the other"))
    assert plan(client, machine, LAUNCH).is_empty
    apply(plan(client, machine, Launch(LAUNCH.command, ("--surface", "pearscarf"))))
    apply(plan_removal(client, machine))
    assert files(tmp_path) == before


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("client", WITH_FILES, ids=lambda each: each.name)
def test_only_lines_of_the_entry_are_added(client: Any, newline: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path, "linux")
    path = machine.user_file(client)
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(commented(client).replace("\n", newline).encode())
    diff = plan(client, machine, LAUNCH).diff().splitlines()[2:]
    removed = [line[1:] for line in diff if line.startswith("-")]
    added = [line[1:] for line in diff if line.startswith("+")]
    assert [line for line in removed if line not in added and line.replace(" //", ", //") not in added] == []


@pytest.mark.parametrize("client", WITH_FILES, ids=lambda each: each.name)
def test_a_file_that_was_not_there_is_gone_again_with_its_folders(client: Any, tmp_path: Path) -> None:
    machine = Machine(tmp_path, "linux")
    change = plan(client, machine, LAUNCH)
    apply(change)
    assert stat.S_IMODE(change.path.stat().st_mode) == 0o600
    apply(plan_removal(client, machine))
    assert list(tmp_path.iterdir()) == []
    assert not machine.has(client)


def test_a_folder_with_other_files_stays_when_the_file_goes(tmp_path: Path) -> None:
    machine, client = Machine(tmp_path, "linux"), find_client("zed")
    (tmp_path / ".config" / "other").mkdir(parents=True)
    apply(plan(client, machine, LAUNCH))
    apply(plan_removal(client, machine))
    assert [each.name for each in (tmp_path / ".config").iterdir()] == ["other"]


@pytest.mark.parametrize("client", WITH_FILES, ids=lambda each: each.name)
def test_what_was_changed_after_connecting_stays(client: Any, tmp_path: Path) -> None:
    machine = Machine(tmp_path, "linux")
    path = machine.user_file(client)
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    original = commented(client)
    path.write_text(original, "utf-8")
    apply(plan(client, machine, LAUNCH))
    path.write_text(path.read_text("utf-8").replace("dark", "light"), "utf-8")
    apply(plan_removal(client, machine))
    assert path.read_text("utf-8") == original.replace("dark", "light")


def test_a_file_that_its_client_wrote_anew_is_restored(tmp_path: Path) -> None:
    machine, client = Machine(tmp_path, "linux"), find_client("claude-code")
    path = tmp_path / ".claude.json"
    path.write_text('{"a": 1,   "b": [2]}', "utf-8")
    apply(plan(client, machine, LAUNCH))
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")), indent=4), "utf-8")
    apply(plan_removal(client, machine))
    assert files(tmp_path) == {".claude.json": b'{"a": 1,   "b": [2]}'}


def test_the_entries_of_the_first_six_clients() -> None:
    command = {"command": "/opt/recollect/bin/recollect", "args": ["stdio"]}
    shapes = {name: entry(find_client(name), LAUNCH) for name in ("cursor", "codex", "gemini", "claude-desktop")}
    assert shapes == dict.fromkeys(shapes, command)
    assert entry(find_client("vscode"), LAUNCH) == {"type": "stdio", **command}
    assert entry(find_client("claude-code"), LAUNCH) == {"type": "stdio", **command, "env": {}}
    remote = Launch((), url="http://127.0.0.1:8377/mcp")
    assert entry(find_client("gemini"), remote) == {"httpUrl": "http://127.0.0.1:8377/mcp"}
    assert entry(find_client("vscode"), remote) == {"type": "http", "url": "http://127.0.0.1:8377/mcp"}


def test_connecting_asks_and_a_no_changes_nothing(run: Run, home: Path) -> None:
    result = run("cursor", input="n\n")
    assert result.exit_code == 1
    assert '+    "recollect": {' in result.output
    assert files(home) == {}


def test_the_settings_of_this_call_are_passed_on(run: Run, home: Path) -> None:
    assert CliRunner().invoke(main, ["workspace", "create", "acme"]).exit_code == 0
    assert run("cursor", "--yes", "--surface", "pearscarf", "--workspace", "acme").exit_code == 0
    written = json.loads((home / ".cursor/mcp.json").read_text("utf-8"))["mcpServers"]["recollect"]
    assert written["command"] == sys.executable
    assert written["args"][:3] == ["-m", "recollect", "stdio"]
    options = ["--db", str(home / "memory.db"), "--workspace", "acme", "--surface", "pearscarf"]
    assert written["args"][3:] == options


def test_a_project_has_its_own_file(run: Run, home: Path) -> None:
    assert run("vscode", "--project", "--yes").exit_code == 0
    assert list(json.loads((home / ".vscode/mcp.json").read_text("utf-8"))) == ["servers"]
    assert run("windsurf", "--project", "--yes").exit_code == 1


@pytest.mark.parametrize(
    ("client", "file", "option"),
    [("vscode", ".vscode/mcp.json", "--project=${workspaceFolder}"), ("claude-code", ".mcp.json", "--project")],
)
def test_the_entry_of_a_project_uses_the_workspace_of_the_project(
    run: Run, home: Path, client: str, file: str, option: str
) -> None:
    assert run(client, "--project", "--yes").exit_code == 0
    [servers] = json.loads((home / file).read_text("utf-8")).values()
    assert servers["recollect"]["args"][3] == option
    assert json.loads(run(client, "--project", "--check", "--json").output)[0]["state"] == "ok"


def test_a_workspace_that_is_chosen_for_a_project_stays_the_only_one(run: Run, home: Path) -> None:
    assert CliRunner().invoke(main, ["workspace", "create", "acme"]).exit_code == 0
    assert run("vscode", "--project", "--yes", "--workspace", "acme").exit_code == 0
    assert "--project" not in (home / ".vscode/mcp.json").read_text("utf-8")


def test_the_list_says_which_clients_are_connected(run: Run, home: Path) -> None:
    (home / ".gemini").mkdir()
    run("cursor", "--yes")
    rows = {row["client"]: row for row in json.loads(run("--json").output)}
    assert len(rows) == len(CLIENTS)
    assert (rows["cursor"]["state"], rows["gemini"]["state"]) == ("connected", "not connected")
    assert (rows["gemini"]["installed"], rows["codex"]["installed"]) == ("yes", "no")


def test_an_unreadable_file_is_left_alone(run: Run, home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").write_text('{"mcpServers": {\n', "utf-8")
    result = run("cursor", "--yes")
    assert result.exit_code == 1
    assert "invalid JSON in line 2" in result.stderr
    assert "nothing was changed" in result.stderr
    assert files(home) == {".cursor/mcp.json": b'{"mcpServers": {\n'}


def test_a_printed_entry_changes_nothing(run: Run, home: Path) -> None:
    printed = tomllib.loads(run("codex", "--print").stdout)
    assert printed["mcp_servers"]["recollect"]["args"][:3] == ["-m", "recollect", "stdio"]
    assert yaml.safe_load(run("librechat").stdout)["mcpServers"]["recollect"]["type"] == "stdio"
    assert json.loads(run("open-webui", "--http").stdout)["url"] == "http://127.0.0.1:8377/mcp"
    assert files(home) == {}


@pytest.mark.parametrize(
    "words", [("claude-desktop", "--http"), ("open-webui",), ("cursor", "--http", "--workspace", "a")]
)
def test_what_a_client_cannot_do_is_one_line(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words, "--yes")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)


def test_an_unknown_client_is_named_with_the_known_ones(run: Run) -> None:
    result = run("emacs")
    assert result.exit_code == 1
    assert "no client 'emacs'; available: claude-code," in result.stderr


def test_a_symbolic_link_stays_a_link(run: Run, home: Path) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles/mcp.json").write_text("{}", "utf-8")
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to(home / "dotfiles/mcp.json")
    run("cursor", "--yes")
    assert (home / ".cursor/mcp.json").is_symlink()
    assert "recollect" in (home / "dotfiles/mcp.json").read_text("utf-8")


def test_the_claude_command_makes_the_change_where_there_is_one(run: Run, home: Path) -> None:
    claude = home / "bin/claude"
    claude.write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$HOME/calls"\n', "utf-8")
    claude.chmod(0o755)
    assert run("claude-code", "--yes", "--http").exit_code == 0
    expected = "mcp add --scope user --transport http recollect http://127.0.0.1:8377/mcp\n"
    assert (home / "calls").read_text("utf-8") == expected
    assert not (home / ".claude.json").exists()


def test_a_failing_claude_command_is_one_line(run: Run, home: Path) -> None:
    claude = home / "bin/claude"
    claude.write_text("#!/bin/sh\necho not today >&2\nexit 3\n", "utf-8")
    claude.chmod(0o755)
    result = run("claude-code", "--yes")
    assert result.exit_code == 1
    assert "not today" in result.stderr


def test_checking_starts_the_server_as_the_client_would(run: Run) -> None:
    run("cursor", "--yes", "--surface", "cognitive-graph")
    checked = json.loads(run("--check", "--json").output)
    assert [(row["client"], row["state"], row["tools"]) for row in checked] == [("cursor", "ok", 4)]
    assert checked[0]["milliseconds"] > 0


def test_checking_reports_a_server_that_is_gone(run: Run, home: Path) -> None:
    run("cursor", "--yes")
    path = home / ".cursor/mcp.json"
    path.write_text(path.read_text("utf-8").replace(sys.executable, "/nowhere/python"), "utf-8")
    result = run("cursor", "--check", "--json")
    assert result.exit_code == 1
    assert "/nowhere/python" in json.loads(result.output)[0]["state"]


def test_checking_says_that_a_server_takes_too_long_and_not_that_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "LONGEST_WAIT", 1)
    silent = {"command": sys.executable, "args": ["-c", "import sys; sys.stdin.read()"]}
    assert probe.probe(silent).problem == "no answer within 1 s"
    ended = {"command": sys.executable, "args": ["-c", ""]}
    assert probe.probe(ended).problem == probe.SERVER_ENDED


def test_checking_asks_a_running_server_over_http(run: Run, tmp_path: Path) -> None:
    with http(tmp_path) as address:
        run("gemini", "--yes", "--url", f"{address}/mcp")
        checked = json.loads(run("--check", "--json").output)
    assert [(row["state"], row["tools"]) for row in checked] == [("ok", 4)]
    assert run("--check").exit_code == 1


def test_the_path_of_the_running_command_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = tmp_path / "venv" / "bin" / "recollect"
    command.parent.mkdir(parents=True)
    command.touch()
    monkeypatch.chdir(tmp_path)
    assert running_command([f"venv{os.sep}bin{os.sep}recollect"]) == (str(command),)
    assert running_command([str(tmp_path / "pytest.py")]) == (sys.executable, "-m", "recollect")


def test_a_command_of_uvx_is_written_as_uvx_of_the_same_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "uv" / "archive-v0" / "x" / "bin" / "recollect"
    uvx = tmp_path / "bin" / "uvx"
    for each in (command, uvx):
        each.parent.mkdir(parents=True, exist_ok=True)
        each.touch(0o755)
    monkeypatch.setenv("PATH", str(uvx.parent))
    recorded: dict[str, Any] = {"url": "file:///x/recollect-1.whl", "archive_info": {}}
    monkeypatch.setattr(launch, "distribution", lambda _: SimpleNamespace(read_text=lambda _: json.dumps(recorded)))
    assert running_command([str(command)]) == (str(uvx), "--from", "file:///x/recollect-1.whl", "recollect")
    recorded = {"url": "https://x.example/r.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
    assert running_command([str(command)])[2] == "git+https://x.example/r.git@abc"
    monkeypatch.setattr(launch, "distribution", lambda _: SimpleNamespace(read_text=lambda _: None))
    assert running_command([str(command)])[2] == f"recollect=={version}"


def test_the_plugin_names_the_running_command_and_is_installed_by_claude(run: Run, home: Path) -> None:
    claude = home / "bin/claude"
    claude.write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$HOME/calls"\n', "utf-8")
    claude.chmod(0o755)
    assert CliRunner().invoke(main, ["workspace", "create", "acme"]).exit_code == 0
    assert run("claude-code", "--plugin", "--yes", "--workspace", "acme").exit_code == 0
    [folder] = home.rglob("claude-code-plugin")
    hooks = json.loads((folder / "hooks/hooks.json").read_text("utf-8"))["hooks"]
    commands = [each["command"] for groups in hooks.values() for group in groups for each in group["hooks"]]
    assert sorted(hooks) == ["PreCompact", "SessionEnd", "SessionStart", "Stop", "UserPromptSubmit"]
    assert all(each.startswith(f"{sys.executable} -m recollect hook ") for each in commands)
    assert all(each.endswith("--workspace acme") for each in commands)
    server = json.loads((folder / ".mcp.json").read_text("utf-8"))["mcpServers"]["recollect"]
    assert server["command"] == sys.executable
    assert server["args"][2:4] == ["stdio", "--project"]
    assert run("claude-code", "--plugin", "--remove", "--yes").exit_code == 0
    assert not folder.exists()
    calls = [line.split()[1:3] for line in (home / "calls").read_text("utf-8").splitlines()]
    assert calls == [["marketplace", "add"], ["install", PLUGIN], ["uninstall", PLUGIN], ["marketplace", "remove"]]


def test_the_plugin_is_of_this_version() -> None:
    manifest = json.loads((plugin_source() / ".claude-plugin/plugin.json").read_text("utf-8"))
    assert manifest["version"] == version


def test_only_claude_code_has_a_plugin(run: Run) -> None:
    assert run("cursor", "--plugin", "--yes").exit_code == 1


def test_the_commands_of_the_guide_work(run: Run) -> None:
    page = (Path(__file__).parents[2] / "docs/connect.md").read_text("utf-8")
    lines = page.partition("```sh\n")[2].partition("```")[0].splitlines()
    for line in lines:
        words = shlex.split(line, comments=True)
        assert words[:2] == ["recollect", "connect"]
        result = run(*words[2:], input="y\n")
        assert result.exit_code == 0, (line, result.output)


def test_the_guide_lists_every_client() -> None:
    page = (Path(__file__).parents[2] / "docs/connect.md").read_text("utf-8")
    assert [client.name for client in CLIENTS if f"`{client.name}`" not in page] == []


ADDRESS = "postgresql://u:s3cret@127.0.0.1:1/memory"


def test_a_password_and_a_key_go_into_variables_of_a_private_file_and_are_not_shown(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_DB", ADDRESS)
    monkeypatch.setenv("RECOLLECT_KEY", "open sesame")
    path = home / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"recollect": {"command": "x", "env": {"MINE": "1"}}}}')
    path.chmod(0o644)
    shown = run("cursor", "--yes")
    assert shown.exit_code == 0, shown.output
    assert "s3cret" not in shown.output
    assert "sesame" not in shown.output
    entry = json.loads(path.read_text("utf-8"))["mcpServers"]["recollect"]
    assert entry["env"] == {"MINE": "1", "RECOLLECT_DB": ADDRESS, "RECOLLECT_KEY": "open sesame"}
    assert "--db" not in entry["args"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_password_is_refused_in_the_file_of_a_project(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_DB", ADDRESS)
    refused = run("cursor", "--project", "--yes")
    assert refused.exit_code == 1
    assert ".pgpass" in str(refused.exception) + refused.output
    assert not (home / ".cursor").exists()


def test_the_command_of_claude_is_not_given_a_password(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claude = home / "bin/claude"
    claude.write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$HOME/calls"\n', "utf-8")
    claude.chmod(0o755)
    monkeypatch.setenv("RECOLLECT_DB", ADDRESS)
    assert run("claude-code", "--yes").exit_code == 0
    assert not (home / "calls").exists()
    assert run("claude-code", "--plugin", "--yes").exit_code == 0
    [folder] = home.rglob("claude-code-plugin")
    assert not any(b"s3cret" in content for content in files(folder).values())


@pytest.mark.parametrize("client", ["claude-code", "cursor", "codex"])
def test_a_client_is_not_installed_because_we_wrote_its_file(run: Run, client: str) -> None:
    run(client, "--yes")
    rows = {row["client"]: row for row in json.loads(run("--json").output)}
    assert (rows[client]["installed"], rows[client]["state"]) == ("no", "connected")
