"""YAML as plain values that know their lines: no tags, bounded depth, bounded repetition.

Plain words are read as YAML 1.2 does: only `true` and `false` are claims, and 0850 is a text, not an octal number.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from recollect.ingest.lore.problems import BadYaml
from recollect.model.storable import is_storable

DEEPEST = 20
MOST_VALUES = 500_000
_WHOLE = re.compile(r"[-+]?(?:0|[1-9]\d*)")
_FRACTION = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
_WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None} | {
    spelled: word == "true" for word in ("true", "false") for spelled in (word, word.title(), word.upper())
}
_STANDARD = "tag:yaml.org,2002:"
_TEXT_TAG = f"{_STANDARD}str"
_KNOWN_TAGS = frozenset(f"{_STANDARD}{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq"))


class Table(dict[str, Any]):
    """A mapping that remembers the line it began on, and those of its keys."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}

    def line_of(self, key: str) -> int:
        return self.lines.get(key, self.line)


class Sequence(list[Any]):
    """A list that remembers the lines of its items."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []


def load(text: str, first_line: int = 1) -> Any:
    """The one document in a YAML text; lines count from `first_line`."""
    return _Loading(text, first_line).document()


def lines_of(values: Any, line: int) -> list[int]:
    """The line of each item of a list, as far as it is known."""
    return values.lines if isinstance(values, Sequence) else [line] * len(values)


class _Loading:
    def __init__(self, text: str, first_line: int) -> None:
        self._first = first_line
        self._left = MOST_VALUES
        self._anchors: dict[str, Any] = {}
        self._sizes: dict[str, int] = {}
        self._events = self._read(text)

    def _read(self, text: str) -> Iterator[yaml.Event]:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            yield from yaml.parse(text, Loader=loader)
        except yaml.YAMLError as problem:
            mark = getattr(problem, "problem_mark", None)
            why = getattr(problem, "problem", None) or "cannot be read"
            raise BadYaml(self._first + (mark.line if mark else 0), f"is no YAML: {why}") from None

    def document(self) -> Any:
        value: Any = None
        found = False
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if found:
                    raise BadYaml(self._line(event), "one YAML document is enough")
                value, found = self._value(next(self._events), 0), True
        return value

    def _line(self, event: yaml.Event) -> int:
        mark = event.start_mark
        return self._first + (int(mark.line) if mark else 0)

    def _value(self, event: yaml.Event, depth: int) -> Any:
        if depth > DEEPEST:
            raise BadYaml(self._line(event), f"is nested more than {DEEPEST} deep")
        if isinstance(event, yaml.AliasEvent):
            return self._repeated(event)
        self._check_tag(event)
        before = self._left
        self._spend(event, 1)
        value = self._built(event, depth)
        anchor = getattr(event, "anchor", None)
        if anchor:
            self._anchors[anchor], self._sizes[anchor] = value, before - self._left
        return value

    def _built(self, event: yaml.Event, depth: int) -> Any:
        if isinstance(event, yaml.MappingStartEvent):
            return self._table(event, depth)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(depth)
        if isinstance(event, yaml.ScalarEvent):
            if not is_storable(event.value):
                raise BadYaml(self._line(event), "holds a character that cannot be stored, written as an escape")
            return _scalar(event)
        raise BadYaml(self._line(event), "ends too early")

    def _repeated(self, event: yaml.AliasEvent) -> Any:
        """What an alias stands for; it costs what it would take to write it out."""
        if event.anchor not in self._anchors:
            raise BadYaml(self._line(event), f"alias *{event.anchor} stands for nothing before it")
        self._spend(event, self._sizes[event.anchor])
        return self._anchors[event.anchor]

    def _spend(self, event: yaml.Event, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise BadYaml(self._line(event), f"stands for more than {MOST_VALUES} values")

    def _check_tag(self, event: yaml.Event) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!" and tag not in _KNOWN_TAGS:
            raise BadYaml(self._line(event), f"tag {tag} is not taken")

    def _table(self, start: yaml.Event, depth: int) -> Table:
        table = Table(self._line(start))
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._value(event, depth + 1)
            if isinstance(key, Table | Sequence):
                raise BadYaml(self._line(event), "a key is a word")
            value = self._value(next(self._events), depth + 1)
            if key == "<<" and isinstance(value, Table):
                table.update({inner: each for inner, each in value.items() if inner not in table})
            else:
                name = "" if key is None else str(key).lower() if isinstance(key, bool) else str(key)
                table[name], table.lines[name] = value, self._line(event)
        return table

    def _sequence(self, depth: int) -> Sequence:
        found = Sequence()
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            found.lines.append(self._line(event))
            found.append(self._value(event, depth + 1))
        return found


def _scalar(event: yaml.ScalarEvent) -> Any:
    text, is_plain = str(event.value), event.style in (None, "")
    if not is_plain or event.tag in ("!", _TEXT_TAG):
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text) and len(text) < 20:
        return int(text)
    return float(text) if _FRACTION.fullmatch(text) and "." in text else text
