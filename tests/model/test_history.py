"""The two-clock algebra by its properties: what is current never depends on the order of arrival."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.properties import examples

from recollect.model.fact import Assertion, Claim, Fact, Statement
from recollect.model.history import (
    add_assertion,
    choose_confirmed_fact,
    holds,
    is_current,
    is_order_free,
    is_partial,
    new_fact_bounds,
    period,
    says_the_same,
    stated_period,
)
from recollect.model.ids import AssertionId, EntityId, FactId
from recollect.model.slot import Verdict, affect_each_other, are_rivals, decide_slot
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.period import Time
from recollect.when.span import Span
from recollect.write.record_statement import sum_assertions

ADA, ACME = EntityId("ADA"), EntityId("ACME")
LABELS = ("AFFILIATED", "ASSERTED", "TRANSITIONED")
POLICIES = ("supersede", "accumulate", "dispute")


def time(lo: int, hi: int | None = None) -> Time:
    return Time(f"{lo}..{hi}", lo, lo if hi is None else hi)


def assertion(number: int, source_at: int, **more: object) -> Assertion:
    found = Assertion(
        AssertionId(f"A{number:04}"),
        number,
        FactId("F"),
        None,
        f"r{number}",
        None,
        None,
        None,
        None,
        "given",
        "cli",
        "ingest",
        "local",
        Instant(source_at),
        Instant(1_000 + number),
        0.9,
        "stated",
        "extracted",
        None,
        None,
        source_at,
        {},
    )
    return found._replace(**more)  # type: ignore[arg-type]


def fact(number: int, source_at: int, **more: object) -> Fact:
    """A fact of one slot, made by one assertion."""
    claim = Claim(ADA, "employee", "AFFILIATED", "employee", ACME)
    made = Fact(
        FactId(f"F{number:04}"),
        number,
        claim.subject,
        claim.predicate,
        claim.object,
        None,
        claim.label,
        claim.fact_type,
        claim.policy,
        claim.slot,
        False,
        f"words {number}",
        None,
        None,
        None,
        source_at,
        None,
        Instant(source_at),
        Instant(1_000 + number),
        Instant(1_000 + number),
        0.9,
        "stated",
        "extracted",
        False,
        None,
        False,
        None,
        {},
        AssertionId(f"A{number:04}"),
        1,
    )
    return made._replace(**more)  # type: ignore[arg-type]


def statement(source_at: int, **more: object) -> Statement:
    policy, label = more.pop("policy", "supersede"), more.pop("label", "AFFILIATED")
    claim = Claim(ADA, "employee", label, "employee", ACME, policy=policy)  # type: ignore[arg-type]
    return Statement(claim, Instant(source_at), "stated", "extracted", 0.9, **more)  # type: ignore[arg-type]


times = st.one_of(st.none(), st.builds(lambda lo, long: time(lo, lo + long), st.integers(0, 12), st.integers(0, 3)))
certainties = st.sampled_from(("inferred", "stated", "stated", "verified", "retracted"))
moments = st.integers(0, 9)


@st.composite
def slots(draw: st.DrawFn) -> list[Fact]:
    """Facts that share a slot, so also a label and a policy, in any state."""
    label, policy = draw(st.sampled_from(LABELS)), draw(st.sampled_from(POLICIES))
    type_ = draw(st.sampled_from(("employee", "commitment", "opinion")))
    words = st.sampled_from((None, "Ada sends PR 1", "Ada sends PR 2", "ada sends pr 1.", "All else"))
    return [
        fact(
            number,
            draw(moments),
            label=label,
            policy=policy,
            fact_type=type_,
            words=draw(words),
            valid_from=draw(times),
            valid_until=draw(times),
            certainty=draw(certainties),
            stale=draw(st.booleans()),
        )
        for number in range(draw(st.integers(1, 6)))
    ]


@st.composite
def superseders(draw: st.DrawFn, facts: Sequence[Fact]) -> dict[FactId, list[Fact]]:
    """Declared successors: some from the slot itself, some from another."""
    others = [*facts, fact(90, draw(moments), slot=9), fact(91, draw(moments), slot=9, certainty="retracted")]
    pairs = draw(st.lists(st.tuples(st.sampled_from(facts), st.sampled_from(others)), max_size=3))
    found: dict[FactId, list[Fact]] = {}
    for replaced, by in pairs:
        if replaced.id != by.id:
            found.setdefault(replaced.id, []).append(by)
    return found


def settled(facts: Sequence[Fact], verdicts: dict[FactId, Verdict]) -> list[Fact]:
    return [
        each._replace(
            stale=verdicts[each.id].stale,
            replaced_by=verdicts[each.id].replaced_by,
            disputed=bool(verdicts[each.id].disputed_with),
        )
        for each in facts
    ]


@given(slots(), st.data())
def test_settling_does_not_depend_on_the_order_of_the_facts(facts: list[Fact], data: st.DataObject) -> None:
    replacing = data.draw(superseders(facts))
    shuffled = data.draw(st.permutations(facts))
    turned = {key: list(reversed(some)) for key, some in replacing.items()}
    assert decide_slot(shuffled, turned) == decide_slot(facts, replacing)


@given(slots())
def test_what_does_not_affect_a_fact_does_not_change_its_state(facts: list[Fact]) -> None:
    verdicts = decide_slot(facts)
    for each in facts:
        if not any(affect_each_other(each, other) for other in facts if other.id != each.id):
            assert decide_slot([each]) == {each.id: verdicts[each.id]}


@given(slots(), st.data())
def test_settling_twice_changes_nothing(facts: list[Fact], data: st.DataObject) -> None:
    replacing = data.draw(superseders(facts))
    first = decide_slot(facts, replacing)
    assert decide_slot(settled(facts, first), replacing) == first


@given(slots())
def test_a_retracted_fact_never_touches_another(facts: list[Fact]) -> None:
    verdicts = decide_slot(facts)
    live = [each for each in facts if not each.is_retracted]
    assert {each.id: verdicts[each.id] for each in live} == decide_slot(live)
    gone = {each.id for each in facts if each.is_retracted}
    for each in live:
        verdict = verdicts[each.id]
        assert verdict.replaced_by not in gone
        assert not gone & (verdict.disputed_with | verdict.conflicts_with)


@given(slots())
def test_of_overlapping_affiliations_that_are_stated_only_the_newest_is_current(facts: list[Fact]) -> None:
    stated = [each._replace(label="AFFILIATED", policy="supersede") for each in facts if each.certainty != "inferred"]
    verdicts = decide_slot(stated)
    standing = [each for each in stated if not each.is_retracted and not verdicts[each.id].stale]
    for one in standing:
        for other in standing:
            if one.id != other.id and period(one).overlaps(period(other)) and one.certainty == other.certainty:
                assert one.source_at == other.source_at


@given(slots())
def test_a_verified_fact_is_replaced_by_verified_ones_only(facts: list[Fact]) -> None:
    rivals = [each._replace(label="AFFILIATED", policy="supersede") for each in facts]
    by_id = {each.id: each for each in rivals}
    verdicts = decide_slot(rivals)
    for each in rivals:
        replaced_by = verdicts[each.id].replaced_by
        if each.certainty == "verified" and replaced_by is not None:
            assert by_id[replaced_by].certainty == "verified"


@given(slots())
def test_a_stale_fact_is_replaced_by_the_next_newer_one(facts: list[Fact]) -> None:
    live = [each._replace(policy="supersede") for each in facts if not each.is_retracted]
    by_id = {each.id: each for each in live}
    for id_, verdict in decide_slot(live).items():
        if verdict.stale:
            mine, newer = by_id[id_], by_id[verdict.replaced_by]  # type: ignore[index]
            between = [
                each
                for each in live
                if mine.source_at < each.source_at < newer.source_at
                and are_rivals(each, mine)
                and not (each.certainty == "inferred" and mine.certainty != "inferred")
                and not (mine.certainty == "verified" and each.certainty != "verified")
            ]
            assert newer.source_at > mine.source_at
            assert between == []


@given(slots())
def test_an_inferred_fact_stales_only_inferred_ones(facts: list[Fact]) -> None:
    by_id = {each.id: each for each in facts}
    for id_, verdict in decide_slot(facts).items():
        if verdict.replaced_by is not None and by_id[verdict.replaced_by].certainty == "inferred":
            assert by_id[id_].certainty == "inferred"


@given(slots())
def test_disputes_and_conflicts_are_mutual_and_only_among_facts_that_stand(facts: list[Fact]) -> None:
    verdicts = decide_slot(facts)
    for id_, verdict in verdicts.items():
        for other in verdict.disputed_with:
            assert verdicts[other].stale or id_ in verdicts[other].disputed_with
        for other in verdict.conflicts_with:
            assert id_ in verdicts[other].conflicts_with
        assert id_ not in verdict.disputed_with | verdict.conflicts_with


@given(slots())
def test_a_transition_is_never_stale_of_itself(facts: list[Fact]) -> None:
    transitions = [each._replace(label="TRANSITIONED", policy="accumulate") for each in facts if not each.is_retracted]
    assert all(verdict == Verdict() for verdict in decide_slot(transitions).values())


@given(slots())
def test_what_is_disputed_is_not_superseded(facts: list[Fact]) -> None:
    claims = [each._replace(policy="dispute") for each in facts if not each.is_retracted]
    assert not any(verdict.stale for verdict in decide_slot(claims).values())


@st.composite
def sources(draw: st.DrawFn) -> list[Assertion]:
    """What several sources say of one fact, each at a time of its own, oldest first."""
    moments_ = sorted(draw(st.sets(st.integers(0, 12), min_size=1, max_size=5)))
    return [
        assertion(
            number,
            at,
            certainty=draw(certainties),
            source_kind=draw(st.sampled_from(("extracted", "inferred", "ambiguous"))),
            confidence=draw(st.sampled_from((0.0, 0.3, 0.9, 1.0))),
            valid_from=draw(times),
            valid_until=draw(times),
            attributes=draw(st.sampled_from(({}, {"role": number}, {"weight": number}, {"role": 0, "weight": 0}))),
        )
        for number, at in enumerate(moments_, start=1)
    ]


def told(arrivals: Sequence[Assertion], start: Fact) -> Fact:
    """The fact as the write path builds it: step by step, or from all of them where a step would not do."""
    known: list[Assertion] = []
    now = start
    for each in arrivals:
        known.append(each)
        if len(known) == 1 or not is_order_free(now, each):
            now = sum_assertions(now, sorted(known, key=lambda one: one.source_at))
        else:
            now = add_assertion(now, each)
    return now


def summed(made: Fact) -> Fact:
    """Without what tells of the arrival itself."""
    return made._replace(evidence=None, recorded_at=Instant(0), begins=0, tx_from=0)


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=examples(300))
@given(said=sources(), data=st.data())
def test_assertions_add_up_to_the_same_fact_in_any_order_of_arrival(
    policy: str, said: list[Assertion], data: st.DataObject
) -> None:
    start = fact(0, 0, id=FactId("F"), policy=policy, words=None)
    arrived = data.draw(st.permutations(said))
    assert summed(told(arrived, start)) == summed(sum_assertions(start, said))


@given(sources())
def test_a_fact_takes_the_greatest_confidence_and_the_newest_time(said: list[Assertion]) -> None:
    live = [each._replace(certainty="stated") for each in said]
    found = sum_assertions(fact(0, 0, id=FactId("F")), live)
    assert found.confidence == max(each.confidence for each in live)
    assert found.source_at == max(each.source_at for each in live)
    assert found.newest == live[-1].id
    assert found.source_count == len(live)


@given(sources())
def test_a_fact_is_retracted_exactly_when_its_newest_source_says_so(said: list[Assertion]) -> None:
    found = sum_assertions(fact(0, 0, id=FactId("F")), said)
    assert found.is_retracted == (said[-1].certainty == "retracted")


def test_a_fact_without_any_live_assertion_is_retracted() -> None:
    found = sum_assertions(fact(0, 5), [])
    assert (found.is_retracted, found.confidence, found.source_count) == (True, 0.0, 0)


def test_the_earlier_start_and_the_end_that_the_newest_gives() -> None:
    said = [
        assertion(1, 1, valid_from=time(5), valid_until=time(50)),
        assertion(2, 2, valid_from=time(3), valid_until=time(40)),
        assertion(3, 3, valid_from=time(4)),
    ]
    found = sum_assertions(fact(0, 0, id=FactId("F")), said)
    assert (found.valid_from, found.valid_until) == (time(3), time(40))


def test_the_stated_over_the_missing_and_the_finer_over_the_coarser() -> None:
    said = [
        assertion(1, 1, valid_from=time(10, 20)),
        assertion(2, 2, valid_from=time(12, 14), valid_until=time(30, 39)),
        assertion(3, 3, valid_from=time(10, 19), valid_until=time(30, 33)),
    ]
    found = sum_assertions(fact(0, 0, id=FactId("F"), policy="dispute"), said)
    assert (found.valid_from, found.valid_until) == (time(12, 14), time(30, 33))


def test_a_retracted_fact_said_again_has_the_bounds_and_attributes_now_given_and_is_as_sure_as_its_surest_source() -> (
    None
):
    said = [
        assertion(1, 1, confidence=1.0, certainty="verified", attributes={"role": "lead"}, valid_from=time(1)),
        assertion(2, 2, certainty="retracted", confidence=0.0),
        assertion(3, 3, confidence=0.4, certainty="inferred", valid_from=time(9), attributes={"weight": 1}),
    ]
    found = sum_assertions(fact(0, 0, id=FactId("F")), said)
    assert (found.valid_from, found.attributes) == (time(9), {"weight": 1})
    assert (found.certainty, found.confidence) == ("verified", 1.0)


def test_a_statement_without_a_start_begins_when_it_was_made_or_at_its_earlier_end() -> None:
    assert stated_period(statement(50)) == Span(50, MAX)
    assert stated_period(statement(50, valid_until=time(20, 29))) == Span(20, 29)
    assert stated_period(statement(50, valid_until=time(60, 69))) == Span(50, 69)
    assert stated_period(statement(50, valid_from=time(7, 9))) == Span(7, MAX)
    assert stated_period(statement(50, is_open_start=True)) == Span(MIN, MAX)
    assert stated_period(statement(50, is_open_start=True, valid_until=time(60, 69))) == Span(MIN, 69)


def test_a_fact_without_bounds_is_open_on_both_sides() -> None:
    assert period(fact(1, 5)) == Span(MIN, MAX)
    assert period(fact(1, 5, valid_from=time(3, 4), valid_until=time(6, 8))) == Span(3, 8)


@pytest.mark.parametrize(
    ("words", "known", "is_same"),
    [
        ("Ada leads", "ada  LEADS.", True),
        ("Ada leads", "Ada sells", False),
        (None, "Ada leads", True),
        ("Ada", None, True),
    ],
)
def test_under_supersede_words_decide_where_both_have_words(
    words: str | None, known: str | None, is_same: bool
) -> None:
    assert says_the_same(statement(9, words=words), fact(1, 1, words=known)) is is_same


def test_under_supersede_an_affiliation_is_the_same_only_where_periods_overlap() -> None:
    ended = fact(1, 1, words=None, valid_until=time(10, 19))
    assert says_the_same(statement(15), ended)
    assert not says_the_same(statement(20), ended)
    assert says_the_same(statement(20, label="ASSERTED"), ended._replace(label="ASSERTED"))


def test_under_accumulate_words_of_another_time_are_another_event() -> None:
    moved = fact(1, 5, label="TRANSITIONED", policy="accumulate", words="It moved")
    as_event = {"label": "TRANSITIONED", "policy": "accumulate"}
    assert says_the_same(statement(5, words="it moved", **as_event), moved)
    assert not says_the_same(statement(6, words="it moved", **as_event), moved)
    assert says_the_same(statement(6, **as_event), moved)


@pytest.mark.parametrize(
    ("start", "is_same"),
    [
        (None, True),
        (time(10, 19), True),
        (time(12, 13), True),
        (time(5, 25), True),
        (time(15, 25), False),
        (time(30), False),
    ],
)
def test_under_dispute_bounds_must_agree(start: Time | None, is_same: bool) -> None:
    rules = fact(1, 1, policy="dispute", valid_from=time(10, 19), valid_until=time(90))
    assert says_the_same(statement(50, policy="dispute", valid_from=start), rules) is is_same


def test_a_statement_takes_live_before_retracted_current_before_stale_then_the_newest() -> None:
    gone = fact(1, 9, words=None, certainty="retracted")
    stale = fact(2, 8, words=None, stale=True)
    older, newer = fact(3, 1, words=None), fact(4, 2, words=None)
    order = [gone, stale, older, newer]
    for wanted in (newer, older, stale, gone):
        assert choose_confirmed_fact(statement(20), order) == wanted
        order.remove(wanted)
    assert choose_confirmed_fact(statement(20), order) is None


def test_a_statement_that_supersedes_is_always_a_new_fact() -> None:
    assert choose_confirmed_fact(statement(20, supersedes=FactId("F0001")), [fact(1, 1, words=None)]) is None


def test_a_second_term_begins_where_its_statement_begins() -> None:
    ended = fact(1, 1, valid_until=time(10, 19))
    begun = new_fact_bounds(statement(50_000_000), [ended])
    assert (str(begun.valid_from), begun.valid_until) == ("1970-01-01T00:00:50Z", None)
    assert new_fact_bounds(statement(50_000_000), []).valid_from is None
    assert new_fact_bounds(statement(50_000_000), [ended._replace(certainty="retracted")]).valid_from is None
    assert new_fact_bounds(statement(50, valid_from=time(40)), [ended]).valid_from == time(40)


@pytest.mark.parametrize(("label", "is_shown"), [("AFFILIATED", False), ("ASSERTED", True), ("TRANSITIONED", True)])
def test_bounds_hide_only_affiliations(label: str, is_shown: bool) -> None:
    ended = fact(1, 1, label=label, valid_until=time(10, 19))
    assert is_current(ended, Span(20, 30)) is is_shown
    assert is_current(ended, Span(19, 30))
    assert not is_current(ended._replace(stale=True), Span(0, 30))
    assert not is_current(ended._replace(certainty="retracted"), Span(0, 30))


@given(times, times, st.integers(0, 15), st.integers(0, 5))
def test_a_fact_is_partial_where_it_holds_for_a_part_only(
    start: Time | None, end: Time | None, lo: int, length: int
) -> None:
    one, at = fact(1, 1, valid_from=start, valid_until=end), Span(lo, lo + length)
    held = [point for point in range(at.lo, at.hi + 1) if holds(one, Span(point, point))]
    assert holds(one, at) == bool(held)
    assert is_partial(one, at) == (0 < len(held) < at.hi - at.lo + 1)
