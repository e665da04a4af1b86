"""What every declaration owes its readers, whoever they are."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ListToolsResult

from recollect.serve.callers import Caller
from recollect.serve.server_info import MAX_INSTRUCTIONS, instructions_for, list_tools
from recollect.surfaces.arguments import read_arguments
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.declarations import Surface, Tool
from recollect.surfaces.registry import find_surface, package_names, surface_names
from recollect.surfaces.schema import input_schema

SNAPSHOTS = Path(__file__).parent / "snapshots"
BUDGETS = {"recollect": 12_000, "entity-core": 52_000, "lore-engine": 60_000}
USUAL_BUDGET = 20_000

TOOLS = [tool for name in package_names() for tool in find_surface(name).tools.values()]
SURFACES = [find_surface(name) for name in surface_names()]


def tool_name(value: object) -> str:
    return f"{value.surface.name}.{value.name}" if isinstance(value, Tool) else str(getattr(value, "name", value))


every_tool = pytest.mark.parametrize("tool", TOOLS, ids=tool_name)
every_surface = pytest.mark.parametrize("surface", SURFACES, ids=tool_name)


def published(surface: Surface) -> list[dict[str, Any]]:
    result = ListToolsResult.model_validate({"tools": list_tools(surface, Caller("ann", "default", "write"))})
    tools: list[dict[str, Any]] = result.model_dump(by_alias=True, mode="json", exclude_none=True)["tools"]
    return tools


@every_tool
def test_the_first_line_of_the_description_is_short(tool: Tool) -> None:
    assert 0 < len(tool.description.partition("\n")[0]) <= 90


@every_tool
def test_the_name_is_short_and_plain(tool: Tool) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]{2,39}", tool.name)


@every_tool
def test_every_argument_is_described(tool: Tool) -> None:
    properties = input_schema(tool)["properties"]
    assert [name for name, schema in properties.items() if not schema.get("description")] == []


def properties_in(schema: Any) -> Iterator[tuple[str, Any]]:
    """Every property of a schema, however deep."""
    if isinstance(schema, list):
        yield from (found for each in schema for found in properties_in(each))
    if isinstance(schema, dict):
        own = schema.get("properties")
        yield from own.items() if isinstance(own, dict) else ()
        yield from (found for each in schema.values() for found in properties_in(each))


def test_every_property_of_the_default_surface_is_described() -> None:
    schemas = [input_schema(tool) for tool in find_surface("recollect").tools.values()]
    bare = [name for name, each in properties_in(schemas) if isinstance(each, dict) and not each.get("description")]
    assert bare == []


@every_tool
def test_the_example_is_taken(tool: Tool) -> None:
    assert read_arguments(tool, tool.example) is not None


@every_tool
def test_an_argument_nobody_declared_is_refused_or_passed_over(tool: Tool) -> None:
    if tool.surface.ignores_unknown:
        assert read_arguments(tool, {**tool.example, "no_such_argument": 1}) == read_arguments(tool, tool.example)
        return
    with pytest.raises(BadArgument) as caught:
        read_arguments(tool, {**tool.example, "no_such_argument": 1})
    assert (caught.value.field, caught.value.problem) == ("no_such_argument", "unknown")


@every_tool
def test_an_older_name_is_taken_but_not_beside_the_new_one(tool: Tool) -> None:
    for parameter in tool.parameters:
        for older in parameter.older:
            if parameter.name in tool.example:
                value = tool.example[parameter.name]
                renamed = {older if key == parameter.name else key: each for key, each in tool.example.items()}
                assert read_arguments(tool, renamed) == read_arguments(tool, tool.example)
                with pytest.raises(BadArgument):
                    read_arguments(tool, {**tool.example, older: f"not {value}"})


@every_surface
def test_a_listing_stays_within_its_budget(surface: Surface) -> None:
    size = len(json.dumps({"tools": published(surface)}, ensure_ascii=False, separators=(",", ":")).encode())
    assert size <= BUDGETS.get(surface.name, USUAL_BUDGET)


@every_surface
def test_the_published_schemas_are_those_that_were_reviewed(surface: Surface, request: pytest.FixtureRequest) -> None:
    path = SNAPSHOTS / f"{surface.name}.json"
    text = json.dumps(published(surface), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    if request.config.getoption("--update", default=False):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


def test_the_default_surface_has_nine_tools() -> None:
    assert len(find_surface("essentials").tools) == 9


@every_surface
def test_the_instructions_are_short_and_name_only_tools_and_prompts_of_the_surface(surface: Surface) -> None:
    text = instructions_for(surface.name)
    assert len(text) <= MAX_INSTRUCTIONS
    named = set(re.findall(r"`([a-z_]+)`", text))
    arguments = {each.name for tool in surface.tools.values() for each in tool.parameters}
    words = {"as_of", "me", "completion", "replaces"}
    assert named <= {*surface.tools, *surface.prompts, *arguments, *words}
