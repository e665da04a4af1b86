"""Arguments of a call checked and mapped to those of the function: strict types, older names, nothing dropped."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NotRequired, Required, get_args

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails
from typing_extensions import TypedDict, get_type_hints, is_typeddict

from recollect.surfaces.call_errors import BadArgument, Fault
from recollect.surfaces.declarations import Tool
from recollect.surfaces.parameter_types import ANY_INTEGER, TOO_LARGE, decode_json, storage_fault_of

MAX_FAULT_DEPTH = 8
WRONG_TYPE_ERRORS = frozenset({"int_from_float", "none_required", "is_instance_of", "json_type"})


def read_arguments(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments for the tool's function, or a `BadArgument`."""
    _check_storable(tool, given)
    renamed = _named_arguments(tool, _without_further_unknown(tool, given))
    try:
        return arguments_adapter(tool).validate_python(renamed)
    except ValidationError as problem:
        raise _as_bad_argument(
            tool, renamed, _most_specific_error(problem.errors(include_url=False, include_input=False))
        ) from None


def _without_further_unknown(tool: Tool, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments with only the first that nobody declared: each of hundreds of thousands would be an error."""
    known = _known_names(tool)
    further = frozenset([name for name in given if name not in known][1:])
    return {name: value for name, value in given.items() if name not in further} if further else given


def is_unstorable(tool: Tool, given: Mapping[str, Any]) -> bool:
    """Whether a call will be refused since an argument is too deep, too large or not text that can be stored."""
    try:
        _check_storable(tool, given)
    except BadArgument:
        return True
    return False


def _check_storable(tool: Tool, given: Mapping[str, Any]) -> None:
    """Refuse values that cannot be stored or printed before anything else looks at them."""
    if isinstance(given, dict) and storage_fault_of(given) is None:
        return  # all together, which is the stricter test
    unlimited, known = _names_of_any_integer(tool), _known_names(tool)
    for name, value in given.items():
        if name not in known and tool.surface.ignores_unknown:
            continue
        if name not in known and storage_fault_of(name):
            raise BadArgument("arguments", "unknown", "an argument's name is not valid Unicode")
        fault = None if type(value) is int and name in unlimited else storage_fault_of(value)
        if fault is not None:
            place = name if fault == TOO_LARGE else _locate_fault(name, value, fault)
            raise BadArgument(place, "bad_value", f"{place} {fault}")


@cache
def _known_names(tool: Tool) -> frozenset[str]:
    """Every name of an argument, older ones included."""
    return frozenset(name for each in tool.parameters for name in (each.name, *each.older))


@cache
def _names_of_any_integer(tool: Tool) -> frozenset[str]:
    taking = [each for each in tool.parameters if takes_any_integer(each.kind)]
    return frozenset(name for each in taking for name in (each.name, *each.older))


def takes_any_integer(kind: Any) -> bool:
    return ANY_INTEGER in getattr(kind, "__metadata__", ()) or any(takes_any_integer(each) for each in get_args(kind))


def _locate_fault(name: str, value: Any, fault: str) -> str:
    """The part of a value that has the fault; the whole value if it lies too deep."""
    place = name
    for _ in range(MAX_FAULT_DEPTH):
        inside = next((part for part in _children(place, value) if storage_fault_of(part[1]) == fault), None)
        if inside is None:
            return place
        place, value = inside
    return name


def _children(name: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, list):
        return [(f"{name}[{number}]", part) for number, part in enumerate(value)]
    return [(f"{name}.{key}", part) for key, part in value.items()] if isinstance(value, Mapping) else []


@cache
def arguments_adapter(tool: Tool) -> TypeAdapter[dict[str, Any]]:
    """The arguments as a type that pydantic can validate and describe, from the signature."""
    fields = {each.name: (Required[each.kind] if each.required else NotRequired[each.kind]) for each in tool.parameters}
    made_of: Any = TypedDict  # mypy cannot check fields that are not written out
    kind = made_of("Arguments", fields)
    kind.__pydantic_config__ = ConfigDict(strict=True, extra="ignore" if tool.surface.ignores_unknown else "forbid")
    return TypeAdapter(kind)


def _named_arguments(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by their present names, without nulls of optional ones and, on some surfaces, blank texts."""
    optional, drops_blanks = tool.optional_names, tool.surface.blank_is_absent
    named = {
        name: value
        for name, value in given.items()
        if not (value is None and name in optional)
        and not (drops_blanks and isinstance(value, str) and not value.strip())
    }
    for older in [name for name in named if name in tool.older_names]:
        name, value = tool.older_names[older], named.pop(older)
        if name in named and not (tool.surface.allows_equal_duplicates and _is_equivalent(named[name], value)):
            message = f"{older} is an older name of {name}; give one of them"
            raise BadArgument(older, "both_names", message, (name,))
        named[name] = value
    return named


def _is_equivalent(one: Any, other: Any) -> bool:
    """Whether two values differ only in outer spaces or in a list around a single value."""
    return bool(_normalize(one) == _normalize(other))


def _normalize(value: Any) -> Any:
    alone = value[0] if isinstance(value, list) and len(value) == 1 else value
    return alone.strip() if isinstance(alone, str) else alone


def _most_specific_error(errors: list[ErrorDetails]) -> ErrorDetails:
    """Of the errors of the first bad argument, that of the union branch whose type fits best."""
    same = [each for each in errors if each["loc"][:1] == errors[0]["loc"][:1]]
    return max(same, key=lambda each: _fault_of(each["type"]) != "wrong_type")


def _as_bad_argument(tool: Tool, given: Mapping[str, Any], error: ErrorDetails) -> BadArgument:
    path = _argument_path(given, error)
    match error["type"]:
        case "missing":
            return BadArgument(path, "missing", f"{path} is required")
        case "extra_forbidden" if len(error["loc"]) == 1:
            names = tuple(each.name for each in tool.parameters)
            takes = f"it takes {', '.join(names)}" if names else "it takes none"
            return BadArgument(path, "unknown", f"{path} is not an argument of {tool.name}; {takes}", names)
        case "extra_forbidden":
            names = _sibling_keys(tool, error["loc"])
            known = f"; known are {', '.join(names)}" if names else ""
            return BadArgument(path, "unknown", f"{path} is not known here{known}", names)
        case kind:
            return BadArgument(path, _fault_of(kind), _error_message(path, error), _accepted_values(error))


def _sibling_keys(tool: Tool, place: tuple[int | str, ...]) -> tuple[str, ...]:
    """The keys of the object around a path, by the argument's type; branches of a union count together."""
    objects = [
        each for parameter in tool.parameters if parameter.name == place[0] for each in _object_types(parameter.kind)
    ]
    for step in place[1:-1]:
        inside = [kind for each in objects for key, kind in _key_types(each).items() if key == step]
        objects = [each for kind in inside for each in _object_types(kind)] or objects
    return tuple(dict.fromkeys(key for each in objects for key in _key_types(each)))


def _key_types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _object_types(kind: Any) -> Iterator[type]:
    """The object types that a type allows, directly or inside a list."""
    if is_typeddict(kind):
        yield kind
    for inner in get_args(kind):
        yield from _object_types(inner)


def _fault_of(kind: str) -> Fault:
    return "wrong_type" if kind.endswith("_type") or kind in WRONG_TYPE_ERRORS else "bad_value"


def _error_message(path: str, error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    if error["type"] in ("too_short", "too_long") and isinstance(context.get("actual_length"), int):
        least = context.get("min_length")
        bound = f"at most {context['max_length']} are allowed" if least is None else f"it needs at least {least}"
        return f"{path} has {context['actual_length']} elements; {bound}"
    words = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return f"{path} {words[:1].lower()}{words[1:]}".replace("a valid dictionary", "an object")


def _accepted_values(error: ErrorDetails) -> tuple[str, ...]:
    context = error.get("ctx", {})
    if "accepted" in context:
        return tuple(str(each) for each in context["accepted"])
    quoted = str(context.get("expected", "")).split("'")[1::2]
    return tuple(quoted) if error["type"] in ("literal_error", "enum") else ()


def _argument_path(given: Any, error: ErrorDetails) -> str:
    """The path of an error in the arguments, without the names of union branches."""
    path = ""
    here = given
    for place, step in enumerate(error["loc"]):
        is_missing = error["type"] == "missing" and place == len(error["loc"]) - 1
        here = decode_json(here)
        if isinstance(here, Mapping) and (step in here or is_missing):
            path += f".{step}" if path else str(step)
            here = here.get(step)
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            path += f"[{step}]"
            here = here[step]
    return path
