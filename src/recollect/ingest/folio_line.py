"""The bundle line that makes a folio, or says what stands in its readme."""

from recollect.ingest.fields import Fields, Json
from recollect.ingest.filing import folio_name
from recollect.store.change import Change
from recollect.write.folio import find_or_make_folio, set_readme


def take_folio(change: Change, given: Json) -> bool:
    """Whether the line changed anything: it made a folio or gave one another readme."""
    fields = Fields(given, "folio")
    fields.only({"name", "readme"})
    readme = fields.verbatim("readme")
    folio, is_new = find_or_make_folio(change, folio_name(fields.needed("name"), "folio.name"))
    changed = folio if readme is None else set_readme(change, folio, readme)
    return is_new or changed != folio
