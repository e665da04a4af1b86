"""Fixtures that tests of the entry points share."""

from pathlib import Path

import pytest

from tests.serve.command_line import Run, command_line


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in the folder of the test, with a store there."""
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("RECOLLECT_NOW", "2026-05-20T10:00:00Z")
    monkeypatch.chdir(tmp_path)
    return command_line


@pytest.fixture
def no_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_EMBEDDING_MODEL", "none")
