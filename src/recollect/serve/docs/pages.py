"""The page of a surface: every tool with its arguments, its result, and the real answer to its example."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from recollect.surfaces.arguments import arguments_adapter
from recollect.surfaces.declarations import Answer, Json, Parameter, Surface, Tool
from recollect.surfaces.schema import description_of, result_schema

Answers = Callable[[Tool], Answer]

HEAD = """# Surface `{name}`

{summary}

This page is written from the declarations by `make docs`; the answers are what the tools really say, with scores
to one digit.
Served by `recollect stdio --surface {name}` and at `/mcp/{name}`.
"""


def page(surface: Surface, answer: Answers) -> str:
    parts = [HEAD.format(name=surface.name, summary=surface.summary), _contents(surface)]
    parts += [_tool_section(tool, answer(tool)) for tool in surface.listed_tools(may_write=True)]
    parts += [_resources(surface)] if surface.resources else []
    parts += [_aliases(surface)] if surface.aliases else []
    return "\n".join(parts)


def _resources(surface: Surface) -> str:
    rows = (f"| `{each.template}` | {' '.join(each.description.split())} |" for each in surface.resources)
    return "\n".join(("## Resources\n", "| template | answer |", "| --- | --- |", *rows)) + "\n"


def _aliases(surface: Surface) -> str:
    rows = (f"| `{other}` | `{name}` |" for other, name in sorted(surface.aliases.items()))
    head = ("## Further names\n", "Taken in calls, never listed.\n", "| name | tool |", "| --- | --- |")
    return "\n".join((*head, *rows)) + "\n"


def _contents(surface: Surface) -> str:
    rows = (
        f"| [`{tool.name}`](#{tool.name}) | {_effect(tool)} | {_first_line(tool)} |"
        for tool in surface.listed_tools(may_write=True)
    )
    return "\n".join(("| tool | does | |", "| --- | --- | --- |", *rows)) + "\n"


def _effect(tool: Tool) -> str:
    words = {"read": "reads", "decide": "reads, or writes a decision", "write": "writes", "destroy": "removes"}[
        tool.effect
    ]
    return f"{words}, safe to repeat" if tool.idempotent and tool.effect != "read" else words


def _first_line(tool: Tool) -> str:
    return tool.description.partition("\n")[0]


def _tool_section(tool: Tool, answer: Answer) -> str:
    return f"""## `{tool.name}`

{tool.description}

{_inputs(tool)}
Result: {_outline(result_schema(tool), result_schema(tool).get("$defs", {}))}

```json
{json.dumps(tool.example, ensure_ascii=False)}
→ {_answer(answer)}
```
"""


SCORES = frozenset(("score", "similarity", "vector", "vectorScore"))
LEAST_ROUNDED = 0.1


def _answer(answer: Answer) -> str:
    text = json.dumps(_round_scores(answer.structured), ensure_ascii=False, indent=2)
    blocks = "".join(f"\n+ text: {more}" for more in answer.texts[1:])
    return ("isError " if answer.is_error else "") + text + blocks


def _round_scores(value: Any, key: str = "") -> Any:
    """The same answer with its scores to one digit: the last digits of a vector differ between processors."""
    if isinstance(value, Mapping):
        return {name: _round_scores(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_round_scores(each) for each in value]
    return round(value, 1) if key in SCORES and isinstance(value, float) and value >= LEAST_ROUNDED else value


def _inputs(tool: Tool) -> str:
    if not tool.parameters:
        return "No arguments.\n"
    # The strict schema, even if the surface publishes a loose one.
    whole = arguments_adapter(tool).json_schema()
    rows = (_input(each, whole) for each in tool.parameters)
    return "\n".join(("| argument | type | default | |", "| --- | --- | --- | --- |", *rows)) + "\n"


def _input(parameter: Parameter, whole: Json) -> str:
    schema = whole["properties"][parameter.name]
    default = "required" if parameter.required else _default(parameter.default)
    older = f" Older names: {', '.join(f'`{name}`' for name in parameter.older)}." if parameter.older else ""
    kind = _outline(schema, whole.get("$defs", {})).removesuffix(" | null").replace("|", "\\|")
    return f"| `{parameter.name}` | {kind} | {default} | {description_of(parameter.kind)}.{older} |"


def _default(value: Any) -> str:
    return "" if value is None else f"`{json.dumps(value)}`"


def _outline(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """A schema in brief."""
    match schema:
        case {"$ref": reference}:
            return _outline(definitions[reference.rpartition("/")[2]], definitions)
        case {"enum": choices}:
            return " | ".join(f"`{choice}`" for choice in choices)
        case {"const": only}:
            return f"`{only}`"
        case {"anyOf": branches}:
            words = [_outline(each, definitions) for each in branches if each != {"type": "null"}]
            return " | ".join(words) + (" | null" if {"type": "null"} in branches else "")
        case {"type": "array", "items": items}:
            return f"[{_outline(items, definitions)}]"
        case {"type": "object", "properties": fields}:
            return "{" + ", ".join(_field(name, each, definitions) for name, each in fields.items()) + "}"
        case {"type": list() as kinds}:
            return " | ".join(kinds)
        case _:
            return str(schema.get("format", schema.get("type", "any")))


def _field(name: str, schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    words = _outline(schema, definitions)
    return f"`{name}`" if words == "string" else f"`{name}`: {words}"
