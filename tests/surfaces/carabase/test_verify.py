"""Verdicts on claims: each of the four, and every reason that can lead to one."""

from dataclasses import replace
from typing import Any

import pytest
from tests.llm.scripted_model import ScriptedModel
from tests.surfaces.carabase.asking import ask, edge, found, note, take_line, tell

from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

TOOL = "carabase_verify_hypothesis"


def verdict(memory: Memory, claim: str, **more: Any) -> tuple[str, list[str]]:
    """The verdict and the reasons behind it."""
    got = ask(memory, TOOL, {"claim": claim, **more}).structured
    return got["verdict"], [each["stance_reason"] for each in got["corroborated_by"] + got["contradicted_by"]]


def person(name: str) -> dict[str, str]:
    return {"name": name, "type": "person"}


def test_a_fact_supports_what_it_says_and_opposes_its_denial(orchard: Memory) -> None:
    got = found(orchard, TOOL, claim="Brindle Foods supplies Copperleaf")
    assert (got["verdict"], got["support"], got["opposition"], got["considered"]) == ("corroborated", 1, 0, 1)
    [item] = got["corroborated_by"]
    assert item["ref"].startswith("fact:fact_")
    assert item["uri"].startswith("carabase://artifact/")
    expected = {
        "text": "Brindle Foods supplies Copperleaf", "stance_reason": "agrees", "overlap": 1.0,
        "source_kind": "extracted", "confidence": 0.9, "weight": 1, "date": "2026-02-03",
    }  # fmt: skip
    assert {key: item[key] for key in expected} == expected
    assert verdict(orchard, "Brindle does not supply Copperleaf") == ("contradicted", ["negation"])


def test_two_negations_cancel_each_other(orchard: Memory) -> None:
    assert verdict(orchard, "It is not true that Brindle never supplies Copperleaf")[0] != "contradicted"
    assert verdict(orchard, "Brindle doesn't not supply Copperleaf") == ("corroborated", ["agrees"])
    assert verdict(orchard, "Brindle no longer supplies Copperleaf") == ("contradicted", ["negation"])


def test_an_opposite_word_turns_a_claim_round(memory: Memory) -> None:
    tell(memory, note("r-1", "The council approved the harbour plan.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "The council approved the harbour plan") == ("corroborated", ["agrees"])
    assert verdict(memory, "The council rejected the harbour plan") == ("contradicted", ["antonym"])
    assert verdict(memory, "The council did not reject the harbour plan") == ("corroborated", ["agrees"])


def test_stopping_is_a_negation(memory: Memory) -> None:
    tell(memory, note("r-1", "Wren ceased printing the weekly gazette.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "Wren prints the weekly gazette") == ("contradicted", ["negation"])


def test_exchanged_roles_oppose_where_the_relation_has_a_direction(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "Staff list."),
        edge(person("Ines Roth"), "reports_to", person("Tom Vale")),
    )
    assert verdict(memory, "Ines Roth reports to Tom Vale") == ("corroborated", ["agrees"])
    assert verdict(memory, "Tom Vale reports to Ines Roth") == ("contradicted", ["swapped"])


def test_a_relation_is_read_from_its_other_end_too(memory: Memory) -> None:
    tell(memory, note("r-1", "A family."), edge(person("Ann Lee"), "parent_of", person("Bo Lee")))
    assert verdict(memory, "Bo Lee is a child of Ann Lee") == ("corroborated", ["agrees"])
    assert verdict(memory, "Ann Lee is a child of Bo Lee") == ("contradicted", ["swapped"])


def test_a_symmetric_relation_has_no_order(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "A wedding."),
        edge(person("Ann Lee"), "spouse_of", person("Cy Mott")),
    )
    assert verdict(memory, "Cy Mott is the spouse of Ann Lee") == ("corroborated", ["agrees"])


def test_other_roles_the_wrong_way_round_say_nothing(memory: Memory) -> None:
    tell(memory, note("r-1", "A quarrel."), edge(person("Ann Lee"), "admires", person("Cy Mott")))
    assert verdict(memory, "Cy Mott admires Ann Lee") == ("inconclusive", [])
    assert verdict(memory, "Cy Mott is admired by Ann Lee") == ("corroborated", ["agrees"])


def test_another_number_opposes(memory: Memory) -> None:
    tell(memory, note("r-1", "The bridge carries 1,200 cars daily.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "The bridge carries 1200 cars daily") == ("corroborated", ["agrees"])
    assert verdict(memory, "The bridge carries 1.205k cars daily") == ("corroborated", ["agrees"])
    assert verdict(memory, "The bridge carries 900 cars daily") == ("contradicted", ["number"])
    assert verdict(memory, "The bridge does not carry 900 cars daily") == ("inconclusive", [])


def test_another_date_opposes(memory: Memory) -> None:
    tell(memory, note("r-1", "The harbour station opened on 14 March 2021.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "The harbour station opened in 2021") == ("corroborated", ["agrees"])
    assert verdict(memory, "The harbour station opened on March 14") == ("corroborated", ["agrees"])
    assert verdict(memory, "The harbour station opened in 2019") == ("contradicted", ["date"])


def test_an_ended_fact_opposes_the_present_and_supports_the_past(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "Staff list.", "2026-01-01T08:00:00Z"),
        edge(person("Ines Roth"), "works_at", {"name": "Quay Press", "type": "organization"},
             valid_from="2020", valid_until="2024"),
    )  # fmt: skip
    assert verdict(memory, "Ines Roth works at Quay Press") == ("contradicted", ["ended"])
    assert verdict(memory, "Ines Roth worked at Quay Press") == ("corroborated", ["past"])
    assert verdict(memory, "Ines Roth works at Quay Press", at_time="2022") == ("corroborated", ["agrees"])


def test_a_day_and_a_place_of_birth_do_not_oppose_each_other(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "Register."),
        edge(person("Ines Roth"), "born_in", {"name": "Turin", "type": "place"}),
        edge(person("Ines Roth"), "born_on", {"literal": "1980-02-01"}),
    )
    assert verdict(memory, "Ines Roth was born in Turin") == ("corroborated", ["agrees"])
    assert verdict(memory, "Ines Roth was born on 1 February 1980") == ("corroborated", ["agrees"])
    assert verdict(memory, "Ines Roth was born in Naples") == ("contradicted", ["other_value"])
    assert verdict(memory, "Ines Roth was born in 1981")[0] == "contradicted"


def test_another_value_opposes_where_there_is_only_one(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "A life.", "2026-01-01T08:00:00Z"),
        edge(person("Ines Roth"), "born_in", {"name": "Trieste", "type": "place"}),
        edge(person("Ines Roth"), "status", {"literal": "on leave"}),
    )
    assert verdict(memory, "Ines Roth was born in Naples") == ("contradicted", ["other_value"])
    assert verdict(memory, "Ines Roth was born in Trieste") == ("corroborated", ["agrees"])
    assert verdict(memory, "The status of Ines Roth is active") == ("contradicted", ["other_value"])


def test_another_value_of_a_predicate_of_two_words_is_no_support(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "A life.", "2026-01-01T08:00:00Z"),
        edge(person("Ines Roth"), "favorite_color", {"literal": "green"}),
        edge(person("Ines Roth"), "shirt_size", {"literal": "M"}),
        edge(person("Ines Roth"), "phone_number", {"literal": "+47 22 33 44 55"}),
        edge(person("Ines Roth"), "number_of_cats", {"literal": "3"}),
        edge(person("Ines Roth"), "price", {"literal": "4500 EUR"}),
    )
    assert verdict(memory, "The favorite color of Ines Roth is green")[0] == "corroborated"
    assert verdict(memory, "The favorite color of Ines Roth is blue")[0] == "inconclusive"
    assert verdict(memory, "The shirt size of Ines Roth is XL")[0] != "corroborated"
    assert verdict(memory, "The number of cats of Ines Roth is 3")[0] == "corroborated"
    assert verdict(memory, "The price of Ines Roth is €4,500")[0] != "contradicted"


@pytest.mark.parametrize(
    ("decided", "claim", "expected"),
    [
        ({"predicate_values.born_in": "many"}, "Ines Roth was born in Naples", "inconclusive"),
        ({"predicate_values.status": "many"}, "The status of Ines Roth is active", "inconclusive"),
        ({"predicate_values.team": "one"}, "The team of Ines Roth is Docks", "contradicted"),
        ({}, "The team of Ines Roth is Docks", "inconclusive"),
    ],
)
def test_a_workspace_decides_how_many_values_there_are(
    memory: Memory, decided: dict[str, str], claim: str, expected: str
) -> None:
    tell(
        memory,
        note("r-1", "A life.", "2026-01-01T08:00:00Z"),
        edge(person("Ines Roth"), "born_in", {"name": "Trieste", "type": "place"}),
        edge(person("Ines Roth"), "status", {"literal": "on leave"}),
        edge(person("Ines Roth"), "team", {"literal": "Cranes"}),
    )
    with memory.write() as change:
        for key, value in decided.items():
            change.put_setting(key, value)
    assert verdict(memory, claim)[0] == expected


def test_an_ambiguous_fact_is_listed_and_decides_nothing(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "A rumour.", "2026-01-01T08:00:00Z"),
        edge(person("Ines Roth"), "owns", {"name": "Red Kite", "type": "item"}, source_kind="ambiguous"),
    )
    got = ask(memory, TOOL, {"claim": "Ines Roth owns Red Kite"}).structured
    assert got["verdict"] == "inconclusive"
    assert [(each["weight"], each["source_kind"]) for each in got["corroborated_by"]] == [(0, "ambiguous")]


def test_sources_that_disagree_are_mixed(memory: Memory) -> None:
    tell(memory, note("r-1", "The ferry runs on Sunday mornings.", "2026-05-01T08:00:00Z"))
    tell(memory, note("r-2", "The ferry never runs on Sunday mornings.", "2026-05-02T08:00:00Z"))
    got = found(memory, TOOL, claim="The ferry runs on Sunday mornings")
    assert (got["verdict"], got["support"], got["opposition"]) == ("mixed", 1, 1)
    assert [each["ref"] for each in got["contradicted_by"]] == ["note:r-2"]


def test_nothing_to_go_by_is_inconclusive_with_a_hint(orchard: Memory) -> None:
    got = ask(orchard, TOOL, {"claim": "The moon is made of cheese"}).structured
    assert (got["verdict"], got["considered"], got["_hint"]["shape"]) == ("inconclusive", 0, "verifyInconclusive")
    assert "0" in got["_hint"]["text"]
    [following] = got["_hint"]["next"]
    assert not ask(orchard, following["tool"], following["args"]).is_error


def test_a_sentence_is_not_counted_beside_the_fact_it_gave(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "Brindle Foods supplies Copperleaf.", "2026-02-03T08:00:00Z"),
        edge({"name": "Brindle Foods", "type": "organization"}, "supplies", {"name": "Copperleaf", "type": "project"}),
    )
    got = found(memory, TOOL, claim="Brindle Foods supplies Copperleaf")
    assert [each["ref"].partition(":")[0] for each in got["corroborated_by"]] == ["fact"]


def test_what_was_not_yet_known_is_no_evidence(orchard: Memory) -> None:
    got = ask(orchard, TOOL, {"claim": "Brindle Foods supplies Copperleaf", "as_of": 0}).structured
    assert (got["verdict"], got["considered"]) == ("inconclusive", 0)


@pytest.mark.parametrize("claim", ["Does Brindle supply Copperleaf", "Brindle supplies Copperleaf?", "Who supplies it"])
def test_a_question_is_refused(orchard: Memory, claim: str) -> None:
    answer = ask(orchard, TOOL, {"claim": claim})
    assert answer.is_error
    assert answer.structured["error"]["code"] == "CLAIM_IS_QUESTION"


def test_a_name_that_begins_like_a_question_is_none(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "Charts.", "2026-05-01T08:00:00Z"),
        edge({"name": "Who Cares", "type": "band"}, "plays", {"literal": "jazz"}),
    )
    assert verdict(memory, "Who Cares plays jazz") == ("corroborated", ["agrees"])


def test_a_model_adds_and_changes_nothing_else(memory: Memory) -> None:
    tell(memory, note("r-1", "The ferry boats run on cold Sunday mornings in winter.", "2026-05-01T08:00:00Z"))
    claim = "The harbour company runs cold boats"
    plain = ask(memory, TOOL, {"claim": claim}).structured
    assert (plain["verdict"], plain["considered"]) == ("inconclusive", 1)
    model = ScriptedModel([{"stances": [{"number": 1, "stance": "supports"}]}])
    asked = replace(memory, choose_model=lambda _: model)
    got = ask(asked, TOOL, {"claim": claim, "mode": "nli"}).structured
    assert (got["verdict"], got["nli_verdict"], got["mode_used"]) == ("inconclusive", "corroborated", "nli")
    [item] = got["corroborated_by"]
    assert (item["producer"], item["stance_reason"], item["weight"]) == ("nli", "nli", 0)


def test_without_a_model_the_answer_is_the_plain_one(orchard: Memory) -> None:
    plain = ask(orchard, TOOL, {"claim": "Brindle Foods supplies Copperleaf"}).structured
    assert ask(orchard, TOOL, {"claim": "Brindle Foods supplies Copperleaf", "mode": "nli"}).structured == plain


def test_a_fact_that_no_document_tells_is_found_by_its_words_where_the_claim_names_nobody(memory: Memory) -> None:
    blocked = {"from": {"name": "Copper Kettle", "type": "project"}, "predicate": "blocked_by"}
    take_line(memory, {"facts": [blocked | {"to": {"literal": "supplier contract unsigned"}}]})
    assert verdict(memory, "the supplier contract is unsigned") == ("corroborated", ["agrees"])
    assert verdict(memory, "blocked by an unsigned supplier contract") == ("corroborated", ["agrees"])
    assert verdict(memory, "not blocked by the unsigned supplier contract") == ("contradicted", ["negation"])


@pytest.mark.parametrize(
    "sentence",
    [
        "Did Marta sell the bakery?",
        "I doubt that Marta sold the bakery.",
        "Perhaps Marta sold the bakery.",
        "If Marta sold the bakery, she is rich.",
        "I hope Marta sold the bakery.",
        "Marta plans to sell the bakery.",
        "Marta considered selling the bakery.",
        "Marta tried to sell the bakery.",
        "Marta nearly sold the bakery.",
        "Rolf says Marta sold the bakery.",
        "Apparently Marta sold the bakery.",
        "As if Marta ever sold the bakery.",
        '"Marta sold the bakery," the flyer says.',
        "Nobody saw Marta sell the bakery.",
        "Sell the bakery, Marta.",
        "Marta went to town to sell the bakery.",
        "~~Marta sold the bakery.~~",
    ],
)
def test_what_is_not_asserted_decides_nothing(memory: Memory, sentence: str) -> None:
    tell(memory, note("r-1", sentence, "2026-05-01T08:00:00Z"))
    assert verdict(memory, "Marta sold the bakery") == ("inconclusive", [])
    assert verdict(memory, "Marta did not sell the bakery") == ("inconclusive", [])


@pytest.mark.parametrize(
    "sentence",
    [
        "It is false that Marta sold the bakery.",
        "It isn't true that Marta sold the bakery.",
        "Marta refused to sell the bakery.",
        "Marta has not yet sold the bakery.",
        "Rolf sold the bakery, not Marta.",
    ],
)
def test_a_denial_opposes_a_claim_and_supports_its_negation(memory: Memory, sentence: str) -> None:
    tell(memory, note("r-1", sentence, "2026-05-01T08:00:00Z"))
    assert verdict(memory, "Marta sold the bakery")[0] == "contradicted"
    assert verdict(memory, "Marta did not sell the bakery")[0] == "corroborated"


def test_a_claim_about_a_plan_is_supported_by_the_plan_alone(memory: Memory) -> None:
    tell(memory, note("r-1", "Kaspar intends to sell his vineyard.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "Kaspar intends to sell his vineyard")[0] == "corroborated"
    assert verdict(memory, "Kaspar sold his vineyard")[0] == "inconclusive"


def test_every_number_and_year_belongs_to_its_own_clause(memory: Memory) -> None:
    tell(memory, note("r-1", "Attendance was 340 in 2023 and 410 in 2024.", "2026-05-01T08:00:00Z"))
    tell(memory, note("r-2", "The museum opened in 1998 and closed in 2011.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "Attendance was 410 in 2024")[0] == "corroborated"
    assert verdict(memory, "Attendance was 410 in 2023")[0] == "contradicted"
    assert verdict(memory, "The museum closed in 2011")[0] == "corroborated"
    assert verdict(memory, "The museum opened in 2011")[0] == "contradicted"


def test_a_change_from_one_value_to_another_leaves_the_second(memory: Memory) -> None:
    tell(memory, note("r-1", "The supper was moved from 4 May 2026 to 9 May 2026.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "The supper is on 9 May 2026")[0] == "corroborated"
    assert verdict(memory, "The supper is on 4 May 2026") == ("contradicted", ["date"])


def test_a_time_in_the_claim_is_checked_against_the_bounds_of_a_fact(memory: Memory) -> None:
    tell(
        memory,
        note("r-1", "Staff list.", "2026-01-01T08:00:00Z"),
        edge(person("Ines Roth"), "works_at", {"name": "Quay Press", "type": "organization"},
             valid_from="2014", valid_until="2018"),
        edge(person("Ines Roth"), "works_at", {"name": "Dock Mill", "type": "organization"}),
    )  # fmt: skip
    assert verdict(memory, "Ines Roth worked at Quay Press in 2016") == ("corroborated", ["past"])
    assert verdict(memory, "Ines Roth worked at Quay Press in 2021") == ("contradicted", ["time"])
    assert verdict(memory, "Ines Roth worked at Quay Press until 2018")[0] == "corroborated"
    assert verdict(memory, "Ines Roth has worked at Quay Press since 2010") == ("contradicted", ["time"])
    assert verdict(memory, "Ines Roth worked at Dock Mill in 2016") == ("inconclusive", [])


def test_names_in_exchanged_roles_oppose_where_the_verb_has_a_direction(memory: Memory) -> None:
    tell(memory, note("r-1", "Clement sold the workshop to Faustine.", "2026-05-01T08:00:00Z"))
    tell(memory, note("r-2", "Petra admires Quentin.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "Clement sold the workshop to Faustine")[0] == "corroborated"
    assert verdict(memory, "Faustine sold the workshop to Clement") == ("contradicted", ["role"])
    assert verdict(memory, "Quentin admires Petra") == ("inconclusive", [])


def test_a_part_is_not_the_whole(memory: Memory) -> None:
    tell(memory, note("r-1", "Only two of the nine members voted for the merger.", "2026-05-01T08:00:00Z"))
    tell(memory, note("r-2", "Most guests paid the bill.", "2026-05-01T08:00:00Z"))
    assert verdict(memory, "Two members voted for the merger")[0] == "corroborated"
    assert verdict(memory, "All nine members voted for the merger")[0] == "contradicted"
    assert verdict(memory, "All guests paid the bill") == ("inconclusive", [])


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        (
            "The dairy employed 62 people in 2019 and 48 in 2022.",
            "The dairy employed 48 people in 2022",
            "corroborated",
        ),
        (
            "The dairy employed 62 people in 2019 and 48 in 2022.",
            "The dairy employed 48 people in 2019",
            "contradicted",
        ),
        ("The tower is 41 metres high and 9 metres wide.", "The tower is 9 metres high", "contradicted"),
        ("Kestrel moved its workshop from Jena to Weimar.", "The workshop of Kestrel is in Jena", "inconclusive"),
        ("Marisol Vega sued the harbour board.", "The harbour board sued Marisol Vega", "inconclusive"),
        ("Only Sunniva voted against the tunnel.", "Sunniva voted for the tunnel", "contradicted"),
        ("Torvald owes Brita 300 crowns.", "Brita owes Torvald 300 crowns", "contradicted"),
        ("Torvald owes Brita 300 crowns.", "Torvald owes Brita 300 crowns", "corroborated"),
        ("Agnete is the mother of Silje.", "Silje is the mother of Agnete", "contradicted"),
        ("Rasmus buried the hatchet with his neighbour.", "Rasmus buried a hatchet", "inconclusive"),
        ("Joachim chaired the guild from 1998 to 2006.", "Joachim chairs the guild", "inconclusive"),
    ],
)
def test_words_that_are_all_there_may_say_something_else(
    memory: Memory, evidence: str, claim: str, expected: str
) -> None:
    tell(memory, note("n1", evidence))
    assert verdict(memory, claim)[0] == expected


@pytest.mark.parametrize(
    ("said", "claim", "expected"),
    [
        ("Sigurd paid 120 of the 300 euros.", "Sigurd paid 300 euros", "inconclusive"),
        ("Astrid was replaced by Sigurd as conductor.", "Astrid replaced Sigurd as conductor", "inconclusive"),
        ("Sigurd signed the lease on Monday.", "Sigurd signed the lease", "corroborated"),
    ],
)
def test_a_fact_in_the_words_of_its_source_is_read_as_a_sentence(
    memory: Memory, said: str, claim: str, expected: str
) -> None:
    remember = find_surface("recollect").find("remember")
    assert not call(remember, lambda each: memory.as_actor("recollect", each.name), {"text": said}).is_error
    assert verdict(memory, claim)[0] == expected
