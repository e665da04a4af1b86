"""Items of a language model: kept within their quotes, dropped one by one, and weighed against what rules read."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.records import email, everything
from tests.llm.endpoint import saying, serving
from tests.llm.scripted_model import ScriptedModel

from recollect.importers.bundle import import_bundle
from recollect.ingest.extract.queue import run_next_model_job
from recollect.ingest.extract.record_reader import make_record_reader
from recollect.memory import Memory
from recollect.model.fact import Fact
from recollect.reason.review.queue import list_questions

MARCUS = {"name": "Marcus Webb", "type": "Person"}
KITE = {"name": "Kite", "type": "Project"}
Read = Callable[..., int | None]


def item(fact: str, quote: str, fact_type: str = "commitment", **more: Any) -> dict[str, Any]:
    said = {"edge_label": "ASSERTED", "fact_type": fact_type, "from": "Marcus Webb", "to": None}
    return {**said, "fact": fact, "quote": quote, "confidence": "stated", **more}


USES = item("Kite uses Stripe", "Kite uses Stripe.", "uses", **{"from": "Kite", "edge_label": "AFFILIATED"})


def answer(*facts: Any) -> dict[str, Any]:
    return {"entities": [MARCUS, KITE], "facts": list(facts)}


@pytest.fixture
def read(memory: Memory, tmp_path: Path) -> Read:
    """Takes in a mail of Marcus and lets a model say these items about it; how many were dropped."""

    def take(text: str, *facts: Any) -> int | None:
        asked = replace(memory, choose_model=lambda _: ScriptedModel([answer(*facts)]))
        path = tmp_path / "mail.jsonl"
        path.write_text(json.dumps(email("e1", text)) + "\n", "utf-8")
        import_bundle(asked, path, reader=make_record_reader(asked))
        return run_next_model_job(asked)

    return take


def by_model(memory: Memory) -> dict[str, Fact]:
    with memory.read() as view:
        return {
            each.text: each.fact
            for each in everything(memory)
            if any(told.extracted_by == "model:scripted" for told in view.assertions(each.fact.id))
        }


def asked_in_review(memory: Memory) -> int:
    with memory.read() as view:
        return len(list_questions(memory, view, "conflict").questions)


@pytest.mark.parametrize(
    ("text", "claim", "fact_type"),
    [
        ("We might drop Kite.", "Marcus drops Kite", "decision"),
        ("I hope to sell the van.", "Marcus sold the van", "sale"),
        ("Did Kite win the prize?", "Kite won the prize", "award"),
        ("If the bank agrees, I will lead Kite.", "Marcus leads Kite", "lead"),
        ("Apparently Kite was sold.", "Kite was sold", "sale"),
    ],
)
def test_an_item_may_not_be_more_certain_than_its_quote(
    read: Read, memory: Memory, text: str, claim: str, fact_type: str
) -> None:
    assert read(f"Kite uses Stripe. {text}", item(claim, text, fact_type), USES) == 1
    assert set(by_model(memory)) == {"Kite uses Stripe"}


@pytest.mark.parametrize(
    ("text", "claim", "fact_type"),
    [
        ("Kite does not use Adyen.", "Kite uses Adyen", "uses"),
        ("I am no longer the lead of Kite.", "Marcus is the lead of Kite", "lead"),
    ],
)
def test_an_item_may_not_be_more_positive_than_its_quote(
    read: Read, memory: Memory, text: str, claim: str, fact_type: str
) -> None:
    assert read(f"Kite uses Stripe. {text}", item(claim, text, fact_type), USES) == 1
    assert set(by_model(memory)) == {"Kite uses Stripe"}


def test_an_item_is_bounded_by_its_quote_and_reported_speech_is_inferred(read: Read, memory: Memory) -> None:
    text = "I led Kite from 2019 to 2021. Ann said that Kite uses Adyen."
    led = item("Marcus led Kite", "I led Kite from 2019 to 2021.", "led", to="Kite")
    said = item("Kite uses Adyen", "Ann said that Kite uses Adyen.", "uses", **{"from": "Kite"})
    assert read(text, led, said) == 0
    found = by_model(memory)
    start, until = found["Marcus led Kite"].valid_from, found["Marcus led Kite"].valid_until
    assert (start is not None and start.text[:4], until is not None and until.text[:4]) == ("2019", "2021")
    assert [found[each].certainty for each in ("Marcus led Kite", "Kite uses Adyen")] == ["stated", "inferred"]


def test_what_is_malformed_or_has_a_bad_time_is_dropped_with_its_reason_and_the_rest_is_kept(
    read: Read, memory: Memory, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "recollect.ingest"):
        dropped = read(
            "Kite uses Stripe.",
            USES,
            "nonsense",
            {**USES, "edge_label": "KNOWS"},
            {**USES, "fact": "Kite uses it until soon", "valid_until": "soonish"},
            {**USES, "quote": "Kite uses Adyen."},
            {**USES, "from": "Somebody Else"},
        )
    assert dropped == 5
    assert set(by_model(memory)) == {"Kite uses Stripe"}
    for reason in ("2 because malformed", "time cannot be read", "not in the record", "neither declared nor known"):
        assert reason in caplog.text


def test_rules_and_a_model_that_agree_make_one_fact_with_two_assertions(read: Read, memory: Memory) -> None:
    quote = "I will send the ledger by Friday."
    assert read(quote, item("Marcus will send the ledger", quote, valid_until="2026-03-13")) == 0
    [fact] = by_model(memory).values()
    with memory.read() as view:
        assert sorted(each.extracted_by for each in view.assertions(fact.id)) == ["model:scripted", "rules"]
    assert asked_in_review(memory) == 0


@pytest.mark.parametrize(
    ("quote", "claim", "more"),
    [
        ("I will send the ledger by Friday.", "Marcus will send the ledger", {"valid_until": "2026-03-20"}),
        ("We decided not to renew Kite.", "Marcus decided to renew Kite", {"fact_type": "decision", "to": "Kite"}),
    ],
)
def test_where_rules_and_a_model_differ_on_time_or_polarity_review_decides(
    read: Read, memory: Memory, quote: str, claim: str, more: dict[str, Any]
) -> None:
    assert read(quote, {**item(claim, quote), **more}) == 0
    assert by_model(memory)[claim].certainty == "inferred"
    [ruled] = [each.fact for each in everything(memory) if each.text == f"Marcus Webb: {quote}"]
    assert ruled.valid_until is None or ruled.valid_until.text == "2026-03-13"
    assert asked_in_review(memory) == 1


def test_the_same_holds_for_a_model_behind_an_endpoint(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "mail.jsonl"
    path.write_text(json.dumps(email("e1", "Kite uses Stripe. We might drop Kite.")) + "\n", "utf-8")
    told = answer(USES, "nonsense", item("Marcus drops Kite", "We might drop Kite.", "decision"))
    with serving(saying(told)) as server:
        settings = replace(memory.settings, file={**memory.settings.file, "llm.url": server.url, "llm.model": "m"})
        asked = replace(memory, settings=settings)
        import_bundle(asked, path, reader=make_record_reader(asked))
        assert run_next_model_job(asked) == 2
        assert len(server.asked) == 1
    assert "Kite uses Stripe" in {each.text for each in everything(memory)}
