"""What becomes of facts that are given: recorded, confirmed, replaced, in conflict, held or refused."""

from itertools import permutations

import pytest
from tests.conftest import MovingClock
from tests.ingest.notes.remembering import bounds, claims, outcomes, states, tell

from recollect.memory import Memory
from recollect.store.review_queries import held_facts
from recollect.write.entity_refs import NamedRef, create
from recollect.write.owner import find_owner

USES_NPM = {"subject": "acme-web", "predicate": "uses", "value": "npm"}
USES_PNPM = {"subject": "acme-web", "predicate": "uses", "value": "pnpm"}


def rent(value: int, **more: object) -> dict[str, object]:
    return {"subject": "me", "predicate": "rent", "value": value, **more}


def test_another_value_is_recorded_beside_the_first(memory: Memory) -> None:
    assert outcomes(tell(memory, None, USES_NPM)) == ["recorded"]
    second = tell(memory, None, USES_PNPM)
    assert outcomes(second) == ["recorded"]
    assert len(second.facts[0].others) == 1
    assert states(memory, "acme-web", "uses") == {"npm": "current", "pnpm": "current"}


def test_the_same_claim_again_is_confirmed(memory: Memory) -> None:
    tell(memory, None, USES_NPM)
    again = tell(memory, None, {**USES_NPM, "value": "NPM"})
    assert outcomes(again) == ["confirmed"]
    assert again.facts[0].sources == 2


def test_the_same_claim_twice_in_one_call_is_one_source(memory: Memory) -> None:
    told = tell(memory, None, USES_NPM, USES_NPM)
    assert outcomes(told) == ["recorded", "confirmed"]
    assert told.facts[1].sources == 1


def test_replaces_ends_the_other_values_in_the_period_before(memory: Memory, clock: MovingClock) -> None:
    tell(memory, None, USES_NPM)
    clock.set("2026-06-10T12:00:00Z")
    new = tell(memory, None, {**USES_PNPM, "replaces": True})
    assert outcomes(new) == ["replaced"]
    assert bounds(memory, new) == ("2026-06-10", None)
    assert states(memory, "acme-web", "uses") == {"npm": "ended", "pnpm": "current"}
    with memory.read() as view:
        old = view.fact(new.facts[0].replaced[0])
        assert old is not None
        assert old.valid_until is not None
        assert old.valid_until.text == "2026-06-09"


def test_a_stated_start_decides_where_the_old_value_ends(memory: Memory) -> None:
    tell(memory, None, USES_NPM, at="2025-01-01T00:00:00Z")
    tell(memory, None, {**USES_PNPM, "replaces": True, "valid_from": "2026-03"})
    assert states(memory, "acme-web", "uses") == {"npm": "ended", "pnpm": "current"}
    with memory.read() as view:
        facts = view.facts_touching(next(iter(view.names_matching("acme-web"))).entity)
    assert {each.literal: each.valid_until and each.valid_until.text for each in facts} == {
        "npm": "2026-02",
        "pnpm": None,
    }


def test_a_replaced_value_that_did_not_begin_earlier_becomes_stale(memory: Memory, clock: MovingClock) -> None:
    tell(memory, None, USES_NPM)
    clock.set("2026-05-20T11:00:00Z")
    new = tell(memory, None, {**USES_PNPM, "replaces": True})
    assert outcomes(new) == ["replaced"]
    assert states(memory, "acme-web", "uses") == {"npm": "stale", "pnpm": "current"}


def test_replaces_takes_the_id_of_one_fact(memory: Memory, clock: MovingClock) -> None:
    from recollect.model.ids import format_fact_id

    first = tell(memory, None, USES_NPM, {**USES_NPM, "value": "make"})
    clock.set("2026-06-10T12:00:00Z")
    id_ = first.facts[0].fact
    assert id_ is not None
    tell(memory, None, {**USES_PNPM, "replaces": format_fact_id(id_)})
    assert states(memory, "acme-web", "uses") == {"npm": "ended", "make": "current", "pnpm": "current"}


def test_a_newer_source_replaces_a_single_value(memory: Memory, clock: MovingClock) -> None:
    tell(memory, None, rent(900))
    clock.set("2026-06-10T12:00:00Z")
    assert outcomes(tell(memory, None, rent(950))) == ["replaced"]
    assert states(memory, "me", "rent") == {"900": "ended", "950": "current"}


def test_going_back_to_a_former_value_is_a_second_fact(memory: Memory, clock: MovingClock) -> None:
    first = tell(memory, None, rent(900))
    clock.set("2026-06-10T12:00:00Z")
    tell(memory, None, rent(950))
    clock.set("2026-07-10T12:00:00Z")
    back = tell(memory, None, rent(900))
    assert outcomes(back) == ["replaced"]
    assert back.facts[0].fact != first.facts[0].fact
    assert claims(memory, back) == [("Me", "rent", "900", "current")]


def test_going_back_on_the_same_day_makes_the_former_value_current(memory: Memory, clock: MovingClock) -> None:
    for hour, value in ((10, 900), (11, 950), (12, 900), (13, 950)):
        clock.set(f"2026-05-20T{hour}:00:00Z")
        tell(memory, None, rent(value))
    assert states(memory, "me", "rent") == {"900": "stale", "950": "current"}


def test_a_late_older_source_is_recorded_as_ended(memory: Memory) -> None:
    tell(memory, None, rent(950))
    late = tell(memory, None, rent(900), at="2026-01-10T00:00:00Z")
    assert outcomes(late) == ["recorded"]
    assert states(memory, "me", "rent") == {"950": "current", "900": "ended"}
    assert bounds(memory, late) == (None, "2026-05-19")


def test_a_late_older_source_never_replaces_even_if_it_says_so(memory: Memory) -> None:
    tell(memory, None, USES_PNPM)
    late = tell(memory, None, {**USES_NPM, "replaces": True}, at="2026-01-10T00:00:00Z")
    assert outcomes(late) == ["recorded"]
    assert states(memory, "acme-web", "uses") == {"pnpm": "current", "npm": "ended"}


DATED_RENTS = {900: "2026-01-10", 925: "2026-02-01", 950: "2026-03-10", 990: "2026-04-02"}


@pytest.mark.parametrize("order", [*permutations((900, 925, 950)), (950, 990, 900, 925), (990, 900, 950, 925)])
def test_dated_sources_of_a_single_value_give_the_same_in_any_order(memory: Memory, order: tuple[int, ...]) -> None:
    for value in order:
        tell(memory, None, rent(value), at=f"{DATED_RENTS[value]}T12:00:00Z")
    last = (None,) if 990 not in order else ("2026-04-01",)
    expected = {"900": (None, "2026-01-31"), "925": ("2026-02-01", "2026-03-09"), "950": ("2026-03-10", *last)}
    assert rent_bounds(memory) == expected | ({"990": ("2026-04-02", None)} if 990 in order else {})


def test_a_value_confirmed_after_a_late_one_keeps_its_earlier_start(memory: Memory) -> None:
    for value, day in ((900, "2026-01-10"), (900, "2026-03-10"), (925, "2026-02-01")):
        tell(memory, None, rent(value), at=f"{day}T12:00:00Z")
    assert rent_bounds(memory)["900"] == (None, None)


def test_a_late_value_leaves_an_end_that_was_told(memory: Memory) -> None:
    tell(memory, None, rent(900, valid_until="2026-02-20"), at="2026-01-10T12:00:00Z")
    tell(memory, None, rent(925), at="2026-02-01T12:00:00Z")
    assert rent_bounds(memory)["900"] == (None, "2026-02-20")


def test_a_planned_value_and_a_move_told_at_once_conflict(memory: Memory) -> None:
    tell(memory, None, {"subject": "me", "predicate": "lives_in", "object": "Tromso", "valid_from": "2026-08-01"})
    moved = tell(memory, "I moved to Oslo.")
    assert outcomes(moved) == ["conflicts"]
    assert states(memory, "me", "lives_in") == {"Oslo": "disputed", "Tromso": "upcoming"}


def rent_bounds(memory: Memory) -> dict[str | None, tuple[str | None, str | None]]:
    """By value, when the rent began and ended."""
    with memory.read() as view:
        owner = find_owner(view)
        assert owner is not None
        facts = [each for each in view.facts_touching(owner.id) if each.predicate == "rent" and not each.stale]
    return {
        each.literal: (
            each.valid_from.text if each.valid_from else None,
            each.valid_until.text if each.valid_until else None,
        )
        for each in facts
    }


def test_equally_new_sources_of_a_single_value_conflict(memory: Memory) -> None:
    first = tell(memory, None, rent(900))
    second = tell(memory, None, rent(950))
    assert outcomes(second) == ["conflicts"]
    assert second.facts[0].conflicts_with == (first.facts[0].fact,)
    assert states(memory, "me", "rent") == {"900": "disputed", "950": "disputed"}


def test_an_inferred_value_conflicts_with_a_stated_one(memory: Memory, clock: MovingClock) -> None:
    tell(memory, None, rent(900))
    clock.set("2026-06-10T12:00:00Z")
    assert outcomes(tell(memory, None, rent(950, confidence="inferred"))) == ["conflicts"]
    clock.set("2026-06-11T12:00:00Z")
    assert outcomes(tell(memory, None, rent(980))) == ["replaced"]
    assert states(memory, "me", "rent") == {"900": "ended", "950": "ended", "980": "current"}


def test_a_conflict_stays_when_one_value_is_confirmed(memory: Memory) -> None:
    tell(memory, None, rent(900))
    tell(memory, None, rent(950))
    assert outcomes(tell(memory, None, rent(900))) == ["conflicts"]
    assert states(memory, "me", "rent") == {"900": "disputed", "950": "disputed"}


def test_a_value_of_another_time_is_no_conflict(memory: Memory) -> None:
    tell(memory, None, rent(950, valid_from="2024-01"))
    past = tell(memory, None, rent(900, valid_from="2020", valid_until="2023"))
    assert outcomes(past) == ["recorded"]
    assert states(memory, "me", "rent") == {"950": "current", "900": "ended"}


def test_a_past_value_does_not_end_the_current_one(memory: Memory, clock: MovingClock) -> None:
    tell(memory, None, rent(950, valid_from="2015"))
    clock.set("2026-06-10T12:00:00Z")
    assert outcomes(tell(memory, None, rent(900, valid_from="2020", valid_until="2021"))) == ["conflicts"]
    assert states(memory, "me", "rent")["950"] == "disputed"


def test_a_future_value_lets_the_present_one_run_until_then(memory: Memory, clock: MovingClock) -> None:
    tell(memory, None, rent(900))
    clock.set("2026-06-10T12:00:00Z")
    assert outcomes(tell(memory, None, rent(950, valid_from="2027-01"))) == ["replaced"]
    assert states(memory, "me", "rent") == {"900": "current", "950": "upcoming"}


def test_an_ambiguous_name_is_held_and_nothing_is_recorded(memory: Memory) -> None:
    with memory.write() as change:
        create(change, NamedRef("Lena", "person", properties={"email": "a@x.example"}))
        create(change, NamedRef("Lena", "person", properties={"email": "b@x.example"}))
    result = tell(memory, None, {"subject": "Lena", "predicate": "lives_in", "object": "Porto", "valid_from": "2021"})
    assert outcomes(result) == ["ambiguous"]
    assert len(result.facts[0].candidates) == 2
    assert [(each.name, each.link) for each in result.entities] == [("Lena", "ambiguous")]
    with memory.read() as view:
        [held] = held_facts(view, 10)
        assert view.names_matching("porto") == []
    assert held.claim == {"subject": "Lena", "predicate": "lives_in", "object": "Porto", "valid_from": "2021"}
    assert (held.role, held.source) == ("subject", "chat")


@pytest.mark.parametrize(
    ("fact", "field"),
    [
        ({"subject": "Ada", "predicate": "uses"}, "facts[0].value"),
        ({"subject": "Ada", "predicate": "uses", "value": "x", "object": "y"}, "facts[0].value"),
        ({"subject": "Ada", "predicate": "??", "value": "x"}, "facts[0].predicate"),
        ({"predicate": "uses", "value": "x"}, "facts[0].subject"),
        ({"subject": "Ada", "value": "x"}, "facts[0].predicate"),
        ({"subject": "Ada", "predicate": "uses", "value": ["x"]}, "facts[0].value"),
        ({"subject": "Ada", "predicate": "uses", "value": "x", "colour": 1}, "facts[0].colour"),
        ({"subject": "x" * 201, "predicate": "uses", "value": "x"}, "facts[0].subject"),
        ({"subject": "Ada", "predicate": "uses", "value": "x", "confidence": "sure"}, "facts[0].confidence"),
        ({"subject": "Ada", "predicate": "uses", "value": "x", "replaces": "all"}, "facts[0].replaces"),
        (
            {"subject": "Ada", "predicate": "uses", "value": "x", "replaces": "fact_01JZ0000000000000000000000"},
            "facts[0].replaces",
        ),
        (
            {"subject": "Ada", "predicate": "uses", "value": "x", "valid_from": "2026", "valid_until": "2025"},
            "facts[0].valid_until",
        ),
        ({"subject": {"id": "ent_01JZ0000000000000000000000"}, "predicate": "uses", "value": "x"}, "facts[0].subject"),
    ],
)
def test_an_invalid_fact_is_refused_and_the_others_and_the_text_are_kept(
    memory: Memory, fact: dict[str, object], field: str
) -> None:
    result = tell(memory, "The text stays.", fact, {"subject": "Ada", "predicate": "uses", "value": "looms"})
    assert outcomes(result) == ["refused", "recorded"]
    assert getattr(result.facts[0].error, "field", None) == field
    with memory.read() as view:
        assert result.note is not None
        document = view.document(result.note)
        assert document is not None
        assert view.text_of(document) == "The text stays."
        assert [each.name for each in result.entities if each.entity] == ["Ada"]


def test_a_refused_fact_writes_nothing(memory: Memory) -> None:
    tell(memory, None, {"subject": "Ada", "predicate": "uses"})
    with memory.read() as view:
        assert view.last_tx == 0


def test_new_predicates_are_states_also_with_a_literal(memory: Memory) -> None:
    result = tell(memory, None, {"subject": "Ada", "predicate": "blood type", "value": "0+", "valid_until": "2020"})
    id_ = result.facts[0].fact
    assert id_ is not None
    with memory.read() as view:
        fact = view.fact(id_)
    assert fact is not None
    assert (fact.predicate, fact.label) == ("blood_type", "AFFILIATED")
    assert claims(memory, result) == [("Ada", "blood_type", "0+", "ended")]


def test_core_disputes_are_conflicts(memory: Memory) -> None:
    tell(memory, None, {"subject": "Ada", "predicate": "born", "object": "Porto", "valid_from": "1990"})
    result = tell(memory, None, {"subject": "Ada", "predicate": "born", "object": "Rome", "valid_from": "1991"})
    assert outcomes(result) == ["conflicts"]


def test_numbers_and_booleans_are_values(memory: Memory) -> None:
    for given, stored in ((900, "900"), (900.0, "900"), (1.5, "1.5"), (True, "true")):
        assert claims(memory, tell(memory, None, {"subject": "X", "predicate": "n", "value": given}))[0][2] == stored


def test_a_disputable_fact_is_replaced_without_a_dispute(memory: Memory, clock: MovingClock) -> None:
    where = {"subject": {"name": "Ada", "type": "person"}, "predicate": "located_in"}
    tell(memory, None, {**where, "object": "Porto"})
    clock.set("2026-06-10T12:00:00Z")
    assert outcomes(tell(memory, None, {**where, "object": "Rome", "replaces": True})) == ["replaced"]
    assert states(memory, "Ada", "located_in") == {"Porto": "ended", "Rome": "current"}


def test_the_owner_can_be_an_object_and_facts_repeat_in_both_directions(memory: Memory) -> None:
    first = tell(memory, None, {"subject": "Lena", "predicate": "married to", "object": "me"})
    assert claims(memory, first) == [("Lena", "spouse_of", "Me", "current")]
    assert outcomes(tell(memory, None, {"subject": "me", "predicate": "spouse_of", "object": "Lena"})) == ["confirmed"]


def test_a_typed_name_gives_the_entity_its_type(memory: Memory) -> None:
    tell(memory, None, {"subject": "Apollo", "predicate": "uses", "value": "vim"})
    result = tell(memory, None, {"subject": {"name": "Apollo", "type": "Project"}, "predicate": "uses", "value": "git"})
    [link] = result.entities
    assert link.entity is not None
    assert (link.link, link.entity.type) == ("linked", "project")


def test_an_object_that_is_known_as_a_value_confirms_it(memory: Memory) -> None:
    tell(memory, None, USES_PNPM)
    again = tell(memory, None, {"subject": "acme-web", "predicate": "uses", "object": "PNPM"})
    assert outcomes(again) == ["confirmed"]
    with memory.read() as view:
        assert view.names_matching("pnpm") == []


@pytest.mark.parametrize("opening", ["Correction: ", "Actually, ", "No wait, ", "Sorry, I meant "])
def test_a_spoken_correction_replaces_the_current_value(memory: Memory, clock: MovingClock, opening: str) -> None:
    tell(memory, "Ada works at Acme. My boss is Bob Stone. I live in Rome.")
    clock.set("2026-06-10T12:00:00Z")
    for text in ("Ada works at Globex.", "my boss is Frau Lang.", "I live in Porto."):
        assert outcomes(tell(memory, opening + text)) == ["replaced"]
    assert states(memory, "Ada", "works_at") == {"Acme": "ended", "Globex": "current"}
    assert states(memory, "me", "reports_to") == {"Bob Stone": "ended", "Frau Lang": "current"}
    assert states(memory, "me", "lives_in") == {"Rome": "ended", "Porto": "current"}


@pytest.mark.parametrize(
    ("first", "second", "name", "predicate", "expected"),
    [
        ("My boss is Bob.", "My boss is now Frau Lang.", "me", "reports_to", {"Bob": "ended", "Frau Lang": "current"}),
        ("Ada works at Acme.", "Ada now works at Globex.", "Ada", "works_at", {"Acme": "ended", "Globex": "current"}),
        ("Ada lives in Rome.", "Ada now lives in Porto.", "Ada", "lives_in", {"Rome": "ended", "Porto": "current"}),
        ("acme-web uses npm.", "acme-web now uses pnpm.", "acme-web", "uses", {"npm": "ended", "pnpm": "current"}),
        (
            "acme-web uses npm and make.",
            "acme-web now uses pnpm.",
            "acme-web",
            "uses",
            {"npm": "current", "make": "current", "pnpm": "current"},
        ),
        (
            "I'm allergic to nuts.",
            "Actually, I'm allergic to cats.",
            "me",
            "allergic_to",
            {"nuts": "current", "cats": "current"},
        ),
        (
            "I work at Acme.",
            "Actually, I also work at Globex.",
            "me",
            "works_at",
            {"Acme": "current", "Globex": "current"},
        ),
        (
            "Lukas is allergic to nuts.",
            "Lukas is no longer allergic to nuts.",
            "Lukas",
            "allergic_to",
            {"nuts": "ended"},
        ),
        ("My friend is Bob.", "Actually, my friend is Jo.", "me", "friend_of", {"Bob": "current", "Jo": "current"}),
        ("Ada works at Acme.", "Ada no longer works at Acme.", "Ada", "works_at", {"Acme": "ended"}),
        ("Ada lives in Rome.", "Ada no longer lives in Rome.", "Ada", "lives_in", {"Rome": "ended"}),
        ("Ada speaks Danish.", "Ada no longer speaks Danish.", "Ada", "speaks", {"Danish": "ended"}),
        ("Ada likes tea.", "Ada no longer likes tea.", "Ada", "likes", {"tea": "ended"}),
    ],
)
def test_a_change_told_in_a_sentence_ends_the_former_value(
    memory: Memory, clock: MovingClock, first: str, second: str, name: str, predicate: str, expected: dict[str, str]
) -> None:
    tell(memory, first)
    clock.set("2026-06-10T12:00:00Z")
    assert tell(memory, second).not_understood == ()
    assert states(memory, name, predicate) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It's wrong that Ada works at Acme.",
        "That's not true, Ada works at Acme.",
        "Sorry, I meant Acme.",
        "Actually, does Ada work at Acme?",
        "Lukas is not allergic to nuts.",
    ],
)
def test_a_denial_or_an_incomplete_correction_gives_no_fact(memory: Memory, text: str) -> None:
    result = tell(memory, text)
    assert (result.facts, result.not_understood) == ((), (text,))
