"""In any small world: people know what the rules say, and what they do not know changes nothing they say."""

from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.memory import Memory, create_workspace
from recollect.model.ids import format_fact_id
from tests.support.properties import examples
from tests.surfaces.lore_engine.npc_oracle import oracle_of
from tests.surfaces.lore_engine.npc_world import Tides, year

PEOPLE = ("Mira Orrin", "Old Perrin", "Sela Orrin")
GROUPS = ("House Orrin", "Saltguard")
PLACES = ("Halden", "Low Quay")
EVENTS = ("Breaking of the Mole", "Drowning of Halden", "Quiet Council")
ENDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "MEMBER_OF": (PEOPLE, GROUPS),
    "LOCATED_IN": (PEOPLE, PLACES),
    "RULES": (PEOPLE + GROUPS, PLACES),
    "POSSESSES": (PEOPLE, ("Tide-Knife",)),
    "ALLIED_WITH": (PEOPLE + GROUPS, PEOPLE + GROUPS),
    "PARENT_OF": (PEOPLE, PEOPLE),
    "PARTICIPATED_IN": (PEOPLE + GROUPS, EVENTS),
    "WITNESSED": (PEOPLE, EVENTS),
    "CAUSED": (EVENTS, EVENTS),
}
QUESTIONS = ("Who rules Halden with the Tide-Knife of Orrin?", "What of the mole and the Saltguard?", "Nothing")
SPREADS: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"visibility": "secret"},
    {"visibility": "public"},
    {"visibility": "common"},
    {"visibility": "common", "known_to": ["Saltguard"]},
    {"visibility": "common", "known_to": ["Old Perrin"]},
)
KINDS = ("person", "faction", "location", "event", "item")
numbers = count()


@st.composite
def facts(draw: st.DrawFn) -> tuple[str, str, str, dict[str, Any]]:
    relation = draw(st.sampled_from(sorted(ENDS)))
    subjects, objects = ENDS[relation]
    subject = draw(st.sampled_from(subjects))
    to = draw(st.sampled_from([each for each in objects if each != subject]))
    since = draw(st.none() | st.integers(20, 70))
    length = draw(st.none() | st.integers(0, 30))
    bounds = {} if since is None else {"since": year(since)}
    if length is not None:
        bounds["until"] = year((since or 30) + length)
    return subject, relation, to, {**bounds, **draw(st.sampled_from(SPREADS))}


happenings = st.fixed_dictionaries(
    {event: st.none() | st.tuples(st.integers(25, 65), st.none() | st.sampled_from(PLACES)) for event in EVENTS}
)
births = st.fixed_dictionaries({person: st.none() | st.integers(1, 60) for person in PEOPLE})
deaths = st.fixed_dictionaries({person: st.none() | st.integers(61, 80) for person in PEOPLE})


def told(memory: Memory, born: dict[str, Any], events: dict[str, Any]) -> Tides:
    workspace = create_workspace(memory.engine, f"world {next(numbers)}", memory.clock)
    world = Tides(memory.for_workspace(workspace)).begin()
    for name in (*PEOPLE, *GROUPS):
        world.entity(name)
    for person, at in born.items():
        if at is not None:
            world.fact(person, "BORN", at=year(at))
    for event, happened in events.items():
        if happened is not None:
            world.happened(event, year(happened[0]), happened[1])
    return world


def everything(world: Tides, npc: str, at: str | None) -> list[str]:
    asked = [world.whole(npc, question, at, limit=3) for question in QUESTIONS]
    return [*asked, world.whole(npc, "all of it", at, all=True, limit=100)]


@pytest.mark.parametrize("engine_name", ["sqlite"])
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    births,
    happenings,
    st.lists(facts(), max_size=12),
    st.lists(facts(), min_size=1, max_size=4),
    st.sampled_from(PEOPLE),
    st.none() | st.integers(15, 80),
)
def test_a_fact_that_is_not_known_leaves_the_answer_as_it_was(
    memory: Memory,
    born: dict[str, Any],
    events: dict[str, Any],
    known: list[Any],
    more: list[Any],
    npc: str,
    at: int | None,
) -> None:
    world = told(memory, born, events)
    held = {world.fact(subject, relation, to, **given_) for subject, relation, to, given_ in known}
    time = None if at is None else year(at)
    before = everything(world, npc, time)
    for subject, relation, to, given_ in more:
        fact = world.fact(subject, relation, to, **given_)
        after = everything(world, npc, time)
        if fact not in held and format_fact_id(fact) not in after[-1]:
            assert after == before
        held.add(fact)
        before = after


@pytest.mark.parametrize("engine_name", ["sqlite"])
@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    births,
    deaths,
    happenings,
    st.lists(facts(), max_size=18),
    st.sampled_from(PEOPLE),
    st.none() | st.integers(15, 80),
)
def test_somebody_knows_exactly_what_the_ways_of_knowing_lead_to(
    memory: Memory,
    born: dict[str, Any],
    dead: dict[str, Any],
    events: dict[str, Any],
    known: list[Any],
    npc: str,
    at: int | None,
) -> None:
    world = told(memory, born, events)
    for person, year_ in dead.items():
        if year_ is not None:
            world.fact(person, "DIED", at=year(year_))
    for subject, relation, to, given_ in known:
        world.fact(subject, relation, to, **given_)
    said = world.ask(npc, "x", None if at is None else year(at), all=True, limit=100)
    found = {item["relation_id"]: (item["how"], item["valid_until"]) for item in said["known"]}
    with world.memory.read() as view:
        names = {entity.id: entity.name for entity in view.entities_of_types(KINDS, 1000)}
        every = {fact.id: fact for entity in names for fact in view.facts_touching(entity)}
        live = [fact for fact in every.values() if not fact.stale and not fact.is_retracted]
        expected = oracle_of(view, names, live).knows(npc, 80 if at is None else at, is_now=at is None)
    assert found == {
        format_fact_id(fact): (how, None if end is None else year(end)) for fact, (how, end) in expected.items()
    }
