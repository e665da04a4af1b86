"""The largest integers and long lists in every place that a tool declares for one, nested ones as well."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from recollect.serve.docs.examples import Example
from recollect.surfaces.declarations import Json, Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.schema import input_schema
from tests.conformance.test_wrong_values import TOOLS, world
from tests.support.properties import a_share

__all__ = ["world"]

LARGE = tuple(
    sign * each for each in (2**31, 2**53, 2**62, 2**63 - 1, 2**63, 2**64, 2**64 + 1, 10**30) for sign in (1, -1)
)
LONG = 300
Path = tuple[str | int, ...]


def find_places(kind: str, schema: Json, definitions: Json, place: Path = (), depth: int = 0) -> Iterator[Path]:
    """The places at which a schema takes a value of a kind."""
    if depth > 6:
        return
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    kinds = schema.get("type", ())
    if kind in ((kinds,) if isinstance(kinds, str) else kinds):
        yield place
    for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from find_places(kind, branch, definitions, place, depth + 1)
    for name, inner in schema.get("properties", {}).items():
        yield from find_places(kind, inner, definitions, (*place, name), depth + 1)
    if isinstance(schema.get("items"), dict):
        yield from find_places(kind, schema["items"], definitions, (*place, 0), depth + 1)


def places_of(tool: Tool, kind: str = "integer") -> list[Path]:
    schema = input_schema(tool)
    return sorted(set(find_places(kind, schema, schema.get("$defs", {}))), key=str)


def repeated(value: Any) -> Any:
    """A long list of what an example has in its place."""
    return (value if isinstance(value, list) and value else ["Ada"]) * LONG


def with_value(arguments: Any, place: Path, value: Any) -> Any:
    """The arguments with a value at a place; the objects and lists on the way are made where they are missing."""
    if not place:
        return value(arguments) if callable(value) else value
    step, rest = place[0], place[1:]
    if isinstance(step, int):
        first = arguments[0] if isinstance(arguments, list) and arguments else None
        return [with_value(first, rest, value)]
    around = dict(arguments) if isinstance(arguments, dict) else {}
    return around | {step: with_value(around.get(step), rest, value)}


WITH_INTEGERS = [tool for tool in TOOLS if places_of(tool)]
WITH_LISTS = [tool for tool in TOOLS if places_of(tool, "array")]


def test_integers_are_declared_in_many_places() -> None:
    assert len(WITH_INTEGERS) > 40
    assert any(len(place) > 1 for tool in WITH_INTEGERS for place in places_of(tool))


@pytest.mark.dealt
@pytest.mark.parametrize("tool", WITH_INTEGERS, ids=lambda tool: f"{tool.surface.name}.{tool.name}")
def test_no_integer_is_too_large_for_an_answer(world: Example, tool: Tool) -> None:
    for number, place in enumerate(places_of(tool), TOOLS.index(tool)):
        for value in a_share(LARGE, number):
            arguments = with_value(copy.deepcopy(dict(tool.example)), place, value)
            answer = call(tool, lambda each: world.of(each.surface.name), arguments)
            assert answer.outcome != "crashed", (place, value)


@pytest.mark.parametrize("tool", WITH_LISTS, ids=lambda tool: f"{tool.surface.name}.{tool.name}")
def test_no_list_is_too_long_for_an_answer(world: Example, tool: Tool) -> None:
    for place in places_of(tool, "array"):
        arguments = with_value(copy.deepcopy(dict(tool.example)), place, repeated)
        answer = call(tool, lambda each: world.of(each.surface.name), arguments)
        assert answer.outcome != "crashed", place
