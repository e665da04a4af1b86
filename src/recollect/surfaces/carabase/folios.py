"""Folios that a caller names, and what to say when there is none."""

from recollect.model.names import fold, tokens
from recollect.store.view import View
from recollect.surfaces.carabase.trailers import Call, Hint, quoted
from recollect.write.folio import Folio, find_folio

MOST = 3


def the_folio(view: View, named: str | None) -> Folio | None:
    return None if named is None else find_folio(view, named)


def unknown_folio(view: View, named: str, again: Call, without: Call) -> Hint:
    """Up to three folios that share a token with the name, and the call without the filter."""
    alike = folios_like(view, named)
    if not alike:
        text = f"There is no folio {quoted(named)} and none that shares a word with it. Ask again without the folio."
        return Hint("folioUnknown", text, (without,))
    names = ", ".join(quoted(each.name) for each in alike)
    text = f"There is no folio {quoted(named)}. Folios that share a word with it: {names}. Ask again with one of them."
    other: Call = {"tool": again["tool"], "args": {**again["args"], "folio": alike[0].name}}
    return Hint("folioUnknown", text, (other, without))


def folios_like(view: View, named: str) -> list[Folio]:
    wanted = set(tokens(fold(named.removeprefix("~"))))
    rows = (Folio._make(row) for row in view.rows("folios"))
    return [each for each in rows if wanted & set(tokens(fold(each.name)))][:MOST]
