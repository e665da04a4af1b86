"""Sampling: the client's own model, where the client offers it.

In the older protocol the server sends a request from the thread of a call. In the newer one servers send no requests:
the call ends with the questions, and the client repeats it with the answers, which it carries from round to round.
"""

import asyncio
import hashlib
import json
from typing import Any

import mcp_types as types
from anyio import fail_after
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from recollect.llm.port import BadAnswer, DeferredAnswers, ModelRequest, ModelUnavailable

Context = ServerRequestContext[Any, Any]
SAMPLING_TIMEOUT_SECONDS = 120
NAME = "sampling"
MAX_ROUNDS = 8
"""Clients give up after ten; what is unanswered by then is done without a model."""
MAX_REQUESTS_PER_ROUND = 16


def client_model(context: Context, params: types.CallToolRequestParams) -> "ClientModel | DeferredClientModel | None":
    """The model of the client behind a call, if it offers one."""
    declared = context.session.client_capabilities
    if declared is None or declared.sampling is None:
        return None
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return DeferredClientModel(_read_rounds(params))
    return ClientModel(context)


class ClientModel:
    """Sends sampling requests to the client, which may ask its user first."""

    name = NAME

    def __init__(self, context: Context) -> None:
        self._context = context
        self._loop = asyncio.get_running_loop()

    def answer(self, ask: ModelRequest) -> str:
        """The text of the client's answer; called from the thread of a tool."""
        try:
            reply = asyncio.run_coroutine_threadsafe(self._send(_request(ask)), self._loop).result()
        except (MCPError, TimeoutError) as problem:
            raise ModelUnavailable(NAME, type(problem).__name__) from problem
        return _message_text(_reply_text(reply))

    async def _send(self, request: types.CreateMessageRequest) -> types.CreateMessageResult:
        with fail_after(SAMPLING_TIMEOUT_SECONDS):
            return await self._context.session.send_request(request, types.CreateMessageResult)


class SamplingRounds(BaseModel):
    """State that the client carries between rounds: the number of rounds and the answers so far."""

    count: int = 0
    answers: dict[str, str | None] = {}


class DeferredClientModel:
    """Answers from the replies in the call; a missing reply ends the call with a request for it."""

    name = NAME

    def __init__(self, rounds: SamplingRounds) -> None:
        self._rounds = rounds

    def answer(self, ask: ModelRequest) -> str:
        key = _request_key(ask)
        if key in self._rounds.answers:
            return _message_text(self._rounds.answers[key])
        if self._rounds.count >= MAX_ROUNDS:
            raise ModelUnavailable(NAME, "too many questions for one call")
        raise DeferredAnswers([ask])

    def asking(self, missing: DeferredAnswers) -> types.InputRequiredResult:
        """The requests that the client must answer before it repeats the call."""
        requests: types.InputRequests = {
            _request_key(ask): _request(ask) for ask in missing.asks[:MAX_REQUESTS_PER_ROUND]
        }
        state = SamplingRounds(count=self._rounds.count + 1, answers=self._rounds.answers)
        return types.InputRequiredResult(input_requests=requests, request_state=state.model_dump_json())


def _read_rounds(params: types.CallToolRequestParams) -> SamplingRounds:
    """The answers so far, as the client reports them. They are not trusted beyond this client."""
    try:
        before = SamplingRounds.model_validate_json(params.request_state or "{}")
    except ValidationError:
        before = SamplingRounds()
    new = {key: _reply_text(reply) for key, reply in (params.input_responses or {}).items()}
    return SamplingRounds(count=before.count, answers=before.answers | new)


def _reply_text(reply: object) -> str | None:
    """The text of an answer; none if it has none."""
    if not isinstance(reply, types.CreateMessageResult | types.CreateMessageResultWithTools):
        return None
    return reply.content.text if isinstance(reply.content, types.TextContent) else None


def _message_text(text: str | None) -> str:
    if text is None or not text.strip():
        raise BadAnswer(NAME, "the answer contains no text")
    return text


def _request_key(ask: ModelRequest) -> str:
    """A key that is the same for the same request in every round."""
    return hashlib.sha256(json.dumps([ask.system_prompt, ask.user, ask.max_tokens]).encode()).hexdigest()[:32]


def _request(ask: ModelRequest) -> types.CreateMessageRequest:
    question = types.SamplingMessage(role="user", content=types.TextContent(text=ask.user))
    params = types.CreateMessageRequestParams(
        messages=[question], system_prompt=ask.system_prompt, max_tokens=ask.max_tokens, temperature=0
    )
    return types.CreateMessageRequest(params=params)
