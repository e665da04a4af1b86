"""Verdicts on claims with a time: what a fact with bounds says of them, and from which day a source counts."""

from collections.abc import Callable

import pytest
from tests.surfaces.carabase.asking import edge, note, tell
from tests.surfaces.carabase.test_verify import person, verdict

from recollect.memory import Memory

Fill = Callable[[Callable[[Memory], object]], Memory]
FIRM = {"name": "Alder Mill", "type": "company"}
TOWN = {"name": "Nessby", "type": "place"}


def build_bounded_facts(memory: Memory) -> None:
    tell(memory, None, edge(person("Petra Onge"), "works_at", FIRM, valid_from="2011", valid_until="2016"))
    tell(memory, None, edge(person("Petra Onge"), "spouse_of", person("Ruben Falk"), valid_from="2009"))
    tell(memory, None, edge(person("Ruben Falk"), "lives_in", TOWN, valid_from="2013"))


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Petra Onge worked at Alder Mill in 2013", "corroborated"),
        ("Petra Onge worked at Alder Mill in 2019", "contradicted"),
        ("Petra Onge robbed Alder Mill in 2013", "inconclusive"),
        ("Petra Onge bought Alder Mill in 2013", "inconclusive"),
        ("Petra Onge toured Alder Mill in 2019", "inconclusive"),
        ("Petra Onge was banned from Alder Mill in May 2013", "inconclusive"),
        ("Petra Onge joined Alder Mill in 2011", "corroborated"),
        ("Petra Onge joined Alder Mill in 2013", "contradicted"),
        ("Petra Onge left Alder Mill in 2016", "corroborated"),
        ("Petra Onge quit Alder Mill in 2013", "contradicted"),
        ("Petra Onge left Alder Mill", "corroborated"),
        ("Petra Onge was married to Ruben Falk in 2012", "corroborated"),
        ("Petra Onge married Ruben Falk in 2009", "corroborated"),
        ("Petra Onge married Ruben Falk in 2012", "contradicted"),
        ("Petra Onge divorced Ruben Falk in 2012", "inconclusive"),
        ("Petra Onge stabbed Ruben Falk in 2018", "inconclusive"),
        ("Petra Onge knew Ruben Falk in 2004", "inconclusive"),
        ("Ruben Falk lived in Nessby in 2020", "corroborated"),
        ("Ruben Falk drowned in Nessby in 2020", "inconclusive"),
        ("Ruben Falk flooded Nessby in 2020", "inconclusive"),
        ("Ruben Falk camped in Nessby in 2002", "inconclusive"),
    ],
)
def test_a_fact_with_bounds_decides_claims_of_its_own_relation_only(filled: Fill, claim: str, expected: str) -> None:
    assert verdict(filled(build_bounded_facts), claim)[0] == expected


def test_a_verb_of_another_relation_is_not_decided_without_a_time_either(memory: Memory) -> None:
    tell(memory, None, edge(person("Odile"), "manages", {"name": "Harbour Rowing", "type": "company"}))
    assert verdict(memory, "Odile manages Harbour Rowing")[0] == "corroborated"
    assert verdict(memory, "Odile dissolved Harbour Rowing")[0] == "inconclusive"


def build_dated_notes(memory: Memory) -> None:
    tell(memory, note("r-1", "Orsolya sold the trailer yesterday.", "2026-05-12T17:00:00Z"))
    tell(memory, note("r-3", "Ylva flew to Riga on Thursday.", "2026-05-12T17:00:00Z"))
    tell(memory, note("r-2", "The regatta of Tarn is tomorrow.", "2026-03-03T10:00:00Z"))


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Orsolya sold the trailer on 11 May 2026", "corroborated"),
        ("Orsolya sold the trailer on 19 May 2026", "contradicted"),
        ("Orsolya sold the trailer yesterday", "contradicted"),
        ("Ylva flew to Riga on Thursday", "corroborated"),
        ("The regatta of Tarn is on 4 March 2026", "corroborated"),
        ("The regatta of Tarn is on 21 May 2026", "contradicted"),
    ],
)
def test_words_such_as_yesterday_count_from_the_day_of_their_source(filled: Fill, claim: str, expected: str) -> None:
    assert verdict(filled(build_dated_notes), claim)[0] == expected


def test_a_value_with_a_lessening_word_is_not_what_the_word_behind_it_says(memory: Memory) -> None:
    tell(memory, None, {"from": person("Ubbe"), "predicate": "occupation", "fact": "trainee baker"})
    assert verdict(memory, "Ubbe's occupation is trainee baker")[0] == "corroborated"
    assert verdict(memory, "Ubbe's occupation is baker")[0] == "inconclusive"
