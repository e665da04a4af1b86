"""The example world of this surface: the harbour of Halden in the second tide."""

from typing import Any

from recollect.ingest.drafts import NameRef
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.ingest.lore.relations import RelationInput, tool_source, write_relation
from recollect.ingest.lore.source_parser import SourceInput
from recollect.ingest.lore.sources import prepare_within, write_source
from recollect.memory import Memory

# A world with its own calendar needs a workspace of its own.
WORKSPACE = "tides"
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


def prepare(memory: Memory) -> None:
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
