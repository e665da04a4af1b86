"""Reading a document whole, by its kind: what it states, its passages, and by which ways that was found."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from recollect.ingest.gedcom.tree import read_tree
from recollect.ingest.lore.dialogue import Turn, turns
from recollect.ingest.lore.document import passages_of
from recollect.ingest.lore.draft import EntityDraft, Reading, RelationDraft, Unread
from recollect.ingest.lore.front import read_front
from recollect.ingest.lore.kinds import SHAPES, left_out, read_structured
from recollect.ingest.lore.markdown import fact_lines, failed_fact_lines, links
from recollect.ingest.lore.outline import DIALOGUE, GEDCOM, MEETING, Outline
from recollect.search.chunk import Passage

_NO_KIND = f"in YAML without a source_type ({', '.join(SHAPES)})"


class Read(NamedTuple):
    """A document as its reader understood it."""

    reading: Reading
    text: str
    passages: tuple[Passage, ...]
    ways: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    people: int | None = None
    families: int | None = None

    @property
    def has_prose(self) -> bool:
        """Whether there are sentences that patterns may be sought in."""
        return not self.turns and not {"gedcom", "structured"} & set(self.ways)


def read_document(content: str, about: Outline, is_known: Callable[[str], bool]) -> Read:
    """What a document states; `is_known` says which relations may stand in a fact line."""
    if about.type == GEDCOM:
        return _tree(content, about)
    if about.top is not None:
        return _structured(content, about)
    if about.type == DIALOGUE:
        return _dialogue(content, about)
    return _page(content, about, is_known)


def _tree(content: str, about: Outline) -> Read:
    tree = read_tree(about.title, content)
    found = tuple(passages_of(about.title, tree.text)) if tree.text else ()
    return Read(tree.reading, tree.text, found, ("gedcom",), (), tree.people, tree.families)


def _structured(content: str, about: Outline) -> Read:
    top = about.top
    if top is None:
        raise TypeError("a structured document has a table")
    reading = read_structured(about.type, top) if about.type in SHAPES else Reading()
    front = read_front(top)
    both = Reading(
        reading.entities + front.entities,
        reading.relations + front.relations,
        (),
        reading.unread + front.unread,
        reading.warnings if about.type in SHAPES else left_out(top, MEETING, _NO_KIND),
    )
    ways = ("structured",) if about.type in SHAPES else ()
    return Read(
        both, content, tuple(passages_of(about.title, content)), ways + _front_way(front.entities, front.relations)
    )


def _dialogue(content: str, about: Outline) -> Read:
    page = about.page
    said = turns(page.body)
    found = tuple(_turn_passages(page.body, page.offset, said)) or tuple(
        passages_of(about.title, page.body, page.offset)
    )
    entities, relations, unread = _front(about)
    ways = _front_way(entities, relations)
    return Read(Reading(entities, relations, (), unread), content, found, ways, tuple(said))


def _turn_passages(body: str, offset: int, said: list[Turn]) -> Iterator[Passage]:
    for turn in said:
        yield from passages_of(None, body[turn.start : turn.stop], offset + turn.start)


def _page(content: str, about: Outline, is_known: Callable[[str], bool]) -> Read:
    page = about.page
    entities, relations, unread = _front(about)
    lines = tuple(fact_lines(page, is_known))
    text = " ".join(page.body.split())
    false = tuple(each for each in relations if each.quote and " ".join(each.quote.split()) not in text)
    dropped = tuple(Unread(each.line, each.item, "its quote is not in the text") for each in false)
    relations = tuple(each for each in relations if each not in false)
    failed = tuple(failed_fact_lines(page, is_known))
    reading = Reading(entities, relations + lines, tuple(links(page)), unread, (), dropped + failed)
    ways = _front_way(entities, relations) + (("heuristic",) if lines else ())
    return Read(reading, content, tuple(passages_of(about.title, page.body, page.offset)), ways)


def _front(about: Outline) -> tuple[tuple[EntityDraft, ...], tuple[RelationDraft, ...], tuple[Unread, ...]]:
    if about.page.front is None:
        return (), (), ()
    return tuple(read_front(about.page.front))  # type: ignore[return-value]


def _front_way(entities: tuple[EntityDraft, ...], relations: tuple[RelationDraft, ...]) -> tuple[str, ...]:
    return ("front_matter",) if entities or relations else ()
