"""What the examples of this surface are asked about: an entity called Wren, its human Noor, a day at the kiln."""

from recollect.keep.identity.files import Place, put_file
from recollect.keep.memories.dates import read_period
from recollect.keep.memories.making import NewMemory, make_memory
from recollect.keep.snapshots.naming import name_state, of_file
from recollect.memory import Memory

INSTANCE = "psy-desk"
SNAPSHOT = "self/my_wants_2026-05-20T10-00-00-000Z"
FILES = {
    Place("self", "my_identity.md"): "I am Wren.\n",
    Place("self", "my_wants.md"): "## Learning\nFlemish\n",
    Place("user", "user_life.md"): "Noor keeps bees.",
    Place("custom", "rituals.md"): "Tea at four.\n",
}
WANTS = "## Learning\nFlemish\n\n## Rest\nMore of it.\n"
DAYS = {
    "2026-04-28": "# Daily Memory - 2026-04-28\n\n- Noor carried bricks for a kiln [chat:c2] [via:psy-desk]",
    "2026-05-12": "# Daily Memory - 2026-05-12\n\n- Noor planned the first kiln load [chat:c6] [via:psy-desk]",
}


def prepare(memory: Memory) -> None:
    """Fill an example world, whose clock stands at the instant of the snapshot's name."""
    wren = memory.acting("entity-core", "prepare", INSTANCE)
    for place, text in FILES.items():
        with wren.write() as change:
            put_file(change, place, text, {})
    for date, text in DAYS.items():
        with wren.write() as change:
            make_memory(change, NewMemory(read_period("daily", date), text, INSTANCE))
    with wren.write() as change:
        name_state(change, (of_file("self", "my_wants.md"),), "manual")
        put_file(change, Place("self", "my_wants.md"), WANTS, {})
