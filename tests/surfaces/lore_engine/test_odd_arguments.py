"""Odd values in any place of any call: refused or taken, never a crash, and the same on every engine."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.serve.docs.example_worlds import EXAMPLE_WORLDS
from recollect.surfaces.declarations import Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from tests.conftest import Build
from tests.support.properties import a_share

TOOLS = tuple(find_surface("lore-engine").tools.values())
UNSTORABLE = ("\0", "a\0b", "\ud800", "x\udfffy")
TEXTS = (
    *("", " ", "\u200b", "\ufeff", "\u202eabc", "\uffff", "\x01\x1b[0m\x7f", "\u0085\u2028", "a\nb\r\nc\td"),
    *(
        "'; DROP TABLE fact; --",
        "%_\\",
        "{}",
        "[",
        "[[x]]",
        "---",
        "null",
        "current",
        "current~",
        "[..]",
        "[current..current]",
    ),
    *(
        "🧜‍♀️",
        "İıſẞ",
        "e\u0301" * 50,
        "ent_",
        "fact_" + "0" * 26,
        "vio_x",
        "x" * 5000,
        "9" * 400,
        "year_1",
        "ce.year_99999999999",
    ),
    *(
        "bce.year_0",
        "0000",
        "-1",
        "10000",
        "9999-12-31T23:59:59.999999Z",
        "after:",
        "tx:9",
        "00000000-0000-0000-0000-000000000000",
    ),
)
OTHERS: tuple[Any, ...] = (
    *(0, -1, 2**63, -(2**63) - 1, 10**400, 1.5, float("nan"), float("inf"), True, None, [], {}, [None], [[]]),
    *(
        {"literal": ""},
        {"literal": "x\0"},
        {"": ""},
        {"k": float("nan")},
        {"k\0": 1},
        ["", " "],
        [{}],
        {"k": [{"d": "a\0"}]},
    ),
)
EVERY_VALUE: tuple[Any, ...] = (*UNSTORABLE, *TEXTS, *OTHERS)
# What an engine may take in its own way; the rest is judged before it reaches one.
OF_ENGINES: tuple[Any, ...] = (
    *UNSTORABLE,
    *("", "\uffff", "\x01\x1b[0m\x7f", "'; DROP TABLE fact; --", "%_\\", "İıſẞ", "x" * 5000),
    *(2**63, -(2**63) - 1, float("nan"), None, {"k": float("nan")}, {"k": [{"d": "a\0"}]}),
)
FURTHER: dict[str, dict[str, Any]] = {
    "add_relation": {
        "attributes": {"k": "v"},
        "known_to": ["a"],
        "text": "t",
        "to_type": "Person",
        "valid_from": "second_tide.year_3",
        "valid_until": "second_tide.year_4",
        "supersedes": "fact_1",
        "confidence": 0.5,
    },
    "add_entity": {"properties": {"k": "v", "born": "second_tide.year_3"}, "aliases": ["z"]},
    "log_encounter": {
        "title": "t",
        "private_notes": "n",
        "witnesses": ["w"],
        "location": "Halden",
        "shared": [{"from": "Mira Orrin", "relation": "SERVES", "to": "Saltguard", "heard_by": ["Old Perrin"]}],
    },
    "define_calendar": {
        "week": ["a", "b"],
        "intercalary": [{"name": "n", "after_month": 1, "days": 1}],
        "leap": {"every": 4, "month": 1, "days": 1},
    },
    "define_era": {"abbreviation": "X", "calendar": "c", "first_year": 3, "direction": "up"},
    "define_date": {"month": 1, "day": 1},
    "add_lore_source": {
        "author": "a",
        "known_to": ["x"],
        "world_time": "second_tide.year_3",
        "url": "https://x.example",
        "lenient": True,
    },
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a call's arguments."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


def with_at(arguments: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed: Any = copy.deepcopy(arguments)
    here = changed
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    return dict(changed)


def arguments_of(tool: Tool) -> dict[str, Any]:
    """A call with as many of its arguments as it can have."""
    names = {each.name for each in tool.parameters}
    common = {"as_of": 5, "at_time": "second_tide.year_45", "limit": 5, "type": "Person", "entity": "Mira Orrin"}
    extra = {key: value for key, value in common.items() if key in names}
    return {**extra, **FURTHER.get(tool.name, {}), **tool.example}


@pytest.fixture
def tides(filled: Callable[[Build], Memory]) -> Memory:
    return filled(EXAMPLE_WORLDS["lore-engine"].prepare)


@pytest.mark.dealt
@pytest.mark.every_case
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_odd_value_in_any_place_breaks_a_tool(tides: Memory, tool: Tool) -> None:
    given = arguments_of(tool)
    acting = tides.as_actor("lore-engine", tool.name)
    values = EVERY_VALUE if tides.engine.name == "sqlite" else OF_ENGINES
    broken = []
    for number, path in enumerate(places(given), TOOLS.index(tool)):
        for odd in a_share(values, number):
            answer = call(tool, lambda _: acting, with_at(given, path, odd))
            if answer.outcome == "crashed":
                broken.append((path, odd))
    assert broken == []


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_what_no_store_can_hold_is_bad_input_and_nothing_is_written(tides: Memory, tool: Tool) -> None:
    given = arguments_of(tool)
    acting = tides.as_actor("lore-engine", tool.name)
    with tides.read() as view:
        before = view.last_tx
    for path in places(given):
        for odd in UNSTORABLE:
            answer = call(tool, lambda _: acting, with_at(given, path, odd))
            assert answer.structured["error"] == "BAD_INPUT", (path, odd)
    with tides.read() as view:
        assert view.last_tx == before
