"""What the reader finds in a sentence of a mail that was written on 11 March 2026."""

from datetime import date

from recollect.ingest.extract.clause_acts import narrow_type
from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context, Person
from recollect.reading.reader import read_block

WEDNESDAY = date(2026, 3, 11)
PEOPLE = (Person("Dana Cole", ("Dana",)), Person("Marcus"), Person("Bo"))


def facts_in(sentence: str, day: date = WEDNESDAY) -> list[ClauseReading]:
    """The clauses that state a fact."""
    return [each for each in read_block(sentence, Context("mail", day, people=PEOPLE)) if each.is_fact]


def acts_of(sentence: str) -> list[tuple[str, str | None]]:
    """What each of them is stored as, and who does it if somebody is named."""
    return [(narrow_type(each) or str(each.act), who) for each in facts_in(sentence) for who in _named(each)]


def _named(each: ClauseReading) -> list[str | None]:
    return [*each.doer.others, each.doer.name] if each.doer and each.doer.kind == "named" else [None]
