"""A fact given as retracted takes back the fact of its words, also one that had ended by then."""

import pytest

from recollect.memory import Memory
from recollect.store.fact_rows import FactRow
from tests.support.facts import fact, facts_of, take_line, tell

CASES = {
    "an affiliation that ended": fact("Ada", "employee", "Acme", "Ada works at Acme", valid_until="2026-01-31"),
    "an affiliation to come": fact("Ada", "employee", "Acme", "Ada works at Acme", valid_from="2027"),
    "an overdue promise": fact("Ada", "promise", "Acme", "Ada will pay", "ASSERTED", valid_until="2026-02"),
    "an affiliation without words": fact("Ada", "employee", "Acme", valid_until="2026-01-31"),
    "a claim that sources may dispute": fact("Ada", "allied_with", "Bea", valid_until="2025"),
}


def taken_back(given: dict[str, object]) -> dict[str, object]:
    said = {key: value for key, value in given.items() if not key.startswith("valid_")}
    return {**said, "confidence": "retracted"}


def every_fact(memory: Memory) -> list[FactRow]:
    return facts_of(memory, "Ada", every=True)


@pytest.mark.parametrize("is_late", [False, True], ids=["in order", "the fact comes late"])
@pytest.mark.parametrize("given", CASES.values(), ids=CASES.keys())
def test_a_retraction_in_the_words_of_a_fact_takes_it_back(
    memory: Memory, given: dict[str, object], is_late: bool
) -> None:
    said = [("2026-01-01T00:00:00Z", given), ("2026-05-01T00:00:00Z", taken_back(given))]
    for at, each in reversed(said) if is_late else said:
        tell(memory, each, id=at, source_at=at)
    [seen] = every_fact(memory)
    assert (seen.fact.certainty, seen.fact.source_count) == ("retracted", 2)
    bounds = [time and time.text for time in (seen.fact.valid_from, seen.fact.valid_until)]
    assert bounds == [given.get("valid_from"), given.get("valid_until")]
    assert facts_of(memory, "Ada") == []


def test_a_retraction_in_other_words_or_of_another_term_is_retracted_from_the_start(memory: Memory) -> None:
    term = fact("Ada", "employee", "Acme", "Ada works at Acme", valid_from="2020", valid_until="2021")
    tell(memory, term, id="a", source_at="2026-01-01T00:00:00Z")
    other = {**term, "valid_from": "2023", "valid_until": "2024", "confidence": "retracted"}
    tell(memory, other, id="b", source_at="2026-02-01T00:00:00Z")
    tell(memory, {**taken_back(term), "fact": "Ada leads Acme"}, id="c", source_at="2026-02-02T00:00:00Z")
    assert [seen.fact.certainty for seen in every_fact(memory)] == ["stated", "retracted", "retracted"]


def test_what_a_withdrawn_fact_had_superseded_elsewhere_is_current_again(memory: Memory) -> None:
    first = fact("Ada", "commitment", "Engine", "Ada will build the engine", "ASSERTED")
    second = fact("Ada", "commitment", "Mill", "Ada turns to the mill", "ASSERTED", supersedes=first["fact"])
    tell(memory, first, id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, second, id="b", source_at="2026-01-02T00:00:00Z")
    assert [seen.text for seen in facts_of(memory, "Ada")] == [second["fact"]]
    tell(memory, id="b", source_at="2026-01-02T00:00:00Z", content="nothing of that")
    assert [seen.text for seen in facts_of(memory, "Ada")] == [first["fact"]]


def test_an_event_is_taken_back_by_a_source_of_its_own_time(memory: Memory) -> None:
    event = fact("Ada", "completion", "Engine", "Ada finished the engine", "TRANSITIONED")
    for day in ("01", "02"):
        tell(memory, event, id=day, source_at=f"2026-01-{day}T00:00:00Z")
    tell(memory, taken_back(event), id="c", source_at="2026-01-01T00:00:00Z")
    assert [seen.fact.is_retracted for seen in every_fact(memory)] == [True, False]


def test_a_fact_of_the_first_instant_of_1970_keeps_its_time(memory: Memory) -> None:
    said = fact("Ada", "opinion", "Acme", "Acme is fine", "ASSERTED", source_at="1970-01-01T00:00:00Z")
    take_line(memory, {"facts": [said]})
    assert [seen.fact.source_at for seen in every_fact(memory)] == [0]
