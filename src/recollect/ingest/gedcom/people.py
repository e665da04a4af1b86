"""What a family tree says of one person."""

from collections.abc import Iterator

from recollect.ingest.gedcom.events import Event, Reader, is_denied
from recollect.ingest.gedcom.lines import Node
from recollect.ingest.lore.draft import EntityDraft, Keyed, Named, RelationDraft, Target, Text
from recollect.model.entity import NAME_LIMIT
from recollect.model.names import clean, fold
from recollect.model.relations import is_writable, relation_stored_as
from recollect.model.vocabulary import built_in
from recollect.model.wording import snake

LITERAL_LIMIT = 10_000
_PROPERTIES = {
    "CAST": "caste",
    "DSCR": "description",
    "EDUC": "education",
    "NATI": "nationality",
    "RELI": "religion",
    "REFN": "reference_number",
}
_KNOWN_EVENTS = {"BIRT": "born", "DEAT": "died", "CHR": "baptised", "BAPM": "baptised", "BURI": "buried_at"}
_OTHER_EVENTS = frozenset(
    "CREM ADOP BARM BASM BATM BLES CHRA CONF FCOM ORDN NATU EMIG IMMI CENS PROB WILL GRAD RETI EVEN".split()
)
_OTHER_NAMES = ("NICK", "_MARNM", "_MARN", "_MARNAM", "_AKA", "_AKAN", "FONE", "ROMN", "TRAN", "ALIA")


def person(title: str, record: Node) -> EntityDraft:
    """The person that an INDI record describes."""
    spellings = [name for name in (_spelled(node) for node in record.all("NAME")) if name]
    name = spellings[0] if spellings else f"Unnamed ({record.key})"
    others = [*spellings[1:], *_further_names(record)]
    aliases = {fold(each): each for each in others if fold(each) != fold(name)}
    properties = {word: record.said(tag) for tag, word in _PROPERTIES.items() if record.said(tag)}
    if record.said("SEX"):
        properties["sex"] = record.said("SEX")
    properties["gedcom_id"] = f"{title}#{record.key}"
    return EntityDraft(name, "person", record.line, tuple(aliases.values()), properties, record.key)


def _spelled(node: Node) -> str:
    """A name without slashes; where the line is empty, its pieces."""
    name = clean(node.text.replace("/", " "))
    pieces = (node.said("NPFX"), node.said("GIVN"), node.said("SPFX"), node.said("SURN"), node.said("NSFX"))
    return (name or clean(" ".join(pieces)))[:NAME_LIMIT]


def _further_names(record: Node) -> Iterator[str]:
    for holder in (*record.all("NAME"), record):
        for node in holder.all(*_OTHER_NAMES):
            name = "" if node.pointer else clean(node.text.replace("/", " "))[:NAME_LIMIT]
            if name:
                yield name


def about_person(name: str, record: Node, reader: Reader) -> Iterator[RelationDraft]:
    """The relations that an INDI record states."""
    who = Keyed(record.key)
    reader.notes.quote(name, record)
    for node in record.children:
        if is_denied(node):
            continue
        if node.tag in _KNOWN_EVENTS:
            yield from _known_event(who, name, node, reader)
        elif node.tag in ("OCCU", "TITL", "RESI", "FACT"):
            yield from _attribute(who, name, node, reader)
        elif node.tag in _OTHER_EVENTS or _is_custom_event(node):
            yield _other_event(who, name, node, reader)


def _known_event(who: Keyed, name: str, node: Node, reader: Reader) -> Iterator[RelationDraft]:
    event = reader.event(name, node)
    relation = _KNOWN_EVENTS[node.tag]
    if event.is_empty and relation != "died" and node.text.upper() not in ("Y", "YES"):
        return
    if relation in ("born", "died"):
        yield _relation(who, relation, event.place, node, name, event, (event.date.point, event.date.point))
    else:
        bounds = (event.date.start, event.date.end)
        yield _relation(who, relation, event.place, node, name, event, bounds)._replace(is_event=True)


def _attribute(who: Keyed, name: str, node: Node, reader: Reader) -> Iterator[RelationDraft]:
    event, value = reader.event(name, node), node.text
    bounds = (event.date.start, event.date.end)
    if node.tag == "OCCU" and value:
        yield _relation(who, "occupation", Text(value[:LITERAL_LIMIT]), node, name, event, bounds)
    if node.tag == "TITL" and value:
        title = Named(value[:NAME_LIMIT], "title")
        yield _relation(who, "holds_title", title, node, name, event, bounds)
    if node.tag == "FACT" and value:
        yield _relation(who, _event_name(node), Text(value[:LITERAL_LIMIT]), node, name, event, bounds)
    if node.tag == "RESI":
        place = event.place or _residence(node, reader)
        if place is not None:
            yield _relation(who, "resided_in", place, node, name, event, bounds)


def _residence(node: Node, reader: Reader) -> Keyed | None:
    """Where somebody lived, if not as a place: the words of the line, else of its address."""
    address = node.first("ADDR")
    lines = address.words.splitlines() if address else []
    text = node.text or ", ".join(line.strip() for line in lines if line.strip())
    return reader.places.place(text, node.line) if text and text.upper() not in ("Y", "YES") else None


def _other_event(who: Keyed, name: str, node: Node, reader: Reader) -> RelationDraft:
    event = reader.event(name, node)
    bounds = (event.date.start, event.date.end)
    draft = _relation(who, _event_name(node), event.place, node, name, event, bounds)
    said = "" if node.text.upper() in ("Y", "YES") else node.text
    attributes = {**draft.attributes, "text": said} if said else draft.attributes
    return draft._replace(is_event=True, attributes=attributes)


def _event_name(node: Node) -> str:
    """The predicate of an event or fact: its tag, or what an EVEN or FACT says that it was."""
    told = {"EVEN": node.said("TYPE") or node.text, "FACT": node.said("TYPE")}
    word = snake(told.get(node.tag) or node.tag)
    if not word or not is_writable(word):
        return "fact" if node.tag == "FACT" else "even"
    # A word that already means something must not be taken for that.
    return f"{word}_event" if word in built_in() or relation_stored_as(word).name != word else word


def _is_custom_event(node: Node) -> bool:
    return node.tag.startswith("_") and any(node.first(tag) is not None for tag in ("DATE", "PLAC"))


def _relation(
    who: Keyed,
    relation: str,
    target: Target,
    node: Node,
    name: str,
    event: Event,
    bounds: tuple[str | None, str | None],
) -> RelationDraft:
    return RelationDraft(
        who,
        relation,
        target,
        node.line,
        f"{name} {node.tag}",
        bounds[0],
        bounds[1],
        attributes=event.attributes,
        quote=event.quote,
        extraction="gedcom",
    )
