"""Idempotency keys: the answers of recent requests, so that a repeated request is not carried out twice."""

from typing import NamedTuple

from recollect.serve.api.calls import ApiAnswer
from recollect.serve.problem_json import ApiProblem

MAX_KEY_LENGTH = 255
MAX_ANSWERS = 1_000
MAX_BYTES = 16 * 1024 * 1024
SERVER_ERROR = 500


class Key(NamedTuple):
    """A key is valid for one token in one workspace."""

    token: str
    workspace: str
    text: str


class _Finished(NamedTuple):
    fingerprint: bytes
    answer: ApiAnswer


class IdempotencyKeys:
    """The latest answers of this process, used by its event loop only; a restart forgets them."""

    def __init__(self, max_answers: int = MAX_ANSWERS, max_bytes: int = MAX_BYTES) -> None:
        self._max_answers = max_answers
        self._max_bytes = max_bytes
        self._running: dict[Key, bytes] = {}
        self._finished: dict[Key, _Finished] = {}
        self._bytes = 0

    def claim(self, key: Key, fingerprint: bytes) -> ApiAnswer | None:
        """The earlier answer to the same request; None if the caller is to carry it out."""
        finished = self._finished.get(key)
        known = self._running.get(key) if finished is None else finished.fingerprint
        if known is not None and known != fingerprint:
            raise ApiProblem(
                "idempotency_conflict",
                "this Idempotency-Key was sent with another request",
                field="Idempotency-Key",
                next_step="Send a new key with a new request.",
            )
        if finished is not None:
            return finished.answer
        if known is not None:
            raise ApiProblem(
                "idempotency_conflict",
                "the first request with this Idempotency-Key is still running",
                field="Idempotency-Key",
                next_step="Repeat the request in a moment.",
            )
        self._running[key] = fingerprint
        return None

    def finish(self, key: Key, answer: ApiAnswer | None) -> None:
        """Keep the answer; none is kept for a failure of the server, so that the request can be repeated."""
        fingerprint = self._running.pop(key)
        if answer is None or answer.status >= SERVER_ERROR or len(answer.body) > self._max_bytes:
            return
        self._finished[key] = _Finished(fingerprint, answer)
        self._bytes += len(answer.body)
        while len(self._finished) > self._max_answers or self._bytes > self._max_bytes:
            oldest = self._finished.pop(next(iter(self._finished)))
            self._bytes -= len(oldest.answer.body)


def check_key(text: str) -> str:
    if not 1 <= len(text) <= MAX_KEY_LENGTH or not text.isprintable():
        message = f"Idempotency-Key should have 1 to {MAX_KEY_LENGTH} printable characters"
        raise ApiProblem("invalid_input", message, field="Idempotency-Key")
    return text
