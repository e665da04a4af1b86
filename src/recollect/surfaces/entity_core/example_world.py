"""The example world of this surface: an entity called Wren, its human Noor, a day at the kiln."""

from recollect.keep.identity_files import IdentityPath, put_file
from recollect.keep.memories.editing import NewMemory, upsert_memory
from recollect.keep.memory_formats import parse_period
from recollect.keep.snapshot_store import create_snapshots, file_subject
from recollect.memory import Memory

EXAMPLE_INSTANCE = "psy-desk"
EXAMPLE_SNAPSHOT = "self/my_wants_2026-05-20T10-00-00-000Z"
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


def prepare(memory: Memory) -> None:
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
