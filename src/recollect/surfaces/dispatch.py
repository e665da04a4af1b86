"""One call of one tool, the same for every door."""

import logging
import secrets
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from recollect.errors import Forbidden, RecollectError
from recollect.settings import Settings
from recollect.surfaces.arguments import read_arguments
from recollect.surfaces.as_json import json_text
from recollect.surfaces.declare import Answer, Content, Failure, Outcome, Resource, Result, Surface, Tool
from recollect.surfaces.problems import Crashed, UnknownTool

log = logging.getLogger("recollect.call")


class Remembers(Protocol):
    """What the dispatcher itself needs of a memory; tools need more."""

    @property
    def settings(self) -> Settings: ...
    @property
    def may_write(self) -> bool: ...


OpenMemory = Callable[[Tool], Remembers]


class MayOnlyRead(Forbidden):
    def __init__(self, tool: str) -> None:
        super().__init__(f"{tool} writes, and this token may only read")


def call(tool: Tool, open_memory: OpenMemory, arguments: Mapping[str, Any]) -> Answer:
    """The tool's answer, or its surface's words for what went wrong. Never raises."""
    settings: Settings | None = None
    try:
        memory = open_memory(tool)
        settings = memory.settings
        if tool.effect != "read" and not memory.may_write:
            raise MayOnlyRead(tool.name)
        return answered(tool, tool.run(memory, read_arguments(tool, arguments)))
    except RecollectError as failure:
        return failed(tool, arguments, failure, settings)
    except Exception as crash:
        return failed(tool, arguments, _logged(tool, crash), settings)


def read_resource(resource: Resource, open_memory: OpenMemory, uri: str) -> Content:
    """What the URI names; a `RecollectError` says why not, whatever broke."""
    reader = resource.reader
    try:
        content: Content = reader.function(open_memory(reader), uri)
    except RecollectError:
        raise
    except Exception as crash:
        raise _logged(reader, crash) from None
    return content


def unknown_tool(surface: Surface, name: str) -> Answer:
    """The surface's own words for the call of a tool that is not there; `UnknownTool` if it has none."""
    if surface.unknown is None:
        raise UnknownTool(name, surface.name, surface.tools)
    return _worded(surface, surface.unknown(name))


def failed_elsewhere(surface: Surface, name: str, failure: RecollectError) -> Answer:
    """The surface's own words for the failed call of another server's tool."""
    assert surface.external is not None
    return _worded(surface, surface.external(name, failure))


def _worded(surface: Surface, problem: Failure) -> Answer:
    text = problem.text if problem.text is not None else json_text(problem.structured, surface.indent)
    return Answer(problem.structured, (text,), problem.is_error, outcome="failed")


def answered(tool: Tool, returned: Any) -> Answer:
    """The answer around what the function returned; a list is put under the key `result`."""
    result = returned if isinstance(returned, Result) else Result(returned)
    structured = {"result": result.value} if tool.returns_list else result.value
    text = result.text if result.text is not None else json_text(structured, tool.surface.indent)
    has_json = result.text is None and tool.surface.indent is None
    return Answer(structured, (text, *result.also), False, result.meta, has_json=has_json)


def failed(tool: Tool, arguments: Mapping[str, Any], failure: RecollectError, settings: Settings | None) -> Answer:
    problem = tool.surface.style(tool, arguments, failure, settings or Settings())
    text = problem.text if problem.text is not None else json_text(problem.structured, tool.surface.indent)
    outcome: Outcome = "crashed" if isinstance(failure, Crashed) else "failed"
    return Answer(problem.structured, (text,), problem.is_error, outcome=outcome)


def _logged(tool: Tool, crash: Exception) -> Crashed:
    """Note where it broke, but not the exception's text: it may quote what people wrote."""
    reference = secrets.token_hex(4)
    frames = traceback.extract_tb(crash.__traceback__)[-6:]
    places = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    log.error("crash %s %s.%s %s at %s", reference, tool.surface.name, tool.name, type(crash).__name__, places)
    return Crashed(reference)
