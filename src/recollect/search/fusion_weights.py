"""What the signals of a search are worth beside each other."""

from typing import NamedTuple


class FusionWeights(NamedTuple):
    """What each part is worth beside one unit of cosine; docs/decisions/search.md says how they were found."""

    text: float = 0.5
    name: float = 0.15
    time: float = 0.15
    context: float = 0.4
    title: float = 0.45
    link: float = 0.9
    asker: float = 0.25
    later: float = 0.3


DEFAULT_WEIGHTS = FusionWeights()
