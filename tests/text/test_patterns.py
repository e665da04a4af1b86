"""Patterns that are compiled at their first use."""

import importlib
import pkgutil
import re
from typing import Any
from uuid import UUID

import pytest

import recollect.ingest.extract
import recollect.ingest.notes
import recollect.reading
import recollect.text
from recollect.text import patterns
from recollect.text.pattern_prefilter import bits_in
from recollect.text.patterns import BadPattern, LazyPattern, lazy_pattern, user_pattern

PACKAGES = (recollect.text, recollect.reading, recollect.ingest.extract, recollect.ingest.notes)


def test_a_lazy_pattern_behaves_as_a_compiled_one() -> None:
    lazy, compiled = lazy_pattern(r"(?P<word>\w+)!", re.IGNORECASE), re.compile(r"(?P<word>\w+)!", re.IGNORECASE)
    assert lazy.pattern == compiled.pattern
    assert [found["word"] for found in lazy.finditer("no Stop! go!")] == ["Stop", "go"]
    assert lazy.sub(r"\g<word>", "Stop!") == compiled.sub(r"\g<word>", "Stop!")


def test_an_end_within_a_word_is_searched_up_to_whatever_words_the_text_has() -> None:
    lazy = LazyPattern(r"\bif\b", 0)
    lazy.bit = bits_in("if") & ~bits_in("iffy")
    assert lazy.bit
    assert lazy.search("iffy") is None
    assert lazy.search("iffy", 0, 2) is not None
    assert lazy.search("iffy", endpos=2) is not None
    assert lazy.findall("iffy") == []
    assert lazy.findall("iffy", 0, 2) == lazy.findall("iffy", endpos=2) == ["if"]


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
        if type(value).__name__ == "LazyPattern"
    }


def test_every_lazy_pattern_can_be_compiled() -> None:
    patterns = _patterns()
    assert len(patterns) > 40
    assert all(isinstance(each.pattern, str) for each in patterns.values())


def test_a_pattern_of_a_user_is_stopped_when_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "PATTERN_SECONDS", 0.05)
    with pytest.raises(BadPattern, match="took longer"):
        user_pattern("(a|aa)+$").is_found_in("a" * 200 + "b")
    with pytest.raises(BadPattern, match="not valid"):
        user_pattern("(")
    assert user_pattern(r"X-\d+").matches("X-7")
    assert not user_pattern(r"X-\d+").matches("X-7 and more")


@pytest.mark.parametrize(
    "source",
    [
        *("a{999999999}", "(?x)[ab]{ 5, 999999999 }", "(?:(?:a{99}){99}){99}", "a{9999999,}"),
        *("x" * 10_001, f"a{{{'9' * 5_000}}}"),
    ],
    ids=["count", "spaced", "nested", "open", "long", "digits"],
)
def test_a_pattern_that_would_take_all_memory_is_not_compiled(source: str) -> None:
    with pytest.raises(BadPattern, match="too long, or repeats too often"):
        user_pattern(source)


def test_an_ordinary_number_of_repeats_is_allowed() -> None:
    assert user_pattern("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").is_found_in(str(UUID(int=7)))
