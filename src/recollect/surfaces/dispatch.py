"""The dispatcher: one call of one tool, the same for every transport, and its answer as JSON."""

import json
import logging
import secrets
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import orjson
from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from recollect.deadline import current_deadline
from recollect.errors import Forbidden, RecollectError
from recollect.settings import Settings
from recollect.surfaces.arguments import read_arguments
from recollect.surfaces.call_errors import Crashed, UnknownTool
from recollect.surfaces.declarations import Answer, Content, Failure, Outcome, Prompt, Resource, Result, Surface, Tool

if TYPE_CHECKING:
    from recollect.memory import Memory


def json_bytes(value: Any) -> bytes:
    """Compact JSON."""
    try:
        return orjson.dumps(value, default=to_jsonable_python)
    except TypeError:
        # Integers beyond 64 bits and keys that are not strings: rare, and slower.
        return _unusual_json_bytes(value)


def _unusual_json_bytes(value: Any) -> bytes:
    try:
        return to_json(value)
    except PydanticSerializationError:
        # Half a surrogate pair, which a failure may quote from the arguments it refuses.
        text = json.dumps(value, default=to_jsonable_python, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


def json_text(value: Any, indent: int | None = None) -> str:
    return (json_bytes(value) if indent is None else to_json(value, indent=indent)).decode()


log = logging.getLogger("recollect.call")


class CallMemory(Protocol):
    """What the dispatcher itself needs of a memory; tools need more."""

    @property
    def settings(self) -> Settings: ...
    @property
    def may_write(self) -> bool: ...


OpenMemory = Callable[[Tool], CallMemory]
Value = TypeVar("Value")


class ReadOnlyToken(Forbidden):
    def __init__(self, tool: str) -> None:
        super().__init__(f"{tool} writes, and this token may only read")


def call(tool: Tool, open_memory: OpenMemory, arguments: Mapping[str, Any]) -> Answer:
    """The tool's answer, or the failure as its surface prints it. Never raises."""
    memory: CallMemory | None = None
    try:
        memory = open_memory(tool)
        returned = _run(tool, memory, arguments)
        _check_not_stopped()
        return success_answer(tool, returned)
    except Exception as failure:
        return failure_answer(tool, arguments, _expected_failure(tool, failure), memory)


def answer_or_failure(tool: Tool, arguments: Mapping[str, Any], work: Callable[[], Value]) -> Value | Answer:
    """What work around a call returns, or its failure as the surface prints it. Never raises."""
    try:
        return work()
    except Exception as failure:
        return failure_answer(tool, arguments, _expected_failure(tool, failure), None)


def _check_not_stopped() -> None:
    """Raise if the call was stopped: tools that report failures item by item have caught the first sign of it."""
    deadline = current_deadline()
    if deadline is not None and deadline.is_enforced:
        raise deadline.failure()


def _expected_failure(tool: Tool, failure: Exception) -> RecollectError:
    """The failure to show: that the call was stopped, whatever this led to, or a crash for what nobody expected."""
    deadline = current_deadline()
    if deadline is not None and deadline.is_enforced:
        return deadline.failure()
    return failure if isinstance(failure, RecollectError) else _log_crash(tool, failure)


def invoke(tool: Tool, memory: CallMemory, arguments: Mapping[str, Any]) -> Any:
    """The value that a tool returns; raises what goes wrong."""
    returned = _run(tool, memory, arguments)
    return returned.value if isinstance(returned, Result) else returned


def _run(tool: Tool, memory: CallMemory, arguments: Mapping[str, Any]) -> Any:
    if not tool.is_for_readers and not memory.may_write:
        raise ReadOnlyToken(tool.name)
    given = read_arguments(tool, arguments)
    if tool.effect == "destroy":
        _check_trusted(memory)
    if tool.surface.reads_personal and getattr(memory, "personal", None) is not None:
        from recollect.surfaces.personal import run_in_both

        return run_in_both(tool, cast("Memory", memory), given)
    return tool.invoke(memory, given)


def _check_trusted(memory: CallMemory) -> None:
    """Refuse a tool of which a rule says that its words count less than what it would delete."""
    from recollect.memory import Memory
    from recollect.write.trust_rules import check_may_overrule

    if isinstance(memory, Memory):
        with memory.read() as view:
            check_may_overrule(memory.settings_in(view), memory.actor)


def read_resource(resource: Resource, open_memory: OpenMemory, uri: str) -> Content:
    """The content of a URI; raises only `RecollectError`."""
    reader = resource.reader
    try:
        content: Content = reader.function(open_memory(reader), uri)
    except Exception as failure:
        raise _expected_failure(reader, failure) from None
    return content


def write_prompt(prompt: Prompt, open_memory: OpenMemory, arguments: Mapping[str, Any]) -> str:
    """The message of a prompt; raises only `RecollectError`."""
    writer = prompt.writer
    try:
        text: str = writer.invoke(open_memory(writer), read_arguments(writer, arguments))
    except Exception as failure:
        raise _expected_failure(writer, failure) from None
    return text


def unknown_tool_answer(surface: Surface, name: str) -> Answer:
    """The answer to a call of an unknown tool; raises `UnknownTool` if the surface has no rendering for it."""
    if surface.render_unknown_tool is None:
        raise UnknownTool(name, surface.name, surface.tools)
    return _render_failure(surface, surface.render_unknown_tool(name))


def external_failure_answer(surface: Surface, name: str, failure: RecollectError) -> Answer:
    """The answer to a failed call of an external server's tool."""
    assert surface.render_external_failure is not None
    return _render_failure(surface, surface.render_external_failure(name, failure))


def _render_failure(surface: Surface, problem: Failure) -> Answer:
    text = problem.text if problem.text is not None else json_text(problem.structured, surface.indent)
    return Answer(problem.structured, (text,), problem.is_error, outcome="failed", is_text_only=problem.is_text_only)


def success_answer(tool: Tool, returned: Any) -> Answer:
    """The answer for a returned value; a list goes under the key `result`."""
    result = returned if isinstance(returned, Result) else Result(returned)
    structured = {"result": result.value} if tool.returns_list else result.value
    text = result.text if result.text is not None else json_text(structured, tool.surface.indent)
    has_json = result.text is None and tool.surface.indent is None
    return Answer(structured, (text, *result.extra_texts), False, result.meta, has_json=has_json)


def failure_answer(
    tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, memory: CallMemory | None
) -> Answer:
    settings = Settings() if memory is None else memory.settings
    problem = tool.surface.render_failure(tool, arguments, failure, settings)
    if memory is not None and tool.surface.check_failure is not None:
        problem = tool.surface.check_failure(tool, memory, problem)
    text = problem.text if problem.text is not None else json_text(problem.structured, tool.surface.indent)
    outcome: Outcome = "crashed" if isinstance(failure, Crashed) else "failed"
    return Answer(problem.structured, (text,), problem.is_error, outcome=outcome, is_text_only=problem.is_text_only)


def _log_crash(tool: Tool, crash: Exception) -> Crashed:
    """Log where it crashed, but not the exception's text, which may quote user data."""
    reference = secrets.token_hex(4)
    places = crash_places(crash)
    log.error("crash %s %s.%s %s at %s", reference, tool.surface.name, tool.name, type(crash).__name__, places)
    return Crashed(reference)


def crash_places(crash: Exception) -> str:
    """Where an exception was raised, the innermost place first."""
    frames = traceback.extract_tb(crash.__traceback__)[-6:]
    return " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
