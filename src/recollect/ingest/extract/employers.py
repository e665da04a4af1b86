"""Where people work, as far as their mail domain suggests it and nobody stated it."""

from recollect.ingest.extract.cast import Cast
from recollect.ingest.extract.party import Party
from recollect.ingest.extract.told import RULES, Told
from recollect.model.fact import Fact, slot_of
from recollect.model.history import is_current
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.store.rows import fact_of
from recollect.when.instant import Instant
from recollect.write.retract import withdraw


def suggest_employer(change: Change, cast: Cast, party: Party, at: Instant) -> Told | None:
    """That a person works where they write from, unless somebody stated how the two are joined."""
    person = cast.person(party)
    company = cast.company_of(party) if person is not None else None
    if person is None or company is None:
        return None
    domain, employer = company
    is_fresh = not cast.fresh.isdisjoint((person.id, employer.id))
    if not is_fresh and not _suggested(change, person.id, employer.id) and _is_joined(change, person.id, employer.id):
        return None
    words = f"{person.name} writes from {domain}, the mail domain of {employer.name}"
    return Told("AFFILIATED", "employee", person, employer, words, "inferred", at)


def withdraw_suggested(change: Change, since: int) -> None:
    """A mail domain suggests nothing more about two whom a statement of a later transaction joins."""
    if not change.rows("employers_suggested"):
        return
    for _, subject, target in change.rows("affiliations_begun", since=since):
        for person, company in ((subject, target), (target, subject)):
            suggested = _suggested(change, person, company)
            if suggested and _is_joined(change, person, company):
                said = [each for fact in suggested for each in change.assertions(fact.id)]
                withdraw(change, [each for each in said if each.extracted_by == RULES])


def _suggested(change: Change, person: EntityId, company: EntityId) -> list[Fact]:
    """What mails were taken as a sign of before; should somebody have stated it since, that is seen to afterwards."""
    slot = slot_of(person, "AFFILIATED", "employee", company, None)
    return [fact for fact in change.facts_in_slot(slot) if fact.certainty == "inferred" and not fact.stale]


def _is_joined(change: Change, person: EntityId, company: EntityId) -> bool:
    """Whether a current affiliation that somebody stated joins the two, whatever its type and direction."""
    stated = (fact_of(row) for row in change.rows("affiliations_stated", entity=person))
    return any(company in (fact.subject, fact.object) and is_current(fact, change.world.now.span) for fact in stated)
