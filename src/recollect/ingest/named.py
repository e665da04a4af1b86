"""The things that a line names: entities that it declares, ends of its facts."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from recollect.ingest.fields import Fields
from recollect.ingest.problems import BadLine, too_long
from recollect.model.entity import NAME_LIMIT, PROPERTY_LIMIT, TYPE_LIMIT
from recollect.model.names import NAMES_REMEMBERED, clean
from recollect.model.wording import snake
from recollect.write.ends import End

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

LITERAL_LIMIT = 10_000
_ENTITY_KEYS = frozenset("name type aliases metadata properties".split())
_BARE_ENTITY = frozenset({"name", "type"})
_SAME_TYPE = {"company": "organization"}

Part = TypeVar("Part")


def entity_of(value: Any) -> End:
    """An entity that a line declares."""
    if type(value) is dict and _BARE_ENTITY.issuperset(value):
        return cached(_declared, value.get("name"), value.get("type"))
    fields = Fields(value, "")
    fields.only(_ENTITY_KEYS)
    end = cached(_declared, fields.values.get("name"), fields.values.get("type"))
    aliases = fields.texts("aliases")
    for alias in aliases:
        _name(alias)
    properties = {**fields.table("properties", PROPERTY_LIMIT), **fields.table("metadata", PROPERTY_LIMIT)}
    return End(end.name, end.type, aliases, properties, end.confirmed, end.reason)


@lru_cache(NAMES_REMEMBERED)
def _declared(name: Any, type_: Any) -> End:
    """An end that somebody declares, and so vouches for."""
    fields = Fields({"name": name, "type": type_}, "")
    known_as = stored_type(fields.short("type", TYPE_LIMIT))
    return End(_name(fields.needed("name")), known_as, confirmed=True, reason="given")


def cached(read: "_lru_cache_wrapper[Part]", *given: Any) -> Part:
    """What is read of these values, now or before; a list or an object is read anew, and refused."""
    try:
        return read(*given)
    except TypeError:
        return read.__wrapped__(*given)


def end_of(value: Any, path: str) -> End | str | None:
    """An end by name, a literal, or none."""
    if value is None:
        return None
    try:
        return _named(value) if isinstance(value, str) else _spelled_out(value)
    except BadLine as problem:
        raise problem.within(path) from None


def _spelled_out(value: Any) -> End | str:
    fields = Fields(value, "")
    if "literal" in fields.values:
        fields.only({"literal"})
        literal = fields.needed("literal")
        if len(literal) > LITERAL_LIMIT:
            raise too_long(".literal", literal, LITERAL_LIMIT)
        return literal
    fields.only({"name", "type"})
    return replace(_named(fields.needed("name")), type=stored_type(fields.short("type", TYPE_LIMIT)))


@lru_cache(NAMES_REMEMBERED)
def _named(text: str) -> End:
    name = _name(text)
    if not name:
        raise BadLine("", "should not be blank")
    return End(name)


def _name(text: str) -> str:
    name = clean(text)
    if len(name) > NAME_LIMIT:
        raise too_long("", name, NAME_LIMIT)
    return name


@lru_cache(1024)
def stored_type(given: str | None) -> str | None:
    """The type as it is stored: lower_snake_case, a company being an organization."""
    if given is None:
        return None
    name = snake(given)
    return _SAME_TYPE.get(name, name) or None
