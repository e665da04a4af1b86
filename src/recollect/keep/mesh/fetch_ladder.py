"""Fetching a body: capability, account, signed confirmation, token budgets and a slot, in this order."""

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

from recollect.keep.mesh.accounts import CONNECTORS, MeshAccount, MeshUri, find_account
from recollect.keep.mesh.connectors import Connector, Deadline, FetchedBody
from recollect.keep.mesh.problems import (
    AccountDisabled,
    BatchCap,
    ConfirmationRequired,
    DailyBudget,
    MeshBusy,
    MeshItemNotFound,
    MeshProblem,
    NoCapability,
)
from recollect.memory import Memory
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import MINUTE, SECOND, Instant, day_start, local_day

TOKEN_LIFETIME = 5 * MINUTE


class ConfirmationClaim(NamedTuple):
    """What a token vouches for."""

    workspace: int
    uri: str
    estimate: int
    expires_at: int
    nonce: str


def sign_token(secret: bytes, confirmed: ConfirmationClaim) -> str:
    payload = json.dumps(list(confirmed), separators=(",", ":")).encode()
    return f"{_encode(payload)}.{_encode(_signature(secret, payload))}"


def token_fault(secret: bytes, token: str, workspace: int, uri: str, estimate: int, now: Instant) -> str | None:
    """Why a token does not hold, or none if it does."""
    payload, dot, seal = token.partition(".")
    try:
        said, sealed = _decode(payload), _decode(seal)
    except (NotBase64, ValueError):
        return "the confirmation token is wrong"
    if not dot or not hmac.compare_digest(sealed, _signature(secret, said)):
        return "the confirmation token is wrong"
    confirmed = ConfirmationClaim(*json.loads(said))
    if (confirmed.workspace, confirmed.uri) != (workspace, uri):
        return "the confirmation token is wrong: it was given for another address"
    if confirmed.estimate < estimate:
        return "the confirmation token is wrong: the body has grown since it was given"
    return "the confirmation token has expired" if confirmed.expires_at <= now else None


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
    """The workspace's tokens since local midnight."""
    midnight = day_start(local_day(view.now, view.world.zone), view.world.zone)
    return sum(tokens for *_, tokens in view.rows("mesh_used", since=midnight))


def used_last_minute(view: View, session: str) -> int:
    """This session's tokens in the last minute."""
    rows = view.rows("mesh_used", since=view.now - BATCH_WINDOW + 1)
    return sum(tokens for who, _, tokens in rows if who == session)


def debit(change: Change, session: str, tokens: int) -> None:
    """Count what was given, and forget what no rung asks about any more."""
    use = {"ws": change.ws, "at": change.now, "id": secrets.token_hex(8), "session": session, "tokens": tokens}
    change.connection.run("mesh_use_add", use)
    yesterday = day_start(local_day(change.now, change.world.zone) - 1, change.world.zone)
    change.connection.run("mesh_use_forget", {"ws": change.ws, "before": yesterday})


@contextmanager
def fetch_slot(memory: Memory, most: int) -> Iterator[None]:
    """A place among those that fetch at the same time, whichever process they are in."""
    taken = secrets.token_hex(8)
    until = monotonic() + WAIT_SECONDS
    while not _claim_slot(memory, taken, most):
        if monotonic() > until:
            raise MeshBusy(most)
        sleep(STEP_SECONDS)
    try:
        yield
    finally:
        with memory.write() as change:
            change.connection.run("mesh_slot_free", {"ws": change.ws, "id": taken, "now": change.now})


def _claim_slot(memory: Memory, taken: str, most: int) -> bool:
    with memory.write() as change:
        if len(change.rows("mesh_slots", now=change.now)) >= most:
            return False
        change.connection.run("mesh_slot_take", {"ws": change.ws, "id": taken, "until": change.now + SLOT_LEASE})
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
    """A body to fetch; `budget` is the most tokens that will be given of it, `session` whose batch they count in."""

    uri: MeshUri
    budget: int
    token: str | None
    session: str


@dataclass(slots=True)
class FetchTrace:
    """One way up: what was passed so far, and what is held for the rungs above."""

    request: FetchRequest
    trace: list[str] = field(default_factory=list)

    def record(self, step: str) -> None:
        self.trace.append(step)


def limits_of(memory: Memory) -> FetchLimits:
    settings = memory.settings
    return FetchLimits(
        settings.integer("carabase.mesh.confirm_above_tokens", 8_000),
        settings.integer("carabase.mesh.batch_tokens", 20_000),
        settings.integer("carabase.mesh.daily_tokens", 50_000),
        settings.integer("carabase.mesh.concurrency", 2),
    )


def fetch_body(memory: Memory, wanted: FetchRequest) -> FetchedBody:
    """The body; a `MeshProblem` carries the steps up to where the climb stopped."""
    climb = FetchTrace(wanted)
    try:
        return _climb_rungs(memory, climb)
    except MeshProblem as problem:
        if problem.rung is not None:
            climb.record(f"{_RUNG_NAMES[problem.rung]} → refused at rung {problem.rung}/{RUNGS}")
        problem.trace = tuple(climb.trace)
        raise


_RUNG_NAMES = {1: "capability", 2: "account", 3: "confirmation", 4: "batch", 5: "daily budget", 6: "slot"}


def _climb_rungs(memory: Memory, climb: FetchTrace) -> FetchedBody:
    uri, limits = climb.request.uri, limits_of(memory)
    connector = CONNECTORS.get(uri.connector)
    if connector is None:
        raise NoCapability(uri.connector)
    climb.record(f"resolve mesh://{uri.connector}/account={uri.account} → capability ok")
    account = _enabled_account(memory, uri)
    climb.record("account → enabled")
    deadline = Deadline()
    estimate = _estimate(connector, account, uri, deadline)
    spent = _confirm(memory, climb.request, estimate, limits)
    climb.record(f"confirmation → estimate {estimate} ok")
    try:
        _check_budgets(memory, climb, min(estimate, climb.request.budget), limits)
        with fetch_slot(memory, limits.at_once):
            climb.record("slot → free")
            return _fetch_from_connector(connector, account, uri, deadline)
    except MeshProblem:
        _release_token(memory, spent)
        raise


def _estimate(connector: Connector, account: MeshAccount, uri: MeshUri, deadline: Deadline) -> int:
    """The tokens of a body by its size; of one that is not there none, as only who climbed all rungs learns that."""
    try:
        return ceil(connector.stat(account.folder, uri.keys, deadline).size / 4)
    except MeshItemNotFound:
        return 0


def _fetch_from_connector(connector: Connector, account: MeshAccount, uri: MeshUri, deadline: Deadline) -> FetchedBody:
    body = connector.fetch(account.folder, uri.keys, deadline)
    deadline.check()
    return body


def _enabled_account(memory: Memory, uri: MeshUri) -> MeshAccount:
    with memory.read() as view:
        found = find_account(view, uri.connector, uri.account)
    if found is None or not found.enabled:
        raise AccountDisabled(uri.connector, uri.account)
    return found


def _check_budgets(memory: Memory, climb: FetchTrace, more: int, limits: FetchLimits) -> None:
    with memory.read() as view:
        lately, today = used_last_minute(view, climb.request.session), used_today(view)
    if lately + more > limits.batch:
        raise BatchCap(lately, limits.batch)
    climb.record(f"batch → {lately} of {limits.batch} used")
    if today + more > limits.daily:
        raise DailyBudget(today, limits.daily)
    climb.record(f"daily budget → {today} of {limits.daily} used")


def _confirm(memory: Memory, wanted: FetchRequest, estimate: int, limits: FetchLimits) -> str | None:
    """The token that a large body needs, for this very address, spent from here on; none if the body is small."""
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
        confirmed = ConfirmationClaim(change.ws, str(wanted.uri), estimate, expires, secrets.token_hex(4))
        token = sign_token(secret, confirmed)
    raise ConfirmationRequired(fault, token, estimate, expires)


def _check_token(change: Change, secret: bytes, token: str, uri: MeshUri, estimate: int) -> str | None:
    """Why the token does not hold, or none if it does."""
    if change.rows("mesh_token_used", token=_token_digest(token)):
        return "the confirmation token was used already"
    return token_fault(secret, token, change.ws, str(uri), estimate, change.now)


def _spend_token(change: Change, token: str) -> str:
    change.connection.run("mesh_tokens_forget", {"ws": change.ws, "before": change.now - 2 * TOKEN_LIFETIME})
    change.connection.run("mesh_token_use", {"ws": change.ws, "token": _token_digest(token), "at": change.now})
    return token


def _release_token(memory: Memory, token: str | None) -> None:
    """A refusal costs nothing, so the token holds for another try."""
    if token is not None:
        with memory.write() as change:
            change.connection.run("mesh_token_give_back", {"ws": change.ws, "token": _token_digest(token)})


def _token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _workspace_secret(change: Change) -> bytes:
    """The workspace's own secret, made when first needed."""
    if not change.rows("mesh_secret"):
        change.connection.run("mesh_secret_put", {"ws": change.ws, "secret": secrets.token_hex(32)})
    [[secret]] = change.rows("mesh_secret")
    return bytes.fromhex(secret)


def debit_fetched(memory: Memory, wanted: FetchRequest, tokens: int) -> int:
    """Debit what was given; the workspace's tokens of today."""
    with memory.write() as change:
        debit(change, wanted.session, tokens)
        return used_today(change)
