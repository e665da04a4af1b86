"""Any endpoint with the OpenAI chat completions API."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request

from recollect.errors import Refused
from recollect.http_client import open_request
from recollect.llm.port import BadAnswer, Json, ModelRequest, ModelUnavailable

MAX_ANSWER = 8 * 1024 * 1024
PART = 64 * 1024
BACKOFF_SECONDS = (1.0, 4.0)
MAX_BACKOFF_SECONDS = 30.0
RETRY_STATUSES = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
FORM_REFUSED = frozenset({400, 404, 415, 422})
FORMS = ("json_schema", "json_object", "bare")
"""Response formats, strictest first; the first one that the endpoint accepts is used from then on."""


@dataclass(frozen=True, slots=True)
class WaitClock:
    """Clock and sleep, replaceable in tests."""

    now: Callable[[], float] = time.monotonic
    wait: Callable[[float], None] = time.sleep


class _RetryableFailure(Exception):
    """This attempt failed in a way that another may not."""

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


class _FormRefused(Exception):
    """The endpoint does not accept the requested response format."""


class RemoteModel:
    """Answers from `{url}/chat/completions`, limited in time and size, with retries."""

    def __init__(
        self, url: str, name: str, *, key: str | None = None, timeout: float = 60.0, clock: WaitClock | None = None
    ) -> None:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise Refused("llm.url is not an http or https address", field="llm.url")
        self.name = name
        self._url = url.rstrip("/") + "/chat/completions"
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._timeout = timeout
        self._clock = clock or WaitClock()
        self._form = 0

    def answer(self, ask: ModelRequest) -> str:
        """The text of the answer; raises ModelUnavailable if the last retry fails."""
        waits = iter(BACKOFF_SECONDS)
        while True:
            try:
                return self._attempt(ask)
            except _FormRefused as problem:
                self._form = (self._form + 1) % len(FORMS)
                if not self._form:
                    raise ModelUnavailable(self.name, str(problem)) from None
            except _RetryableFailure as problem:
                pause = next(waits, None)
                if pause is None:
                    raise ModelUnavailable(self.name, str(problem)) from problem.__cause__
                self._clock.wait(min(problem.after or pause, MAX_BACKOFF_SECONDS))

    def _attempt(self, ask: ModelRequest) -> str:
        request = Request(self._url, json.dumps(self._body(ask)).encode(), self._headers, method="POST")
        until = self._clock.now() + self._timeout
        try:
            with open_request(request, self._timeout) as response:
                return self._answer_text(_read_body(response, self._clock, until))
        except HTTPError as problem:
            with problem:
                raise self._refusal(problem) from None
        except (OSError, HTTPException) as problem:
            raise _RetryableFailure(_failure_kind(problem)) from problem

    def _refusal(self, problem: HTTPError) -> Exception:
        reason = f"HTTP {problem.code}"
        if problem.code in RETRY_STATUSES:
            after = problem.headers.get("Retry-After") or ""
            return _RetryableFailure(reason, float(after) if after.isdecimal() else None)
        return _FormRefused(reason) if problem.code in FORM_REFUSED else ModelUnavailable(self.name, reason)

    def _body(self, ask: ModelRequest) -> Json:
        """The request body; the schema is also in the prompt, for endpoints that do not enforce one."""
        form = FORMS[self._form]
        body: Json = {"model": self.name}
        if form != "bare":
            body |= {"max_tokens": ask.max_tokens, "temperature": 0}
        if ask.schema is not None:
            if form == "json_schema":
                body["response_format"] = {"type": form, "json_schema": {"name": "answer", "schema": ask.schema}}
            elif form == "json_object":
                body["response_format"] = {"type": form}
        messages = [{"role": "system", "content": ask.system_prompt}, {"role": "user", "content": ask.user}]
        return body | {"messages": messages}

    def _answer_text(self, body: bytes) -> str:
        try:
            choice = json.loads(body)["choices"][0]
            text, finish = _text(choice["message"]), choice.get("finish_reason")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise _RetryableFailure("its answer is not a chat completion") from None
        if finish == "length":
            raise BadAnswer(self.name, "its answer was cut off")
        if finish == "content_filter" or not text.strip():
            raise BadAnswer(self.name, "its answer is empty")
        return text


def _text(message: dict[str, Any]) -> str:
    """The text of a message, whose content is a string or a list of parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if content is not None and not isinstance(content, str):
        raise TypeError
    return content or ""


def _read_body(response: HTTPResponse, clock: WaitClock, until: float) -> bytes:
    """The complete body; a response that is too slow or too long is abandoned."""
    parts, size = [], 0
    while part := response.read1(PART):
        parts.append(part)
        size += len(part)
        if size > MAX_ANSWER:
            raise _RetryableFailure(f"its answer is over {MAX_ANSWER} bytes")
        if clock.now() > until:
            raise _RetryableFailure("it took too long")
    if response.length:
        raise _RetryableFailure("its answer broke off")
    return b"".join(parts)


def _failure_kind(problem: Exception) -> str:
    """The kind of a failure, since its message may contain an address with a password."""
    inner = problem.reason if isinstance(problem, URLError) else problem
    if isinstance(inner, TimeoutError):
        return "it took too long"
    return f"no connection ({type(inner).__name__})" if isinstance(inner, OSError) else "its answer is not HTTP"
