"""Fetching a body past six checks: capability, account, signed confirmation, two token budgets and a slot."""

import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil
from time import monotonic, sleep
from typing import NamedTuple

from recollect.deadline import without_deadline
from recollect.keep.mesh.accounts import CONNECTORS, MeshUri
from recollect.keep.mesh.connectors import Connector, FetchDeadline, FetchedBody
from recollect.keep.mesh.fetch_errors import (
    AccountDisabled,
    BatchLimitReached,
    ConfirmationRequired,
    DailyBudgetReached,
    MeshBusy,
    MeshItemNotFound,
    MeshProblem,
    MissingConnector,
)
from recollect.memory import Memory
from recollect.store import mesh_queries
from recollect.store.change import Change
from recollect.store.mesh_queries import MeshAccount, TokenUse, find_account
from recollect.store.view import View
from recollect.when.instant import MINUTE, SECOND, Instant, day_start, local_day

TOKEN_LIFETIME = 5 * MINUTE


class ConfirmationClaim(NamedTuple):
    """What a confirmation token is valid for."""

    workspace: int
    uri: str
    estimate: int
    expires_at: int
    nonce: str


def sign_token(secret: bytes, claim: ConfirmationClaim) -> str:
    payload = json.dumps(list(claim), separators=(",", ":")).encode()
    return f"{_encode(payload)}.{_encode(_signature(secret, payload))}"


def token_fault(secret: bytes, token: str, workspace: int, uri: str, estimate: int, now: Instant) -> str | None:
    """Why a token is invalid, or none if it is valid."""
    encoded, dot, encoded_signature = token.partition(".")
    try:
        payload, signature = _decode(encoded), _decode(encoded_signature)
    except (NotBase64, ValueError):
        return "the confirmation token is wrong"
    if not dot or not hmac.compare_digest(signature, _signature(secret, payload)):
        return "the confirmation token is wrong"
    claim = ConfirmationClaim(*json.loads(payload))
    if (claim.workspace, claim.uri) != (workspace, uri):
        return "the confirmation token is wrong: it was given for another address"
    if claim.estimate < estimate:
        return "the confirmation token is wrong: the body has grown since it was given"
    return "the confirmation token has expired" if claim.expires_at <= now else None


def _signature(secret: bytes, payload: bytes) -> bytes:
    return hmac.new(secret, payload, sha256).digest()


def _encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


BATCH_WINDOW = MINUTE
SLOT_LEASE = 30 * SECOND
WAIT_SECONDS = 2.0
STEP_SECONDS = 0.05


def used_today(view: View) -> int:
    """The tokens that the workspace has fetched since local midnight."""
    midnight = day_start(local_day(view.now, view.world.zone), view.world.zone)
    return sum(use.tokens for use in mesh_queries.token_uses(view, midnight))


def used_last_minute(view: View, session: str) -> int:
    """The tokens that a session has fetched in the last minute."""
    uses = mesh_queries.token_uses(view, view.now - BATCH_WINDOW + 1)
    return sum(use.tokens for use in uses if use.session == session)


def debit(change: Change, session: str, tokens: int) -> None:
    """Count fetched tokens, and drop the counts that no budget covers any more."""
    mesh_queries.add_token_use(change, secrets.token_hex(8), TokenUse(session, change.now, tokens))
    yesterday = day_start(local_day(change.now, change.world.zone) - 1, change.world.zone)
    mesh_queries.drop_token_uses(change, before=yesterday)


@contextmanager
def fetch_slot(memory: Memory, most: int) -> Iterator[None]:
    """One of the slots for concurrent fetches, which all processes share."""
    slot = secrets.token_hex(8)
    until = monotonic() + WAIT_SECONDS
    while not _claim_slot(memory, slot, most):
        if monotonic() > until:
            raise MeshBusy(most)
        sleep(STEP_SECONDS)
    try:
        yield
    finally:
        with without_deadline(), memory.write() as change:
            mesh_queries.free_slot(change, slot)


def _claim_slot(memory: Memory, slot: str, most: int) -> bool:
    with memory.write() as change:
        if mesh_queries.count_slots(change) >= most:
            return False
        mesh_queries.take_slot(change, slot, change.now + SLOT_LEASE)
    return True


RUNGS = 6


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """The settings of the ladder."""

    confirm_above: int
    batch: int
    daily: int
    at_once: int


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """A body to fetch; at most `budget` tokens of it are returned and counted against `session`."""

    uri: MeshUri
    budget: int
    token: str | None
    session: str


@dataclass(slots=True)
class FetchTrace:
    """A request, and the rungs of the ladder that it has passed, as `_trace` shows them."""

    request: FetchRequest
    steps: list[str] = field(default_factory=list)

    def record(self, step: str) -> None:
        self.steps.append(step)


def limits_of(memory: Memory) -> FetchLimits:
    settings = memory.settings
    return FetchLimits(
        settings.integer("carabase.mesh.confirm_above_tokens", 8_000),
        settings.integer("carabase.mesh.batch_tokens", 20_000),
        settings.integer("carabase.mesh.daily_tokens", 50_000),
        settings.integer("carabase.mesh.concurrency", 2),
    )


def fetch_body(memory: Memory, wanted: FetchRequest) -> FetchedBody:
    """The body; a `MeshProblem` carries the trace of the checks up to the refusal."""
    trace = FetchTrace(wanted)
    try:
        return _pass_rungs(memory, trace)
    except MeshProblem as problem:
        if problem.rung is not None:
            trace.record(f"{_RUNG_NAMES[problem.rung]} → refused at rung {problem.rung}/{RUNGS}")
        problem.trace = tuple(trace.steps)
        raise


_RUNG_NAMES = {1: "capability", 2: "account", 3: "confirmation", 4: "batch", 5: "daily budget", 6: "slot"}


def _pass_rungs(memory: Memory, trace: FetchTrace) -> FetchedBody:
    uri, limits = trace.request.uri, limits_of(memory)
    connector = CONNECTORS.get(uri.connector)
    if connector is None:
        raise MissingConnector(uri.connector)
    trace.record(f"resolve mesh://{uri.connector}/account={uri.account} → capability ok")
    account = _enabled_account(memory, uri)
    trace.record("account → enabled")
    deadline = FetchDeadline()
    estimate = _estimate(connector, account, uri, deadline)
    spent = _confirm(memory, trace.request, estimate, limits)
    trace.record(f"confirmation → estimate {estimate} ok")
    try:
        _check_budgets(memory, trace, min(estimate, trace.request.budget), limits)
        with fetch_slot(memory, limits.at_once):
            trace.record("slot → free")
            return _fetch_from_connector(connector, account, uri, deadline)
    except MeshProblem:
        _release_token(memory, spent)
        raise


def _estimate(connector: Connector, account: MeshAccount, uri: MeshUri, deadline: FetchDeadline) -> int:
    """The tokens of a body by its size; zero if it is missing, which only a caller past all checks may learn."""
    try:
        return ceil(connector.stat(account.folder, uri.keys, deadline).size / 4)
    except MeshItemNotFound:
        return 0


def _fetch_from_connector(
    connector: Connector, account: MeshAccount, uri: MeshUri, deadline: FetchDeadline
) -> FetchedBody:
    body = connector.fetch(account.folder, uri.keys, deadline)
    deadline.check()
    return body


def _enabled_account(memory: Memory, uri: MeshUri) -> MeshAccount:
    with memory.read() as view:
        found = find_account(view, uri.connector, uri.account)
    if found is None or not found.enabled:
        raise AccountDisabled(uri.connector, uri.account)
    return found


def _check_budgets(memory: Memory, trace: FetchTrace, more: int, limits: FetchLimits) -> None:
    with memory.read() as view:
        recent, today = used_last_minute(view, trace.request.session), used_today(view)
    if recent + more > limits.batch:
        raise BatchLimitReached(recent, limits.batch)
    trace.record(f"batch → {recent} of {limits.batch} used")
    if today + more > limits.daily:
        raise DailyBudgetReached(today, limits.daily)
    trace.record(f"daily budget → {today} of {limits.daily} used")


def _confirm(memory: Memory, wanted: FetchRequest, estimate: int, limits: FetchLimits) -> str | None:
    """Check and spend the confirmation token that a large body needs; none if the body is small."""
    if estimate <= limits.confirm_above:
        return None
    with memory.write() as change:
        secret = _workspace_secret(change)
        fault = "this body is large"
        if wanted.token is not None:
            found = _check_token(change, secret, wanted.token, wanted.uri, estimate)
            if found is None:
                return _spend_token(change, wanted.token)
            fault = found
        expires = Instant(change.now + TOKEN_LIFETIME)
        claim = ConfirmationClaim(change.ws, str(wanted.uri), estimate, expires, secrets.token_hex(4))
        token = sign_token(secret, claim)
    raise ConfirmationRequired(fault, token, estimate, expires)


def _check_token(change: Change, secret: bytes, token: str, uri: MeshUri, estimate: int) -> str | None:
    """Why the token is invalid, or none if it is valid."""
    if mesh_queries.is_token_used(change, _token_digest(token)):
        return "the confirmation token was used already"
    return token_fault(secret, token, change.ws, str(uri), estimate, change.now)


def _spend_token(change: Change, token: str) -> str:
    mesh_queries.drop_used_tokens(change, before=change.now - 2 * TOKEN_LIFETIME)
    mesh_queries.mark_token_used(change, _token_digest(token))
    return token


def _release_token(memory: Memory, token: str | None) -> None:
    """Make a token valid again: a refused fetch costs nothing."""
    if token is not None:
        with memory.write() as change:
            mesh_queries.unmark_token_used(change, _token_digest(token))


def _token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _workspace_secret(change: Change) -> bytes:
    """The signing secret of the workspace, created when first needed."""
    if mesh_queries.workspace_secret(change) is None:
        mesh_queries.put_workspace_secret(change, secrets.token_hex(32))
    return bytes.fromhex(mesh_queries.workspace_secret(change) or "")


def debit_fetched(memory: Memory, wanted: FetchRequest, tokens: int) -> int:
    """Debit the returned tokens; the workspace's total of today."""
    with memory.write() as change:
        debit(change, wanted.session, tokens)
        return used_today(change)
