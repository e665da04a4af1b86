"""What every reading tool of every surface answers about some names, and which of its words carry no mark."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from recollect.memory import Memory
from recollect.surfaces.declarations import Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface, package_names

NAMED = frozenset(
    "name entity entity_a entity_b query text about start_entity name_or_alias subject object start location event npc "
    "person project nodeId startNodeId claim names q target who".split()
)
"""Parameters that take a name, or words to look for."""
NOT_DATA = frozenset({"query", "resolution", "hint", "echo", "trace"})
"""Parts of answers that repeat what was asked."""
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+_[0-9A-Z]{26}(?:#\d+)?")
_ADDRESS = re.compile(r"\b[a-z]+://artifact/[0-9a-f-]+")
_ENCODED = re.compile(r"[A-Za-z0-9+/]{200,}={0,2}")
"""Random digits, which may be those of an attack."""
_MARK = re.compile(r"\b(?:unknown|untrusted) source\b|\bsuspect\b")


class Asked(NamedTuple):
    """A call that was answered."""

    tool: str
    arguments: dict[str, Any]
    structured: Any
    text: str


def every_read(memory: Memory, names: Iterable[str]) -> Iterator[Asked]:
    """The answers of all reading tools about each name, and without one."""
    for surface in package_names():
        for tool in find_surface(surface).tools.values():
            if tool.effect == "read":
                yield from _answers(memory, tool, names)


def _answers(memory: Memory, tool: Tool, names: Iterable[str]) -> Iterator[Asked]:
    is_named = any(each.name in NAMED for each in tool.parameters)
    for name in names if is_named else ("",):
        arguments = {key: value for key, value in _arguments(tool, name).items() if value is not None}
        answer = call(tool, lambda each: memory.as_actor(each.surface.name, each.name), arguments)
        assert answer.outcome != "crashed", (tool.name, arguments)
        if answer.outcome == "ok":
            yield Asked(f"{tool.surface.name}.{tool.name}", arguments, answer.structured, "\n".join(answer.texts))


def _arguments(tool: Tool, name: str) -> dict[str, Any]:
    """What the tool must be given, as in its example, but about this name."""
    wanted: dict[str, Any] = {}
    for each in tool.parameters:
        if each.name in NAMED and (each.required or each.name in tool.example):
            wanted[each.name] = [name] if each.name == "names" else name
        elif each.required:
            wanted[each.name] = tool.example.get(each.name)
    return wanted


def unmarked(answer: Any) -> Iterator[str]:
    """The texts in a structured answer that no mark says how far to trust."""
    if isinstance(answer, dict):
        listed = set(answer.get("untrusted", ()))
        if "trust" not in answer and "suspect" not in answer:
            parts = (part for key, part in answer.items() if key not in NOT_DATA)
            yield from (text for part in parts for text in unmarked(part) if text not in listed)
    elif isinstance(answer, list):
        yield from (text for part in answer for text in unmarked(part))
    elif isinstance(answer, str) and not _MARK.search(answer) and not _is_random(answer):
        yield answer


def _is_random(text: str) -> bool:
    return _ID.fullmatch(text) is not None or _ENCODED.fullmatch(text) is not None


def unmarked_lines(asked: Asked) -> list[str]:
    """The lines of text without a mark, of surfaces whose text is not the JSON of the answer.

    Quoted lines stand below a heading that has the mark.
    """
    if asked.tool.partition(".")[0] not in ("recollect", "carabase"):
        return []
    words = (str(each) for each in asked.arguments.values())
    text = _ADDRESS.sub("", asked.text)
    for each in words:
        text = text.replace(f'"{each}"', "")  # what was asked is repeated in quotation marks
    return [line for line in text.splitlines() if not _MARK.search(line) and not line.startswith("> ")]
