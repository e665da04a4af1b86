"""What a document says of itself: its title, kind, author and how far it is to be trusted."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.ingest.lore.bounds import read
from recollect.ingest.lore.definitions import is_definition
from recollect.ingest.lore.entity import plain_value, time_given
from recollect.ingest.lore.front import ABOUT_DOCUMENT
from recollect.ingest.lore.kinds import SHAPES, shape_of
from recollect.ingest.lore.markdown import Page, split
from recollect.ingest.lore.problems import BadStatement, BadYaml
from recollect.ingest.lore.tables import Table, load
from recollect.model.entity import NAME_LIMIT
from recollect.model.web import written_address
from recollect.model.wording import snake
from recollect.reason.lore.sources import RELIABILITY, VISIBILITIES
from recollect.store.world import World

GEDCOM = "gedcom"
DIALOGUE = "dialogue"
PROSE = "prose"
MEETING = ("at_time", "location", "participants", "witnesses")


class SourceWanted(NamedTuple):
    """A document as it comes in; what it is given beside its content wins over what it says of itself."""

    content: str
    title: str | None = None
    source_type: str | None = None
    author: str | None = None
    reliability: str | float | None = None
    visibility: str | None = None
    known_to: tuple[str, ...] | None = None
    world_time: str | None = None
    url: str | None = None
    lenient: bool | None = None
    unreadable: int = 0
    is_yaml: bool = False
    file_name: str | None = None


class Outline(NamedTuple):
    """A document's own particulars, and its content as far as it is taken apart."""

    title: str
    type: str
    author: str | None
    url: str | None
    lenient: bool
    properties: Mapping[str, Any]
    page: Page
    top: Table | None = None


class _Parts(NamedTuple):
    """A document taken apart: its keys, its kind, its page, and its table if it is structured."""

    front: Table
    type: str | None
    page: Page
    top: Table | None


def outline(world: World, wanted: SourceWanted) -> Outline:
    """The particulars of a document; whatever is wrong with them is refused."""
    parts = _parts(wanted)
    return _outlined(world, wanted, parts.front, parts.type or PROSE, parts.page, parts.top)


def front_of(wanted: SourceWanted) -> Table:
    """What a document says of itself, before any of it is looked at; a family tree says nothing."""
    return _parts(wanted).front


def _parts(wanted: SourceWanted) -> _Parts:
    given = None if wanted.source_type is None else snake(wanted.source_type)
    page = Page(None, wanted.content, 0, 1) if given == GEDCOM else split(wanted.content)
    front: Table = page.front if page.front is not None else Table(1)
    type_ = given or _word(front, "source_type")
    top = _structured(page) if type_ in SHAPES or wanted.is_yaml else None
    if top is not None:
        front = top if page.front is None or top is page.front else _joined(page.front, top)
        type_ = type_ or _word(top, "source_type") or shape_of(top)
    return _Parts(front, type_, page, top)


def _structured(page: Page) -> Table | None:
    """The table of a structured document, whether or not front matter stands above it."""
    top: object = page.front
    if page.front is None or page.body.strip():
        top = load(page.body, page.line)
    if top is not None and not isinstance(top, Table):
        raise BadYaml(page.line, "a structured document is a table of keys")
    return top if isinstance(top, Table) else Table(page.line)


def _joined(front: Table, top: Table) -> Table:
    both = Table(front.line)
    both.update({**top, **front})
    both.lines = {**top.lines, **front.lines}
    return both


def _outlined(world: World, wanted: SourceWanted, front: Table, type_: str, page: Page, top: Table | None) -> Outline:
    title = wanted.title or _text(front, "title") or wanted.file_name
    if not title or len(title) > NAME_LIMIT:
        raise BadStatement(f"a document needs a title of 1 to {NAME_LIMIT} characters", field="title")
    if type_ == "encounter":
        raise BadStatement("encounters are told by log_encounter", field="source_type")
    lenient = wanted.lenient if wanted.lenient is not None else type_ == GEDCOM
    url = wanted.url or _text(front, "url")
    author = wanted.author or _text(front, "author")
    properties = _properties(world, wanted, front, keep_others=top is None)
    return Outline(" ".join(title.split()), type_, author, _http(url), lenient, properties, page, top)


def _properties(world: World, wanted: SourceWanted, front: Table, *, keep_others: bool) -> dict[str, Any]:
    reliability = _reliability(wanted.reliability if wanted.reliability is not None else front.get("reliability"))
    visibility = visibility_of(wanted.visibility or front.get("visibility"))
    known_to = wanted.known_to if wanted.known_to is not None else names_in(front.get("known_to"), "known_to")
    world_time = wanted.world_time or time_given(front.get("world_time"), "world_time")
    own: dict[str, Any] = {
        "reliability": reliability,
        "visibility": visibility,
        "known_to": list(known_to) if known_to else None,
        "world_time": None if world_time is None else read(world, world_time, "world_time").text,
    }
    others = {
        key: plain_value(value)
        for key, value in front.items()
        if keep_others and key not in ABOUT_DOCUMENT and key not in MEETING and not is_definition(key, value)
    }
    return {**others, **{key: value for key, value in own.items() if value is not None}}


def _reliability(value: Any) -> str | float | None:
    if value is None:
        return None
    if isinstance(value, str) and value.strip().lower() in RELIABILITY:
        return value.strip().lower()
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise BadStatement(
        "reliability is a number from 0 to 1, or a word", field="reliability", accepted=tuple(RELIABILITY)
    )


def visibility_of(value: Any) -> str | None:
    """Who may know something; an unknown word is refused."""
    if value is None:
        return None
    if isinstance(value, str) and value.strip().lower() in VISIBILITIES:
        return value.strip().lower()
    raise BadStatement(f"{value!r} is no visibility", field="visibility", accepted=VISIBILITIES)


def names_in(value: Any, field: str) -> tuple[str, ...]:
    """A list of names; one name alone counts as a list of it."""
    if value is None:
        return ()
    each = [value] if isinstance(value, str) else value
    if not isinstance(each, list | tuple) or not all(isinstance(one, str) and one.strip() for one in each):
        raise BadStatement(f"{field} should be a list of names", field=field)
    return tuple(" ".join(one.split()) for one in each)


def _word(front: Table, key: str) -> str | None:
    text = _text(front, key)
    return snake(text) if text else None


def _text(front: Table, key: str) -> str | None:
    value = front.get(key)
    if value is None:
        return None
    if isinstance(value, dict | list):
        raise BadStatement(f"{key} should be a text", field=key)
    return str(value).strip() or None


def _http(url: str | None) -> str | None:
    """The address; nothing but one of the web is a source URL."""
    found = written_address(url)
    if url is not None and found is None:
        raise BadStatement("url should be an address of the web", field="url")
    return found
