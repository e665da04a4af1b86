from typing import Annotated, Any, Literal

from pydantic import Field
from recollect.surfaces.toy.surface import surface
from typing_extensions import TypedDict

from recollect.errors import NotKnown
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf, Limit, NameText, fold_case_into


class Note(TypedDict):
    name: str
    text: str


class Found(TypedDict):
    note: Note | None


class Tag(TypedDict):
    key: str
    value: str


class NoSuchNote(NotKnown):
    def __init__(self, name: str) -> None:
        super().__init__(f"no note {name!r}")


Order = Annotated[
    Literal["oldest", "newest"], fold_case_into("oldest", "newest"), Field(description="Which come first")
]
Tags = Annotated[list[Tag] | None, Field(description="Pairs of key and value")]
Text = Annotated[str, Field(max_length=1000, description="What to note")]


@surface.tool("read", example={"name": "first"}, older={"name": ("title", "note_name")})
def find_note(memory: Any, name: NameText, as_of: AsOf = None) -> Result[Found]:
    """One note by its name."""
    if name == "crash":
        raise ZeroDivisionError("secret words")
    if name == "nobody":
        raise NoSuchNote(name)
    text = memory.notes.get(name)
    found: Found = {"note": None if text is None else {"name": name, "text": text}}
    return Result(found, extra_texts=() if text else ("nothing by that name",), meta={"as_of": as_of})


@surface.tool("read", example={})
def list_notes(memory: Any, order: Order = "oldest", limit: Limit = 20) -> list[Note]:
    """All notes in one order."""
    notes: list[Note] = [{"name": name, "text": text} for name, text in memory.notes.items()]
    return (notes if order == "oldest" else notes[::-1])[:limit]


@surface.tool("write", example={"name": "first", "text": "hello"}, idempotent=True)
def write_note(memory: Any, name: NameText, text: Text, tags: Tags = None) -> Found:
    """Keep a note under a name."""
    memory.notes[name] = text
    return {"note": {"name": name, "text": text + "".join(f" {tag['key']}={tag['value']}" for tag in tags or [])}}


@surface.tool("destroy", example={"name": "nothing"}, idempotent=True)
def drop_note(memory: Any, name: NameText) -> Found:
    """Remove a note."""
    memory.notes.pop(name, None)
    return {"note": None}


@surface.tool("read", example={"name": "first"}, listed=False)
def old_find(memory: Any, name: NameText) -> Result[Found]:
    """One note by its name, under a name that older clients use."""
    return find_note(memory, name)
