"""Places of a family tree: the whole text is one, and lies in what follows its first comma."""

from collections.abc import Iterator

from recollect.ingest.lore.draft import EntityDraft, Keyed, RelationDraft
from recollect.model.entity import NAME_LIMIT
from recollect.model.names import fold

_EDGES = " ,;\t"


class Places:
    """The places named so far, each once, with what lies around them."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, int]] = {}

    def place(self, text: str, line: int) -> Keyed | None:
        """The place that a text names; none if it names none."""
        parts = list(_within(text))
        for part in parts:
            self._known.setdefault(_key(part), (part, line))
        return Keyed(_key(parts[0])) if parts else None

    def name(self, place: Keyed) -> str:
        """What a place is called here."""
        return self._known[place.key][0]

    def entities(self) -> Iterator[EntityDraft]:
        for key, (name, line) in self._known.items():
            around = list(_within(name))[1:]
            properties = {} if around else {"root": True}
            yield EntityDraft(name[:NAME_LIMIT], "location", line, (), properties, key)

    def relations(self) -> Iterator[RelationDraft]:
        for key, (name, line) in self._known.items():
            around = list(_within(name))[1:2]
            if around and _key(around[0]) != key:
                yield RelationDraft(Keyed(key), "part_of", Keyed(_key(around[0])), line, name, extraction="gedcom")


def _within(text: str) -> Iterator[str]:
    """The place and all that lie around it, smallest first."""
    rest = " ".join(text.split()).strip(_EDGES)
    while rest:
        yield rest
        rest = rest.partition(",")[2].strip(_EDGES)


def _key(name: str) -> str:
    return f"place {fold(name[:NAME_LIMIT])}"
