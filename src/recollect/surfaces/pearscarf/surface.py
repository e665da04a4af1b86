"""The surface that the tools of this package are declared on."""

from recollect.surfaces.declare import Surface
from recollect.surfaces.pearscarf.failures import say_failure

surface = Surface(
    "pearscarf",
    "Operational memory: who is connected to whom, what was said, what changed, and which record says so.",
    say_failure,
)
