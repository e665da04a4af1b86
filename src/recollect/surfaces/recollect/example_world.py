"""The example world of this surface: a developer, her sister, a project and what she promised."""

from typing import Any

from recollect.memory import Memory
from recollect.surfaces.recollect.remember import remember
from recollect.write.owner import set_owner_name

# In a shared workspace, other examples would show up in every list.
WORKSPACE = "everyday"
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


def prepare(memory: Memory) -> None:
    """Fill an example world."""
    told = memory.as_actor("recollect", "remember")
    with told.write() as change:
        set_owner_name(change, OWNER)
    remember(told, facts=[FIRST], source="stand-up", source_at="2026-04-02")
    for text, source, day in NOTES:
        remember(told, text=text, source=source, source_at=day)
    for fact in CONFLICT:
        remember(told, facts=[fact], source="status page", source_at="2026-05-12T09:00:00Z")
