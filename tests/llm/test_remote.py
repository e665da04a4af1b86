"""An endpoint on loopback that answers well, slowly, brokenly, partly and with ill will."""

import json
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from recollect.errors import Refused, Unavailable
from recollect.llm import remote
from recollect.llm.port import BadAnswer, ModelRequest, ModelUnavailable
from recollect.llm.remote import RemoteModel, WaitClock
from tests.llm.endpoint import ChatServer, Request, refusing_form, saying, sending, serving
from tests.support.processes import LONGEST_WAIT

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
ASK = ModelRequest("Say whether.", "The text.", SCHEMA, 99)


class Waits:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def now(self) -> float:
        return sum(self.waited)


def model(
    server: ChatServer, waits: Waits | None = None, *, key: str | None = None, timeout: float = LONGEST_WAIT
) -> RemoteModel:
    chosen = waits or Waits()
    return RemoteModel(server.url, "m-1", key=key, timeout=timeout, clock=WaitClock(chosen.now, chosen.waited.append))


def test_a_good_answer_is_its_text() -> None:
    with serving(saying({"ok": True})) as server:
        assert json.loads(model(server, key="k3y").answer(ASK)) == {"ok": True}
    [asked] = server.asked
    assert (asked["path"], asked["authorization"], asked["model"]) == ("/v1/chat/completions", "Bearer k3y", "m-1")
    assert (asked["max_tokens"], asked["temperature"]) == (99, 0)
    assert [each["role"] for each in asked["messages"]] == ["system", "user"]
    assert asked["messages"][1]["content"] == "The text."
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA


def test_without_a_key_none_is_sent() -> None:
    with serving(saying("yes")) as server:
        assert model(server).answer(ModelRequest("s", "u")) == "yes"
    assert server.asked[0]["authorization"] is None
    assert "response_format" not in server.asked[0]


def test_an_answer_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "ye"}, {"type": "other"}, {"type": "text", "text": "s"}]
    with serving(sending(json.dumps({"choices": [{"message": {"content": parts}}]}))) as server:
        assert model(server).answer(ASK) == "yes"


@pytest.mark.parametrize("accepted", ["json_object", None])
def test_an_endpoint_that_cannot_be_held_to_a_schema_is_asked_more_plainly(accepted: str | None) -> None:
    with serving(refusing_form(accepted, saying({"ok": False}))) as server:
        asking = model(server)
        asking.answer(ASK)
        before = len(server.asked)
        asking.answer(ASK)
    assert len(server.asked) == before + 1, "what was learned is kept"
    assert json.dumps(SCHEMA) in server.asked[-1]["messages"][0]["content"]


def test_an_endpoint_that_refuses_every_form_is_asked_strictly_again_next_time() -> None:
    with serving(sending("{}", 404)) as server:
        for _ in range(2):
            with pytest.raises(ModelUnavailable, match="HTTP 404"):
                model(server).answer(ASK)
    forms = [each.get("response_format", {}).get("type") for each in server.asked]
    assert forms == ["json_schema", "json_object", None] * 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_endpoint_is_tried_again_after_longer_waits(status: int) -> None:
    waits = Waits()
    busy = sending("later", status)
    with serving(busy, busy, saying("now")) as server:
        assert model(server, waits).answer(ASK) == "now"
    assert waits.waited == [1.0, 4.0]


def test_an_endpoint_may_say_when_to_come_again_but_not_next_week() -> None:
    waits = Waits()
    with serving(sending("", 429, Retry_After="7"), sending("", 429, Retry_After="604800"), saying("now")) as server:
        assert model(server, waits).answer(ASK) == "now"
    assert waits.waited == [7.0, 30.0]


@pytest.mark.parametrize("status", [401, 403, 301, 307])
def test_a_refusal_or_a_redirect_is_final(status: int) -> None:
    away = sending("", status, Location="http://127.0.0.1:9/elsewhere")
    with serving(away) as server, pytest.raises(ModelUnavailable, match=f"HTTP {status}") as raised:
        model(server, key="k3y").answer(ASK)
    assert len(server.asked) == 1
    assert "k3y" not in str(raised.value)
    assert isinstance(raised.value, Unavailable)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<html>bad gateway</html>",
        "[]",
        "{}",
        '{"choices": []}',
        '{"choices": [null]}',
        '{"choices": [{"message": null}]}',
        '{"choices": [{"message": {"content": 7}}]}',
        '{"choices": [{"message": {"content": [3]}}]}',
        "[" * 200_000,
        '{"choices": [{"message": {"content": "ye',
    ],
)
def test_what_is_no_chat_completion_is_no_answer(body: str) -> None:
    with serving(sending(body)) as server, pytest.raises(ModelUnavailable, match="not a chat completion"):
        model(server).answer(ASK)
    assert len(server.asked) == 3


@pytest.mark.parametrize(("text", "finish"), [('{"ok": tr', "length"), ("", "stop"), ("x", "content_filter")])
def test_an_answer_that_was_cut_off_or_withheld_is_a_bad_answer(text: str, finish: str) -> None:
    with serving(saying(text, finish)) as server, pytest.raises(BadAnswer):
        model(server).answer(ASK)
    assert len(server.asked) == 1


def test_a_body_that_breaks_off_is_tried_again() -> None:
    with serving(sending('{"choices"', Content_Length="500"), saying("whole")) as server:
        assert model(server).answer(ASK) == "whole"


def test_an_endless_body_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "MAX_ANSWER", 100_000)

    def endless(handler: BaseHTTPRequestHandler, _: Request) -> None:
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b" " * 50_000)

    with serving(endless) as server, pytest.raises(ModelUnavailable, match="over 100000 bytes"):
        model(server).answer(ASK)


def test_a_silent_endpoint_is_left_after_the_time_limit() -> None:
    def silent(*_: object) -> None:
        server.released.wait()

    waits = Waits()
    with serving(silent) as server, pytest.raises(ModelUnavailable, match="took too long"):
        model(server, waits, timeout=0.05).answer(ASK)
    assert waits.waited == [1.0, 4.0], "it was asked three times, whether or not it noticed"


def test_a_dripping_endpoint_is_left_after_the_time_limit() -> None:
    waits = Waits()

    def dripping(handler: BaseHTTPRequestHandler, _: Request) -> None:
        handler.send_response(200)
        handler.end_headers()
        waits.waited.append(2.0 * LONGEST_WAIT)
        handler.wfile.write(b"{")

    with serving(dripping) as server, pytest.raises(ModelUnavailable, match="took too long"):
        model(server, waits).answer(ASK)


def test_an_endpoint_that_does_not_speak_http_is_unavailable() -> None:
    def rude(handler: BaseHTTPRequestHandler, _: Request) -> None:
        handler.wfile.write(b"220 mail.example ESMTP\r\n")

    with serving(rude) as server, pytest.raises(ModelUnavailable):
        model(server).answer(ASK)


def test_an_endpoint_that_is_not_there_is_unavailable() -> None:
    waits = Waits()
    asking = RemoteModel("http://127.0.0.1:9/v1", "m", clock=WaitClock(waits.now, waits.waited.append))
    with pytest.raises(ModelUnavailable, match="no connection"):
        asking.answer(ASK)
    assert waits.waited == [1.0, 4.0]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/", "x"])
def test_only_web_addresses_are_endpoints(url: str) -> None:
    with pytest.raises(Refused):
        RemoteModel(url, "m")
