"""Facts that the fields of a record state or suggest, as drafts."""

from collections.abc import Iterator, Mapping
from typing import Any

from recollect.ingest.parties import Party
from recollect.ingest.party_resolver import PartyResolver
from recollect.ingest.record_types import ISSUE_CHANGES, field_text
from recollect.ingest.statements import parse_instant
from recollect.model.certainty import Certainty, complete_confidence
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import Fact, Label, Source, slot_of
from recollect.model.history import is_current
from recollect.model.ids import EntityId
from recollect.model.names import clean, fold
from recollect.store import ingest_queries as queries
from recollect.store.change import Change
from recollect.text.fold import plain_letters
from recollect.text.tokens import name_tokens
from recollect.when.instant import Instant
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.fact_draft import RULES, FactDraft, FactKind, document_source
from recollect.write.retract import withdraw_assertions


def record_source(change: Change, document: Document) -> Source:
    """A record as the source of its facts; a change of an issue has the URL of the issue."""
    source = document_source(document, RULES)
    issue = issue_of(change, document) if document.type in ISSUE_CHANGES else None
    return source._replace(url=issue.url) if issue is not None and issue.url else source


def draft_fact(
    source: Source,
    label: Label,
    fact_type: str,
    subject: Entity,
    target: Entity | None,
    words: str | None,
    certainty: Certainty,
    at: Instant,
) -> FactDraft:
    """A fact that a record states between known entities."""
    kind = FactKind(label, fact_type, None, complete_confidence(certainty, None, None))
    target_id = target.id if target is not None else None
    return FactDraft(subject.id, target_id, None, kind, at, source, words)


PROJECT = "project"
REPOSITORY = "repository"
_DONE_STATES = frozenset({"done", "completed"})
_CANCELLED_STATES = frozenset({"canceled", "cancelled", "duplicate"})
_OWNER_FIELDS = frozenset({"assignee", "owner"})
_STAGE_FIELDS = frozenset({"project", "milestone", "cycle", "stage"})


def facts_from_fields(change: Change, resolver: PartyResolver, document: Document) -> Iterator[FactDraft]:
    """The facts that the fields of a record state or suggest."""
    match document.type:
        case "linear_issue" | "jira_issue":
            yield from _issue_facts(change, resolver, document)
        case each if each in ISSUE_CHANGES:
            yield from _issue_change_facts(change, resolver, document)
        case "github_pr":
            yield from _pull_request_facts(change, resolver, document)
        case "github_issue":
            yield from _closed_issue_facts(change, resolver, document)
        case "github_review":
            yield from _review_facts(change, resolver, document)


def transition_type(field: str, new_value: str | None) -> str:
    """The type of the transition that a change of a field is."""
    name, value = field.strip().casefold(), (new_value or "").strip().casefold()
    if name in ("status", "state"):
        return (
            "completion" if value in _DONE_STATES else "cancellation" if value in _CANCELLED_STATES else "status_change"
        )
    return "ownership_change" if name in _OWNER_FIELDS else "stage_change" if name in _STAGE_FIELDS else "other"


def project_of(change: Change, resolver: PartyResolver, document: Document) -> Entity | None:
    """The project or repository of an issue, created if new."""
    project = _find_or_make_thing(change, resolver, document.properties.get("project"), PROJECT)
    return project or _find_or_make_thing(change, resolver, document.properties.get("repository"), REPOSITORY)


def _find_or_make_thing(change: Change, resolver: PartyResolver, value: Any, type_: str) -> Entity | None:
    name = clean(field_text(value) or "")[:NAME_LIMIT]
    if not name:
        return None
    found = find_or_create(change, NamedRef(name, type_, (), {}, True, "extracted"))
    if found.is_new:
        resolver.created.add(found.entity.id)
    return found.entity


def _issue_facts(change: Change, resolver: PartyResolver, document: Document) -> Iterator[FactDraft]:
    project = project_of(change, resolver, document)
    assignee = resolver.person_in("assignee")
    if project is not None and assignee is not None:
        words = f"{assignee.name} works on {project.name}"
        source = record_source(change, document)
        yield draft_fact(source, "AFFILIATED", "contributor", assignee, project, words, "inferred", document.source_at)


def _issue_change_facts(change: Change, resolver: PartyResolver, document: Document) -> Iterator[FactDraft]:
    fields = document.properties
    issue = issue_of(change, document)
    project = project_of(change, resolver, issue) if issue is not None else None
    who = resolver.person_in("changed_by")
    subject = who or project
    if subject is None:
        return
    field, to_value = field_text(fields.get("field")) or "", field_text(fields.get("to_value"))
    what = f"{field} of {_issue_title(document, issue)}"
    moved = "".join(
        f" {word} {value}"
        for word, value in (("from", field_text(fields.get("from_value"))), ("to", to_value))
        if value
    )
    words = f"{who.name} changed {what}{moved}" if who else f"{what} changed{moved}"
    at = field_instant(change, fields, "changed_at") or document.source_at
    target = project if who is not None else None
    source, type_ = record_source(change, document), transition_type(field, to_value)
    yield draft_fact(source, "TRANSITIONED", type_, subject, target, words, "stated", at)


def issue_of(change: Change, document: Document) -> Document | None:
    """The issue of a change, if it has arrived."""
    key = field_text(document.properties.get("issue_record_id"))
    found = change.document_named("record", key) if key else None
    return found if found is not None and not found.deleted else None


def _issue_title(document: Document, issue: Document | None) -> str:
    fields = issue.properties if issue is not None else document.properties
    identifier = field_text(fields.get("identifier")) or field_text(document.properties.get("issue_record_id")) or ""
    title = issue.title if issue is not None else document.title
    return f"{identifier} ({title})" if title else identifier


def _pull_request_facts(change: Change, resolver: PartyResolver, document: Document) -> Iterator[FactDraft]:
    fields, at, source = document.properties, document.source_at, record_source(change, document)
    repository = _find_or_make_thing(change, resolver, fields.get("repository"), REPOSITORY)
    author = resolver.person_in("author")
    if repository is not None and author is not None:
        words = f"{author.name} contributes to {repository.name}"
        yield draft_fact(source, "AFFILIATED", "contributor", author, repository, words, "inferred", at)
    for reviewer in resolver.people("reviewers") if repository is not None else ():
        words = f"{reviewer.name} reviews for {repository.name if repository else ''}"
        yield draft_fact(source, "AFFILIATED", "reviewer", reviewer, repository, words, "inferred", at)
    merged_at = field_instant(change, fields, "merged_at")
    if merged_at is not None and author is not None:
        words = f"{author.name} completed {_numbered_title('pull request', document)}{_in_repository(repository)}"
        yield draft_fact(source, "TRANSITIONED", "completion", author, repository, words, "stated", merged_at)


def _closed_issue_facts(change: Change, resolver: PartyResolver, document: Document) -> Iterator[FactDraft]:
    fields = document.properties
    repository = _find_or_make_thing(change, resolver, fields.get("repository"), REPOSITORY)
    closed_at = field_instant(change, fields, "closed_at")
    who = resolver.person_in("closed_by") or resolver.person_in("author")
    if closed_at is not None and who is not None:
        words = f"{who.name} resolved {_numbered_title('issue', document)}{_in_repository(repository)}"
        source = record_source(change, document)
        yield draft_fact(source, "TRANSITIONED", "resolution", who, repository, words, "stated", closed_at)


_VERDICTS = {"approved": "approved", "changes_requested": "requested changes to"}


def _review_facts(change: Change, resolver: PartyResolver, document: Document) -> Iterator[FactDraft]:
    """What a reviewer decided about a pull request."""
    who = resolver.person_in("author")
    verdict = _VERDICTS.get(field_text(document.properties.get("state")) or "")
    if who is not None and verdict is not None:
        words = f"{who.name} {verdict} {_issue_title(document._replace(title=None), issue_of(change, document))}"
        source = record_source(change, document)
        yield draft_fact(source, "ASSERTED", "evaluation", who, None, words, "stated", document.source_at)


def _numbered_title(what: str, document: Document) -> str:
    title = f" ({document.title})" if document.title else ""
    return f"{what} #{field_text(document.properties.get('number')) or '?'}{title}"


def _in_repository(repository: Entity | None) -> str:
    return f" in {repository.name}" if repository is not None else ""


def field_instant(change: Change, fields: Mapping[str, Any], key: str) -> Instant | None:
    """The instant in a field; an unreadable one refuses the record."""
    return parse_instant(change, field_text(fields.get(key)), f"record.{key}")


def suggest_employer(change: Change, resolver: PartyResolver, party: Party, source: Source) -> FactDraft | None:
    """The employer that a mail domain suggests, unless an affiliation of the two is stated."""
    person = resolver.person(party)
    company = resolver.company_of(party) if person is not None and not _is_family_domain(person, party) else None
    if person is None or company is None:
        return None
    domain, employer = company
    is_fresh = not resolver.created.isdisjoint((person.id, employer.id))
    if (
        not is_fresh
        and not _suggested_employment(change, person.id, employer.id)
        and _has_stated_affiliation(change, person.id, employer.id)
    ):
        return None
    words = f"{person.name} writes from {domain}, the mail domain of {employer.name}"
    return draft_fact(source, "AFFILIATED", "employee", person, employer, words, "inferred", resolver.said_at)


def _is_family_domain(person: Entity, party: Party) -> bool:
    """Whether a mail domain is only the person's own name: *oona@lahti.example*, *jo@jo-falk.example*."""
    label = plain_letters(fold(party.domain or "")).split(".")[0]
    names = {plain_letters(each) for each in name_tokens(person.folded)}
    return bool(label) and all(part in names for part in label.split("-"))


def withdraw_suggested_employers(change: Change, since: int) -> None:
    """Withdraw suggested employers where a later statement joins the two."""
    if not queries.has_suggested_employers(change):
        return
    for subject, target in queries.affiliations_begun(change, since):
        for person, company in ((subject, target), (target, subject)):
            suggested = _suggested_employment(change, person, company)
            if suggested and _has_stated_affiliation(change, person, company):
                said = [each for fact in suggested for each in change.assertions(fact.id)]
                withdraw_assertions(change, [each for each in said if each.extracted_by == RULES])


def _suggested_employment(change: Change, person: EntityId, company: EntityId) -> list[Fact]:
    """Current employments that mail domains suggested before."""
    slot = slot_of(person, "AFFILIATED", "employee", company, None)
    return [fact for fact in change.facts_in_slot(slot) if fact.certainty == "inferred" and not fact.stale]


def _has_stated_affiliation(change: Change, person: EntityId, company: EntityId) -> bool:
    """Whether a current stated affiliation joins the two, of any type and direction."""
    stated = queries.stated_affiliations(change, person)
    return any(company in (fact.subject, fact.object) and is_current(fact, change.world.present) for fact in stated)
