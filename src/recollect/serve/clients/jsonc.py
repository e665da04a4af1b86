"""Edits of JSON with comments that leave the rest of the text as it is."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recollect.errors import Refused

DEEPEST = 100
_SKIPPED = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_TO_LINE_END = re.compile(r"(?:[ \t]+|/\*(?:[^*\r\n]|\*(?!/))*\*/)*(?://[^\r\n]*)?(?=\r?\n|$)")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"[^\s,\]}/]+")


class UnreadableConfiguration(Refused):
    code = "unreadable_configuration"


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place in the text; `members` for an object."""

    start: int
    end: int
    value: Any
    members: "tuple[Member, ...] | None" = None

    def member(self, key: str) -> "Member | None":
        """The last member of that name, as JSON parsers take it."""
        return next((each for each in reversed(self.members or ()) if each.key == key), None)


@dataclass(frozen=True, slots=True)
class Member:
    key: str
    start: int
    node: Node


def read(text: str) -> Any:
    return parse(text).value if not is_blank(text) else {}


def is_blank(text: str) -> bool:
    found = _SKIPPED.match(text)
    return found is not None and found.end() == len(text)


def set_value(text: str, path: Sequence[str], value: Any) -> str:
    """The text with the value at the path; objects on the way are made if they are missing."""
    if is_blank(text):
        return text + _dump(_nest(path, value), "", "  ", "\n") + "\n"
    node = parse(text)
    for depth, key in enumerate(path):
        member = node.member(key)
        if node.members is None:
            raise UnreadableConfiguration(f"{'.'.join(path[:depth]) or 'the file'} is not an object")
        if member is None or (member.node.value is None and depth + 1 < len(path)):
            return _insert(text, node, key, _nest(path[depth + 1 :], value), member)
        node, start = member.node, member.start
    return _replace(text, node, start, value)


def remove_value(text: str, path: Sequence[str]) -> str:
    """The text without the member at the path, and without the comma that went with it."""
    parent = parse(text)
    for key in path[:-1]:
        inner = parent.member(key)
        if inner is None:
            return text
        parent = inner.node
    member = parent.member(path[-1])
    if member is None or parent.members is None:
        return text
    return _cut(text, parent, parent.members.index(member))


def parse(text: str) -> Node:
    reader = _Reader(text)
    place = reader.skip(0)
    node = reader.read(place, 0)
    if reader.skip(node.end) != len(text):
        raise reader.problem(reader.skip(node.end), "unexpected text after the value")
    return node


class _Reader:
    """Recursive descent over JSON with comments and trailing commas."""

    def __init__(self, text: str) -> None:
        self.text = text

    def problem(self, place: int, what: str) -> UnreadableConfiguration:
        line = self.text.count("\n", 0, place) + 1
        return UnreadableConfiguration(f"invalid JSON in line {line}: {what}")

    def skip(self, place: int) -> int:
        found = _SKIPPED.match(self.text, place)
        return found.end() if found else place

    def at(self, place: int) -> str:
        return self.text[place : place + 1]

    def read(self, place: int, depth: int) -> Node:
        if depth > DEEPEST:
            raise self.problem(place, "nested too deeply")
        match self.at(place):
            case "{":
                return self._object(place, depth)
            case "[":
                return self._array(place, depth)
            case _:
                return self._scalar(place)

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        place = self.skip(start + 1)
        while self.at(place) != "}":
            key = self._scalar(place)
            if not isinstance(key.value, str):
                raise self.problem(place, "expected a name in quotes")
            place = self.skip(key.end)
            if self.at(place) != ":":
                raise self.problem(place, "expected ':'")
            node = self.read(self.skip(place + 1), depth + 1)
            members.append(Member(key.value, key.start, node))
            place = self._after_item(node.end, "}")
        return Node(start, place + 1, {each.key: each.node.value for each in members}, tuple(members))

    def _array(self, start: int, depth: int) -> Node:
        items: list[Any] = []
        place = self.skip(start + 1)
        while self.at(place) != "]":
            node = self.read(place, depth + 1)
            items.append(node.value)
            place = self._after_item(node.end, "]")
        return Node(start, place + 1, items)

    def _after_item(self, end: int, closing: str) -> int:
        place = self.skip(end)
        if self.at(place) == ",":
            return self.skip(place + 1)
        if self.at(place) != closing:
            raise self.problem(place, f"expected ',' or '{closing}'")
        return place

    def _scalar(self, start: int) -> Node:
        found = (_STRING if self.at(start) == '"' else _SCALAR).match(self.text, start)
        try:
            return Node(start, found.end(), json.loads(found[0])) if found else self._missing(start)
        except ValueError:
            raise self.problem(start, "expected a value") from None

    def _missing(self, start: int) -> Node:
        raise self.problem(start, "expected a value")


def _nest(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _replace(text: str, node: Node, start: int, value: Any) -> str:
    if node.value == value:
        return text
    shown = _dump(value, _line_indent(text, start), _unit(text), _newline(text), "\n" in text.strip())
    return text[: node.start] + shown + text[node.end :]


def _insert(text: str, parent: Node, key: str, value: Any, replaced: Member | None) -> str:
    if replaced is not None:
        return _replace(text, replaced.node, replaced.start, value)
    if "\n" not in text.strip() and text.strip() != "{}":
        return _insert_inline(text, parent, key, value)
    return _insert_line(text, parent, key, value)


def _insert_inline(text: str, parent: Node, key: str, value: Any) -> str:
    body = json.dumps({key: value}, ensure_ascii=False)[1:-1]
    if not parent.members:
        return text[: parent.start + 1] + body + text[parent.start + 1 :]
    end, comma = _end_of_member(text, parent.members[-1])
    return text[:end] + (" " if comma else ", ") + body + ("," if comma else "") + text[end:]


def _insert_line(text: str, parent: Node, key: str, value: Any) -> str:
    newline, unit = _newline(text), _unit(text)
    outer = _line_indent(text, parent.start)
    if not parent.members:
        indent = outer + unit
        body = f"{indent}{json.dumps(key)}: {_dump(value, indent, unit, newline)}"
        kept = text[parent.start + 1 : parent.end - 1].rstrip()
        return text[: parent.start + 1] + kept + newline + body + newline + outer + text[parent.end - 1 :]
    last = parent.members[-1]
    indent = _line_indent(text, last.start) if _begins_line(text, last.start) else outer + unit
    body = f"{indent}{json.dumps(key)}: {_dump(value, indent, unit, newline)}"
    end, comma = _end_of_member(text, last)
    rest = _TO_LINE_END.match(text, end)
    place = rest.end() if rest else end
    head = text[:end] if comma else text[: last.node.end] + ","
    return head + text[end:place] + newline + body + ("," if comma else "") + text[place:]


def _cut(text: str, parent: Node, index: int) -> str:
    members = parent.members or ()
    end, comma = _end_of_member(text, members[index])
    if index == 0 or comma:
        left = text[: _line_break_before(text, members[index].start)] + text[end:]
        return _tidy_empty(left, parent.start) if len(members) == 1 else left
    previous = members[index - 1]
    after, _ = _end_of_member(text, previous)
    rest = _TO_LINE_END.match(text, after)
    kept = text[after : rest.end()] if rest else ""
    return text[: previous.node.end] + kept + text[end:]


def _tidy_empty(text: str, start: int) -> str:
    """An object with nothing but blanks in it becomes `{}`."""
    end = text.index("}", start)
    return text[: start + 1] + text[end:] if not text[start + 1 : end].strip() else text


def _end_of_member(text: str, member: Member) -> tuple[int, bool]:
    """Where the member ends, after its comma if it has one."""
    found = _SKIPPED.match(text, member.node.end)
    place = found.end() if found else member.node.end
    return (place + 1, True) if text[place : place + 1] == "," else (member.node.end, False)


def _dump(value: Any, indent: str, unit: str, newline: str, is_block: bool = True) -> str:
    if not is_block:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return (newline + indent).join(lines)


def _begins_line(text: str, place: int) -> bool:
    return not text[text.rfind("\n", 0, place) + 1 : place].strip()


def _line_break_before(text: str, place: int) -> int:
    """Where the line of a place begins, with the line break, if only blanks come before it."""
    at = text.rfind("\n", 0, place)
    if at < 0 or not _begins_line(text, place):
        return place
    return at - 1 if text[at - 1 : at] == "\r" else at


def _line_indent(text: str, place: int) -> str:
    start = text.rfind("\n", 0, place) + 1
    line = text[start:]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One level of indentation, as the first indented line has it."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    if found is None:
        return "  "
    return "\t" if found[1].startswith("\t") else found[1]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
