"""Folios: named places to file texts in, found by name and created if new."""

from typing import NamedTuple, NewType

from recollect.model.ids import is_id, read_id
from recollect.model.names import clean, fold
from recollect.store.change import Change
from recollect.store.tables import FOLIO, OPEN
from recollect.store.view import View

FolioId = NewType("FolioId", str)
NAME_LIMIT = 120


class Folio(NamedTuple):
    """One version of a folio; the readme is the text that was given for it."""

    id: FolioId
    name: str
    readme: str | None
    tx_from: int


def find_folio(view: View, named: str) -> Folio | None:
    """The folio of an id or a name; of several spellings the one given, else the first written."""
    if is_id(named):
        found = view.rows("folio_by_id", id=read_id(named))
        if found:
            return Folio._make(found[0])
    bare = bare_name(named)
    rows = sorted((Folio._make(row) for row in view.rows("folios_named", folded=fold(bare))), key=lambda each: each.id)
    return next((each for each in rows if each.name == bare), rows[0] if rows else None)


def bare_name(named: str) -> str:
    """A folio's name without the mark before it."""
    return clean(named.strip().removeprefix("~"))


def find_or_create_folio(change: Change, named: str) -> tuple[Folio, bool]:
    """The folio of this name, and whether it was made just now."""
    held = find_folio(change, named)
    if held is not None:
        return held, False
    name = bare_name(named)
    made = Folio(FolioId(change.new_id()), name, None, change.tx)
    change.connection.insert(FOLIO, [_folio_row(change, made)])
    return made, True


def set_readme(change: Change, folio: Folio, readme: str) -> Folio:
    """The folio with this text as its readme."""
    if folio.readme == readme:
        return folio
    version = folio._replace(readme=readme, tx_from=change.tx)
    change.connection.end(FOLIO, change.ws, (folio.id,), change.tx)
    change.connection.insert(FOLIO, [_folio_row(change, version)])
    return version


def _folio_row(change: Change, folio: Folio) -> tuple[object, ...]:
    return (change.ws, folio.id, folio.tx_from, OPEN, folio.name, fold(folio.name), folio.readme)
