"""A whole evaluation on a file of a few lines."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.hash_embedder import HashEmbedder

from recollect.search import passage_search
from recollect.search.eval_file import BadEvalLine
from recollect.search.eval_statistics import bootstrap, latency
from recollect.search.evaluation import MEASURES, EvalOptions, RetrievalReport, evaluate
from recollect.search.ranking import PassageHit

LINES = [
    {"doc": {"id": "1", "text": "I adopted a puppy called Rex.", "author": "Ada", "group": "a"}},
    {"doc": {"id": "2", "text": "The weather was fine.", "author": "Bo", "group": "a"}},
    {"doc": {"id": "1", "text": "A puppy was adopted elsewhere.", "group": "b"}},
    {"query": {"id": "q1", "text": "What did Ada adopt?", "gold": ["1"], "group": "a", "category": "pets"}},
    {"query": {"id": "q2", "text": "How was the weather?", "gold": ["2", "9"], "group": "a"}},
    {"query": {"id": "q3", "text": "Nothing to find", "gold": [], "group": "b"}},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    return path


def _report(file: Path, tmp_path: Path) -> RetrievalReport:
    return evaluate(file, HashEmbedder(256), EvalOptions(tmp_path / "cache"))


def test_four_ways_of_searching_are_measured_on_the_same_queries(file: Path, tmp_path: Path) -> None:
    report = _report(file, tmp_path)
    assert list(report.methods) == ["recollect", "bm25", "dense", "rrf"]
    assert {each.overall.n for each in report.methods.values()} == {2}
    assert (report.documents, report.queries, report.unknown_gold) == (3, 3, 1)
    ours = report.methods["recollect"]
    assert (ours.overall.mrr, ours.overall.recall_1) == (1.0, 0.75)
    assert list(ours.by_category) == ["pets"]


def test_the_report_prints_as_a_table_and_as_json(file: Path, tmp_path: Path) -> None:
    report = _report(file, tmp_path)
    assert json.loads(report.to_json())["methods"]["rrf"]["overall"]["n"] == 2
    lines = report.table().splitlines()
    assert len(lines) == 1 + 4 + 4 + 2 + 2 * 4 + 1
    assert "recall@10" in lines[0]
    assert lines[-1].startswith("1 gold ids")


def test_every_measure_lies_inside_its_confidence_interval(file: Path, tmp_path: Path) -> None:
    ours = _report(file, tmp_path).methods["recollect"]
    assert ours.intervals.keys() == set(MEASURES)
    for name, bounds in ours.intervals.items():
        assert bounds.low <= getattr(ours.overall, name) <= bounds.high
    assert ours.latency_ms.p50 <= ours.latency_ms.p95 <= ours.latency_ms.p99


def test_confidence_intervals_are_the_same_in_every_run() -> None:
    rows = [(float(at % 2), float(at % 3 == 0)) for at in range(60)]
    first, second = bootstrap(rows)
    assert bootstrap(rows) == [first, second]
    assert first.low < 0.5 < first.high
    assert second.low < 1 / 3 < second.high
    assert bootstrap([]) == []


def test_percentiles_are_interpolated() -> None:
    times = latency([0.001, 0.002, 0.003, 0.004])
    assert (times.mean, times.p50) == (2.5, 2.5)
    assert times.p95 == pytest.approx(3.85)


def test_without_reranking_the_fused_order_is_measured(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def record(hits: Sequence[PassageHit], _: object) -> Sequence[PassageHit]:
        calls.append(len(hits))
        return hits

    monkeypatch.setattr(passage_search, "order_by_ranker", record)
    plain = evaluate(file, HashEmbedder(256), EvalOptions(tmp_path / "cache", rerank=False))
    assert (plain.rerank, calls) == (False, [])
    assert evaluate(file, HashEmbedder(256), EvalOptions(tmp_path / "cache")).rerank
    assert len(calls) == 2


def test_without_an_embedder_only_the_words_are_measured(file: Path) -> None:
    assert list(evaluate(file, None).methods) == ["recollect", "bm25"]


def test_a_wrong_line_stops_the_evaluation_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"doc": {"id": "1", "text": "x"}}\nnonsense\n', encoding="utf-8")
    with pytest.raises(BadEvalLine, match="line 2"):
        evaluate(path, None)
