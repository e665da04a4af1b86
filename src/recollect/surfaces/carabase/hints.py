"""Hints and traces, which end every answer as lines of text and as fields."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from typing_extensions import TypedDict

from recollect.model.names import fold
from recollect.store.view import View
from recollect.store.write_queries import Folio, folio_names
from recollect.surfaces.declarations import Result
from recollect.text.fold import collapse_spaces, one_line, shorten
from recollect.text.tokens import name_tokens
from recollect.write.folios import find_folio

MAX_HINT_LENGTH = 400
MAX_TRACE_LENGTH = 300
MAX_QUOTE_LENGTH = 80
MAX_SUGGESTED_CALLS = 3
_BODY_MARKS = ("--- begin stored text ---", "--- end stored text ---")

HintShape = Literal[
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


class SuggestedCall(TypedDict):
    """A complete call of a tool."""

    tool: str
    args: dict[str, Any]


class HintView(TypedDict):
    shape: HintShape
    text: str
    next: list[SuggestedCall]


class HintedResult(TypedDict):
    """The fields that every answer ends with: what to try next, and what was looked at."""

    _hint: HintView | None
    _trace: list[str]


@dataclass(frozen=True, slots=True)
class Hint:
    """What to try next: in words, and as calls."""

    shape: HintShape
    text: str
    next: tuple[SuggestedCall, ...] = ()

    def with_as_of(self, moment: int | str | None) -> "Hint":
        """The same hint with `as_of` in its calls."""
        if moment is None:
            return self
        return replace(
            self, next=tuple(suggest_call(each["tool"], **{**each["args"], "as_of": moment}) for each in self.next)
        )

    def to_json(self) -> HintView:
        return {
            "shape": self.shape,
            "text": shorten(_escape_trailer(self.text), MAX_HINT_LENGTH),
            "next": [*self.next[:MAX_SUGGESTED_CALLS]],
        }


def suggest_call(tool: str, **args: Any) -> SuggestedCall:
    """A suggested call of a tool."""
    return {"tool": tool, "args": {name: value for name, value in args.items() if value is not None}}


def hinted_answer(
    value: Mapping[str, Any],
    lines: Iterable[str],
    *,
    hint: Hint | None = None,
    trace: Sequence[str] = (),
    mesh_tier: str | None = None,
    as_of: int | str | None = None,
    stored_text: Sequence[str] = (),
) -> Result[Any]:
    """A tool's value with its trailers, as fields and as text; a hint brings its trace with it.

    A call with `as_of` passes it on to the suggested calls. A line break in a line, which stored text may hold, becomes
    a space; `stored_text` is a body between its marks.
    """
    steps = fit_trace(trace)
    shown = None if hint is None else hint.with_as_of(as_of).to_json()
    body = map(one_line, lines)
    text = "\n".join([*body, *stored_text, *trailer_lines(shown, steps, mesh_tier)])
    return Result({**value, "_hint": shown, "_trace": steps}, text=text)


def between_marks(body: str) -> list[str]:
    """A stored body between two lines that say what it is; a line of its own that is such a mark is indented."""
    lines = (f" {line}" if line.startswith(_BODY_MARKS) else line for line in body.splitlines(keepends=True))
    return [_BODY_MARKS[0], "".join(lines), _BODY_MARKS[1]]


def trailer_lines(hint: HintView | None, steps: Sequence[str], mesh_tier: str | None = None) -> list[str]:
    lines = [] if mesh_tier is None else [f"[mesh-tier: {_escape_trailer(mesh_tier)}]"]
    lines += [] if hint is None else [f"[hint: {hint['text']}]"]
    return [*lines, f"[trace: {'; '.join(steps)}]"] if steps else lines


def fit_trace(steps: Sequence[str]) -> list[str]:
    """As many steps as fit, the last one cut if necessary."""
    kept: list[str] = []
    room = MAX_TRACE_LENGTH
    for step in map(_escape_trailer, steps):
        if room < 2:
            break
        kept.append(shorten(step, room))
        room -= len(kept[-1]) + len("; ")
    return kept


def quote(text: str) -> str:
    """Caller input, quoted and shortened for a hint."""
    return f'"{shorten(collapse_spaces(text), MAX_QUOTE_LENGTH)}"'


def format_options(choices: Sequence[str]) -> str:
    """Options in one sentence, numbered if there are several."""
    if len(choices) < 2:
        return "".join(choices)
    return " ".join(f"({number}) {choice}" for number, choice in enumerate(choices, start=1))


def _escape_trailer(text: str) -> str:
    """One line, escaped so that it cannot end its trailer."""
    return " ".join(text.split()).replace("]", ")")


MAX_SIMILAR_FOLIOS = 3


def find_named_folio(view: View, named: str | None) -> Folio | None:
    return None if named is None else find_folio(view, named)


def unknown_folio_hint(view: View, named: str, again: SuggestedCall, without: SuggestedCall) -> Hint:
    """Up to three folios that share a token with the name, and the call without the filter."""
    alike = similar_folios(view, named)
    if not alike:
        text = f"There is no folio {quote(named)} and none that shares a word with it. Ask again without the folio."
        return Hint("folioUnknown", text, (without,))
    names = ", ".join(map(quote, alike))
    text = f"There is no folio {quote(named)}. Folios that share a word with it: {names}. Ask again with one of them."
    other: SuggestedCall = {"tool": again["tool"], "args": {**again["args"], "folio": alike[0]}}
    return Hint("folioUnknown", text, (other, without))


def similar_folios(view: View, named: str) -> list[str]:
    """Names of folios that share a token with this one."""
    wanted = set(name_tokens(fold(named.removeprefix("~"))))
    return [each for each in folio_names(view) if wanted & set(name_tokens(fold(each)))][:MAX_SIMILAR_FOLIOS]
