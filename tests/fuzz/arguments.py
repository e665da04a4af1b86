"""Arguments of hostile calls: drawn from the schema of a tool, or its example changed at random."""

import copy
import json
from collections.abc import Mapping
from random import Random
from typing import Any

from recollect.surfaces.declarations import Tool
from recollect.surfaces.schema import input_schema

MAX_DEPTH = 6
MOST_KNOWN = 500
LONG_LIST = 1_000
LARGE_INTEGERS = (2**31, 2**53, 2**63 - 1, -(2**63), 2**63, 2**64, -(2**64), 10**30)
WORDS = ("Ada", "Ada Lovelace", "London", "works_at", "2026-05-20", "1843", "next Friday", "current", "*", "%", "a/b")
HOSTILE_TEXTS = (
    *("", " ", "\0", "\ud800", "\u202e\u200b", "e\u0301" * 50, "'; DROP TABLE fact; --", "../../etc/passwd", "{{7*7}}"),
    *(
        "<script>alert(1)</script>",
        "a" * 10_000,
        "." * 20_000,
        "[[a]]" * 2_000,
        "(((((a*)*)*)*)*)b",
        "-1",
        "NaN",
        "null",
    ),
    *("[" * 500, "<!--" * 2_000, "\n" * 5_000, "9" * 400, "٣", "ﬀ", "𝔘", "ent_", "fact_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
)
HOSTILE_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**31, 2**63 - 1, 2**63, -(2**70), 1e308, float("nan"), float("inf"), 0.1),
    *([], {}, [[]], [None], {"": ""}, [1, "a", None, True, {"k": [1]}], [0] * 5_000, {str(n): n for n in range(500)}),
)


class ArgumentMaker:
    """Draws arguments; what calls have answered is used again, so that later calls find something."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._known: list[str] = list(WORDS)

    def learn(self, value: Any) -> None:
        """Keep some of the texts of an answer."""
        level = [value]
        for _ in range(200):
            if not level:
                return
            each = level.pop(self._random.randrange(len(level)))
            if isinstance(each, str) and 0 < len(each) < 100:
                self._keep(each)
            elif isinstance(each, Mapping):
                level.extend(each.values())
            elif isinstance(each, list):
                level.extend(each[:20])

    def _keep(self, text: str) -> None:
        if len(self._known) < MOST_KNOWN:
            self._known.append(text)
        else:
            self._known[self._random.randrange(len(WORDS), MOST_KNOWN)] = text

    def arguments(self, tool: Tool) -> dict[str, Any]:
        if self._random.random() < 0.5:
            return self._changed_example(tool)
        schema = input_schema(tool)
        drawn = self._object(schema, schema.get("$defs", {}), 0)
        return drawn if isinstance(drawn, dict) else {}

    def _changed_example(self, tool: Tool) -> dict[str, Any]:
        given: dict[str, Any] = copy.deepcopy(dict(tool.example))
        names = [each.name for each in tool.parameters]
        for _ in range(self._random.randint(0, 3)):
            name = self._random.choice(names) if names and self._random.random() < 0.95 else "unknown_argument"
            match self._random.randrange(4):
                case 0:
                    given.pop(name, None)
                case 1:
                    given[name] = self._hostile()
                case 2:
                    given[name] = self._text()
                case _:
                    given[name] = self._nested(given.get(name))
        return given

    def _nested(self, value: Any) -> Any:
        for _ in range(self._random.choice((1, 2, 5, 99, 150, 300))):
            value = [value] if self._random.random() < 0.5 else {"k": value}
        return value if self._random.random() < 0.8 else json.dumps(value, default=str)

    def _hostile(self) -> Any:
        return self._random.choice(HOSTILE_VALUES if self._random.random() < 0.5 else HOSTILE_TEXTS)

    def _text(self) -> str:
        if self._random.random() < 0.15:
            return self._random.choice(HOSTILE_TEXTS)
        return " ".join(self._random.choices(self._known, k=self._random.choice((1, 1, 1, 2, 6))))

    def _value(self, schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> Any:
        if self._random.random() < 0.08 or depth > MAX_DEPTH:
            return self._hostile()
        if "$ref" in schema:
            return self._value(definitions.get(schema["$ref"].rpartition("/")[2], {}), definitions, depth + 1)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return self._value(self._random.choice(schema[key]), definitions, depth + 1)
        if "enum" in schema or "const" in schema:
            return self._random.choice(schema.get("enum") or [schema.get("const")])
        return self._typed(schema, definitions, depth)

    def _typed(self, schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> Any:
        match schema.get("type"):
            case "object":
                return self._object(schema, definitions, depth)
            case "array":
                count = self._random.choice((0, 1, 1, 2, 2, 5, 5, LONG_LIST))
                if count == LONG_LIST:
                    return [self._value(schema.get("items") or {}, definitions, depth + 1)] * LONG_LIST
                return [self._value(schema.get("items") or {}, definitions, depth + 1) for _ in range(count)]
            case "integer":
                small = (0, 1, 2, 20, schema.get("minimum", 1), schema.get("maximum", 50), -1, 10**6)
                return self._random.choice(small if self._random.random() < 0.8 else LARGE_INTEGERS)
            case "number":
                return self._random.choice((0, 0.5, 1, -1, 1e9))
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
            case _:
                return self._text()

    def _object(self, schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> Any:
        required = schema.get("required", ())
        properties: Mapping[str, Any] = schema.get("properties", {})
        return {
            name: self._value(each, definitions, depth + 1)
            for name, each in properties.items()
            if self._random.random() < (0.95 if name in required else 0.4)
        }
