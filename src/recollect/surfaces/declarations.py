"""Declarations of tools, resources and surfaces, from which schemas, dispatch and documentation are derived."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from keyword import iskeyword
from typing import Any, Generic, Literal, Protocol, TypeVar

from recollect.errors import RecollectError
from recollect.settings import Settings
from recollect.surfaces.call_errors import UnknownTool

Effect = Literal["read", "decide", "write", "destroy"]
"""`decide`: it reads, and writes only where an argument says so; the tool itself refuses that to a reader."""
Outcome = Literal["ok", "failed", "crashed"]
Json = dict[str, Any]
Value = TypeVar("Value")
ToolFunction = TypeVar("ToolFunction", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Result(Generic[Value]):
    """What a tool returns if it has more than a value.

    `text` replaces the JSON text, `extra_texts` are further text blocks, `meta` is the result's `_meta`.
    """

    value: Value
    text: str | None = None
    extra_texts: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a call, the same for every transport.

    `outcome` is for metrics and exit codes: some surfaces return failures as ordinary results. `has_json`: the first
    text is the JSON of `structured`. `is_text_only`: over MCP the texts are all there is.
    """

    structured: Json
    texts: tuple[str, ...]
    is_error: bool = False
    meta: Mapping[str, Any] = field(default_factory=dict)
    outcome: Outcome = "ok"
    has_json: bool = field(default=False, compare=False)
    is_text_only: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as a surface prints it. Without `text`, the text is the JSON of `structured`."""

    structured: Json
    is_error: bool
    text: str | None = None
    is_text_only: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a resource: text, media type and metadata."""

    text: str
    mime: str
    meta: Mapping[str, Any] = field(default_factory=dict)


class FailureRenderer(Protocol):
    """How a surface prints failed calls.

    The failure is a `BadArgument`, a `Crashed` or any other `RecollectError`.
    """

    def __call__(
        self, tool: "Tool", arguments: Mapping[str, Any], failure: RecollectError, settings: Settings, /
    ) -> Failure: ...


class FailureCheck(Protocol):
    """How a surface compares a printed failure with what is stored, so that its example is accepted."""

    def __call__(self, tool: "Tool", memory: Any, failure: Failure, /) -> Failure: ...


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool, from its signature."""

    name: str
    kind: Any
    required: bool
    default: Any
    older: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Tool:
    """A declared function with everything a transport needs to offer it.

    `reports_progress` while it works. `asks_model`: it may ask a language model, and writes nothing before it has all
    answers. `destroys_if` names the flag without which a destructive tool does nothing that cannot be undone.
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
    destroys_if: str | None = None

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def is_for_readers(self) -> bool:
        """Whether a token that may only read can call it."""
        return self.effect in ("read", "decide")

    @property
    def source_location(self) -> tuple[str, int]:
        """The module and line where it is declared."""
        return self.function.__module__, self.function.__code__.co_firstlineno

    @property
    def description(self) -> str:
        return inspect.getdoc(self.function) or ""

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """All parameters but the first, which is the memory."""
        found = list(inspect.signature(self.function).parameters.values())[1:]
        return tuple(self._parameter(each) for each in found)

    @cached_property
    def optional_names(self) -> frozenset[str]:
        """Every name, older ones included, of the optional arguments."""
        return frozenset(name for each in self.parameters if not each.required for name in (each.name, *each.older))

    @cached_property
    def older_names(self) -> Mapping[str, str]:
        """The current name of every older one."""
        return {older: each.name for each in self.parameters for older in each.older}

    @cached_property
    def result_type(self) -> Any:
        """The type of the value, inside `Result` if it is wrapped."""
        declared = self._resolve_annotation(inspect.signature(self.function).return_annotation)
        return declared.__args__[0] if getattr(declared, "__origin__", None) is Result else declared

    @cached_property
    def returns_list(self) -> bool:
        return getattr(self.result_type, "__origin__", None) is list

    def destroys(self, arguments: Mapping[str, Any]) -> bool:
        """Whether a call with these arguments removes something for good."""
        return self.effect == "destroy" and (self.destroys_if is None or arguments.get(self.destroys_if) is True)

    def invoke(self, memory: Any, arguments: Mapping[str, Any]) -> Any:
        """Call the function; a Python keyword such as `from` is passed as `from_`."""
        named = {f"{name}_" if iskeyword(name) else name: value for name, value in arguments.items()}
        return self.function(memory, **named)

    def _parameter(self, found: inspect.Parameter) -> Parameter:
        required = found.default is inspect.Parameter.empty
        kind = self._resolve_annotation(found.annotation)
        name = found.name.removesuffix("_")  # `from` is a published name and a Python keyword
        older = (*self.surface.other_spellings(name), *self.older_parameter_names.get(name, ()))
        return Parameter(name, kind, required, found.default, older)

    def _resolve_annotation(self, annotation: Any) -> Any:
        """The annotation as an object, also under postponed evaluation."""
        return eval(annotation, self.function.__globals__) if isinstance(annotation, str) else annotation


@dataclass(frozen=True, eq=False)
class Resource:
    """A declared function that reads URIs of one form; `reader` is the tool under which its memory is opened."""

    template: str
    name: str
    mime: str | None
    reader: Tool

    @property
    def description(self) -> str:
        return self.reader.description

    @property
    def is_template(self) -> bool:
        return "{" in self.template

    def takes(self, uri: str) -> bool:
        """Whether the URI starts as the template does, or is the one URI."""
        return uri.startswith(self.template.partition("{")[0]) if self.is_template else uri == self.template


@dataclass(frozen=True, eq=False)
class Prompt:
    """A declared function that writes the message of a prompt; its arguments are texts."""

    writer: Tool

    @property
    def name(self) -> str:
        return self.writer.name

    @property
    def description(self) -> str:
        return self.writer.description

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.writer.parameters


@dataclass(frozen=True, eq=False)
class Surface:
    """A named set of tools with one style of failures.

    - `check_failure`: changes what a failure says where it does not fit what is stored.
    - `loose`: published input schemas accept anything, the tool checks its arguments itself.
    - `envelope`: the type of failures that are returned as ordinary results; published output schemas admit it.
    - `allows_equal_duplicates`: an argument may come under its current and an older name if the values are equal.
    - `indent`: indentation of JSON text blocks.
    - `brief`: output schemas name only the outermost keys.
    - `other_spellings`: more names under which any argument is accepted.
    - `blank_is_absent`: a blank text counts as absent.
    - `ignores_unknown`: arguments and keys that a tool does not have are passed over, and schemas do not forbid them.
    - `inlines`: schemas have no definitions to refer to, as those of a server it stands in for.
    - `enforces_retention`: expired bodies are hidden at once, not only after the next sweep.
    - `aliases`: more names of tools, never listed.
    - `render_unknown_tool`: without it, an unknown tool is a protocol error.
    - `render_external_failure`: a surface that has it also lists the tools of external servers.
    - `reads_personal`: what a project's workspace does not have is looked for in the personal one as well.
    - `tool_order`: names of tools in the order of tools/list and of the documentation.
    """

    name: str
    summary: str
    render_failure: FailureRenderer
    check_failure: FailureCheck | None = None
    loose: bool = False
    envelope: Any = None
    allows_equal_duplicates: bool = False
    indent: int | None = None
    brief: bool = False
    other_spellings: Callable[[str], tuple[str, ...]] = lambda _: ()
    blank_is_absent: bool = False
    ignores_unknown: bool = False
    inlines: bool = False
    enforces_retention: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    render_unknown_tool: Callable[[str], Failure] | None = None
    render_external_failure: Callable[[str, RecollectError], Failure] | None = None
    reads_personal: bool = False
    tool_order: tuple[str, ...] = ()
    tools: dict[str, Tool] = field(default_factory=dict)
    resources: list[Resource] = field(default_factory=list)
    prompts: dict[str, Prompt] = field(default_factory=dict)

    def tool(
        self,
        effect: Effect,
        *,
        example: Mapping[str, Any],
        idempotent: bool | None = None,
        open_world: bool = False,
        listed: bool = True,
        older: Mapping[str, tuple[str, ...]] | None = None,
        reports_progress: bool = False,
        asks_model: bool = False,
        destroys_if: str | None = None,
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Declare the function below as a tool of this surface. Reads are idempotent by default."""

        def declare(function: ToolFunction) -> ToolFunction:
            repeats = effect == "read" if idempotent is None else idempotent
            tool = Tool(
                self,
                function,
                effect,
                example,
                repeats,
                open_world,
                listed,
                older or {},
                reports_progress,
                asks_model,
                destroys_if,
            )
            self.tools[tool.name] = tool
            return function

        return declare

    def resource(
        self, template: str, *, name: str, mime: str | None = None
    ) -> Callable[[Callable[..., Content]], Callable[..., Content]]:
        """Declare the function below as the reader of URIs of this form: it takes a memory and the URI."""

        def declare(function: Callable[..., Content]) -> Callable[..., Content]:
            reader = Tool(self, function, "read", {}, True, False, False, {})
            self.resources.append(Resource(template, name, mime, reader))
            return function

        return declare

    def prompt(self, function: ToolFunction) -> ToolFunction:
        """Declare the function below as the writer of a prompt: it takes a memory and texts, and returns a text."""
        prompt = Prompt(Tool(self, function, "read", {}, True, False, False, {}))
        self.prompts[prompt.name] = prompt
        return function

    def tool_called(self, name: str) -> Tool | None:
        """The tool of this name or alias."""
        return self.tools.get(self.aliases.get(name, name))

    def find(self, name: str) -> Tool:
        found = self.tool_called(name)
        if found is None:
            raise UnknownTool(name, self.name, self.tools)
        return found

    def listed_tools(self, *, may_write: bool) -> list[Tool]:
        """The tools a caller may list, without writing ones if it may only read."""
        return [tool for tool in self.tools.values() if tool.listed and (may_write or tool.is_for_readers)]
