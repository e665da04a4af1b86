"""The HTTP API over real HTTP: verbs, problems, tokens, idempotency keys, bulk requests, and its description."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest

from recollect.deadline import DeadlineExceeded
from recollect.errors import RecollectError
from recollect.serve.api.calls import api_verbs
from recollect.serve.auth import make_token
from recollect.serve.docs.example_worlds import RECOLLECT_WORKSPACE as WORKSPACE
from recollect.serve.docs.examples import NOW, open_example
from recollect.serve.guard import ListenPolicy
from recollect.serve.http import create_app
from recollect.serve.open_store import OpenStore
from recollect.settings import Settings
from recollect.store.idempotency import CallClaim
from recollect.store.port import OutcomeUnknown, StoreUnavailable
from recollect.store.sqlite_file import DiskFull
from tests.support.databases import Worlds
from tests.support.processes import LONGEST_WAIT, http
from tests.support.server_threads import serve_in_thread

VERBS = ("remember", "recall", "correct", "forget", "history", "open_items", "review", "undo", "unread", "ingest")
NDJSON = {"Content-Type": "application/x-ndjson"}
FACT = {"facts": [{"subject": "Ada", "predicate": "uses", "value": "Linux"}]}


@dataclass
class Api:
    address: str
    store: OpenStore

    def post(self, verb: str, body: Any = None, headers: dict[str, str] | None = None, **more: Any) -> httpx2.Response:
        if body is not None:
            more["json"] = body
        return httpx2.post(f"{self.address}/api/v1/{verb}", headers=headers, timeout=LONGEST_WAIT, **more)

    def get(self, path: str = "", headers: dict[str, str] | None = None) -> httpx2.Response:
        return httpx2.get(f"{self.address}/api/v1/{path}", headers=headers, timeout=LONGEST_WAIT)

    def token(self, scope: Any, name: str = "ann", **limits: int) -> dict[str, str]:
        secret, token = make_token(name, self.store.local.workspace, scope, 0, limits)
        self.store.tokens.add(token)
        return {"Authorization": f"Bearer {secret}"}


@contextmanager
def serve(database: str, reach: ListenPolicy, workspace: str = "default", **more: str) -> Iterator[Api]:
    settings = Settings({"RECOLLECT_DB": database, "RECOLLECT_NOW": NOW, "RECOLLECT_WORKSPACE": workspace, **more})
    with OpenStore(settings) as store, serve_in_thread(create_app(store, reach)) as address:
        yield Api(address, store)


@pytest.fixture
def api(address: str) -> Iterator[Api]:
    with serve(address, ListenPolicy("127.0.0.1")) as running:
        yield running


@pytest.fixture
def guarded(address: str) -> Iterator[Api]:
    with serve(address, ListenPolicy("127.0.0.1", needs_token=True)) as running:
        yield running


@pytest.fixture
def example_api(address: str, worlds: Worlds) -> Iterator[Api]:
    worlds.fill(address, open_example, lambda: open_example(address).close())
    with serve(address, ListenPolicy("127.0.0.1"), WORKSPACE) as running:
        yield running


def problem(response: httpx2.Response) -> dict[str, Any]:
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["status"] == response.status_code
    assert body["type"] == f"/api/v1/#{body['code']}"
    assert body["title"]
    assert body["detail"]
    assert body["next"]
    return body


def lines(*calls: Any) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in calls)


def test_the_verbs_are_those_of_the_everyday_surface_and_ingest() -> None:
    assert tuple(api_verbs()) == VERBS


@pytest.mark.parametrize("verb", VERBS)
def test_every_example_is_answered_as_the_document_describes(example_api: Api, verb: str) -> None:
    document = example_api.get("openapi.json").json()
    content = document["paths"][f"/api/v1/{verb}"]["post"]["requestBody"]["content"]["application/json"]
    check(document, content["schema"], content["example"])
    answer = example_api.post(verb, content["example"])
    assert answer.status_code == 200, answer.text
    responses = document["paths"][f"/api/v1/{verb}"]["post"]["responses"]
    check(document, responses["200"]["content"]["application/json"]["schema"], answer.json())


def check(document: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    """Validate a value against a schema of the document, whose references stay inside it."""
    jsonschema.Draft202012Validator({**schema, "components": document["components"]}).validate(value)


def test_what_was_remembered_is_recalled_and_taken_back(api: Api) -> None:
    kept = api.post("remember", FACT).json()
    found = api.post("recall", {"query": "what does Ada use"}).json()["results"]
    assert found[0]["text"] == "Ada uses Linux"
    assert api.post("undo", {"transaction": kept["undo"]}).status_code == 200
    assert api.post("recall", {"query": "what does Ada use"}).json()["results"] == []


def test_no_body_means_no_arguments(api: Api) -> None:
    assert api.post("open_items").json()["items"] == []


def test_a_text_is_ingested_once(api: Api) -> None:
    headers = {"Content-Type": "text/plain; charset=utf-8"}
    text = "Lena works at Acme since 2024."
    first, again = (api.post("ingest?name=stand-up.md", content=text, headers=headers).json() for _ in range(2))
    assert (first["changed"], first["facts"]) == (1, 1)
    assert [(each["path"], each["kind"]) for each in first["files"]] == [("stand-up.md", "note")]
    assert (again["changed"], again["unchanged"]) == (0, 1)
    assert "Lena works at Acme" in api.post("recall", {"query": "where does Lena work"}).json()["results"][0]["text"]


def test_an_ingest_that_takes_too_long_is_stopped(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OpenStore, "call_seconds", 0.01)
    text = "".join(f"I will call Ben Ost{number} by Friday.\n\n" for number in range(200))
    with serve(address, ListenPolicy("127.0.0.1")) as running:
        stopped = problem(running.post("ingest", {"text": text}))
    assert (stopped["status"], "serve.call_seconds" in stopped["detail"]) == (503, True)
    assert stopped["retry_after"] > 0


def test_passages_behind_the_most_facts_of_a_text_are_told(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.ingest.extract.text_facts.MAX_FACTS", 2)
    text = "".join(f"I will call {name} by Friday.\n\n" for name in ("Ana Ruiz", "Ben Ost", "Cy Vale", "Di Moor"))
    assert "2 passages are kept as text only" in api.post("ingest", {"text": text}).json()["warnings"][0]


def test_a_bundle_is_ingested_and_its_bad_lines_are_named(api: Api) -> None:
    record = {"id": "r1", "type": "note", "title": "Owners", "source_at": "2026-05-19T10:00:00Z"}
    fact = {"edge_label": "AFFILIATED", "fact_type": "owner", "from": "Ada", "to": "Kite", "fact": "Ada owns Kite"}
    done = api.post("ingest", content=lines({"record": record, "facts": [fact]}, {"nonsense": 1}), headers=NDJSON)
    assert (done.json()["changed"], done.json()["facts"]) == (1, 1)
    assert [each["line"] for each in done.json()["skipped"]] == [2]
    [file] = done.json()["files"]
    assert (file["kind"], file["records"], file["facts"], file["reason"]) == ("bundle", 1, 1, None)


def test_a_bundle_of_another_world_is_refused(api: Api) -> None:
    calendar = {"calendar": {"name": "Tides", "months": [["Ebb", 30], ["Flood", 30]]}}
    assert problem(api.post("ingest", content=lines(calendar), headers=NDJSON))["code"] == "conflict"


@pytest.mark.parametrize("text", ["%PDF-1.7 x", '{"a": [1, 2]}'])
def test_what_is_not_prose_is_not_ingested_as_text(api: Api, text: str) -> None:
    assert problem(api.post("ingest", {"text": text}))["field"] == "text"


@pytest.mark.parametrize("body", [{}, {"text": "a", "bundle": "b"}])
def test_ingest_needs_a_text_or_a_bundle(api: Api, body: dict[str, str]) -> None:
    assert problem(api.post("ingest", body))["code"] == "invalid_input"


@pytest.mark.parametrize(
    ("verb", "body", "status", "code", "field"),
    [
        ("recall", {}, 400, "invalid_input", "query"),
        ("recall", {"query": "x", "max_tokens": 1}, 400, "invalid_input", "max_tokens"),
        ("history", {"about": "Nobody"}, 404, "not_found", "about"),
        ("forget", {"target": "Nobody"}, 404, "not_found", "target"),
        ("remember", {}, 400, "invalid_input", "text"),
    ],
)
def test_a_failure_is_a_problem_with_the_field_at_fault(
    api: Api, verb: str, body: dict[str, Any], status: int, code: str, field: str
) -> None:
    found = problem(api.post(verb, body))
    assert (found["status"], found["code"], found["field"]) == (status, code, field)


def test_requests_that_reach_no_verb_are_problems(api: Api) -> None:
    as_json = {"Content-Type": "application/json"}
    assert problem(api.post("recal", {}))["code"] == "not_found"
    assert "recall" in api.post("recal", {}).json()["detail"]
    assert problem(api.get("recall"))["code"] == "method_not_allowed"
    assert problem(api.post("recall", content=b"{", headers=as_json))["code"] == "invalid_input"
    assert problem(api.post("recall", content=b"\xff", headers=as_json))["code"] == "invalid_input"
    assert problem(api.post("recall", [1]))["code"] == "invalid_input"
    assert problem(api.post("recall", data={"query": "x"}))["code"] == "unsupported_media_type"
    assert problem(api.post("recall", content=b"x", headers={"Content-Type": "text/plain"}))["status"] == 415


def test_a_body_that_is_too_large_is_refused(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.serve.http.LARGEST_REQUEST", 100)
    assert problem(api.post("remember", {"text": "x" * 200}))["code"] == "too_large"


def test_a_token_is_needed_and_a_read_token_only_reads(guarded: Api) -> None:
    refused = guarded.post("recall", {"query": "x"})
    assert problem(refused)["code"] == "unauthorized"
    assert refused.headers["www-authenticate"] == "Bearer"
    reader = guarded.token("read")
    assert guarded.post("recall", {"query": "x"}, reader).status_code == 200
    for verb, body in (("remember", FACT), ("forget", {"target": "Ada"}), ("ingest", {"text": "Ada uses Linux."})):
        assert problem(guarded.post(verb, body, reader))["code"] == "forbidden"
    assert guarded.post("remember", FACT, guarded.token("write", "bob")).status_code == 200


def test_a_read_token_lists_questions_but_decides_none(example_api: Api) -> None:
    reader = example_api.token("read")
    item = example_api.post("review", {"kind": "conflict"}, reader).json()["items"][0]
    decision = {"id": item["id"], "choice": item["choices"][0]}
    assert problem(example_api.post("review", {"decide": decision}, reader))["code"] == "forbidden"


def test_another_origin_is_refused(api: Api) -> None:
    assert problem(api.post("recall", {"query": "x"}, {"Origin": "https://evil.example"}))["status"] == 403


def test_a_token_that_has_written_its_facts_of_the_day_is_told_when_to_come_back(guarded: Api) -> None:
    writer = guarded.token("write", facts_per_day=1)
    assert guarded.post("remember", FACT, writer).status_code == 200
    refused = guarded.post("remember", FACT, writer)
    found = problem(refused)
    assert (found["status"], found["code"]) == (429, "too_many_requests")
    # It is ten in the morning (UTC).
    assert refused.headers["retry-after"] == str(found["retry_after"])
    assert 13 * 3600 < found["retry_after"] <= 14 * 3600
    assert guarded.post("recall", {"query": "Ada"}, writer).status_code == 200


def test_the_caller_of_a_change_is_the_name_of_its_token(guarded: Api) -> None:
    tx = guarded.post("remember", FACT, guarded.token("write", "bob")).json()["undo"]
    with guarded.store.workspace("default").read() as view:
        found = view.transaction(tx)
    assert found is not None
    assert (found.actor, found.tool) == ("bob", "remember")


def test_a_repeated_request_is_carried_out_once(api: Api) -> None:
    key = {"Idempotency-Key": "k-1"}
    first, again = (api.post("remember", {"text": "Ada likes tea."}, key) for _ in range(2))
    assert first.json() == again.json()
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert api.post("remember", {"text": "Ada likes tea."}).json() != first.json()


def test_a_key_sent_with_another_request_is_a_conflict(api: Api) -> None:
    key = {"Idempotency-Key": "k-1"}
    api.post("remember", FACT, key)
    assert problem(api.post("remember", {"text": "Ada likes tea."}, key))["code"] == "idempotency_conflict"
    assert problem(api.post("recall", FACT, key))["status"] == 409


def test_a_failed_request_does_not_use_up_its_key(api: Api) -> None:
    key = {"Idempotency-Key": "k"}
    assert problem(api.post("remember", {}, key)) == problem(api.post("remember", {}, key))
    assert api.post("remember", FACT, key).status_code == 200


def test_a_repeated_request_whose_answer_was_lost_is_a_conflict(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    key = {"Idempotency-Key": "k"}
    with monkeypatch.context() as patch:
        patch.setattr("recollect.serve.idempotency.MAX_ANSWER_BYTES", 0)
        assert api.post("remember", FACT, key).status_code == 200
    refused = problem(api.post("remember", FACT, key))
    assert (refused["status"], refused["code"]) == (409, "idempotency_conflict")


def test_a_store_that_cannot_be_asked_for_a_key_is_unavailable(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = refused_for(StoreUnavailable("the connection was lost"), api, monkeypatch)
    found = problem(refused)
    assert (found["status"], found["code"]) == (503, "unavailable")
    assert refused.headers["retry-after"] == str(found["retry_after"])
    assert found["next"] == f"Wait {found['retry_after']} seconds, then call again."


@pytest.mark.parametrize(
    ("failure", "next_step"),
    [
        (DiskFull("memory.db"), "free some space"),
        (OutcomeUnknown(), "Look with recall or history"),
        (DeadlineExceeded("it took too long", has_committed=True), "Look with recall or history"),
    ],
)
def test_nobody_is_sent_back_to_a_call_that_cannot_be_repeated_as_it_is(
    failure: RecollectError, next_step: str, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = refused_for(failure, api, monkeypatch)
    assert refused.status_code == 503
    assert "retry-after" not in refused.headers
    assert next_step in problem(refused)["next"]


def refused_for(failure: RecollectError, api: Api, monkeypatch: pytest.MonkeyPatch) -> httpx2.Response:
    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(CallClaim, "find", fail)
    return api.post("remember", FACT, {"Idempotency-Key": "k"})


def test_keys_of_two_tokens_are_apart(guarded: Api) -> None:
    ann, bob = (guarded.token("write", name) for name in ("ann", "bob"))
    key = {"Idempotency-Key": "same"}
    assert guarded.post("remember", FACT, ann | key).status_code == 200
    assert guarded.post("remember", {"text": "Bob likes tea."}, bob | key).status_code == 200


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_a_key_has_a_length(api: Api, key: str) -> None:
    assert problem(api.post("remember", FACT, {"Idempotency-Key": key}))["field"] == "Idempotency-Key"


def test_each_line_of_a_bulk_request_is_a_call(api: Api) -> None:
    calls = lines(*({"facts": [{"subject": "Ada", "predicate": "owns", "value": f"kite {n}"}]} for n in range(30)))
    answers = api.post("remember", content=calls + b"\n{\n" + lines({}), headers=NDJSON)
    assert answers.headers["content-type"] == "application/x-ndjson"
    read = [json.loads(line) for line in answers.text.splitlines()]
    assert [each["line"] for each in read] == [*range(1, 31), 32, 33]
    assert all(each["result"]["facts"][0]["outcome"] == "recorded" for each in read[:30])
    assert [each["problem"]["code"] for each in read[30:]] == ["invalid_input", "invalid_input"]


def test_a_bulk_request_takes_no_key(api: Api) -> None:
    refused = api.post("remember", content=lines(FACT), headers=NDJSON | {"Idempotency-Key": "k"})
    assert problem(refused)["field"] == "Idempotency-Key"


def test_a_line_that_is_too_long_does_not_stop_the_others(api: Api) -> None:
    content = lines({"query": "x" * 1_500_000}, {"query": "x"})
    read = [json.loads(line) for line in api.post("recall", content=content, headers=NDJSON).text.splitlines()]
    assert read[0]["problem"]["code"] == "too_large"
    assert read[1]["line"] == 2
    assert "result" in read[1]


def test_an_answer_comes_before_the_request_is_complete(api: Api) -> None:
    host, _, port = api.address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), LONGEST_WAIT) as connection, connection.makefile("rb") as answers:
        head = "POST /api/v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for number in (1, 2):
            line = lines({"query": "tea"})
            connection.sendall(b"%x\r\n%b\r\n" % (len(line), line))
            while not (received := answers.readline()).startswith(b'{"line"'):
                assert received
            assert json.loads(received)["line"] == number
        connection.sendall(b"0\r\n\r\n")


def test_the_document_is_valid_and_needs_no_token(guarded: Api) -> None:
    document = guarded.get("openapi.json").json()
    assert document["openapi"].startswith("3.1.")
    assert list(document["paths"]) == [f"/api/v1/{verb}" for verb in (*VERBS, "sync")]
    for reference in references(document):
        place: Any = document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from references(each)


def test_the_page_names_every_verb_and_problem(guarded: Api) -> None:
    page = guarded.get()
    assert page.headers["content-type"].startswith("text/html")
    assert all(f'id="{name}"' in page.text for name in (*VERBS, "not_found", "idempotency_conflict"))
    assert "https://" not in page.text


def test_the_calls_are_counted(api: Api) -> None:
    api.post("recall", {"query": "x"})
    metrics = httpx2.get(f"{api.address}/metrics", timeout=LONGEST_WAIT).text
    assert 'recollect_calls_total{surface="recollect",tool="recall",outcome="ok"} 1' in metrics


def test_the_command_serves_it(tmp_path: Path) -> None:
    with http(tmp_path) as address:
        answer = httpx2.post(f"{address.rstrip('/')}/api/v1/remember", json=FACT, timeout=LONGEST_WAIT)
    assert answer.json()["facts"][0]["outcome"] == "recorded"
