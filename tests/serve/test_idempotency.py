"""Idempotency keys: a call that is sent again is not carried out again, over every transport."""

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.deadline import CallDeadline
from recollect.memory import Memory
from recollect.serve.auth import NotAMember
from recollect.serve.callers import Caller
from recollect.serve.idempotency import KEY_META, REPLAYED, KeyedCalls
from recollect.serve.metrics import Metrics
from recollect.serve.open_store import OpenStore
from recollect.serve.stdio.fast_path import FastPath
from recollect.serve.stdio.session import StdioSession
from recollect.settings import Settings
from recollect.store.idempotency import CallClaim, sweep_claims
from recollect.store.port import StoreUnavailable
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import OpenMemory, call
from recollect.surfaces.registry import find_surface
from tests.serve.test_straight import FIRST_WORDS, _never_woken
from tests.support.calls import last_tx

ANN = Caller("ann", "default", "write", subject="token:1")
REMEMBER = find_surface("recollect").tools["remember"]
FACT = {"facts": [{"subject": "Ada", "predicate": "owns", "value": "a kite"}]}
OTHER = {"facts": [{"subject": "Ada", "predicate": "owns", "value": "a boat"}]}


def send(memory: Memory, arguments: dict[str, Any] = FACT, key: Any = "k", caller: Caller = ANN) -> Answer:
    def run(opened: OpenMemory) -> Answer:
        return call(REMEMBER, opened, arguments)

    return KeyedCalls().once(key, caller, REMEMBER, lambda *_: memory, arguments, run)


def failure_of(answer: Answer) -> tuple[str, str | None]:
    error = answer.structured["error"]
    return error["code"], error.get("field")


def test_a_repeated_call_gets_the_first_answer_also_from_another_process(memory: Memory) -> None:
    first = send(memory)
    before = last_tx(memory)
    again = send(memory)
    assert (again.structured, again.texts) == (first.structured, first.texts)
    assert REPLAYED in again.meta
    assert REPLAYED not in first.meta
    assert last_tx(memory) == before


def test_a_key_is_for_one_call_of_one_subject(memory: Memory) -> None:
    send(memory)
    assert failure_of(send(memory, OTHER)) == ("idempotency_conflict", "Idempotency-Key")
    assert not send(memory, OTHER, caller=Caller("bob", "default", "write", subject="token:2")).is_error
    assert not send(memory, OTHER, key="other").is_error


@pytest.mark.parametrize("key", ["", "x" * 256, 7, "a\nb"])
def test_a_key_is_a_short_text(memory: Memory, key: Any) -> None:
    assert failure_of(send(memory, key=key)) == ("invalid_input", "Idempotency-Key")


def test_a_failed_call_does_not_use_up_its_key(memory: Memory) -> None:
    assert send(memory, {}).is_error
    assert not send(memory).is_error


def test_a_call_whose_answer_could_not_be_kept_was_carried_out_all_the_same(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreUnavailable("the connection was lost")

    monkeypatch.setattr(CallClaim, "keep", fail)
    assert not send(memory).is_error
    assert failure_of(send(memory)) == ("idempotency_conflict", "Idempotency-Key")
    assert last_tx(memory) == 1


@pytest.mark.parametrize("key", [None, "k"])
@pytest.mark.parametrize(
    ("failure", "code"),
    [(StoreUnavailable("away"), "unavailable"), (NotAMember("x"), "forbidden"), (KeyError("secret"), "internal")],
)
def test_whatever_fails_around_a_call_is_an_answer(key: str | None, failure: Exception, code: str) -> None:
    def fail(*_: object) -> Memory:
        raise failure

    answer = KeyedCalls().once(key, ANN, REMEMBER, fail, FACT, lambda opened: call(REMEMBER, opened, FACT))
    assert failure_of(answer)[0] == code
    assert "secret" not in answer.texts[0]


def test_a_call_that_was_stopped_can_be_repeated(memory: Memory) -> None:
    deadline = CallDeadline()
    deadline.cancel()
    stopped = deadline.run(lambda: send(memory))
    assert "nothing was written" in stopped.structured["error"]["message"]
    assert not send(memory).is_error
    assert last_tx(memory) == 1


def test_a_call_whose_answer_was_lost_is_not_carried_out_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("recollect.serve.idempotency.MAX_ANSWER_BYTES", 0)
        send(memory)
    before = last_tx(memory)
    assert "was carried out" in send(memory).structured["error"]["message"]
    assert last_tx(memory) == before


def test_a_call_that_still_runs_is_not_started_again(memory: Memory) -> None:
    calls = KeyedCalls()

    def run(opened: OpenMemory) -> Answer:
        again = calls.once("k", ANN, REMEMBER, lambda *_: memory, FACT, lambda again: call(REMEMBER, again, FACT))
        assert "still running" in again.structured["error"]["message"]
        return call(REMEMBER, opened, FACT)

    assert not calls.once("k", ANN, REMEMBER, lambda *_: memory, FACT, run).is_error


def test_keys_are_forgotten_after_a_while(memory: Memory) -> None:
    send(memory)
    sweep_claims(memory.engine, memory.workspace.ws, memory.clock.now() + 1)
    assert REPLAYED not in send(memory).meta


def test_a_key_is_taken_from_the_metadata_of_a_call(tmp_path: Path) -> None:
    said: list[bytes] = []

    def line(ident: int) -> str:
        return json.dumps(
            {
                "jsonrpc": "2.0",
                "id": ident,
                "method": "tools/call",
                "params": {"name": "remember", "arguments": FACT, "_meta": {KEY_META: "k"}},
            }
        )

    with OpenStore(Settings(environment={"RECOLLECT_DB": str(tmp_path / "m.db")})) as opened:
        path = FastPath(find_surface("recollect"), opened.open_for, opened.local, Metrics())
        for ident in (1, 2):
            StdioSession(path, said.append, _never_woken).run([*(FIRST_WORDS[0] if ident == 1 else []), line(ident)])
    first, again = (json.loads(each)["result"] for each in said[-2:])
    assert first["structuredContent"] == again["structuredContent"]
    assert again["_meta"][REPLAYED] is True
