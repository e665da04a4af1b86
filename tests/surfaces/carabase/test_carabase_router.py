"""`carabase_route_and_execute`: the shape of a question chooses, the plan says why, one thing found twice is one."""

import pytest
from tests.conftest import MovingClock
from tests.surfaces.carabase.asking import ask, edge, empty, found, note, tell

from recollect.memory import Memory

TOOL = "carabase_route_and_execute"

on_one_engine = pytest.mark.parametrize("engine_name", ["sqlite"])


def rules(memory: Memory, query: str, **arguments: object) -> list[tuple[str, str]]:
    return [(each["rule"], each["strategy"]) for each in found(memory, TOOL, query=query, **arguments)["plan"]]


def test_a_relation_is_walked_and_few_hits_are_filled_up_by_meaning(orchard: Memory) -> None:
    told = found(orchard, TOOL, query="who supplies Copperleaf?")
    assert told["primary"] == "graph"
    assert told["plan"] == [
        {
            "rule": "R2",
            "strategy": "graph",
            "args": {"start_entity": "Copperleaf", "depth": 1},
            "hits": 1,
            "primary": True,
        },
        {
            "rule": "R4",
            "strategy": "semantic",
            "args": {"query": "who supplies Copperleaf?", "k": 10},
            "hits": 3,
            "primary": False,
        },
    ]
    assert told["parsed"] == {"entities": ["Copperleaf"], "dates": None, "tags": [], "folios": []}
    assert told["counts"] == {"semantic": 3, "graph": 1, "metadata": 0}
    first = told["results"][0]
    assert (first["rank"], first["score"], first["type"], first["strategies"]) == (1, 0.0164, "edge", ["graph"])
    assert (first["edge"]["type"], first["artifact"]) == ("supplies", None)


@on_one_engine
def test_each_rule_fires_on_its_shape(orchard: Memory) -> None:
    tell(orchard, note("j", "Mira Olt came by.", "2026-05-19T08:00:00Z", folio="Journal", tags=["visit"]))
    assert rules(orchard, "bees and hives") == [("R4", "semantic")]
    assert rules(orchard, "Copperleaf")[0] == ("R2", "graph")
    assert rules(orchard, "what about the Copperleaf?")[0] == ("R2", "graph")
    assert rules(orchard, "plums of Copperleaf") == [("R4", "semantic")]
    assert rules(orchard, "Mira Olt, Copperleaf")[:2] == [("R2", "graph"), ("R2", "graph")]
    assert rules(orchard, "notes of yesterday")[0] == ("R1", "metadata")
    assert rules(orchard, "all #visit")[0] == ("R1", "metadata")
    assert rules(orchard, "anything in ~journal")[0] == ("R1", "metadata")
    assert rules(orchard, "what did I write about Copperleaf")[0] == ("R1", "metadata")
    assert rules(orchard, "how did my view of pears evolve over time")[0] == ("R3", "semantic")
    assert rules(orchard, "between 1 May and 15 May") == [("R1", "metadata"), ("R4", "semantic")]


@on_one_engine
def test_a_path_cue_walks_two_hops(orchard: Memory) -> None:
    told = found(orchard, TOOL, query="how is Mira Olt connected to Copperleaf")
    assert [each["args"] for each in told["plan"][:2]] == [
        {"start_entity": "Mira Olt", "depth": 2},
        {"start_entity": "Copperleaf", "depth": 2},
    ]


def test_edges_between_the_named_come_first(orchard: Memory) -> None:
    tell(orchard, None, edge("Mira Olt", "visits", "Copperleaf", confidence=0.2))
    told = found(orchard, TOOL, query="Mira Olt and Copperleaf")
    assert told["results"][0]["edge"]["type"] == "visits"


def test_what_two_ways_find_is_one_entry_with_both_named(orchard: Memory) -> None:
    told = found(orchard, TOOL, query="bees on 18 May")
    [bees] = [each for each in told["results"] if each["artifact"] and each["artifact"]["title"] == "Bees"]
    assert bees["strategies"] == ["metadata", "semantic"]
    assert bees["score"] == round(2 / 61, 4)
    uris = [each["artifact"]["uri"] for each in told["results"] if each["artifact"]]
    assert len(uris) == len(set(uris))


@on_one_engine
def test_an_ambiguous_name_starts_from_each(memory: Memory) -> None:
    for type_ in ("planet", "project"):
        tell(memory, None, edge({"name": "Mercury", "type": type_}, "near", {"name": f"Sun {type_}", "type": "place"}))
    told = found(memory, TOOL, query="Mercury")
    starts = [each["args"]["start_entity"] for each in told["plan"] if each["strategy"] == "graph"]
    assert len(starts) == 2
    assert all(start.startswith("ent_") for start in starts)


def test_roots_are_the_only_starts(orchard: Memory) -> None:
    mira = found(orchard, "carabase_search_graph", start_entity="Mira Olt")["entity"]["id"]
    told = found(orchard, TOOL, query="Copperleaf", concept_root_ids=mira)
    assert [each["args"]["start_entity"] for each in told["plan"] if each["rule"] == "R2"] == ["Mira Olt"]


def test_an_evolution_brings_what_is_linked_to_the_nearest_memories(orchard: Memory) -> None:
    told = [
        found(orchard, "commit_to_folio", folioName="Views", content=text)["artifact_uris"][0]
        for text in ("I thought pears dull.", "Something else altogether.")
    ]
    asked = found(orchard, TOOL, query="how did I change: thought pears dull, over time", limit=1)
    assert (asked["plan"][0]["rule"], asked["plan"][0]["hits"]) == ("R3", 2)
    shown = found(orchard, TOOL, query="how did I change: thought pears dull, over time")["results"]
    assert {told[0], told[1]} <= {each["artifact"]["uri"] for each in shown if each["artifact"]}


DATES = [
    ("last Tuesday", "2026-05-19", "2026-05-19"),
    ("on Tuesday", "2026-05-19", "2026-05-19"),
    ("on Wednesday", "2026-05-20", "2026-05-20"),
    ("last Wednesday", "2026-05-13", "2026-05-13"),
    ("in March", "2026-03-01", "2026-03-31"),
    ("in June", "2025-06-01", "2025-06-30"),
    ("March 2026", "2026-03-01", "2026-03-31"),
    ("in 2025", "2025-01-01", "2025-12-31"),
    ("2026-03-14", "2026-03-14", "2026-03-14"),
    ("2026-03", "2026-03-01", "2026-03-31"),
    ("2026-W11", "2026-03-09", "2026-03-15"),
    ("14 March", "2026-03-14", "2026-03-14"),
    ("March 14, 2025", "2025-03-14", "2025-03-14"),
    ("21 May", "2025-05-21", "2025-05-21"),
    ("today", "2026-05-20", "2026-05-20"),
    ("yesterday", "2026-05-19", "2026-05-19"),
    ("this week", "2026-05-18", "2026-05-20"),
    ("this month", "2026-05-01", "2026-05-20"),
    ("this year", "2026-01-01", "2026-05-20"),
    ("last week", "2026-05-11", "2026-05-17"),
    ("last month", "2026-04-01", "2026-04-30"),
    ("last year", "2025-01-01", "2025-12-31"),
    ("last 3 days", "2026-05-18", "2026-05-20"),
    ("past 2 weeks", "2026-05-07", "2026-05-20"),
    ("last 2 months", "2026-03-21", "2026-05-20"),
    ("since March", "2026-03-01", None),
    ("since last Tuesday", "2026-05-19", None),
    ("after 14 March", "2026-03-15", None),
    ("before March", None, "2026-02-28"),
    ("between 1 March and 5 April", "2026-03-01", "2026-04-05"),
    ("from 2026-03-01 to 2026-03-05", "2026-03-01", "2026-03-05"),
    ("from yesterday", "2026-05-19", "2026-05-19"),
    ("from 2 May on", "2026-05-02", None),
    ("the day before 2 May", "2026-05-01", "2026-05-01"),
    ("in March and April", "2026-03-01", "2026-04-30"),
    ("in 2024 and 2025", "2024-01-01", "2025-12-31"),
    ("yesterday or today", "2026-05-19", "2026-05-20"),
    ("on 14 March, 16 March and 2 April", "2026-03-14", "2026-04-02"),
    ("since March and before May", "2026-03-01", "2026-04-30"),
    ("last summer", "2025-06-01", "2025-08-31"),
    ("in spring 2025", "2025-03-01", "2025-05-31"),
    ("since last winter", "2025-12-01", None),
]


@on_one_engine
def test_dates_mean_days_in_the_zone_of_the_workspace(orchard: Memory) -> None:
    for text, first, last in DATES:
        told = ask(orchard, TOOL, {"query": f"plums {text}?"}).structured["parsed"]["dates"]
        assert told == {"from": first, "to": last}, text
    assert ask(orchard, TOOL, {"query": "plums of the last 0 days"}).structured["parsed"]["dates"] is None


@on_one_engine
@pytest.mark.parametrize(
    ("now", "today", "tuesday", "first"),
    [
        ("2026-05-19T14:59:00Z", "2026-05-19", "2026-05-12", "2026-05-17"),
        ("2026-05-19T15:01:00Z", "2026-05-20", "2026-05-19", "2026-05-18"),
    ],
)
def test_midnight_is_the_one_of_the_workspace(
    memory: Memory, clock: MovingClock, now: str, today: str, tuesday: str, first: str
) -> None:
    with memory.write() as change:
        change.put_setting("timezone", "Asia/Tokyo")
    clock.set(now)
    for text, days in (
        ("today", (today, today)),
        ("last Tuesday", (tuesday, tuesday)),
        ("last 3 days", (first, today)),
    ):
        told = ask(memory, TOOL, {"query": f"plums {text}"}).structured["parsed"]["dates"]
        assert (told["from"], told["to"]) == days


@on_one_engine
def test_an_event_can_be_the_date(orchard: Memory) -> None:
    tell(orchard, None, entities=({"name": "Demo", "type": "event", "metadata": {"date": "2026-05-15"}},))
    told = found(orchard, TOOL, query="what was noted since the demo?")
    assert told["parsed"]["dates"] == {"from": "2026-05-15", "to": None}
    assert told["results"][0]["artifact"]["title"] == "Bees"
    for text, first, last in (
        ("the week before the demo", "2026-05-08", "2026-05-14"),
        ("the week after the demo", "2026-05-16", "2026-05-22"),
        ("before the demo", None, "2026-05-14"),
    ):
        told = ask(orchard, TOOL, {"query": f"notes of {text}"}).structured
        assert told["parsed"]["dates"] == {"from": first, "to": last}, text


@on_one_engine
def test_an_event_whose_date_is_no_date_is_none_in_a_question(orchard: Memory) -> None:
    tell(orchard, None, entities=({"name": "Demo", "type": "event", "metadata": {"date": "soon"}},))
    assert found(orchard, TOOL, query="what was noted since the demo?")["parsed"]["dates"] is None


@on_one_engine
def test_better_tools_are_suggested(orchard: Memory) -> None:
    def better(query: str) -> list[tuple[str, dict[str, object]]]:
        return [(each["tool"], each["args"]) for each in ask(orchard, TOOL, {"query": query}).structured["suggestions"]]

    assert better("total distance meters on strava in March") == [
        (
            "carabase_query_timeseries",
            {
                "source": "strava",
                "metric": "distance_meters",
                "range": {"from": "2026-03-01", "to": "2026-03-31"},
            },
        )
    ]
    assert better("what is in mesh://files/account=a/path=b?") == [
        ("carabase_resolve_mesh_uri", {"uri": "mesh://files/account=a/path=b"})
    ]
    assert better("is it true that Mira Olt works with Brindle?") == [
        ("carabase_verify_hypothesis", {"claim": "Mira Olt works with Brindle"})
    ]
    assert better("plums") == []


def test_an_empty_memory_names_what_was_tried(memory: Memory) -> None:
    said = empty(memory, TOOL, "routerNoResults", query="notes of yesterday")
    assert all(each in said["_hint"]["text"] for each in ("metadata", "semantic"))
    assert said["plan"][0]["primary"]


def test_an_earlier_moment_routes_what_was_known(orchard: Memory) -> None:
    told = found(orchard, TOOL, query="who works with Brindle Foods?", as_of=1)
    assert [each["edge"]["type"] for each in told["results"] if each["edge"]] == ["supplies"]
    assert told["counts"]["semantic"] == 1
    once, again = (ask(orchard, TOOL, {"query": "who works with Brindle Foods?"}) for _ in range(2))
    assert (once.structured, once.texts) == (again.structured, again.texts)
