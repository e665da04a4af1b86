"""The commands of the README, run as they stand there."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recollect.serve.cli.main import main

README = Path(__file__).parents[2] / "README.md"


def _commands(heading: str) -> list[list[str]]:
    """The `recollect` commands of the first shell block under a heading."""
    section = README.read_text("utf-8").partition(f"## {heading}")[2]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block is not None
    lines = [line for line in block[1].splitlines() if line.startswith("recollect ")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("RECOLLECT_NOW", "2026-05-20T10:00:00Z")
    monkeypatch.chdir(tmp_path)
    return [CliRunner().invoke(main, command) for command in _commands("A first answer in a minute")]


def test_the_first_minute_of_the_readme_works_as_it_is_printed(results: list[Result]) -> None:
    assert [result.output for result in results if result.exit_code] == []
    _, _, recalled, items, corrected, history, undone = (result.output for result in results)
    assert "Ada Brandt is allergic to penicillin" in recalled
    assert "send Lena the photos" in items
    assert "amoxicillin" in corrected
    assert "retracted" in history
    assert "undone" in undone
