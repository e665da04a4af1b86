"""The client's own model, where a client still offers it: asked through the protocol, from the thread of a call."""

from typing import Any

import mcp_types as types
from anyio import fail_after, from_thread
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from recollect.llm.port import Ask, BadAnswer, ModelUnavailable

Context = ServerRequestContext[Any, Any]
LONGEST_SECONDS = 120
NAME = "sampling"


def client_model(context: Context) -> "ClientModel | None":
    """The model of the client behind a request, if it offers one; the newer protocol lets no server ask."""
    declared = context.session.client_capabilities
    offers = declared is not None and declared.sampling is not None
    return ClientModel(context) if offers and context.protocol_version not in MODERN_PROTOCOL_VERSIONS else None


class ClientModel:
    """Answers by asking the client, who may ask its user first."""

    name = NAME

    def __init__(self, context: Context) -> None:
        self._context = context

    def answer(self, ask: Ask) -> str:
        """The text of the client's answer; to be called from the thread in which a tool runs."""
        try:
            reply: types.CreateMessageResult = from_thread.run(self._asked, _request(ask))
        except (MCPError, TimeoutError) as problem:
            raise ModelUnavailable(NAME, type(problem).__name__) from problem
        if not isinstance(reply.content, types.TextContent) or not reply.content.text.strip():
            raise BadAnswer(NAME, "its answer is no text")
        return reply.content.text

    async def _asked(self, request: types.CreateMessageRequest) -> types.CreateMessageResult:
        with fail_after(LONGEST_SECONDS):
            return await self._context.session.send_request(request, types.CreateMessageResult)


def _request(ask: Ask) -> types.CreateMessageRequest:
    question = types.SamplingMessage(role="user", content=types.TextContent(text=ask.user))
    params = types.CreateMessageRequestParams(
        messages=[question], system_prompt=ask.told, max_tokens=ask.max_tokens, temperature=0
    )
    return types.CreateMessageRequest(params=params)
