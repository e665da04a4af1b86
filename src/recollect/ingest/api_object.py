"""Objects of foreign JSON, read leniently, and the records that importers make of them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.ingest.line import IngestItem, RecordPart, content_digest
from recollect.ingest.parties import Party
from recollect.model.certainty import is_number
from recollect.model.entity import NAME_LIMIT
from recollect.model.json_limits import replace_unstorable
from recollect.write.entity_refs import NamedRef

Json = Mapping[str, Any]
_UNDERSCORE = re.compile(r"_([a-z])")


@dataclass(frozen=True, slots=True)
class ApiObject:
    """A JSON object whose keys may be in snake_case or in camelCase; what is missing or of another type is empty."""

    value: Json

    @classmethod
    def of(cls, value: Any) -> "ApiObject":
        return cls(value if isinstance(value, dict) else {})

    def __bool__(self) -> bool:
        return bool(self.value)

    def get(self, key: str) -> Any:
        found = self.value.get(key)
        return self.value.get(_UNDERSCORE.sub(lambda each: each[1].upper(), key)) if found is None else found

    def has(self, *keys: str) -> bool:
        return all(self.get(key) is not None for key in keys)

    def text(self, *keys: str) -> str | None:
        """The first of these fields that holds text or a number."""
        for key in keys:
            found = self.get(key)
            if isinstance(found, str) and found.strip():
                return replace_unstorable(found.replace("\r\n", "\n"))
            if is_number(found):
                return str(found)
        return None

    def object(self, key: str) -> "ApiObject":
        return ApiObject.of(self.get(key))

    def objects(self, key: str) -> list["ApiObject"]:
        """The objects of a list, whether it is plain or the `nodes` or `edges` of a GraphQL connection."""
        return list(map(ApiObject.of, filter(_is_object, nodes_of(self.get(key)))))

    def names(self, key: str, *name_keys: str) -> list[str]:
        """The names in a list of texts or objects."""
        found = (
            ApiObject.of(each).text(*name_keys) if isinstance(each, dict) else str(each)
            for each in nodes_of(self.get(key))
        )
        return [name for name in found if name]


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def nodes_of(value: Any) -> list[Any]:
    """The elements of a list or of a GraphQL connection; none of anything else."""
    if isinstance(value, dict):
        if isinstance(value.get("nodes"), list):
            return list(value["nodes"])
        edges = value.get("edges")
        return [each.get("node") for each in edges if isinstance(each, dict)] if isinstance(edges, list) else []
    return list(value) if isinstance(value, list) else []


def make_record(
    id_: str,
    type_: str,
    title: str | None,
    author: str | Party | None,
    at: str | None,
    text: str | None,
    fields: Mapping[str, Any],
    url: str | None = None,
) -> RecordPart:
    """A record without empty fields; an author with an address keeps it among the fields."""
    kept = {key: value for key, value in fields.items() if value not in (None, "", [], {})}
    if isinstance(author, Party):
        kept |= {"author": party_field(author)} if author.address else {}
        author = author.name
    return RecordPart(id_, type_, title, author, at, url, text, kept)


def party_field(party: Party | None) -> str | dict[str, str] | None:
    """A person as a field of a record."""
    if party is None or party.address is None:
        return party.name if party is not None else None
    return {"name": party.name or "", "email": party.address}


def record_line(record: RecordPart, people: Iterable[NamedRef] = ()) -> IngestItem:
    """A record to be read, with people whom its file introduces under several names."""
    return IngestItem(content_digest(record._asdict()), record, tuple(people), is_standalone=True)


def known_as(name: str, *aliases: str) -> NamedRef:
    """A person with the other names that a file gives."""
    return NamedRef(name[:NAME_LIMIT], "person", tuple(each[:NAME_LIMIT] for each in aliases), confirmed=True)
