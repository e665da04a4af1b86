"""The example worlds of surfaces that need more than the bundle, each for the answers on its page."""

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from recollect.ingest.drafts import NameRef
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.ingest.lore.relations import RelationInput, tool_source, write_relation
from recollect.ingest.lore.source_parser import SourceInput
from recollect.ingest.lore.sources import prepare_within, write_source
from recollect.keep.artifacts.filing import NewCommit, commit
from recollect.keep.identity_files import IdentityPath, put_file
from recollect.keep.memories.editing import NewMemory, upsert_memory
from recollect.keep.memory_formats import parse_period
from recollect.keep.mesh.accounts import enable_mesh_account
from recollect.keep.named_graph import GraphEntity, GraphRelation, create_entities, create_relations
from recollect.keep.series.manifest import declare_manifest
from recollect.keep.series.measurements import record_measurement
from recollect.keep.snapshot_store import create_snapshots, file_subject
from recollect.memory import Memory
from recollect.store.mesh_queries import MeshAccount
from recollect.surfaces.recollect.remember import remember
from recollect.write.owner import set_owner_name


class ExampleWorld(NamedTuple):
    """How the world of a surface is filled, and the workspace that it needs for itself."""

    prepare: Callable[[Memory], None]
    workspace: str | None = None


# In a shared workspace, other examples would show up in every list.
CARABASE_WORKSPACE = "orchard"
FROST = "Late frost took a third of the plum blossom. Brindle Foods was told."
LINES: tuple[dict[str, Any], ...] = (
    {
        "record": {
            "id": "n-17",
            "type": "note",
            "title": "Frost log",
            "source_at": "2026-02-03T08:00:00Z",
            "content": FROST,
            "folio": "Orchard",
            "tags": ["frost"],
            "mesh_uri": "mesh://files/account=farm/path=logs%2Ffrost.md",
        },
        "entities": [
            {"name": "Brindle Foods", "type": "Company", "aliases": ["Brindle"]},
            {"name": "Copperleaf", "type": "Project"},
        ],
        "facts": [{"from": "Brindle Foods", "predicate": "supplies", "to": "Copperleaf"}],
    },
)
COMMITS = ("Plum blossom: a third is lost to frost at Copperleaf.", "Copperleaf should buy plums from Brindle Foods.")
MANIFEST = {
    "source": "orchard_sensors",
    "metrics": [{"metric": "soil_temp", "unit": "°C", "aggregation": "avg", "categories": ["plot"]}],
}
TEMPERATURES = (("2026-02-02", "north", 4.0), ("2026-02-03", "north", 5.0), ("2026-02-03", "south", 3.0))


def _prepare_carabase(memory: Memory) -> None:
    """An orchard, its supplier and a frost."""
    told = memory.as_actor("cli", "ingest")
    for line in LINES:
        with told.write() as change:
            write_line(change, parse_line(line))
    with told.write() as change:
        declare_manifest(change, MANIFEST)
        for day, plot, value in TEMPERATURES:
            at = {"source": "orchard_sensors", "metric": "soil_temp", "at": f"{day}T06:00:00Z"}
            record_measurement(change, {**at, "value": value, "category": {"plot": plot}})
        enable_mesh_account(
            change, MeshAccount("files", "farm", str(files("recollect.serve.docs") / "farm"), True, False, None)
        )
    for text in COMMITS:
        with memory.as_actor("carabase", "commit_to_folio").write() as change:
            commit(change, NewCommit("Orchard", text), None, lambda _: 0)


EXAMPLE_INSTANCE = "psy-desk"
EXAMPLE_FILES = {
    IdentityPath("self", "my_identity.md"): "I am Wren.\n",
    IdentityPath("self", "my_wants.md"): "## Learning\nFlemish\n",
    IdentityPath("user", "user_life.md"): "Noor keeps bees.",
    IdentityPath("custom", "rituals.md"): "Tea at four.\n",
}
EXAMPLE_WANTS = "## Learning\nFlemish\n\n## Rest\nMore of it.\n"
EXAMPLE_DAYS = {
    "2026-04-28": "# Daily Memory - 2026-04-28\n\n- Noor carried bricks for a kiln [chat:c2] [via:psy-desk]",
    "2026-05-12": "# Daily Memory - 2026-05-12\n\n- Noor planned the first kiln load [chat:c6] [via:psy-desk]",
}


def _prepare_entity_core(memory: Memory) -> None:
    """Fill the example world; its fixed clock matches the name of the snapshot."""
    wren = memory.as_actor("entity-core", "prepare", EXAMPLE_INSTANCE)
    for place, text in EXAMPLE_FILES.items():
        with wren.write() as change:
            put_file(change, place, text, {})
    for date, text in EXAMPLE_DAYS.items():
        with wren.write() as change:
            upsert_memory(change, NewMemory(parse_period("daily", date), text, EXAMPLE_INSTANCE))
    with wren.write() as change:
        create_snapshots(change, (file_subject("self", "my_wants.md"),), "manual")
        put_file(change, IdentityPath("self", "my_wants.md"), EXAMPLE_WANTS, {})


# A world with its own calendar needs a workspace of its own.
LORE_ENGINE_WORKSPACE = "tides"
TIMES: tuple[dict[str, Any], ...] = (
    {"era": {"name": "First Tide", "start": 1, "end": 500, "abbreviation": "FT"}},
    {"era": {"name": "Second Tide", "start": 501, "end": None, "abbreviation": "ST"}},
    {
        "era": {
            "name": "Grey Years",
            "parent_era": "second_tide",
            "start": "second_tide.year_40",
            "end": "second_tide.year_60",
        }
    },
    {"date": {"slug": "current", "label": "Now", "era": "second_tide", "year": 80}},
)

ROLLS = """---
title: harbour-rolls
author: the Harbour Clerk
source_type: prose
visibility: public
world_time: second_tide.year_70
entities:
  - {type: Person, name: Mira Orrin, aliases: [the Harbour Lady]}
  - {type: Person, name: Tobin Orrin}
  - {type: Person, name: Sela Orrin}
  - {type: Person, name: Old Perrin, occupation: netmaker}
  - {type: House, name: House Orrin}
  - {type: Order, name: Saltguard}
  - {type: Lineage, name: Orrin blood, founding_ancestor: Tobin Orrin}
  - {type: Castle, name: Halden}
  - {type: Region, name: Marrow Coast}
  - {type: Region, name: The Reach}
  - {type: Weapon, name: Tide-Knife}
  - {type: Deity, name: The Undertow}
  - {type: Disaster, name: Breaking of the Mole}
  - {type: Disaster, name: Drowning of Halden}
relations:
  - {from: Halden, relation: PART_OF, to: Marrow Coast}
  - {from: Marrow Coast, relation: PART_OF, to: The Reach}
  - {from: Tobin Orrin, relation: FATHER_OF, to: Mira Orrin}
  - {from: Mira Orrin, relation: MOTHER_OF, to: Sela Orrin}
  - {from: Tobin Orrin, relation: MEMBER_OF, to: Orrin blood}
  - {from: Mira Orrin, relation: MEMBER_OF, to: Orrin blood}
  - {from: Sela Orrin, relation: MEMBER_OF, to: Orrin blood}
  - {from: Mira Orrin, relation: BORN, at: second_tide.year_20}
  - {from: Mira Orrin, relation: DIED, at: second_tide.year_71}
  - {from: Sela Orrin, relation: BORN, at: second_tide.year_41}
  - {from: Old Perrin, relation: BORN, at: second_tide.year_8}
  - {from: Mira Orrin, relation: MEMBER_OF, to: House Orrin, valid_from: second_tide.year_20}
  - {from: House Orrin, relation: RULES, to: Halden, valid_from: second_tide.year_25, valid_until: second_tide.year_53}
  - {from: Saltguard, relation: CONTROLS, to: Halden, valid_from: second_tide.year_40, valid_until: second_tide.year_48}
  - from: House Orrin
    relation: ALLIED_WITH
    to: Saltguard
    valid_from: second_tide.year_30
    valid_until: second_tide.year_52
    quote: The Saltguard swore to House Orrin on the harbour stones
  - from: House Orrin
    relation: AT_WAR_WITH
    to: Saltguard
    valid_from: second_tide.year_55
    valid_until: second_tide.year_63
  - {from: Old Perrin, relation: LOCATED_IN, to: Halden, valid_from: second_tide.year_30}
  - {from: Old Perrin, relation: WORSHIPS, to: The Undertow, valid_from: second_tide.year_30}
  - {from: Mira Orrin, relation: POSSESSES, to: Tide-Knife, valid_from: second_tide.year_44}
  - {from: Breaking of the Mole, relation: OCCURRED_DURING, to: second_tide.year_45}
  - {from: Breaking of the Mole, relation: OCCURRED_AT, to: Halden}
  - {from: Mira Orrin, relation: PARTICIPATED_IN, to: Breaking of the Mole}
  - {from: Old Perrin, relation: WITNESSED, to: Breaking of the Mole}
  - {from: Drowning of Halden, relation: OCCURRED_DURING, to: second_tide.year_46}
  - {from: Drowning of Halden, relation: OCCURRED_AT, to: Halden}
  - {from: Breaking of the Mole, relation: CAUSED, to: Drowning of Halden}
---
# The stones

The Saltguard swore to House Orrin on the harbour stones, and the Saltguard kept its word until the knife was lost.

# The mole

In the forty-fifth year the mole gave way: the harbour wall had been hollowed by the worm, and one knife in the right
seam was enough. The sea came in by night, and by the next winter the lower town was drowned.
"""

INVENTORY = """---
title: guard-inventory
author: the quartermaster
source_type: prose
reliability: factional
entities:
  - {type: Town, name: Low Port}
  - {type: Siege, name: Siege of Low Port}
relations:
  - {from: Low Port, relation: PART_OF, to: Marrow Coast}
  - from: Saltguard
    relation: POSSESSES
    to: Tide-Knife
    valid_from: second_tide.year_50
    valid_until: second_tide.year_52
  - {from: Saltguard, relation: RULES, to: Halden, valid_from: second_tide.year_51}
  - {from: Siege of Low Port, relation: OCCURRED_DURING, to: second_tide.year_75}
  - {from: Siege of Low Port, relation: OCCURRED_AT, to: Low Port}
  - {from: Mira Orrin, relation: PARTICIPATED_IN, to: Siege of Low Port}
---
One knife, salt-scarred. Received from nobody, returned to nobody.
"""


def _prepare_lore_engine(memory: Memory) -> None:
    """Fill the example world with two sources that disagree, and a rumour."""
    for line in TIMES:
        with memory.as_actor("lore-engine", "define_era").write() as change:
            write_line(change, parse_line(line))
    for content in (ROLLS, INVENTORY):
        with memory.as_actor("lore-engine", "add_lore_source").write() as change:
            write_source(change, prepare_within(change, SourceInput(content)))
    with memory.as_actor("lore-engine", "add_relation").write() as change:
        write_relation(
            change,
            RelationInput(NameRef("The Drowned Clerk"), "WITNESSED", NameRef("Drowning of Halden")),
            tool_source(change),
        )


# Deletions in the examples must not reach the worlds of other surfaces.
MEMORY_WORKSPACE = "reference"
ENTITIES = (
    GraphEntity("Ada Brandt", "person", ("Builds acme-web", "Works from Lisbon")),
    GraphEntity("acme-web", "project", ("Runs on PostgreSQL",)),
)
RELATIONS = (GraphRelation("Ada Brandt", "maintains", "acme-web"),)


def _prepare_memory(memory: Memory) -> None:
    """A developer and the project she maintains."""
    with memory.as_actor("memory", "create_entities").write() as change:
        create_entities(change, ENTITIES)
    with memory.as_actor("memory", "create_relations").write() as change:
        create_relations(change, RELATIONS)


# In a shared workspace, other examples would show up in every list.
RECOLLECT_WORKSPACE = "everyday"
OWNER = "Ada Brandt"
NOTES: tuple[tuple[str, str, str], ...] = (
    ("Lena lives in Porto since 2021.", "chat", "2026-04-11"),
    ("I'm allergic to penicillin.", "chat", "2026-05-03"),
    ("I'll send Lena the photos by 2026-05-22.", "chat", "2026-05-18"),
    ("The boiler hums whenever the cellar door stands open.", "chat", "2026-05-19"),
)
FIRST: dict[str, Any] = {"subject": "acme-web", "predicate": "uses", "value": "npm"}
CONFLICT: tuple[dict[str, Any], ...] = (
    {"subject": "acme-web", "predicate": "status", "value": "live"},
    {"subject": "acme-web", "predicate": "status", "value": "paused"},
)


def _prepare_recollect(memory: Memory) -> None:
    """A developer, her sister, a project and what she promised."""
    told = memory.as_actor("recollect", "remember")
    with told.write() as change:
        set_owner_name(change, OWNER)
    remember(told, facts=[FIRST], source="stand-up", source_at="2026-04-02")
    for text, source, day in NOTES:
        remember(told, text=text, source=source, source_at=day)
    for fact in CONFLICT:
        remember(told, facts=[fact], source="status page", source_at="2026-05-12T09:00:00Z")


EXAMPLE_WORLDS: Mapping[str, ExampleWorld] = {
    "carabase": ExampleWorld(_prepare_carabase, CARABASE_WORKSPACE),
    "entity-core": ExampleWorld(_prepare_entity_core),
    "lore-engine": ExampleWorld(_prepare_lore_engine, LORE_ENGINE_WORKSPACE),
    "memory": ExampleWorld(_prepare_memory, MEMORY_WORKSPACE),
    "recollect": ExampleWorld(_prepare_recollect, RECOLLECT_WORKSPACE),
}
