"""Thousands of dated facts of the real world: the tools say what a plain scan of all of them says."""

import pytest
from benchmarks.lore_brute import Brute, Reckoning, data_file, disagreements, fill, questions, read_rows

from recollect.memory import Memory

ROWS = 1500
QUESTIONS = 100

pytestmark = pytest.mark.skipif(not data_file().exists(), reason=f"the data set {data_file().name} is not here")


@pytest.mark.parametrize("reckoning", ["real", "invented"])
def test_what_was_true_and_when_is_what_a_scan_of_every_fact_finds(memory: Memory, reckoning: Reckoning) -> None:
    rows, types = read_rows(data_file())
    fill(memory, rows[::27][:ROWS], types, reckoning)
    brute = Brute(memory, types)
    asked = questions(brute, QUESTIONS)
    assert [said for each in asked for said in disagreements(memory, brute, each, reckoning)] == []
