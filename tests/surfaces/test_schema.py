"""What a tool publishes about itself."""

from dataclasses import replace
from typing import Annotated

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field
from typing_extensions import TypedDict

from recollect.surfaces.declarations import Surface
from recollect.surfaces.registry import find_surface, surface_names
from recollect.surfaces.schema import (
    brief_input_schema,
    brief_output_schema,
    description_of,
    input_schema,
    output_schema,
)


class Envelope(TypedDict):
    error: str


def test_arguments_are_published_compactly_with_their_defaults(toy: Surface) -> None:
    assert input_schema(toy.find("list_notes")) == {
        "type": "object",
        "properties": {
            "order": {
                "type": "string",
                "enum": ["oldest", "newest"],
                "description": "Which come first",
                "default": "oldest",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 1000,
                "description": "At most this many",
                "default": 20,
            },
        },
        "additionalProperties": False,
    }


def test_required_arguments_are_named(toy: Surface) -> None:
    assert input_schema(toy.find("write_note"))["required"] == ["name", "text"]


def test_a_field_called_title_is_kept_where_titles_are_pruned(toy: Surface) -> None:
    class Titled(TypedDict):
        title: str

    def titled(memory: object) -> Titled:
        """A title."""
        del memory
        return {"title": "x"}

    tool = replace(toy.find("list_notes"), function=titled)
    assert output_schema(tool) == {
        "type": "object",
        "properties": {"title": {"type": "string"}},
        "required": ["title"],
    }


def test_a_list_is_published_as_an_object(toy: Surface) -> None:
    schema = output_schema(toy.find("list_notes"))
    assert (schema["type"], schema["required"]) == ("object", ["result"])
    assert schema["properties"]["result"] == {"type": "array", "items": {"$ref": "#/$defs/Note"}}


def test_a_loose_surface_lets_everything_through_and_admits_its_envelope(toy: Surface) -> None:
    loose = replace(toy, loose=True, envelope=Envelope)
    tool = replace(toy.find("find_note"), surface=loose)
    published = input_schema(tool)
    assert set(published) == {"type", "properties"}
    assert published["properties"]["name"]["anyOf"][1] == {}
    assert published["properties"]["name"]["description"]
    assert [each["required"] for each in output_schema(tool)["anyOf"]] == [["note"], ["error"]]


def test_a_brief_listing_shows_the_outermost_keys_and_their_kinds(toy: Surface) -> None:
    assert brief_output_schema(toy.find("find_note")) == {
        "type": "object",
        "properties": {"note": {"type": ["object", "null"]}},
    }


def test_a_brief_listing_leaves_out_the_limits_on_lengths_and_nothing_else(toy: Surface) -> None:
    tool = toy.find("find_note")
    assert "minLength" in str(input_schema(tool))
    brief = str(brief_input_schema(tool))
    assert "Length" not in brief
    assert all(name in brief for name in input_schema(tool)["properties"])


def test_a_description_inside_an_optional_type_is_found() -> None:
    inner = Annotated[str, Field(description="first"), Field(description="last")]
    assert description_of(inner) == description_of(inner | None) == "last"
    assert description_of(str) == ""


def test_several_plain_types_are_published_as_one_list(toy: Surface) -> None:
    class Either(TypedDict):
        value: int | str | None

    def either(memory: object) -> Either:
        """A value."""
        del memory
        return {"value": None}

    tool = replace(toy.find("list_notes"), function=either)
    assert output_schema(tool)["properties"] == {"value": {"type": ["integer", "string", "null"]}}


@pytest.mark.parametrize("surface", surface_names())
def test_every_published_schema_is_one_that_strict_clients_compile(surface: str) -> None:
    schema_rules = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    kinds = (input_schema, output_schema, brief_input_schema, brief_output_schema)
    refused = [
        (tool.name, kind.__name__, fault.message)
        for tool in find_surface(surface).tools.values()
        for kind in kinds
        for fault in schema_rules.iter_errors(kind(tool))
    ]
    assert refused == []
