"""Hints and traces: the last lines of a text, and the same as fields."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from typing_extensions import TypedDict

from recollect.surfaces.declare import Result

LONGEST_HINT = 400
LONGEST_TRACE = 300
LONGEST_QUOTE = 80
MOST_CALLS = 3

Shape = Literal[
    "semanticNoResults",
    "metadataNoResults",
    "folioUnknown",
    "graphUnknownEntity",
    "graphAmbiguousEntity",
    "graphFilteredOut",
    "graphNoEdges",
    "candidatesNoResults",
    "routerNoResults",
    "timeseriesUnknownSource",
    "timeseriesUnknownMetric",
    "timeseriesArtifactSource",
    "timeseriesNoRows",
    "meshDenied",
    "meshUnavailable",
    "memoryUnknownAnchor",
    "memoryNoNeighbours",
    "memoryNoPath",
    "verifyInconclusive",
    "externalUnavailable",
    "badInput",
    "generic",
]


class Call(TypedDict):
    """A call that can be made as it is."""

    tool: str
    args: dict[str, Any]


class HintShown(TypedDict):
    shape: Shape
    text: str
    next: list[Call]


class Trailed(TypedDict):
    """What every structured answer ends with."""

    _hint: HintShown | None
    _trace: list[str]


@dataclass(frozen=True, slots=True)
class Hint:
    """What to try next: in words, and as calls."""

    shape: Shape
    text: str
    next: tuple[Call, ...] = ()

    def as_of(self, moment: int | str | None) -> "Hint":
        """The same hint, its calls asking for what was known at that moment."""
        if moment is None:
            return self
        return replace(self, next=tuple(call(each["tool"], **{**each["args"], "as_of": moment}) for each in self.next))

    def shown(self) -> HintShown:
        return {
            "shape": self.shape,
            "text": clipped(_inside(self.text), LONGEST_HINT),
            "next": [*self.next[:MOST_CALLS]],
        }


def call(tool: str, **args: Any) -> Call:
    """One call of another tool, or of the same with other arguments."""
    return {"tool": tool, "args": {name: value for name, value in args.items() if value is not None}}


def answer(
    value: Mapping[str, Any],
    lines: Iterable[str],
    *,
    hint: Hint | None = None,
    trace: Sequence[str] = (),
    mesh_tier: str | None = None,
    as_of: int | str | None = None,
) -> Result[Any]:
    """A tool's value with its trailers, as fields and as text; a hint brings its trace with it.

    Who asked `as_of` a moment is led on to what was known then.
    """
    steps = shown_trace(trace)
    shown = None if hint is None else hint.as_of(as_of).shown()
    body = "\n".join(lines)
    text = "\n".join([body, *trailer_lines(shown, steps, mesh_tier)])
    return Result({**value, "_hint": shown, "_trace": steps}, text=text)


def trailer_lines(hint: HintShown | None, steps: Sequence[str], mesh_tier: str | None = None) -> list[str]:
    lines = [] if mesh_tier is None else [f"[mesh-tier: {_inside(mesh_tier)}]"]
    lines += [] if hint is None else [f"[hint: {hint['text']}]"]
    return [*lines, f"[trace: {'; '.join(steps)}]"] if steps else lines


def shown_trace(steps: Sequence[str]) -> list[str]:
    """The steps that fit, the last of them cut if need be."""
    kept: list[str] = []
    room = LONGEST_TRACE
    for step in map(_inside, steps):
        if room < 2:
            break
        kept.append(clipped(step, room))
        room -= len(kept[-1]) + len("; ")
    return kept


def quoted(text: str) -> str:
    """What a caller wrote, as it may stand in a hint."""
    return f'"{clipped(" ".join(text.split()), LONGEST_QUOTE)}"'


def clipped(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def options(choices: Sequence[str]) -> str:
    """Choices in one sentence, numbered where there are several."""
    if len(choices) < 2:
        return "".join(choices)
    return " ".join(f"({number}) {choice}" for number, choice in enumerate(choices, start=1))


def _inside(text: str) -> str:
    """One line that cannot close its trailer."""
    return " ".join(text.split()).replace("]", ")")
