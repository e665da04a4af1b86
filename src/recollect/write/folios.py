"""Folios: named places to file texts in, found by name and created if new."""

from recollect.model.ids import is_id, read_id
from recollect.model.names import clean, fold
from recollect.store.change import Change
from recollect.store.view import View
from recollect.store.write_queries import Folio, FolioId, add_folio, end_folio, folio_by_id, folios_named

NAME_LIMIT = 120


def find_folio(view: View, named: str) -> Folio | None:
    """The folio of an id or a bare name; of several spellings the given one, else the first created."""
    found = folio_by_id(view, read_id(named)) if is_id(named) else None
    if found is not None:
        return found
    bare = clean(named)
    namesakes = folios_named(view, fold(bare))
    return next((each for each in namesakes if each.name == bare), namesakes[0] if namesakes else None)


def name_of_folio(named: str) -> str:
    """A folio's name as somebody gives it, without one leading tilde."""
    return clean(named.strip().removeprefix("~"))


def find_or_create_folio(change: Change, named: str) -> tuple[Folio, bool]:
    """The folio of this bare name, and whether it was created now."""
    existing = find_folio(change, named)
    if existing is not None:
        return existing, False
    name = clean(named)
    made = Folio(FolioId(change.new_id()), name, None, change.tx)
    add_folio(change, made, fold(name))
    return made, True


def set_readme(change: Change, folio: Folio, readme: str) -> Folio:
    """The folio with this text as its readme."""
    if folio.readme == readme:
        return folio
    version = folio._replace(readme=readme, tx_from=change.tx)
    end_folio(change, folio.id)
    add_folio(change, version, fold(folio.name))
    return version
