"""Patterns that are compiled at their first use."""

import importlib
import pkgutil
import re
from typing import Any

import pytest

import recollect.ingest.extract
import recollect.ingest.notes
import recollect.text
from recollect.text.patterns import lazy_pattern

PACKAGES = (recollect.text, recollect.ingest.extract, recollect.ingest.notes)


def test_a_lazy_pattern_behaves_as_a_compiled_one() -> None:
    lazy, compiled = lazy_pattern(r"(?P<word>\w+)!", re.IGNORECASE), re.compile(r"(?P<word>\w+)!", re.IGNORECASE)
    assert lazy.pattern == compiled.pattern
    assert [found["word"] for found in lazy.finditer("no Stop! go!")] == ["Stop", "go"]
    assert lazy.sub(r"\g<word>", "Stop!") == compiled.sub(r"\g<word>", "Stop!")


def test_a_broken_pattern_is_found_at_its_first_use() -> None:
    with pytest.raises(re.error):
        lazy_pattern("(").search("x")


def _patterns() -> dict[str, Any]:
    modules = [
        importlib.import_module(f"{package.__name__}.{each.name}")
        for package in PACKAGES
        for each in pkgutil.iter_modules(package.__path__)
    ]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if type(value).__name__ == "_LazyPattern"
    }


def test_every_lazy_pattern_can_be_compiled() -> None:
    patterns = _patterns()
    assert len(patterns) > 40
    assert all(isinstance(each.pattern, str) for each in patterns.values())
