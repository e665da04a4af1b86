"""Confirmation before a destructive call, by whichever means the client's protocol version has."""

from typing import Any, NamedTuple

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from recollect.surfaces.declarations import Tool

KEY = "confirm"
FORM: dict[str, Any] = {"type": "object", "properties": {}}


class Confirmation(NamedTuple):
    """Whether a person agreed to a call, or the result to return instead of calling."""

    is_given: bool = False
    pending: types.CallToolResult | types.InputRequiredResult | None = None


async def confirm(
    context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, tool: Tool
) -> Confirmation:
    """Ask the client before a destructive call; clients that cannot ask are trusted to have asked."""
    if not tool.destroys(params.arguments or {}) or not _can_ask(context):
        return Confirmation()
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        pending = _confirm_by_retry(params, tool)
    else:
        reply = await context.session.elicit_form(_question(tool), FORM, context.request_id)
        pending = None if reply.action == "accept" else _declined(tool)
    return Confirmation(pending is None, pending)


def _confirm_by_retry(
    params: types.CallToolRequestParams, tool: Tool
) -> types.CallToolResult | types.InputRequiredResult | None:
    """The newer protocol has no server requests: the client repeats the call with the reply in it."""
    reply = (params.input_responses or {}).get(KEY)
    if reply is None:
        form = types.ElicitRequestFormParams(message=_question(tool), requested_schema=FORM)
        return types.InputRequiredResult(input_requests={KEY: types.ElicitRequest(params=form)})
    return None if isinstance(reply, types.ElicitResult) and reply.action == "accept" else _declined(tool)


def _can_ask(context: ServerRequestContext[Any, Any]) -> bool:
    declared = context.session.client_capabilities
    asking = declared.elicitation if declared is not None else None
    # Before there were modes, clients declared form support as a bare `{}`.
    return asking is not None and (asking.form is not None or asking.url is None)


def _question(tool: Tool) -> str:
    return f"{tool.name} removes or replaces what is stored. Go on?"


def _declined(tool: Tool) -> types.CallToolResult:
    text = f"{tool.name} was not confirmed; nothing was changed"
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)
