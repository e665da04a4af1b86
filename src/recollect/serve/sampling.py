"""The client's own model, where a client still offers it, in the way its protocol knows.

The older one is asked through the protocol, from the thread of a call. The newer one lets no server ask: the call ends
with the questions, and the client makes it again with the answers, which it carries from round to round.
"""

import hashlib
import json
from typing import Any

import mcp_types as types
from anyio import fail_after, from_thread
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from recollect.llm.port import Ask, BadAnswer, ModelUnavailable
from recollect.llm.unanswered import Unanswered

Context = ServerRequestContext[Any, Any]
LONGEST_SECONDS = 120
NAME = "sampling"
MOST_ROUNDS = 8
"""Clients give up after ten; what is not answered by then is done without a model."""
MOST_ASKS = 16


def client_model(context: Context, params: types.CallToolRequestParams) -> "ClientModel | LaterModel | None":
    """The model of the client behind a call, if it offers one."""
    declared = context.session.client_capabilities
    if declared is None or declared.sampling is None:
        return None
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return LaterModel(_rounds(params))
    return ClientModel(context)


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
        return _said(_text(reply))

    async def _asked(self, request: types.CreateMessageRequest) -> types.CreateMessageResult:
        with fail_after(LONGEST_SECONDS):
            return await self._context.session.send_request(request, types.CreateMessageResult)


class Rounds(BaseModel):
    """What the client carries for us from round to round: how many there were, and what it answered."""

    count: int = 0
    answers: dict[str, str | None] = {}


class LaterModel:
    """Answers with what the client brought along; what it did not bring is asked for by ending the call."""

    name = NAME

    def __init__(self, rounds: Rounds) -> None:
        self._rounds = rounds

    def answer(self, ask: Ask) -> str:
        key = _key(ask)
        if key in self._rounds.answers:
            return _said(self._rounds.answers[key])
        if self._rounds.count >= MOST_ROUNDS:
            raise ModelUnavailable(NAME, "too many questions for one call")
        raise Unanswered([ask])

    def asking(self, missing: Unanswered) -> types.InputRequiredResult:
        """What the client is to answer before it makes the call again."""
        requests: types.InputRequests = {_key(ask): _request(ask) for ask in missing.asks[:MOST_ASKS]}
        state = Rounds(count=self._rounds.count + 1, answers=self._rounds.answers)
        return types.InputRequiredResult(input_requests=requests, request_state=state.model_dump_json())


def _rounds(params: types.CallToolRequestParams) -> Rounds:
    """What was answered so far. The client may have made up any of it: it speaks for nobody but itself."""
    try:
        before = Rounds.model_validate_json(params.request_state or "{}")
    except ValidationError:
        before = Rounds()
    fresh = {key: _text(reply) for key, reply in (params.input_responses or {}).items()}
    return Rounds(count=before.count, answers=before.answers | fresh)


def _text(reply: object) -> str | None:
    """The text of an answer; none if it has none."""
    if not isinstance(reply, types.CreateMessageResult | types.CreateMessageResultWithTools):
        return None
    return reply.content.text if isinstance(reply.content, types.TextContent) else None


def _said(text: str | None) -> str:
    if text is None or not text.strip():
        raise BadAnswer(NAME, "its answer is no text")
    return text


def _key(ask: Ask) -> str:
    """The same for the same question, in whichever round."""
    return hashlib.sha256(json.dumps([ask.told, ask.user, ask.max_tokens]).encode()).hexdigest()[:32]


def _request(ask: Ask) -> types.CreateMessageRequest:
    question = types.SamplingMessage(role="user", content=types.TextContent(text=ask.user))
    params = types.CreateMessageRequestParams(
        messages=[question], system_prompt=ask.told, max_tokens=ask.max_tokens, temperature=0
    )
    return types.CreateMessageRequest(params=params)
