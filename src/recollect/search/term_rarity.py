"""How rare terms are, and what holds most of them: apart from the ranking of passages, which a hook does not load."""

from collections.abc import Callable, Hashable, Sequence
from math import log
from typing import NamedTuple, TypeVar

from recollect.store.text_index import TermAlternatives

Item = TypeVar("Item", bound=Hashable)
FindAll = Callable[[Sequence[TermAlternatives], int], Sequence[Item]]
"""The newest items that hold every one of some tokens, no more than so many."""
MAX_READ = 400
"""So many items are read for their common terms."""


class TermsByRarity(NamedTuple):
    """The places of tokens that no more than a limit of items hold, and of the others; each rarest first."""

    rare: list[int]
    common: list[int]


def split_by_rarity(frequencies: Sequence[int], limit: int) -> TermsByRarity:
    """Tokens by how many items hold them; those that nothing holds are left out."""
    order = sorted((at for at, count in enumerate(frequencies) if count), key=lambda at: (frequencies[at], at))
    return TermsByRarity(
        [at for at in order if frequencies[at] <= limit], [at for at in order if frequencies[at] > limit]
    )


def items_with_most_tokens(find_all: FindAll[Item], tokens: Sequence[TermAlternatives], limit: int) -> dict[Item, int]:
    """The newest items with all tokens, then with all but the last one, and so on; with how many of them."""
    found: dict[Item, int] = {}
    for count in range(len(tokens), 0, -1):
        if len(found) >= limit:
            break
        for item in find_all(tokens[:count], limit):
            found.setdefault(item, count)
    return found


def inverse_document_frequency(frequency: int, corpus_size: int) -> float:
    """How much a word tells that so many of all passages hold; never negative."""
    return log(1 + (max(corpus_size, frequency) - frequency + 0.5) / (frequency + 0.5))
