"""Tools, resources and surfaces: one declaration each, and all that is derived from it."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from keyword import iskeyword
from typing import Any, Generic, Literal, Protocol, TypeVar

from recollect.errors import RecollectError
from recollect.settings import Settings
from recollect.surfaces.problems import UnknownTool

Effect = Literal["read", "write", "destroy"]
Outcome = Literal["ok", "failed", "crashed"]
Json = dict[str, Any]
Value = TypeVar("Value")
ToolFunction = TypeVar("ToolFunction", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Result(Generic[Value]):
    """What a tool returns when there is more to say than its value.

    `text` stands in place of the JSON text, `also` are text blocks behind it, `meta` is the result's `_meta`.
    """

    value: Value
    text: str | None = None
    extra_texts: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a door sends back, whatever the door.

    `outcome` is for our own counting and exit codes: some surfaces word failures as ordinary results. `has_json` says
    that the first text is the JSON of `structured`.
    """

    structured: Json
    texts: tuple[str, ...]
    is_error: bool = False
    meta: Mapping[str, Any] = field(default_factory=dict)
    outcome: Outcome = "ok"
    has_json: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Failure:
    """How a surface words one failure. Without `text`, the text is the JSON of `structured`."""

    structured: Json
    is_error: bool
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """What a resource holds: its text, the media type and what else is to be said of it."""

    text: str
    mime: str
    meta: Mapping[str, Any] = field(default_factory=dict)


class FailureRenderer(Protocol):
    """A surface's way to say that a call failed.

    The failure is a `BadArgument`, a `Crashed` or any other `RecollectError`.
    """

    def __call__(
        self, tool: "Tool", arguments: Mapping[str, Any], failure: RecollectError, settings: Settings, /
    ) -> Failure: ...


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool, as its signature states it."""

    name: str
    kind: Any
    required: bool
    default: Any
    older: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Tool:
    """A declared function with everything a door needs to offer it.

    `tells` says how far it is while it works; `asks` may ask a language model, and writes nothing before it has all
    its answers. `listed_with` are the tools that a selection shows it with, where that is not its whole surface.
    """

    surface: "Surface"
    function: Callable[..., Any]
    effect: Effect
    example: Mapping[str, Any]
    idempotent: bool
    open_world: bool
    listed: bool
    older_parameter_names: Mapping[str, tuple[str, ...]]
    reports_progress: bool = False
    asks_model: bool = False
    listed_with: frozenset[str] | None = None

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def source_location(self) -> tuple[str, int]:
        """The module and line where it is declared."""
        return self.function.__module__, self.function.__code__.co_firstlineno

    @property
    def description(self) -> str:
        return inspect.getdoc(self.function) or ""

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """All but the first, which is the memory."""
        found = list(inspect.signature(self.function).parameters.values())[1:]
        return tuple(self._parameter(each) for each in found)

    @cached_property
    def optional_names(self) -> frozenset[str]:
        """Every name by which an argument goes that may be left out."""
        return frozenset(name for each in self.parameters if not each.required for name in (each.name, *each.older))

    @cached_property
    def older_names(self) -> Mapping[str, str]:
        """The name of today for every older one."""
        return {older: each.name for each in self.parameters for older in each.older}

    @cached_property
    def result_type(self) -> Any:
        """The type of the value, seen through `Result`."""
        declared = self._evaluated(inspect.signature(self.function).return_annotation)
        return declared.__args__[0] if getattr(declared, "__origin__", None) is Result else declared

    @cached_property
    def returns_list(self) -> bool:
        return getattr(self.result_type, "__origin__", None) is list

    def invoke(self, memory: Any, arguments: Mapping[str, Any]) -> Any:
        """What the function returns; its own name for `from` is `from_`."""
        named = {f"{name}_" if iskeyword(name) else name: value for name, value in arguments.items()}
        return self.function(memory, **named)

    def _parameter(self, found: inspect.Parameter) -> Parameter:
        required = found.default is inspect.Parameter.empty
        kind = self._evaluated(found.annotation)
        name = found.name.removesuffix("_")  # `from` is published, but no name that Python allows
        older = (*self.surface.other_spellings(name), *self.older_parameter_names.get(name, ()))
        return Parameter(name, kind, required, found.default, older)

    def _evaluated(self, annotation: Any) -> Any:
        """The annotation itself, also in a module that postpones them."""
        return eval(annotation, self.function.__globals__) if isinstance(annotation, str) else annotation


@dataclass(frozen=True, eq=False)
class Resource:
    """A declared function that reads what URIs of one form name; `reader` is how a memory knows it."""

    template: str
    name: str
    mime: str | None
    reader: Tool

    @property
    def description(self) -> str:
        return self.reader.description

    def takes(self, uri: str) -> bool:
        """Whether the URI has this form, as far as its scheme and authority go."""
        return uri.startswith(self.template.partition("{")[0])


def _no_spellings(_: str) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, eq=False)
class Surface:
    """A named set of tools with one way to say what went wrong.

    `loose` publishes input schemas that let every argument through to the tool's own checks. `envelope` is a
    failure that comes as an ordinary result, so that published output schemas admit it. `equal_twice` lets an
    argument come under its new and an older name if both say the same. `indent` is the text blocks'. `brief`
    publishes only the outermost keys of results. `spellings` are further names under which any argument is taken.
    `blank_is_absent` lets a text without letters count as left out. `shows_bodies` sees to it that no
    body outlives its retention, not even until the next sweep. `aliases` are further names of tools, which are
    never listed. `unknown` words the call of a tool that is not there; without it, that is a fault of the protocol.
    `external` words the failed call of another server's tool; a surface that has it shows such tools beside its own.
    """

    name: str
    summary: str
    render_failure: FailureRenderer
    loose: bool = False
    envelope: Any = None
    allows_equal_duplicates: bool = False
    indent: int | None = None
    brief: bool = False
    other_spellings: Callable[[str], tuple[str, ...]] = _no_spellings
    blank_is_absent: bool = False
    enforces_retention: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    render_unknown_tool: Callable[[str], Failure] | None = None
    render_external_failure: Callable[[str, RecollectError], Failure] | None = None
    tool_order: tuple[str, ...] = ()
    tools: dict[str, Tool] = field(default_factory=dict)
    resources: list[Resource] = field(default_factory=list)

    def tool(
        self,
        effect: Effect,
        *,
        example: Mapping[str, Any],
        idempotent: bool | None = None,
        open_world: bool = False,
        listed: bool = True,
        older: Mapping[str, tuple[str, ...]] | None = None,
        tells: bool = False,
        asks: bool = False,
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Declare the function below as a tool of this surface. Reads are idempotent unless said otherwise."""

        def declare(function: ToolFunction) -> ToolFunction:
            repeats = effect == "read" if idempotent is None else idempotent
            tool = Tool(self, function, effect, example, repeats, open_world, listed, older or {}, tells, asks)
            self.tools[tool.name] = tool
            return function

        return declare

    def resource(
        self, template: str, *, name: str, mime: str | None = None
    ) -> Callable[[Callable[..., Content]], Callable[..., Content]]:
        """Declare the function below as what reads URIs of this form: it takes a memory and the whole URI."""

        def declare(function: Callable[..., Content]) -> Callable[..., Content]:
            reader = Tool(self, function, "read", {}, True, False, False, {})
            self.resources.append(Resource(template, name, mime, reader))
            return function

        return declare

    def tool_called(self, name: str) -> Tool | None:
        """The tool that is called by this name, its own or a further one."""
        return self.tools.get(self.aliases.get(name, name))

    def find(self, name: str) -> Tool:
        found = self.tool_called(name)
        if found is None:
            raise UnknownTool(name, self.name, self.tools)
        return found

    def listed_tools(self, *, may_write: bool) -> list[Tool]:
        """The tools a caller is shown: without those that write, if it may not."""
        return [tool for tool in self.tools.values() if tool.listed and (may_write or tool.effect == "read")]
