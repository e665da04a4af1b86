"""The world of the tides, told line by line, and questions put to the tools."""

import re
from dataclasses import dataclass, field
from typing import Any

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

ERAS: tuple[dict[str, Any], ...] = (
    {"name": "First Tide", "start": 1, "end": 500},
    {"name": "Second Tide", "start": 501, "end": None, "abbreviation": "ST"},
    {
        "name": "Grey Years",
        "parent_era": "second_tide",
        "start": "second_tide.year_40",
        "end": "second_tide.year_60",
    },
)
NOW = {"slug": "current", "label": "Now", "era": "second_tide", "year": 80}
TYPES = {
    "Person": "Mira Sela Tobin Perrin Ann Ben Cleo Dora",
    "Faction": "Orrins Saltguard Watch",
    "Location": "Halden Coast Reach Keep Quay Isle",
    "Lineage": "Blood Branch",
    "Event": "Breaking Drowning Council Feast",
    "Item": "Knife Bell",
    "Title": "Warden",
    "Deity": "Undertow",
    "Language": "Saltish",
    "MagicSystem": "Tidecraft",
    "Culture": "Marshfolk",
}
TYPE_OF = {name: kind for kind, names in TYPES.items() for name in names.split()}
_LINE = re.compile(r"(?P<one>\S+) (?P<relation>[A-Z_]+)(?: (?P<other>[^\s(]+))?(?: \((?P<time>[^)]*)\))?(?P<more> .*)?")


@dataclass
class World:
    """`y45` is the year 45 of the second tide; a line is `Mira RULES Halden (y20 .. y45)`."""

    memory: Memory
    types: dict[str, str] = field(default_factory=lambda: dict(TYPE_OF))

    def invented(self, *, now: bool = True) -> "World":
        for era in ERAS:
            self._take({"era": era})
        if now:
            self._take({"date": NOW})
        return self

    def _take(self, line: dict[str, Any]) -> None:
        with self.memory.as_actor("cli", "ingest").write() as change:
            write_line(change, parse_line(line))

    def tell(self, *lines: str, title: str = "rolls", **record: Any) -> "World":
        told = {"id": title, "type": "note", "title": title, "content": title, "source_at": "2026-01-01", **record}
        self._take({"record": told, "facts": [self._fact(line) for line in lines]})
        return self

    def _fact(self, line: str) -> dict[str, Any]:
        match = _LINE.fullmatch(line)
        assert match, line
        fact: dict[str, Any] = {"from": self._end(match["one"]), "predicate": match["relation"].lower()}
        other = match["other"]
        fact["to"] = None if other is None else {"literal": other[1:]} if other[0] == "'" else self._end(other)
        bounds = zip(("valid_from", "valid_until"), _times(match["time"]), strict=True)
        fact |= {key: time for key, time in bounds if time}
        role = (match["more"] or "").strip()
        return {**fact, "attributes": {"role": role}} if role else fact

    def _end(self, name: str) -> dict[str, Any] | str:
        return {"name": name, "type": self.types[name]} if name in self.types else name

    def entity(self, name: str, kind: str, aliases: tuple[str, ...] = (), **properties: Any) -> None:
        self.types[name] = kind
        entity = {"name": name, "type": kind, "aliases": list(aliases), "metadata": properties}
        self._take({"entities": [entity]})

    def answer(self, tool: str, **asked: Any) -> Answer:
        found = find_surface("lore-engine").find(tool)
        given = {key: _read(value) for key, value in asked.items()}
        return call(found, lambda each: self.memory.as_actor("lore-engine", each.name), given)

    def ask(self, tool: str, **asked: Any) -> Any:
        """The result; a list on its own."""
        answer = self.answer(tool, **asked)
        assert not answer.is_error, answer.structured
        structured = answer.structured
        return structured["result"] if structured.keys() == {"result"} else structured

    def refused(self, tool: str, **asked: Any) -> dict[str, Any]:
        answer = self.answer(tool, **asked)
        assert answer.is_error, answer.structured
        assert answer.texts[0].startswith(f"{answer.structured['error']}: ")
        return answer.structured

    def names(self, tool: str, **asked: Any) -> list[str]:
        return [each["name"] for each in self.ask(tool, **asked)]


def named(entries: list[dict[str, Any]]) -> list[str]:
    return [each["name"] for each in entries]


def y(number: int) -> str:
    return f"second_tide.year_{number}"


def _read(value: Any) -> Any:
    return re.sub(r"\by(\d+)\b", r"second_tide.year_\1", value) if isinstance(value, str) else value


def _times(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    first, dots, last = (_read(part).strip() for part in text.partition(" .. "))
    if dots:
        return first or None, last or None
    return (first, first) if " .." not in text and not text.startswith(".. ") else (_open(text))


def _open(text: str) -> tuple[str | None, str | None]:
    read = _read(text).strip()
    return (read.removesuffix("..").strip(), None) if read.endswith("..") else (None, read.removeprefix("..").strip())
