"""The owner of a workspace: the person whom "I", "me" and "my" mean."""

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.store.view import View

OWNER_WORDS = frozenset({"me", "i", "my", "myself"})
OWNER_SETTING = "me.entity"
"""The workspace setting that holds the owner's entity id."""


def find_owner(view: View) -> Entity | None:
    """The owner's entity; none if nothing was ever said about the owner."""
    ident = view.world.settings.get(OWNER_SETTING)
    return None if ident is None else view.survivor(EntityId(ident))
