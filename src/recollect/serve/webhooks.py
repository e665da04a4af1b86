"""Webhooks: `/hooks/{source}` takes deliveries whose signature proves who sent them, each at most once."""

import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from anyio import to_thread
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from recollect.errors import RecollectError, Unavailable
from recollect.importers.webhook_payloads import PAYLOAD_READERS, import_delivery
from recollect.model.actor import Actor
from recollect.model.json_limits import json_object
from recollect.serve.guard import HOOKS_ROOT
from recollect.serve.served_store import ServedStore

LARGEST_DELIVERY = 5 * 1024 * 1024
SECONDS_VALID = 300
DELIVERIES_KEPT = 10_000
WORKSPACE_SETTING = "hooks.workspace"


class Rejected(Exception):
    """A delivery that is not taken: the status of the answer and what its sender should do."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Signed(NamedTuple):
    """The signature that a delivery carries, the bytes that it signs, when it was sent if it says so, and its id."""

    signature: str
    content: bytes
    sent_at: float | None
    delivery: str


SignatureReader = Callable[[Headers, bytes], Signed]


def _github(headers: Headers, body: bytes) -> Signed:
    signature = headers.get("x-hub-signature-256", "").removeprefix("sha256=")
    return Signed(signature, body, None, headers.get("x-github-delivery", ""))


def _linear(headers: Headers, body: bytes) -> Signed:
    sent = _json(body).get("webhookTimestamp")
    seconds = _number(str(sent)) / 1000
    return Signed(headers.get("linear-signature", ""), body, seconds, headers.get("linear-delivery", ""))


def _slack(headers: Headers, body: bytes) -> Signed:
    sent = headers.get("x-slack-request-timestamp", "")
    signature = headers.get("x-slack-signature", "").removeprefix("v0=")
    delivery = str(_json(body).get("event_id") or "")
    return Signed(signature, f"v0:{sent}:".encode() + body, _number(sent), delivery)


def _generic(headers: Headers, body: bytes) -> Signed:
    parts = dict(part.partition("=")[::2] for part in headers.get("x-recollect-signature", "").split(","))
    sent = parts.get("t", "")
    return Signed(parts.get("v1", ""), f"{sent}.".encode() + body, _number(sent), headers.get("x-delivery-id", ""))


SIGNATURE_READERS: Mapping[str, SignatureReader] = {
    "github": _github,
    "linear": _linear,
    "slack": _slack,
    "generic": _generic,
}


def _number(text: str) -> float:
    return float(text) if text.isascii() and text.isdigit() else 0.0


def _json(body: bytes) -> Mapping[str, Any]:
    value = json_object(body)
    if value is None:
        raise Rejected(400, "invalid_input", "the body is not a JSON object")
    return value


def check_signature(source: str, secret: str, headers: Headers, body: bytes, now: float) -> Signed:
    """The signature of a delivery, if it is valid and recent; a captured one is of no use later."""
    signed = SIGNATURE_READERS[source](headers, body)
    expected = hmac.new(secret.encode(), signed.content, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected.encode(), signed.signature.encode()):
        raise Rejected(401, "bad_signature", f"the signature does not fit the secret hooks.{source}.secret")
    if signed.sent_at is not None and abs(now - signed.sent_at) > SECONDS_VALID:
        raise Rejected(401, "stale_delivery", f"the delivery was signed more than {SECONDS_VALID} seconds ago")
    return signed


@dataclass(frozen=True, slots=True)
class Webhooks:
    """Takes deliveries into the workspace of `hooks.workspace`, else the default one."""

    served: ServedStore
    now: Callable[[], float] = time.time
    seen: OrderedDict[str, None] = field(default_factory=OrderedDict)

    async def receive(self, request: Request) -> Response:
        try:
            return JSONResponse(await self._take(request))
        except Rejected as rejected:
            return JSONResponse({"error": rejected.code, "message": str(rejected)}, rejected.status)
        except RecollectError as failure:
            status = 503 if isinstance(failure, Unavailable) else 422
            return JSONResponse({"error": failure.code, "message": str(failure)}, status)

    async def _take(self, request: Request) -> dict[str, Any]:
        source = request.path_params["source"]
        if source not in PAYLOAD_READERS:
            raise Rejected(404, "not_found", f"there are {', '.join(sorted(PAYLOAD_READERS))}")
        body = await _read_body(request)
        secret = await to_thread.run_sync(self._secret, source)
        signed = check_signature(source, secret, request.headers, body, self.now())
        payload = _json(body)
        if payload.get("type") == "url_verification":
            return {"challenge": str(payload.get("challenge", ""))}
        delivery = f"{source}:{signed.delivery or signed.signature}"
        if delivery in self.seen:
            return {"status": "known"}
        taken = await to_thread.run_sync(self._import, source, payload)
        self._note(delivery)
        return taken

    def _secret(self, source: str) -> str:
        memory = self.served.workspace(self.served.local.workspace)
        with memory.read() as view:
            secret = memory.settings_in(view).text(f"hooks.{source}.secret")
        if not secret:
            name = f"RECOLLECT_HOOKS_{source.upper()}_SECRET"
            raise Rejected(404, "not_configured", f"set the secret that {source} signs with in {name}")
        return secret

    def _import(self, source: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        local = self.served.workspace(self.served.local.workspace)
        workspace = local.settings.text(WORKSPACE_SETTING) or self.served.local.workspace
        # Whoever may write there is known to the service, not to us.
        actor = Actor("hooks", "ingest", f"webhook:{source}", trust="known")
        memory = self.served.workspace(workspace).with_parts(actor=actor)
        result = import_delivery(memory, source, payload)
        answer: dict[str, Any] = {"status": "taken", "records": result.records, "changed": result.changed}
        extra = {"left_out": dict(result.left_out), "skipped": list(result.skipped)}
        return answer | {key: value for key, value in extra.items() if value}

    def _note(self, key: str) -> None:
        self.seen[key] = None
        while len(self.seen) > DELIVERIES_KEPT:
            self.seen.popitem(last=False)


async def _read_body(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_DELIVERY:
            raise Rejected(413, "too_large", f"a delivery has at most {LARGEST_DELIVERY:,} bytes")
    return bytes(body)


def create_webhooks(served: ServedStore) -> Starlette:
    return Starlette(routes=[Route(f"{HOOKS_ROOT}{{source}}", Webhooks(served).receive, methods=["POST"])])
