"""The JSON schemas of a tool, derived from its types and pruned of what a model does not need."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, get_args

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from recollect.surfaces.arguments import arguments_adapter
from recollect.surfaces.declarations import Json, Parameter, Tool

PRUNED_KEYS = frozenset({"title"})
LENGTH_KEYS = frozenset({"minLength", "maxLength"})


@cache
def input_schema(tool: Tool) -> Json:
    """The schema of the arguments; on a loose surface it accepts any object."""
    whole = _prune_titles(arguments_adapter(tool).json_schema(mode="validation"))
    properties = {each.name: _argument_schema(each, whole["properties"][each.name]) for each in tool.parameters}
    if tool.surface.loose:
        loose = {name: _loosen(schema) for name, schema in properties.items()}
        return _attach_definitions({"type": "object", "properties": loose}, whole)
    required = [each.name for each in tool.parameters if each.required]
    strict: Json = {"type": "object", "properties": properties}
    if required:
        strict["required"] = required
    if not tool.surface.ignores_unknown:
        strict["additionalProperties"] = False
    return _inline(strict, whole.get("$defs", {})) if tool.surface.inlines else _attach_definitions(strict, whole)


@cache
def output_schema(tool: Tool) -> Json:
    """The schema of the result, always an object; includes the surface's failure envelope if it has one."""
    result = result_schema(tool)
    envelope = tool.surface.envelope
    if envelope is None:
        return _inline(_without_definitions(result), result.get("$defs", {})) if tool.surface.inlines else result
    other = _prune_titles(TypeAdapter(envelope).json_schema(mode="serialization"))
    definitions = result.get("$defs", {}) | other.pop("$defs", {})
    plain = _without_definitions(result)
    either: Json = {"type": "object", "anyOf": [plain, other]}
    return either | {"$defs": definitions} if definitions else either


@cache
def brief_output_schema(tool: Tool) -> Json:
    """The outermost keys of the result with their types; failures returned as results fit too."""
    whole = result_schema(tool)
    properties = {name: _outer_type(each, whole.get("$defs", {})) for name, each in whole.get("properties", {}).items()}
    return {"type": "object", "properties": properties}


@cache
def brief_input_schema(tool: Tool) -> Json:
    """The schema of the arguments without length limits, which error messages name anyway."""
    brief: Json = _drop_keys(input_schema(tool), LENGTH_KEYS)
    return brief


def _drop_keys(schema: Any, keys: frozenset[str], *, is_names: bool = False) -> Any:
    if isinstance(schema, list):
        return [_drop_keys(each, keys) for each in schema]
    if not isinstance(schema, dict):
        return schema
    left = {
        key: _drop_keys(value, keys, is_names=not is_names and key in ("properties", "$defs"))
        for key, value in schema.items()
        if is_names or key not in keys
    }
    return left if is_names else _merge_plain_types(left)


def _outer_type(schema: Json, definitions: Json) -> Json:
    match schema:
        case {"$ref": reference}:
            return _outer_type(definitions[reference.rpartition("/")[2]], definitions)
        case {"type": kind}:
            return {"type": kind}
        case {"anyOf": branches}:
            kinds = [_outer_type(each, definitions).get("type") for each in branches]
            plain = [kind for kind in kinds if isinstance(kind, str)]
            return {"type": _distinct_types(plain)} if len(plain) == len(kinds) else {}
        case _:
            return {}


@cache
def result_schema(tool: Tool) -> Json:
    """The schema of what the tool returns when it succeeds."""
    schema: Json = _prune_titles(TypeAdapter(tool.result_type).json_schema(mode="serialization"))
    if not tool.returns_list:
        return schema
    definitions = {"$defs": schema.pop("$defs")} if "$defs" in schema else {}
    return {"type": "object", "properties": {"result": schema}, "required": ["result"], **definitions}


def _argument_schema(parameter: Parameter, schema: Json) -> Json:
    shown = schema if parameter.required else _drop_null(schema)
    if "description" not in shown:
        # pydantic drops a description inside `… | None`.
        shown = shown | {"description": description_of(parameter.kind)}
    return shown if parameter.required or parameter.default is None else shown | {"default": parameter.default}


def description_of(kind: Any) -> str:
    """The description of the last `Field` inside a type."""
    here = (each.description for each in getattr(kind, "__metadata__", ()) if isinstance(each, FieldInfo))
    inside = (description_of(each) for each in get_args(kind))
    return next((text for text in (*reversed(list(here)), *inside) if text), "")


def _drop_null(schema: Json) -> Json:
    """Drop null from the schema, since a null argument is the same as an absent one."""
    if isinstance(schema.get("type"), list):
        kinds = [kind for kind in schema["type"] if kind != "null"]
        return schema | {"type": kinds[0] if len(kinds) == 1 else kinds}
    branches = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if "anyOf" not in schema or len(branches) == len(schema["anyOf"]):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return branches[0] | rest if len(branches) == 1 else rest | {"anyOf": branches}


def _loosen(schema: Json) -> Json:
    """A schema that accepts anything but still shows what is expected."""
    described = {key: schema[key] for key in ("description", "default") if key in schema}
    meant = {key: value for key, value in schema.items() if key not in described}
    return {"anyOf": [meant, {}]} | described


def _attach_definitions(schema: Json, whole: Mapping[str, Any]) -> Json:
    return schema | {"$defs": whole["$defs"]} if "$defs" in whole else schema


def _without_definitions(schema: Json) -> Json:
    return {key: value for key, value in schema.items() if key != "$defs"}


def _inline(schema: Any, definitions: Json) -> Any:
    """The schema with each definition in the place that refers to it."""
    match schema:
        case {"$ref": str(reference)}:
            return _inline(definitions[reference.rpartition("/")[2]], definitions)
        case dict():
            return {key: _inline(value, definitions) for key, value in schema.items()}
        case list():
            return [_inline(each, definitions) for each in schema]
        case _:
            return schema


def _prune_titles(schema: Any, *, is_names: bool = False) -> Any:
    """The schema without titles; `is_names` where keys are field names, which may themselves be `title`."""
    if isinstance(schema, list):
        return [_prune_titles(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if is_names or key not in PRUNED_KEYS}
    pruned = {
        key: value
        if key in ("default", "enum", "const") and not is_names
        else _prune_titles(value, is_names=not is_names and key in ("properties", "$defs"))
        for key, value in kept.items()
    }
    return pruned if is_names else _merge_plain_types(pruned)


def _merge_plain_types(schema: Json) -> Json:
    """Merge branches that are plain types into one type list, which is shorter."""
    branches = schema.get("anyOf", ())
    if not branches or any(set(each) != {"type"} or not isinstance(each["type"], str) for each in branches):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return rest | {"type": _distinct_types([each["type"] for each in branches])}


def _distinct_types(kinds: Sequence[str]) -> str | list[str]:
    """The types without duplicates, which strict clients reject."""
    several = list(dict.fromkeys(kinds))
    return several if len(several) > 1 else several[0]
