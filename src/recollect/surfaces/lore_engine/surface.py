"""The surface that the tools of this package are declared on."""

from recollect.surfaces.declare import Surface
from recollect.surfaces.lore_engine.problems import say_failure

surface = Surface(
    "lore-engine",
    "A world in time: what was true and when, who was there, who knew it, and what cannot be so.",
    say_failure,
    brief=True,
)
