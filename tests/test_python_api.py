"""The page on the Python API: its examples run as they are printed."""

import re
from pathlib import Path

import pytest

import recollect

PAGE = Path(__file__).parents[1] / "docs" / "python-api.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "\n".join(BLOCK.findall(PAGE.read_text("utf-8")))
    assert source.count("assert ") >= 3
    exec(compile(source, str(PAGE), "exec"), {})


def test_the_public_names_can_be_imported() -> None:
    assert [name for name in recollect.__all__ if not hasattr(recollect, name)] == []
