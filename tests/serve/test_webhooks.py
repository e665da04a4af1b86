"""Webhooks over real HTTP: signatures, replays, and what each service's deliveries become."""

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from recollect.serve.guard import ListenPolicy
from recollect.serve.http import create_app
from recollect.serve.open_store import OpenStore
from recollect.serve.webhooks import SECONDS_VALID
from recollect.settings import Settings
from recollect.surfaces.everyday_memory import open_memory
from tests.support.processes import LONGEST_WAIT
from tests.support.server_threads import serve_in_thread

SECRET = "whsec test"
SOURCES = ("github", "linear", "slack", "generic")
DELIVERY_HEADERS = ("X-GitHub-Delivery", "Linear-Delivery", "X-Delivery-Id")
ISSUE = {
    "action": "opened",
    "repository": {"full_name": "acme/web"},
    "issue": {
        "number": 12,
        "id": 9012,
        "title": "Export is slow",
        "state": "open",
        "body": "I will profile the export by Friday.",
        "user": {"login": "dana", "name": "Dana Cole"},
        "created_at": "2026-05-18T09:00:00Z",
        "updated_at": "2026-05-18T09:00:00Z",
        "html_url": "https://github.com/acme/web/issues/12",
    },
}
LINEAR = {
    "action": "create",
    "type": "Issue",
    "data": {
        "id": "lin_1",
        "identifier": "ENG-7",
        "title": "Move the ledger",
        "description": "We decided to move the ledger to Postgres.",
        "state": {"name": "Todo"},
        "team": {"name": "Engineering"},
        "createdAt": "2026-05-18T09:00:00Z",
        "updatedAt": "2026-05-18T09:00:00Z",
        "creator": {"name": "Ada Brandt"},
    },
}
MESSAGE = {"type": "message", "user": "U1", "text": "the invoice is paid", "ts": "1779100000.000100", "channel": "C9"}
SLACK = {"type": "event_callback", "event_id": "Ev1", "event": MESSAGE}
RECORD = {
    "id": "r-1",
    "type": "generic",
    "source_at": "2026-05-18T09:00:00Z",
    "content": "The boiler is in the cellar.",
}
GENERIC = {"record": RECORD}
DELIVERIES: dict[str, Any] = {"github": ISSUE, "linear": LINEAR, "slack": SLACK, "generic": GENERIC}


def with_every(payload: Any, value: Any) -> Any:
    """The same objects, with one value in place of every text and number but the kind of event."""
    if isinstance(payload, dict):
        return {key: each if key in ("type", "action") else with_every(each, value) for key, each in payload.items()}
    return value


def ascii_start(value: Any) -> str:
    return ascii(value)[:12]


class Hooks:
    def __init__(self, address: str, database: str) -> None:
        self.address = address
        self.database = database

    def send(
        self, source: str, payload: Any, *, secret: str = SECRET, sent: float | None = None, delivery: str = ""
    ) -> httpx2.Response:
        at = time.time() if sent is None else sent
        if source == "linear":
            payload = {**payload, "webhookTimestamp": int(at * 1000)}
        body = json.dumps(payload).encode()
        named = {name: delivery for name in DELIVERY_HEADERS if delivery}
        headers = sign(source, body, secret, int(at)) | named
        return httpx2.post(f"{self.address}/hooks/{source}", content=body, headers=headers, timeout=LONGEST_WAIT)

    def recalled(self, query: str) -> str:
        with open_memory(self.database) as memory:
            return json.dumps(memory.recall(query)["results"])


def sign(source: str, body: bytes, secret: str, at: int) -> dict[str, str]:
    def digest(content: bytes) -> str:
        return hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()

    match source:
        case "github":
            return {"X-Hub-Signature-256": f"sha256={digest(body)}"}
        case "linear":
            return {"Linear-Signature": digest(body)}
        case "slack":
            return {
                "X-Slack-Request-Timestamp": str(at),
                "X-Slack-Signature": f"v0={digest(f'v0:{at}:'.encode() + body)}",
            }
        case _:
            return {"X-Recollect-Signature": f"t={at},v1={digest(f'{at}.'.encode() + body)}"}


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hooks]:
    database = str(Path(tmp_path_factory.mktemp("hooks")) / "memory.db")
    secrets = {f"RECOLLECT_HOOKS_{source.upper()}_SECRET": SECRET for source in SOURCES}
    with OpenStore(Settings({"RECOLLECT_DB": database, **secrets})) as store:
        app = create_app(store, ListenPolicy("127.0.0.1", needs_token=True))
        with serve_in_thread(app) as address:
            yield Hooks(address, database)


@pytest.mark.parametrize(
    ("source", "payload", "query", "said"),
    [
        ("github", ISSUE, "who will profile the export", "profile the export"),
        ("linear", LINEAR, "where does the ledger move", "ledger"),
        ("slack", SLACK, "was the invoice paid", "invoice is paid"),
        ("generic", GENERIC, "where is the boiler", "cellar"),
    ],
)
def test_a_signed_delivery_is_remembered_once(hooks: Hooks, source: str, payload: Any, query: str, said: str) -> None:
    first = hooks.send(source, payload, delivery="one")
    assert (first.status_code, first.json()["status"], first.json()["changed"]) == (200, "taken", 1)
    assert said in hooks.recalled(query)
    assert hooks.send(source, payload, delivery="one").json() == {"status": "known"}
    again = hooks.send(source, payload, delivery="two", sent=time.time() - 5)
    assert again.json().get("changed", 0) == 0


@pytest.mark.parametrize("source", SOURCES)
def test_a_delivery_with_a_wrong_or_missing_signature_is_refused(hooks: Hooks, source: str) -> None:
    assert hooks.send(source, GENERIC, secret="guessed").json()["error"] == "bad_signature"
    bare = httpx2.post(f"{hooks.address}/hooks/{source}", content=b"{}", timeout=LONGEST_WAIT)
    assert bare.status_code == 401


@pytest.mark.parametrize("source", ["linear", "slack", "generic"])
def test_an_old_delivery_is_refused_though_its_signature_fits(hooks: Hooks, source: str) -> None:
    answer = hooks.send(source, GENERIC, sent=time.time() - SECONDS_VALID - 60)
    assert (answer.status_code, answer.json()["error"]) == (401, "stale_delivery")


@pytest.mark.parametrize("stamp", ["9" * 400, "1e999", "NaN", "-1", "true"])
def test_a_delivery_with_a_time_that_is_none_is_refused(hooks: Hooks, stamp: str) -> None:
    body = f'{{"webhookTimestamp": {stamp}}}'.encode()
    for secret, refusal in ((SECRET, "stale_delivery"), ("guessed", "bad_signature")):
        headers = sign("linear", body, secret, 0)
        answer = httpx2.post(f"{hooks.address}/hooks/linear", content=body, headers=headers, timeout=LONGEST_WAIT)
        assert (answer.status_code, answer.json()["error"]) == (401, refusal)


def test_slack_gets_its_challenge_back(hooks: Hooks) -> None:
    assert hooks.send("slack", {"type": "url_verification", "challenge": "abc"}).json() == {"challenge": "abc"}


def test_an_event_of_another_kind_is_named_and_left_out(hooks: Hooks) -> None:
    answer = hooks.send("github", {"zen": "Keep it simple.", "hook_id": 1}, delivery="ping").json()
    assert answer == {"status": "taken", "records": 0, "changed": 0, "left_out": {"events of other kinds": 1}}


def test_a_line_that_cannot_be_stored_leaves_the_others_of_its_delivery(hooks: Hooks) -> None:
    lines = [{"record": {**RECORD, "id": f"r-{number}", "content": f"Door {number} is open."}} for number in (8, 9)]
    answer = hooks.send("generic", {"lines": [lines[0], {"unheard": 1}, lines[1]]}, delivery="lines").json()
    assert (answer["status"], answer["records"], answer["changed"]) == ("taken", 2, 2)
    [(told, count)] = answer["left_out"].items()
    assert "line.unheard" in told
    assert count == 1
    assert "Door 9 is open." in hooks.recalled("which door is open")


def test_an_unknown_service_is_not_found(hooks: Hooks) -> None:
    assert httpx2.post(f"{hooks.address}/hooks/nobody", content=b"{}", timeout=LONGEST_WAIT).status_code == 404


def test_a_body_that_is_no_json_object_is_refused(hooks: Hooks) -> None:
    assert hooks.send("generic", ["a", "list"]).json()["error"] == "invalid_input"


@pytest.mark.parametrize("sent", [10**400, float("nan"), float("inf"), "soon", [], None, True], ids=ascii_start)
def test_a_time_that_is_none_is_refused_as_stale(hooks: Hooks, sent: Any) -> None:
    body = json.dumps({**LINEAR, "webhookTimestamp": sent}).encode()
    assert refusal(hooks, "linear", body, sign("linear", body, SECRET, 0)) == (401, "stale_delivery")


@pytest.mark.parametrize("source", ["slack", "generic"])
def test_a_time_of_hundreds_of_digits_is_refused_as_stale(hooks: Hooks, source: str) -> None:
    body = json.dumps(GENERIC).encode()
    assert refusal(hooks, source, body, sign(source, body, SECRET, 10**400)) == (401, "stale_delivery")


def refusal(hooks: Hooks, source: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    answer = httpx2.post(f"{hooks.address}/hooks/{source}", content=body, headers=headers, timeout=LONGEST_WAIT)
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize("value", [None, -1, 10**400, "", "\x00", "\ud800", "9" * 400, [], {"a": {}}], ids=ascii_start)
@pytest.mark.parametrize("source", SOURCES)
def test_a_delivery_of_one_hostile_value_everywhere_is_answered_in_words(hooks: Hooks, source: str, value: Any) -> None:
    answer = hooks.send(source, with_every(DELIVERIES[source], value))
    assert answer.status_code in (200, 422), answer.text
    assert answer.json().keys() & {"status", "error"}
