"""Confirmation before a destructive call, by whichever means the client's protocol version has."""

from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from recollect.surfaces.declarations import Tool

KEY = "confirm"
FORM: dict[str, Any] = {"type": "object", "properties": {}}


async def confirmed(
    context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, tool: Tool
) -> types.CallToolResult | types.InputRequiredResult | None:
    """None to go on, else the result to return instead. Clients that cannot ask are trusted to have asked."""
    if not _can_ask(context):
        return None
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return _confirm_by_retry(params, tool)
    reply = await context.session.elicit_form(_question(tool), FORM, context.request_id)
    return None if reply.action == "accept" else _declined(tool)


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
