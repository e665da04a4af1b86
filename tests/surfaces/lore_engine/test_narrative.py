"""Telling: every sentence carries a number, every number stands for a relation with its sources."""

import re
from dataclasses import replace
from typing import Any

import pytest

from recollect.memory import Memory
from tests.llm.scripted_model import ScriptedModel
from tests.support.facts import tell
from tests.surfaces.lore_engine.npc_world import Tides, year

STYLES = ("bullet", "paragraph", "chronicle", "whispers")
CITED = re.compile(r"\[(\d+)\]")


@pytest.fixture
def world(memory: Memory) -> Tides:
    world = Tides(memory).begin()
    rolls = world.book("harbour-rolls", "The mole gave way.")
    world.happened("Breaking of the Mole", year(45), "Halden", document=rolls)
    world.fact("Mira Orrin", "PARTICIPATED_IN", "Breaking of the Mole", document=rolls)
    world.fact("Breaking of the Mole", "CAUSED", "Drowning of Halden", document=rolls)
    world.happened("Drowning of Halden", year(46), "Halden", document=rolls)
    world.fact("Old Perrin", "WITNESSED", "Breaking of the Mole")
    world.fact("Old Perrin", "LOCATED_IN", "Halden", since=year(30))
    world.fact("House Orrin", "RULES", "Halden", since=year(25), until=year(50))
    return world


def summary(world: Tides, entity: str, **more: Any) -> dict[str, Any]:
    answer = world.answer("summarize_chain", entity=entity, **more)
    assert not answer.is_error, answer.structured
    return answer.structured


def arc(world: Tides, start: str, end: str, **more: Any) -> dict[str, Any]:
    answer = world.answer("narrate_arc", start_event=start, end_event=end, **more)
    assert not answer.is_error, answer.structured
    return answer.structured


def numbers(text: str) -> list[int]:
    return [int(number) for number in CITED.findall(text)]


def test_a_chronicle_of_an_event_goes_by_time_and_repeats_no_date(world: Tides) -> None:
    said = summary(world, "Breaking of the Mole", depth=1, style="chronicle")
    assert said["text"].splitlines() == [
        f"In {year(45)}, Breaking of the Mole occurred at Halden [1].",
        f"In {year(45)}, Mira Orrin participated in Breaking of the Mole [2].",
        f"In {year(45)}, Breaking of the Mole caused Drowning of Halden [3].",
        f"In {year(46)}, Drowning of Halden occurred at Halden [4].",
    ]
    assert [said["citations"][str(n)]["sources"] for n in (1, 2, 3, 4)] == [["harbour-rolls"]] * 4
    assert said["citations"]["1"]["at"] == year(45)
    assert [each["name"] for each in said["events"]] == ["Breaking of the Mole", "Drowning of Halden"]
    assert (said["generated_by"], said["dropped_sentences"], said["truncated"]) == ("template", 0, False)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("entity", ["Breaking of the Mole", "Mira Orrin", "Old Perrin", "House Orrin", "Halden"])
def test_every_sentence_has_a_number_that_resolves_and_there_are_no_gaps(world: Tides, style: str, entity: str) -> None:
    said = summary(world, entity, style=style)
    sentences = [each for each in re.split(r"(?<=\.)\s+", said["text"]) if each]
    assert sentences
    assert all(numbers(each) for each in sentences)
    assert sorted(set(numbers(said["text"]))) == list(range(1, len(said["citations"]) + 1))
    assert set(map(str, numbers(said["text"]))) == set(said["citations"])


def test_each_style_has_its_shape(world: Tides) -> None:
    texts = {style: summary(world, "House Orrin", style=style)["text"] for style in STYLES}
    assert texts == {
        "bullet": f"- House Orrin ruled Halden from {year(25)} until {year(50)} [1].",
        "paragraph": f"House Orrin ruled Halden from {year(25)} until {year(50)} [1].",
        "chronicle": f"In {year(25)}, House Orrin came to rule Halden [1].",
        "whispers": f"I heard that House Orrin ruled Halden from {year(25)} until {year(50)} [1].",
    }


def test_what_has_no_time_comes_last_in_a_chronicle(world: Tides) -> None:
    world.fact("Quiet Council", "PRECEDED", "Breaking of the Mole")
    world.fact("Quiet Council", "OCCURRED_AT", "Low Quay")
    lines = summary(world, "Quiet Council", style="chronicle", depth=1)["text"].splitlines()
    assert f"In {year(45)}, Quiet Council preceded Breaking of the Mole [2]." in lines
    assert lines[-1].startswith("At a time not recorded, Quiet Council occurred at Low Quay [")


def test_the_entitys_own_sentences_come_first_where_a_style_does_not_go_by_time(world: Tides) -> None:
    said = summary(world, "Old Perrin", style="paragraph", depth=1)
    assert said["text"].startswith(f"Old Perrin was in Halden from {year(30)} [1]. Old Perrin witnessed Breaking")
    assert "Mira Orrin participated in Breaking of the Mole" in said["text"]


def test_a_disputed_relation_says_so(world: Tides) -> None:
    world.fact("Mira Orrin", "POSSESSES", "Tide-Knife", since=year(40), until=year(60))
    world.fact("Saltguard", "POSSESSES", "Tide-Knife", since=year(50), until=year(55))
    said = summary(world, "Tide-Knife")
    assert said["text"].count("though the sources disagree") == 2
    assert [each["disputed"] for each in said["citations"].values()] == [True, True]


def test_a_relation_of_no_table_reads_in_its_own_words_or_as_it_is_called(world: Tides) -> None:
    fact = {"from": "Tobin Orrin", "to": "Sela Orrin", "predicate": "mentor_of", "valid_from": year(50)}
    tell(world.memory, {**fact, "fact": "Tobin Orrin taught Sela Orrin the knots."})
    tell(world.memory, {**fact, "predicate": "godfather_of", "fact": "He said: I will. And he was."})
    assert summary(world, "Tobin Orrin")["text"] == (
        f"Tobin Orrin taught Sela Orrin the knots from {year(50)} [1]. "
        f"Tobin Orrin godfather of Sela Orrin from {year(50)} [2]."
    )


def test_the_limit_cuts_sentences_and_says_so(world: Tides) -> None:
    said = summary(world, "Breaking of the Mole", limit=2)
    assert (len(said["citations"]), said["truncated"]) == (2, True)


def test_of_nothing_recorded_nothing_is_told(world: Tides) -> None:
    world.entity("Sela Orrin")
    said = summary(world, "Sela Orrin")
    assert (said["text"], said["citations"], bool(said["note"])) == ("", {}, True)


def test_an_arc_tells_each_event_and_lists_its_citations(world: Tides) -> None:
    said = arc(world, "Breaking of the Mole", "Drowning of Halden")
    assert said["connected"] is True
    assert [(each["name"], each["at"]) for each in said["events"]] == [
        ("Breaking of the Mole", year(45)),
        ("Drowning of Halden", year(46)),
    ]
    assert said["text"].split("\n\n") == [
        (
            f"Breaking of the Mole occurred at Halden in {year(45)} [1]. "
            f"Mira Orrin participated in Breaking of the Mole in {year(45)} [2]. "
            f"Old Perrin was in Halden in {year(45)} [3]."
        ),
        (
            f"Drowning of Halden occurred at Halden in {year(46)} [4]. "
            f"Breaking of the Mole caused Drowning of Halden in {year(45)} [5]."
        ),
        "\n".join(
            (
                "Citations",
                f"[1] {year(45)} — Breaking of the Mole occurred at Halden in {year(45)} — harbour-rolls",
                f"[2] {year(45)} — Mira Orrin participated in Breaking of the Mole in {year(45)} — harbour-rolls",
                f"[3] {year(45)} — Old Perrin was in Halden in {year(45)} — tool:lore-engine.add_relation by local",
                f"[4] {year(46)} — Drowning of Halden occurred at Halden in {year(46)} — harbour-rolls",
                f"[5] {year(45)} — Breaking of the Mole caused Drowning of Halden in {year(45)} — harbour-rolls",
            )
        ),
    ]
    assert [each["n"] for each in said["timeline"]] == [1, 2, 3, 5, 4]


def test_a_perspective_tells_only_what_it_saw(world: Tides) -> None:
    said = arc(world, "Breaking of the Mole", "Drowning of Halden", perspective="Old Perrin")
    assert [each["name"] for each in said["events"]] == ["Breaking of the Mole"]
    assert "Drowning" not in said["text"]
    assert said["text"].startswith(
        f"Breaking of the Mole occurred at Halden in {year(45)} [1]. "
        f"Mira Orrin participated in Breaking of the Mole in {year(45)} [2].\n\nCitations\n"
    )


def test_a_group_saw_what_its_members_of_that_time_saw(world: Tides) -> None:
    world.fact("Old Perrin", "MEMBER_OF", "Saltguard", since=year(40))
    world.fact("Mira Orrin", "MEMBER_OF", "Harbour Watch", since=year(60))
    for group, count in (("Saltguard", 1), ("Harbour Watch", 0)):
        said = arc(world, "Breaking of the Mole", "Drowning of Halden", perspective=group)
        assert len(said["events"]) == count


def test_a_perspective_that_saw_nothing_tells_nothing(world: Tides) -> None:
    world.entity("Sela Orrin")
    said = arc(world, "Breaking of the Mole", "Drowning of Halden", perspective="Sela Orrin")
    assert (said["text"], said["events"], said["timeline"], said["citations"]) == ("", [], [], {})
    assert said["note"]


def test_without_a_way_the_arc_is_what_shares_people_or_places_between_them(world: Tides) -> None:
    world.happened("Quiet Council", year(40), "Halden")
    world.happened("Far Feast", year(43), "Low Quay")
    world.types |= {"Storm": "event", "Far Feast": "event"}
    world.happened("Storm", year(42), "Halden")
    said = arc(world, "Quiet Council", "Breaking of the Mole")
    assert said["connected"] is False
    assert [each["name"] for each in said["events"]] == ["Quiet Council", "Storm", "Breaking of the Mole"]


def test_the_same_event_twice_is_an_arc_of_one(world: Tides) -> None:
    said = arc(world, "Breaking of the Mole", "Breaking of the Mole")
    assert (len(said["events"]), said["connected"]) == (1, True)


def test_an_end_before_the_start_and_a_thing_that_is_no_event_are_refused(world: Tides) -> None:
    answer = world.answer("narrate_arc", start_event="Drowning of Halden", end_event="Breaking of the Mole")
    assert answer.structured["error"] == "BAD_INPUT"
    assert year(45) in answer.structured["message"]
    assert year(46) in answer.structured["message"]
    answer = world.answer("narrate_arc", start_event="Halden", end_event="Breaking of the Mole")
    assert answer.structured["error"] == "WRONG_TYPE"


def test_who_came_or_left_meanwhile_was_there_from_when_until_when(world: Tides) -> None:
    world.happened("Quiet Council", "second_tide.grey_years", "Halden")
    world.fact("Sela Orrin", "LOCATED_IN", "Halden", since=year(50), until=year(70))
    text = arc(world, "Quiet Council", "Quiet Council")["text"]
    assert f"Sela Orrin was in Halden from {year(50)} until {year(70)} [" in text
    assert "Old Perrin was in Halden in second_tide.grey_years [" in text


def test_who_was_there_all_the_while_did_not_come_there_when_the_event_began(world: Tides) -> None:
    world.fact("Quiet Council", "OCCURRED_AT", "Halden", since=year(47), until=year(49))
    told = arc(world, "Quiet Council", "Quiet Council", style="chronicle")["text"]
    assert f"In {year(47)}, Old Perrin was in Halden [" in told
    assert f"In {year(30)}, Old Perrin came to Halden [" in summary(world, "Old Perrin", style="chronicle")["text"]


def test_concurrent_events_belong_to_the_arc(world: Tides) -> None:
    world.fact("Quiet Council", "CONCURRENT_WITH", "Breaking of the Mole")
    said = arc(world, "Breaking of the Mole", "Drowning of Halden")
    assert {each["name"] for each in said["events"]} == {
        "Breaking of the Mole",
        "Drowning of Halden",
        "Quiet Council",
    }


def with_model(world: Tides, *answers: str) -> tuple[Tides, ScriptedModel]:
    model = ScriptedModel(answers)
    return replace(world, memory=replace(world.memory, choose_model=lambda _: model)), model


REWRITTEN = {
    "In second_tide.year_45 the mole broke at Halden [1].": True,
    "Mira Orrin had a hand in the Breaking of the Mole [2].": True,
    "It led to the Drowning of Halden. [3]": True,
    "Mira Orrin wept.": False,
    "Mira Orrin broke it with forty men [2].": False,
    "Mira Orrin broke it in second_tide.year_47 [2].": False,
    "House Orrin mourned at Halden [1].": False,
    "Bazuk the Bold led Mira Orrin [2].": False,
    "The mole broke at Halden [99].": False,
    "They say Lady Vex was at Halden [1].": False,
}


def test_a_rewritten_text_loses_what_it_cannot_cite(world: Tides) -> None:
    told, model = with_model(world, " ".join(REWRITTEN))
    said = summary(told, "Breaking of the Mole", depth=1, rewrite=True)
    kept = [each for each, holds in REWRITTEN.items() if holds]
    assert said["text"] == " ".join(kept).replace("Halden. [3]", "Halden [3].")
    assert (said["generated_by"], said["dropped_sentences"]) == ("endpoint", len(REWRITTEN) - len(kept))
    assert "[1]" in model.asks[0].user
    assert "harbour-rolls" not in model.asks[0].user


@pytest.mark.parametrize("answers", [(), ("",), ("All is well.",), ("Ignore this [7777].",)])
def test_if_nothing_of_a_rewritten_text_holds_the_template_stands(world: Tides, answers: tuple[str, ...]) -> None:
    told, _ = with_model(world, *answers)
    plain = summary(world, "Breaking of the Mole")
    assert summary(told, "Breaking of the Mole", rewrite=True) == plain


def test_without_being_asked_no_model_is_used(world: Tides) -> None:
    told, model = with_model(world, "Anything [1].")
    summary(told, "Breaking of the Mole")
    assert model.asks == []
