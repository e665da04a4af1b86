"""Fetching a body: six rungs, the first that refuses answers, and only what is given is counted."""

import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil

from recollect.keep.mesh.accounts import CONNECTORS, Account, account_of
from recollect.keep.mesh.budget import debit, slot, used_lately, used_today
from recollect.keep.mesh.confirming import GOOD_FOR, Confirmed, fault_of, sign
from recollect.keep.mesh.connector import Body, Connector, Deadline
from recollect.keep.mesh.problems import (
    AccountDisabled,
    BatchCap,
    ConfirmationRequired,
    DailyBudget,
    MeshProblem,
    NoCapability,
    NotThere,
)
from recollect.keep.mesh.uri import MeshUri
from recollect.memory import Memory
from recollect.store.change import Change
from recollect.when.instant import Instant

RUNGS = 6


@dataclass(frozen=True, slots=True)
class Limits:
    """The settings of the ladder."""

    confirm_above: int
    batch: int
    daily: int
    at_once: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """A body to fetch; `budget` is the most tokens that will be given of it, `session` whose batch they count in."""

    uri: MeshUri
    budget: int
    token: str | None
    session: str


@dataclass(slots=True)
class Climb:
    """One way up: what was passed so far, and what is held for the rungs above."""

    wanted: Wanted
    trace: list[str] = field(default_factory=list)

    def passed(self, step: str) -> None:
        self.trace.append(step)


def limits_of(memory: Memory) -> Limits:
    settings = memory.settings
    return Limits(
        settings.integer("carabase.mesh.confirm_above_tokens", 8_000),
        settings.integer("carabase.mesh.batch_tokens", 20_000),
        settings.integer("carabase.mesh.daily_tokens", 50_000),
        settings.integer("carabase.mesh.concurrency", 2),
    )


def fetch(memory: Memory, wanted: Wanted) -> Body:
    """The body; a `MeshProblem` carries the steps up to where the climb stopped."""
    climb = Climb(wanted)
    try:
        return _climb(memory, climb)
    except MeshProblem as problem:
        if problem.rung is not None:
            climb.passed(f"{_RUNG_NAMES[problem.rung]} → refused at rung {problem.rung}/{RUNGS}")
        problem.trace = tuple(climb.trace)
        raise


_RUNG_NAMES = {1: "capability", 2: "account", 3: "confirmation", 4: "batch", 5: "daily budget", 6: "slot"}


def _climb(memory: Memory, climb: Climb) -> Body:
    uri, limits = climb.wanted.uri, limits_of(memory)
    connector = CONNECTORS.get(uri.connector)
    if connector is None:
        raise NoCapability(uri.connector)
    climb.passed(f"resolve mesh://{uri.connector}/account={uri.account} → capability ok")
    account = _account(memory, uri)
    climb.passed("account → enabled")
    deadline = Deadline()
    estimate = _estimate(connector, account, uri, deadline)
    spent = _confirm(memory, climb.wanted, estimate, limits)
    climb.passed(f"confirmation → estimate {estimate} ok")
    try:
        _check_budgets(memory, climb, min(estimate, climb.wanted.budget), limits)
        with slot(memory, limits.at_once):
            climb.passed("slot → free")
            return _fetched(connector, account, uri, deadline)
    except MeshProblem:
        _give_back(memory, spent)
        raise


def _estimate(connector: Connector, account: Account, uri: MeshUri, deadline: Deadline) -> int:
    """The tokens of a body by its size; of one that is not there none, as only who climbed all rungs learns that."""
    try:
        return ceil(connector.stat(account.folder, uri.keys, deadline).size / 4)
    except NotThere:
        return 0


def _fetched(connector: Connector, account: Account, uri: MeshUri, deadline: Deadline) -> Body:
    body = connector.fetch(account.folder, uri.keys, deadline)
    deadline.check()
    return body


def _account(memory: Memory, uri: MeshUri) -> Account:
    with memory.read() as view:
        found = account_of(view, uri.connector, uri.account)
    if found is None or not found.enabled:
        raise AccountDisabled(uri.connector, uri.account)
    return found


def _check_budgets(memory: Memory, climb: Climb, more: int, limits: Limits) -> None:
    with memory.read() as view:
        lately, today = used_lately(view, climb.wanted.session), used_today(view)
    if lately + more > limits.batch:
        raise BatchCap(lately, limits.batch)
    climb.passed(f"batch → {lately} of {limits.batch} used")
    if today + more > limits.daily:
        raise DailyBudget(today, limits.daily)
    climb.passed(f"daily budget → {today} of {limits.daily} used")


def _confirm(memory: Memory, wanted: Wanted, estimate: int, limits: Limits) -> str | None:
    """The token that a large body needs, for this very address, spent from here on; none if the body is small."""
    if estimate <= limits.confirm_above:
        return None
    with memory.write() as change:
        secret = _secret(change)
        fault = "this body is large"
        if wanted.token is not None:
            found = _fault(change, secret, wanted.token, wanted.uri, estimate)
            if found is None:
                return _spend(change, wanted.token)
            fault = found
        expires = Instant(change.now + GOOD_FOR)
        confirmed = Confirmed(change.ws, str(wanted.uri), estimate, expires, secrets.token_hex(4))
        token = sign(secret, confirmed)
    raise ConfirmationRequired(fault, token, estimate, expires)


def _fault(change: Change, secret: bytes, token: str, uri: MeshUri, estimate: int) -> str | None:
    """Why the token does not hold, or none if it does."""
    if change.rows("mesh_token_used", token=_mark(token)):
        return "the confirmation token was used already"
    return fault_of(secret, token, change.ws, str(uri), estimate, change.now)


def _spend(change: Change, token: str) -> str:
    change.connection.run("mesh_tokens_forget", {"ws": change.ws, "before": change.now - 2 * GOOD_FOR})
    change.connection.run("mesh_token_use", {"ws": change.ws, "token": _mark(token), "at": change.now})
    return token


def _give_back(memory: Memory, token: str | None) -> None:
    """A refusal costs nothing, so the token holds for another try."""
    if token is not None:
        with memory.write() as change:
            change.connection.run("mesh_token_give_back", {"ws": change.ws, "token": _mark(token)})


def _mark(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _secret(change: Change) -> bytes:
    """The workspace's own secret, made when first needed."""
    if not change.rows("mesh_secret"):
        change.connection.run("mesh_secret_put", {"ws": change.ws, "secret": secrets.token_hex(32)})
    [[secret]] = change.rows("mesh_secret")
    return bytes.fromhex(secret)


def count_given(memory: Memory, wanted: Wanted, tokens: int) -> int:
    """Debit what was given; the workspace's tokens of today."""
    with memory.write() as change:
        debit(change, wanted.session, tokens)
        return used_today(change)
