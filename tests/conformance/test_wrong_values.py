"""Values that no argument can take are refused in the surface's own words, by every tool."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from recollect.serve.docs.examples import Example, open_example
from recollect.surfaces.arguments import _without_further_unknown, read_arguments, takes_any_integer
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.declarations import Parameter, Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.parameter_types import MAX_VALUES
from recollect.surfaces.registry import find_surface, package_names
from tests.conftest import ENGINES
from tests.support.databases import new_postgres_database
from tests.support.properties import a_share

TOOLS = [tool for name in package_names() for tool in find_surface(name).tools.values()]
every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: f"{tool.surface.name}.{tool.name}")
# What is refused here never reaches an engine; `test_large_integers` sends what does to both.
before_the_store = pytest.mark.parametrize("world", ["sqlite"], indirect=True)
MIXED: list[Any] = [1, "a", None, True, 2.5, {"k": [1]}, {"name": 3, "id": {"x": []}}, [["x"]]]
LONGEST_REFUSAL = 4_000


def nested(value: Any, depth: int) -> Any:
    for place in range(depth):
        value = {"k": value, "name": 3} if place % 2 else [value]
    return value


BEYOND_64_BITS = (2**63, -(2**63) - 1, 2**70, 10**400)
NEVER_STORED: tuple[Any, ...] = (
    *(float("nan"), float("inf"), -float("inf"), "a\0b", "a\ud800"),
    *([2**70], {"k": 2**70}, {"k": [{"d": -(2**70)}]}, [[float("nan")]], {"a\0": 1}),
    *(nested(1, 101), nested(1, 5_000), [0] * MAX_VALUES),
)
WRONG: tuple[Any, ...] = (
    *(1e308, -1e308, float(2**70), str(2**70)),
    *(MIXED * 250, nested(MIXED * 250, 20), [nested(MIXED, 20)] * 50, [{"k": MIXED, "name": 3}] * 500),
)


@pytest.fixture(scope="module", params=ENGINES)
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Example]:
    if request.param == "sqlite":
        address = str(tmp_path_factory.mktemp("world") / "memory.db")
    else:
        address = new_postgres_database(request.getfixturevalue("postgres_server"))
    example = open_example(address)
    yield example
    example.close()


def outcome(world: Example, tool: Tool, parameter: Parameter, value: Any) -> str:
    """How the call ended; a refusal must not be as long as what it refuses."""
    answer = call(tool, lambda each: world.of(each.surface.name), {**tool.example, parameter.name: value})
    if answer.outcome == "failed":
        assert len(json.dumps(answer.structured)) < LONGEST_REFUSAL
    return answer.outcome


@before_the_store
@every_tool
def test_an_integer_beyond_64_bits_is_refused(world: Example, tool: Tool) -> None:
    for parameter in tool.parameters:
        if not takes_any_integer(parameter.kind):
            outcomes = {outcome(world, tool, parameter, value) for value in BEYOND_64_BITS}
            assert outcomes == {"failed"}, parameter.name


@pytest.mark.dealt
@before_the_store
@every_tool
def test_what_no_store_can_keep_is_refused(world: Example, tool: Tool) -> None:
    for number, parameter in enumerate(tool.parameters, TOOLS.index(tool)):
        outcomes = {outcome(world, tool, parameter, value) for value in a_share(NEVER_STORED, number)}
        assert outcomes == {"failed"}, parameter.name


@pytest.mark.dealt
@before_the_store
@every_tool
def test_long_nested_wrong_values_are_no_internal_error(world: Example, tool: Tool) -> None:
    for number, parameter in enumerate(tool.parameters, TOOLS.index(tool)):
        outcomes = {outcome(world, tool, parameter, value) for value in a_share(WRONG, number)}
        assert "crashed" not in outcomes, parameter.name


def test_of_many_unknown_arguments_only_the_first_is_checked() -> None:
    tool = find_surface("recollect").tools["recall"]
    given = {"query": "x", **{f"k{number}": 1 for number in range(1_000)}}
    assert set(_without_further_unknown(tool, given)) == {"query", "k0"}
    with pytest.raises(BadArgument, match="k0 is not an argument"):
        read_arguments(tool, given)


@pytest.mark.parametrize("value", [2**63, 2**70, 10**400])
def test_as_of_after_the_last_transaction_means_the_last(world: Example, value: int) -> None:
    tool = find_surface("entity-core").find("graph_node_list")
    now = call(tool, lambda each: world.of(each.surface.name), {"as_of": value})
    assert now.outcome == "ok"
