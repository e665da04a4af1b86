"""Bundle lines beside records, entities and facts: each key and what takes it in.

Each imports its ability when such a line comes, so that a plain bundle does not pay for it.
"""

from recollect.ingest.bundle import Further
from recollect.ingest.fields import Json
from recollect.ingest.taken import LineTaken
from recollect.memory import Memory
from recollect.store.change import Change


def _measurement(_: Memory, change: Change, given: Json) -> bool:
    from recollect.keep.series.measure import take_measurement

    return take_measurement(change, given)


def _manifest(_: Memory, change: Change, given: Json) -> bool:
    from recollect.keep.series.manifest import declare

    return declare(change, given)


def _folio(_: Memory, change: Change, given: Json) -> bool:
    from recollect.ingest.folio_line import take_folio

    return take_folio(change, given)


def _rule(memory: Memory, change: Change, given: Json) -> bool:
    from recollect.ingest.rule_line import take_rule

    return take_rule(memory, change, given)


def _encounter(_: Memory, change: Change, given: Json) -> bool:
    from recollect.ingest.lore.lines import take_encounter

    return take_encounter(change, given)


def _lore_source(_: Memory, change: Change, given: Json) -> LineTaken:
    from recollect.ingest.lore.lines import take_lore_source

    return take_lore_source(change, given)


def _memory_link(_: Memory, change: Change, given: Json) -> bool:
    from recollect.keep.network.line import take_link

    return take_link(change, given)


FURTHER: dict[str, Further] = {
    "encounter": Further(_encounter),
    "lore_source": Further(_lore_source),
    "folio": Further(_folio),
    "memory_link": Further(_memory_link, comes_last=True),
    "measurement": Further(_measurement),
    "manifest": Further(_manifest),
    "rule": Further(_rule),
}
