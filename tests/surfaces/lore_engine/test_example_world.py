"""The world shipped under examples/: taken in by the command line, and asked by every tool."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from recollect.change_listeners import open_memory
from recollect.memory import Memory
from recollect.serve.cli.main import main
from recollect.settings import Settings
from recollect.surfaces.declarations import Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.when.clock import clock_from
from tests.conftest import ENGINES, START
from tests.support.calls import last_tx
from tests.support.databases import new_postgres_database

ROOT = Path(__file__).parents[3]
FEN = ROOT / "examples" / "lanternfen"
GUIDE = ROOT / "docs" / "worlds.md"
LAMPS = "age_of_lamps.year_{}".format
SURFACE = find_surface("lore-engine")

READS: dict[str, dict[str, Any]] = {
    "semantic_search": {"query": "who put out the lamps of the city"},
    "graph_traverse": {"start": "Ysolde Marr", "hops": 2},
    "get_context": {"name": "Mothgate"},
    "get_person_profile": {"name": "Ysolde Marr"},
    "query_as_npc": {"npc": "Hob Tanner", "query": "Who was at the Snuffing?"},
    "get_unresolved": {},
    "lookup": {"query": "Longshadow"},
    "entity_context": {"name": "Sister Oriel"},
    "expand_context": {"entity": "Jessamy Marr", "hops": 2, "target": "Corwin Marr", "all_times": True},
    "was_true_at": {"relation": "RULES", "subject": "House Vane", "object": "Lanternmere", "at_time": "the_dimming"},
    "true_during": {"relation": "AT_WAR_WITH", "subject": "House Marr", "era": "age_of_lamps"},
    "state_at": {"entity": "Upper Fen", "at_time": LAMPS(89)},
    "entities_present": {"location": "Lanternmere", "at_time": LAMPS(89)},
    "timeline": {"entity": "Emeric Vane"},
    "list_lineage": {"person": "Jessamy Marr"},
    "list_offspring": {"person": "Corwin Marr"},
    "ancestors_of": {"person": "Jessamy Marr"},
    "descendants_of": {"person": "Corwin Marr"},
    "location_hierarchy": {"location": "Mothgate"},
    "event_chain": {"event": "Siege of Mothgate"},
    "events_during": {"era": "age_of_lamps.the_dimming", "location": "Upper Fen"},
    "lore_about": {"entity": "House Vane"},
    "cite": {"claim": f"House Marr was allied with the Fen Wardens in {LAMPS(70)}"},
    "get_contradictions": {},
    "get_anachronisms": {},
    "get_ontology_violations": {},
    "get_orphans": {},
    "latest_run": {},
    "list_ontology_rules": {},
    "summarize_chain": {"entity": "The Snuffing"},
    "narrate_arc": {"start_event": "The Snuffing", "end_event": "Treaty of Sallow Ferry"},
}
WRITES: dict[str, dict[str, Any]] = {
    "log_encounter": {"participants": ["Hob Tanner"], "content": "Hob counted the lamps.", "location": "Lanternmere"},
    "add_entity": {"label": "Village", "name": "Heron Stakes"},
    "add_relation": {"from": "Heron Stakes", "relation": "PART_OF", "to": "The Fen"},
    "add_lore_source": {"title": "A toll list", "source_type": "prose", "content": "Two eels a head."},
    "set_alias": {"entity_id": "Heron Stakes", "alias": "the Stakes"},
    "define_era": {"name": "The Long Calm", "parent_era": "age_of_lamps", "start": LAMPS(98), "end": LAMPS(110)},
    "define_calendar": {"name": "Eel Count", "months": [90, 90, 90, 91]},
    "define_date": {"slug": "bell_night", "label": "Bell Night", "era": "age_of_lamps", "year": 93, "month": 2},
    "add_ontology_rule": {
        "id": "no-armed-innkeepers",
        "cypher": "MATCH (p:Person {occupation: 'innkeeper'})-[r:POSSESSES]->(i:Item) RETURN p, i, r",
        "description": "Innkeepers own nothing",
        "severity": "warn",
    },
    "run_consistency_check": {},
}
BY_ID = ("explain_violation", "flag_for_review", "merge_entities", "delete_node")


@dataclass
class Fen:
    """The world at its address."""

    address: str
    memory: Memory

    @property
    def tx(self) -> int:
        return last_tx(self.memory)


def take_in(address: str) -> None:
    for words in (["workspace", "create", "fen"], ["ingest", str(FEN), "--workspace", "fen"]):
        shown = CliRunner().invoke(main, [*words, "--db", address, "--json"])
        assert shown.exit_code == 0, shown.output


@pytest.fixture(scope="module", params=ENGINES)
def fen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fen]:
    """The world as the command line takes it in."""
    folder = tmp_path_factory.mktemp("fen")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("RECOLLECT_NOW", START)
        server = request.getfixturevalue("postgres_server") if request.param == "postgres" else ""
        address = new_postgres_database(server) if server else str(folder / "memory.db")
        take_in(address)
        memory = open_memory(address, "fen", settings=Settings({"RECOLLECT_NOW": START}), clock=clock_from(START))
        yield Fen(address, memory)
        memory.close()


def ask(fen: Fen, tool: str, **arguments: Any) -> Any:
    def opened(found: Tool) -> Memory:
        return fen.memory.as_actor(found.surface.name, found.name)

    answer = call(SURFACE.find(tool), opened, arguments)
    assert not answer.is_error, answer.structured
    return answer.structured.get("result", answer.structured)


def test_every_tool_is_exercised_here() -> None:
    assert sorted(SURFACE.tools) == sorted((*READS, *WRITES, *BY_ID))


@pytest.mark.parametrize("tool", READS)
def test_every_tool_that_reads_has_something_to_say(fen: Fen, tool: str) -> None:
    said = ask(fen, tool, **READS[tool])
    assert said


def test_taking_it_in_again_changes_nothing(fen: Fen) -> None:
    before = fen.tx
    take_in(fen.address)
    assert fen.tx == before


def test_it_holds_one_contradiction_and_one_anachronism(fen: Fen) -> None:
    assert [each["subject"] for each in ask(fen, "get_contradictions")] == ["The Long Wick"]
    assert [(each["entity_name"], each["event_name"]) for each in ask(fen, "get_anachronisms")] == [
        ("Corwin Marr", "Siege of Mothgate")
    ]


def test_a_correction_replaced_an_older_claim(fen: Fen) -> None:
    said = ask(fen, "was_true_at", relation="RESIDED_IN", subject="Emeric Vane", object="Mothgate", at_time=LAMPS(90))
    assert (said["was_true"], len(said["retconned"])) == (False, 1)


def test_a_secret_is_known_to_whom_it_was_told_and_to_nobody_else(fen: Fen) -> None:
    asked = {"query": "Whom does Petra Vane serve?", "limit": 50}
    told = ask(fen, "query_as_npc", npc="Sister Oriel", **asked)
    assert f"Petra Vane told me that Petra Vane served Ysolde Marr from {LAMPS(89)}." in told["answer"]
    before = ask(fen, "query_as_npc", npc="Sister Oriel", at_time=LAMPS(91), **asked)
    assert "served Ysolde Marr" not in before["answer"]
    for other in ("Hob Tanner", "Emeric Vane", "Tam Reedcutter", "Jessamy Marr"):
        assert "served Ysolde Marr" not in json.dumps(ask(fen, "query_as_npc", npc=other, all=True, **asked))


def test_a_mask_leads_nowhere(fen: Fen) -> None:
    said = ask(fen, "query_as_npc", npc="Hob Tanner", query="Who is the Wick?", at_time=LAMPS(95))
    assert said["answer"] == "I know nothing of that."


def test_what_is_common_to_the_wardens_reaches_who_joined_them(fen: Fen) -> None:
    question = {"query": "Where is the orchard?"}
    early = ask(fen, "query_as_npc", npc="Sister Oriel", at_time=LAMPS(100), **question)
    late = ask(fen, "query_as_npc", npc="Sister Oriel", **question)
    assert early["known"] == []
    assert [(each["how"], each["via"]) for each in late["known"]] == [("common", "Fen Wardens")]


def test_the_notes_of_the_teller_never_come_out(fen: Fen) -> None:
    for npc in ("Petra Vane", "Sister Oriel"):
        assert "nine years" not in json.dumps(
            ask(fen, "query_as_npc", npc=npc, query="Oriel knew", all=True, limit=100)
        )


def test_the_guide_quotes_what_the_tools_say(fen: Fen) -> None:
    """Each call in the guide is followed by words that stand in its answer."""
    blocks = re.findall(r"```sh\nrecollect call (\w+) --json '(.+?)'\n```\n\n((?:> .*\n)+)", GUIDE.read_text("utf-8"))
    assert len(blocks) > 5
    for tool, arguments, quoted in blocks:
        said = json.dumps(ask(fen, tool, **json.loads(arguments)), ensure_ascii=False).replace("\\n", " ")
        for line in quoted.splitlines():
            assert line.removeprefix("> ") in said, (tool, line)


def test_every_tool_that_writes_can_be_used_in_it(fen: Fen) -> None:
    for tool, arguments in WRITES.items():
        assert ask(fen, tool, **arguments)
    finding = ask(fen, "get_contradictions")[0]["id"]
    assert ask(fen, "explain_violation", node_id=finding)["why"]
    assert ask(fen, "flag_for_review", node_id=finding, reason="the wick was copied")["flagged"] is True
    stray = ask(fen, "add_entity", label="Person", name="Hob the Tanner")["id"]
    kept = ask(fen, "lookup", query="Hob Tanner")[0]["id"]
    assert ask(fen, "merge_entities", id_a=kept, id_b=stray)["merged"] is True
    gone = ask(fen, "lookup", query="Heron Stakes")[0]["id"]
    assert ask(fen, "delete_node", id=gone, reason="flooded")["deleted"] is True
