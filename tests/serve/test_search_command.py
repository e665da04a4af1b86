"""What `recollect search` shows and says of the rest."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recollect.serve.cli.main import main


@pytest.fixture(autouse=True)
def boilers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("RECOLLECT_EMBEDDING_MODEL", "none")
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(5):
        (notes / f"visit {number}.md").write_text(f"The boiler was serviced by Acme on visit {number}.\n", "utf-8")
    assert run("ingest", str(notes)).exit_code == 0


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_a_search_says_that_it_shows_only_the_best() -> None:
    cut = run("search", "boiler", "--limit", "2")
    assert "only the best 2 passages and facts are shown; --limit shows more" in cut.stderr
    found = json.loads(run("search", "boiler", "--limit", "2", "--json").stdout)
    assert (found["more"], len(found["hits"]), len(found["facts"]) <= 2) == (True, 2, True)


def test_a_search_that_shows_everything_says_nothing_of_more() -> None:
    assert "only the best" not in run("search", "boiler", "--limit", "5").stderr
    assert json.loads(run("search", "boiler", "--limit", "5", "--json").stdout)["more"] is False
