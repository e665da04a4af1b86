"""Webhooks: `/hooks/{source}` takes deliveries whose signature proves who sent them, each at most once."""

import hashlib
import hmac
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeVar

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from recollect.deadline import check_deadline
from recollect.errors import RecollectError, Unavailable
from recollect.importers.import_run import ImportItem, ImportResult, import_items
from recollect.importers.record_files import as_is
from recollect.ingest.api_object import ApiObject
from recollect.ingest.chats.slack import SlackNames, is_slack_message, read_slack_message
from recollect.ingest.fields import BadLine
from recollect.ingest.json_stream import JsonItem
from recollect.ingest.line import IngestItem, parse_line
from recollect.ingest.memory_items import parse_lines
from recollect.ingest.trackers.github import is_github, read_github
from recollect.ingest.trackers.linear import is_linear, read_linear
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.model.json_limits import json_object
from recollect.serve.call_deadlines import run_in_time
from recollect.serve.guard import HOOKS_ROOT
from recollect.serve.open_store import ServedStore
from recollect.serve.problem_json import retry_header

Json = Mapping[str, Any]
Value = TypeVar("Value")
PayloadReader = Callable[[Json, Counter[str]], Iterator[IngestItem]]
OTHER_EVENTS = "events of other kinds"


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """What became of one delivery: its records, how many of them are new or changed, and what was left out."""

    records: int
    changed: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()


def import_delivery(memory: Memory, source: str, payload: Json) -> DeliveryResult:
    """Take in one delivery; one that was taken before changes nothing."""
    left_out: Counter[str] = Counter()
    try:
        lines = list(PAYLOAD_READERS[source](payload, left_out))
    except BadLine as problem:
        return DeliveryResult(0, 0, skipped=(str(problem),))
    items = [ImportItem(number, 0, line.hash, partial(as_is, line)) for number, line in enumerate(lines, start=1)]
    result: ImportResult = import_items(memory, f"webhook of {source}", iter(items), len(items))
    skipped = tuple(each.reason for each in result.skipped)
    return DeliveryResult(len(lines), result.tally.changed, {key: n for key, n in left_out.items() if n}, skipped)


def _read_github(payload: Json, left_out: Counter[str]) -> Iterator[IngestItem]:
    item = JsonItem(payload, {})
    if is_github(item):
        yield from read_github(item, left_out)
    else:
        left_out[OTHER_EVENTS] += 1


def _read_linear(payload: Json, left_out: Counter[str]) -> Iterator[IngestItem]:
    item = JsonItem(payload.get("data"), {})
    if payload.get("action") in ("create", "update") and is_linear(item):
        yield from read_linear(item, left_out)
    else:
        left_out[OTHER_EVENTS] += 1


def _read_slack(payload: Json, left_out: Counter[str]) -> Iterator[IngestItem]:
    event = payload.get("event")
    # An edited message stands inside the event that tells of the edit.
    changed = event.get("message") if isinstance(event, Mapping) else None
    said = changed if isinstance(changed, Mapping) else event
    if not is_slack_message(JsonItem(said, {})):
        left_out[OTHER_EVENTS] += 1
        return
    channel = ApiObject.of(event).text("channel")
    line = read_slack_message(ApiObject.of(said), SlackNames(), channel, left_out)
    if line is not None:
        yield line


def _read_generic(payload: Json, left_out: Counter[str]) -> Iterator[IngestItem]:
    lines = payload.get("lines")
    if isinstance(lines, list):
        yield from parse_lines(lines, left_out)
    else:
        yield parse_line(payload)


PAYLOAD_READERS: Mapping[str, PayloadReader] = {
    "github": _read_github,
    "linear": _read_linear,
    "slack": _read_slack,
    "generic": _read_generic,
}


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
        raise Rejected(401, "bad_signature", f"the signature does not match the secret hooks.{source}.secret")
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
            headers = retry_header(getattr(failure, "retry_after", None))
            return JSONResponse({"error": failure.code, "message": str(failure)}, status, headers)

    async def _take(self, request: Request) -> dict[str, Any]:
        source = request.path_params["source"]
        if source not in PAYLOAD_READERS:
            raise Rejected(404, "not_found", f"there are {', '.join(sorted(PAYLOAD_READERS))}")
        body = await _read_body(request)
        secret = await self._in_time(partial(self._secret, source))
        signed = check_signature(source, secret, request.headers, body, self.now())
        payload = _json(body)
        if payload.get("type") == "url_verification":
            return {"challenge": str(payload.get("challenge", ""))}
        delivery = f"{source}:{signed.delivery or signed.signature}"
        if delivery in self.seen:
            return {"status": "known"}
        taken = await self._in_time(partial(self._import, source, payload))
        self._note(delivery)
        return taken

    async def _in_time(self, job: Callable[[], Value]) -> Value:
        return await run_in_time(self.served.call_seconds, job, current_default_thread_limiter())

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
        check_deadline()  # an import that was stopped lists it among what it skipped
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
