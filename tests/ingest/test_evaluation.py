"""The evaluation of reading: its figures, its zero rules, and how we do on our own labelled records."""

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.importers.extraction_eval import EvaluationReport, NoModelConfigured, evaluate
from recollect.importers.extraction_scores import PrecisionRecall, UnreadableDataset, read_dataset
from recollect.settings import Settings

EVALS = Path(__file__).parents[2] / "evals" / "extraction"


def report(path: Path, *lines: dict[str, Any]) -> EvaluationReport:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return evaluate(read_dataset(path), Settings())


def mail(key: str, content: str, sender: str = "Marcus Webb <m@acme.example>", **expected: Any) -> dict[str, Any]:
    record = {"id": key, "type": "email", "source_at": "2026-03-11T09:00:00Z", "content": content}
    return {"record": {**record, "metadata": {"sender": sender}}, "expected": expected}


def fact(label: str, fact_type: str, from_: str, to: str | None, **more: Any) -> dict[str, Any]:
    return {"edge_label": label, "fact_type": fact_type, "from": from_, "to": to, **more}


EMPLOYED = fact("AFFILIATED", "employee", "marcus webb", "Acme", confidence="inferred")
SENT = fact("ASSERTED", "commitment", "Marcus", None, confidence="verified", valid_until="2026-03-13")
MARCUS = {"name": "Marcus Webb", "type": "Person", "aliases": ["Marcus"]}


def test_figures_are_counted_and_shown_by_label(tmp_path: Path) -> None:
    found = report(
        tmp_path / "set.jsonl",
        mail("a", "I will send it by Friday. I will call.", entities=[MARCUS], facts=[EMPLOYED, SENT]),
        mail("b", "Nothing.", facts=[fact("ASSERTED", "decision", "Marcus Webb", None)]),
        mail("c", "Please read.", sender="noreply@x.example", noise=True),
        mail("d", "Please read.", sender="Ann Lee <ann@gmail.com>", noise=True),
        {"resolution": {"a": "Marcus Webb", "b": "m@acme.example", "expected": "merge"}},
        {"resolution": {"a": "Marcus Webb", "b": "Acme", "expected": "domain_inferred"}},
        {"resolution": {"a": "Marcus Webb", "b": "Nobody", "expected": "split"}},
        {"temporal": {**SENT, "from": "Marcus Webb", "stale": False, "valid_until": "2026-03-13T00:00:00Z"}},
        {"temporal": {**SENT, "from": "Marcus Webb", "stale": True}},
    ).to_json()
    assert found["facts"] == {
        "expected": 3,
        "extracted": 4,
        "correct": 2,
        "precision": 0.5,
        "recall": 0.6667,
        "f1": 0.5714,
    }
    assert found["per_label"]["AFFILIATED"]["f1"] == 1.0
    assert found["per_label"]["TRANSITIONED"] == {
        "expected": 0,
        "extracted": 0,
        "correct": 0,
        "precision": 1.0,
        "recall": 1.0,
        "f1": 1.0,
    }
    assert found["noise_rejection"] == {"cases": 2, "rejected": 1, "score": 0.5}
    assert found["entity_resolution"] == {"cases": 3, "correct": 2, "score": 0.6667}
    assert found["temporal"] == {"cases": 2, "correct": 1, "score": 0.5}
    assert [each["record"] for each in found["misses"]] == ["b"]
    assert sorted(each["record"] for each in found["extras"]) == ["a", "d"]
    assert any("expected verified" in each for each in found["warnings"])
    assert (found["records"], found["dropped_ungrounded"], found["extractor"]) == (4, 0, "rules")


def test_where_there_is_nothing_to_count_the_zero_rules_hold(tmp_path: Path) -> None:
    found = report(tmp_path / "empty.jsonl").to_json()
    assert found["facts"]["precision"] == found["facts"]["recall"] == 1.0
    assert [found[name]["score"] for name in ("noise_rejection", "entity_resolution", "temporal")] == [None] * 3
    nothing_right = report(tmp_path / "wrong.jsonl", mail("a", "", facts=[fact("ASSERTED", "goal", "X", None)]))
    assert nothing_right.to_json()["facts"]["f1"] == 0.0


def test_expected_and_extracted_facts_are_each_used_once(tmp_path: Path) -> None:
    once = report(tmp_path / "a.jsonl", mail("a", "", facts=[EMPLOYED]), mail("b", "")).matching.facts
    other = report(tmp_path / "b.jsonl", mail("a", ""), mail("b", "", facts=[EMPLOYED])).matching.facts
    twice = report(tmp_path / "c.jsonl", mail("a", "", facts=[EMPLOYED]), mail("b", "", facts=[EMPLOYED]))
    assert (once, other) == (PrecisionRecall(1, 1, 1), PrecisionRecall(1, 1, 1))
    assert twice.matching.facts == PrecisionRecall(2, 1, 1)
    assert [each["record"] for each in twice.matching.misses] == ["b"]


def test_a_label_takes_the_fact_of_its_own_record_before_that_of_another(tmp_path: Path) -> None:
    call = fact("ASSERTED", "commitment", "Marcus Webb", None, valid_until="2026-03-13")
    found = report(
        tmp_path / "a.jsonl",
        mail("a", "I will call.", sender="Marcus Webb"),
        mail("b", "I will send it by Friday.", sender="Marcus Webb", facts=[call]),
    )
    assert [each["record"] for each in found.matching.extras] == ["a"]
    assert found.matching.warnings == []


@pytest.mark.parametrize(
    "text",
    ["not json", '{"other": 1}', '{"record": {}}', '{"resolution": {"a": "x"}}', '{"temporal": {"stale": 1}}', "[1]",
     '{"record": {"id": "x"}, "expected": {"facts": [{"edge_label": "KNOWS", "fact_type": "x", "from": "y"}]}}'],
)  # fmt: skip
def test_a_dataset_that_cannot_be_read_says_why(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"\n{text}\n", "utf-8")
    with pytest.raises(UnreadableDataset, match="line 2"):
        read_dataset(path)


def test_the_model_can_only_be_measured_where_there_is_one(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("", "utf-8")
    with pytest.raises(NoModelConfigured):
        evaluate(read_dataset(path), Settings(), "model")


@pytest.mark.parametrize("name", ["development.jsonl", "held_back.jsonl"])
def test_our_own_records_are_read_well_enough(name: str) -> None:
    found = evaluate(read_dataset(EVALS / name), Settings()).to_json()
    assert found["facts"]["precision"] >= 0.95
    assert found["facts"]["recall"] >= 0.6
    assert found["per_label"]["ASSERTED"]["precision"] >= 0.95
    assert found["noise_rejection"]["score"] == 1.0
    assert found["entity_resolution"]["score"] >= 0.95
    assert found["temporal"]["score"] >= 0.95


def test_our_set_is_large_enough_and_half_of_it_tells_nothing() -> None:
    records = [each for name in ("development.jsonl", "held_back.jsonl") for each in read_dataset(EVALS / name).records]
    silent = [each for each in records if all(fact.label == "AFFILIATED" for fact in each.facts)]
    assert len(records) >= 120
    assert len(silent) >= len(records) / 2
    assert len({each.key for each in records}) == len(records)
