"""Facts answer questions in other words; the evaluation that measures it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from recollect.importers.fact_search_eval import BadFactLine, evaluate_fact_search, read_fact_cases
from recollect.serve.cli.main import main
from recollect.settings import Settings

PARAPHRASED = Path(__file__).parents[2] / "evals" / "facts" / "paraphrased.jsonl"


def test_a_question_in_other_words_finds_its_fact_among_the_first_three() -> None:
    cases = read_fact_cases(PARAPHRASED)
    assert len(cases) == 200
    report = evaluate_fact_search(cases[::4], Settings())
    assert report.n == 50
    assert report.in_first_3 >= 0.9


def test_one_word_in_common_by_chance_does_not_outrank_the_meaning(tmp_path: Path) -> None:
    lines = [
        {"from": "Ilka", "fact_type": "keeps", "to": "hens", "question": "Who has poultry?"},
        {"from": "The flat", "fact_type": "heated_by", "to": "a stove", "question": "How is the apartment kept warm?"},
    ]
    path = tmp_path / "facts.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert evaluate_fact_search(read_fact_cases(path), Settings()).first == 1.0


def test_a_wrong_line_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text('{"from": "Ada", "fact_type": "likes", "to": "tea", "question": "?"}\n{"from": "Ada"}\n')
    with pytest.raises(BadFactLine, match="line 2"):
        read_fact_cases(path)


def test_the_command_prints_the_shares(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text('{"from": "Ada", "fact_type": "drinks", "to": "oat milk", "question": "What does Ada drink?"}\n')
    done = CliRunner().invoke(main, ["eval", "facts", str(path), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["in_first_3"] == 1.0
