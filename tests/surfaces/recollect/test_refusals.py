"""What a refused call says: nothing that leads astray, and no words of a library."""

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent


def test_an_unknown_id_suggests_no_other_fact(memory: Memory) -> None:
    agent = Agent(memory)
    agent.do("remember", text="Leo likes tea.")
    error = agent.fail("correct", "not_found", fact="fact_01KS2D7V80E6DRS8F5X2MF83WZ", mode="wrong")
    assert "candidates" not in error


def test_an_empty_list_is_refused_in_plain_words(memory: Memory) -> None:
    error = Agent(memory).fail("recall", "invalid_input", query="tea", kinds=[])
    assert error["message"] == "kinds has 0 elements; it needs at least 1"


def test_a_predicate_of_signs_is_refused_for_that(memory: Memory) -> None:
    error = Agent(memory).fail(
        "remember", "invalid_input", facts=[{"subject": "Leo", "predicate": "!!!", "value": "tea"}]
    )
    assert error["message"].startswith("predicate '!!!' has no letter or digit")
