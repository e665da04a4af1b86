"""`recollect service` and `recollect completion`."""

import plistlib
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from recollect.serve.cli.main import main
from recollect.serve.cli.service import service_unit, windows_advice

COMMAND = ("/opt/my tools/recollect", "serve", "--db", "/data/100%.db")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


def test_a_systemd_unit_quotes_its_command(tmp_path: Path) -> None:
    unit = service_unit("linux", tmp_path, COMMAND)
    assert unit is not None
    assert 'ExecStart="/opt/my tools/recollect" serve --db /data/100%%.db\n' in unit.text


def test_a_launchd_agent_is_a_valid_property_list(tmp_path: Path) -> None:
    unit = service_unit("darwin", tmp_path, (*COMMAND, "<&>"), 501)
    assert unit is not None
    assert plistlib.loads(unit.text.encode())["ProgramArguments"] == [*COMMAND, "<&>"]
    assert unit.stop == (("launchctl", "bootout", f"gui/501/{unit.path.stem}"),)


def test_windows_has_advice_instead_of_a_unit(tmp_path: Path) -> None:
    assert service_unit("win32", tmp_path, COMMAND) is None
    assert "schtasks /Create /TN Recollect" in windows_advice(COMMAND)


def test_a_service_is_installed_shown_and_removed(home: Path) -> None:
    manager = home / "bin/systemctl"
    manager.write_text('#!/bin/sh\necho "$*" >> "$HOME/calls"\n', "utf-8")
    manager.chmod(0o755)
    runner = CliRunner()
    installed = runner.invoke(main, ["service", "install", "--workspace", "acme"])
    unit = home / ".config/systemd/user/recollect.service"
    assert installed.exit_code == 0, installed.output
    assert "-m recollect serve --workspace acme" in unit.read_text("utf-8")
    assert "running    true" in runner.invoke(main, ["service", "status"]).output
    assert runner.invoke(main, ["service", "remove"]).exit_code == 0
    assert not unit.exists()
    calls = (home / "calls").read_text("utf-8").splitlines()
    assert [line.split()[1] for line in calls] == ["daemon-reload", "enable", "is-active", "disable"]


def test_a_password_and_a_key_are_in_a_file_of_variables_that_is_the_users_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_DB", "postgresql://u:s3cret@h/d")
    monkeypatch.setenv("RECOLLECT_KEY", 'a "b" $c')
    runner = CliRunner()
    assert "s3cret" not in runner.invoke(main, ["service", "install", "--print"]).output
    assert runner.invoke(main, ["service", "install", "--no-start"]).exit_code == 0
    unit, variables = (home / ".config/systemd/user/recollect").with_suffix, home / ".config/systemd/user/recollect.env"
    text = unit(".service").read_text("utf-8")
    assert f"EnvironmentFile={variables}\n" in text
    assert "s3cret" not in text
    known = ['RECOLLECT_DB="postgresql://u:s3cret@h/d"', 'RECOLLECT_KEY="a \\"b\\" \\$c"']
    assert sorted(variables.read_text("utf-8").splitlines()) == known
    assert variables.stat().st_mode & 0o777 == 0o600
    runner.invoke(main, ["service", "remove"])
    assert not variables.exists()


def test_a_launchd_agent_has_its_variables(tmp_path: Path) -> None:
    unit = service_unit("darwin", tmp_path, COMMAND, 501, {"RECOLLECT_KEY": "<&>"})
    assert unit is not None
    assert plistlib.loads(unit.text.encode())["EnvironmentVariables"] == {"RECOLLECT_KEY": "<&>"}


def test_without_a_service_manager_the_commands_are_printed(home: Path) -> None:
    result = CliRunner().invoke(main, ["service", "install"])
    assert result.exit_code == 0
    assert "systemctl --user enable --now recollect.service" in result.output
    assert (home / ".config/systemd/user/recollect.service").exists()
    assert "running    false" in CliRunner().invoke(main, ["service", "status"]).output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_names_the_command(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert "_RECOLLECT_COMPLETE" in result.output


def test_the_bash_script_is_valid(tmp_path: Path) -> None:
    script = tmp_path / "completion.sh"
    script.write_text(CliRunner().invoke(main, ["completion", "bash"]).output, "utf-8")
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
