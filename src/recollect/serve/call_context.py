"""What a client provides for a call: a progress channel, possibly its own language model, and a person who confirms."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from recollect.deadline import current_deadline
from recollect.llm.port import DeferredAnswers
from recollect.model.progress import Progress, ProgressListener, ignore_progress
from recollect.serve.sampling import ClientModel, DeferredClientModel
from recollect.surfaces.call_errors import NotConfirmed
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import CallMemory, OpenMemory, call, failure_answer, json_text
from recollect.text.fold import shorten

if TYPE_CHECKING:
    from recollect.memory import Memory


@dataclass(frozen=True, slots=True)
class CallContext:
    """Progress channel and sampling model of the client; the model is used where none is configured."""

    progress: ProgressListener = ignore_progress
    model: ClientModel | DeferredClientModel | None = None
    is_confirmed: bool = False
    key: Any = None
    """The idempotency key as the client sent it."""

    @property
    def answers_later(self) -> bool:
        return isinstance(self.model, DeferredClientModel)

    def bind(self, memory: "Memory") -> "Memory":
        return replace(memory, report_progress=self._report, client_model=self.model, is_confirmed=self.is_confirmed)

    def _report(self, progress: Progress) -> None:
        deadline = current_deadline()
        if deadline is not None:
            deadline.renew()
        self.progress(progress)


def run_tool(
    tool: Tool, open_memory: OpenMemory, arguments: Mapping[str, Any], client: CallContext
) -> Answer | DeferredAnswers:
    """The tool's answer, or the questions the client must answer first; in that case nothing is written."""
    from recollect.memory import Memory

    is_nested = tool.asks_model and tool.effect != "read" and client.answers_later
    try:
        with ExitStack() as stack:

            def opened(tool: Tool) -> CallMemory:
                memory = open_memory(tool)
                if not isinstance(memory, Memory):
                    return memory
                bound = client.bind(memory)
                return stack.enter_context(bound.nested()) if is_nested and bound.model is bound.client_model else bound

            return call(tool, opened, arguments)
    except DeferredAnswers as missing:
        return missing


Preview = Callable[[], Awaitable[types.CallToolResult]]
"""The result of the call without a confirmation."""

KEY = "confirm"
SHOWN_CHARACTERS = 200
FORM: dict[str, Any] = {"type": "object", "properties": {}}


class Confirmation(NamedTuple):
    """Whether a person agreed to a call, or what to return instead of calling."""

    is_given: bool = False
    pending: types.CallToolResult | types.InputRequiredResult | None = None
    refusal: Answer | None = None


async def confirm(
    context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, tool: Tool, preview: Preview
) -> Confirmation:
    """Ask the client before a destructive call; clients that cannot ask are trusted to have asked."""
    if not tool.destroys(params.arguments or {}) or not _can_ask(context):
        return Confirmation()
    is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    reply = (params.input_responses or {}).get(KEY) if is_modern else None
    if reply is None:
        would_do = await preview() if tool.destroys_if is not None else None
        if would_do is not None and would_do.is_error:
            return Confirmation(pending=would_do)
        question = _question(tool, params.arguments or {}, would_do)
        if is_modern:
            return Confirmation(pending=_request(question))
        reply = await context.session.elicit_form(question, FORM, context.request_id)
    is_given = isinstance(reply, types.ElicitResult) and reply.action == "accept"
    refusal = None if is_given else failure_answer(tool, params.arguments or {}, NotConfirmed(tool.name), None)
    return Confirmation(is_given, refusal=refusal)


def _request(question: str) -> types.InputRequiredResult:
    """The newer protocol has no server requests: the client repeats the call with the reply in it."""
    form = types.ElicitRequestFormParams(message=question, requested_schema=FORM)
    return types.InputRequiredResult(input_requests={KEY: types.ElicitRequest(params=form)})


def _can_ask(context: ServerRequestContext[Any, Any]) -> bool:
    declared = context.session.client_capabilities
    asking = declared.elicitation if declared is not None else None
    # Before there were modes, clients declared form support as a bare `{}`.
    return asking is not None and (asking.form is not None or asking.url is None)


def _question(tool: Tool, arguments: Mapping[str, Any], would_do: types.CallToolResult | None) -> str:
    """What would be removed: the target that the call found, else the arguments as they were given."""
    target = (would_do.structured_content or {}).get("target") if would_do is not None else None
    if target is None:
        shown = shorten(json_text(arguments), SHOWN_CHARACTERS)
        return f"{tool.name} removes or replaces what is stored: {shown}. Continue?"
    return f"Erase for good the {target['kind']} “{shorten(target['text'], SHOWN_CHARACTERS)}” [{target['id']}]?"
