"""What the fields of a record tell: who works on what, who changed it, who finished it."""

from collections.abc import Iterator, Mapping
from typing import Any

from recollect.ingest.extract.cast import Cast
from recollect.ingest.extract.party import parties_of, party_of
from recollect.ingest.extract.told import Told
from recollect.ingest.extract.types import field_of, text_of
from recollect.ingest.stating import instant_of
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.names import clean
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.write.ends import End, find_or_make

PROJECT = "project"
REPOSITORY = "repository"
_DONE = frozenset({"done", "completed"})
_CANCELLED = frozenset({"canceled", "cancelled", "duplicate"})
_OWNERSHIP = frozenset({"assignee", "owner"})
_STAGES = frozenset({"project", "milestone", "cycle", "stage"})


def from_fields(change: Change, cast: Cast, document: Document) -> Iterator[Told]:
    """The facts that the fields of a record state or suggest."""
    match document.type:
        case "linear_issue":
            yield from _issue(change, cast, document)
        case "linear_issue_change":
            yield from _change(change, cast, document)
        case "github_pr":
            yield from _pull_request(change, cast, document)
        case "github_issue":
            yield from _closed(change, cast, document)


def change_type(field: str, new_value: str | None) -> str:
    """The type of the transition that a change of a field is."""
    name, value = field.strip().casefold(), (new_value or "").strip().casefold()
    if name in ("status", "state"):
        return "completion" if value in _DONE else "cancellation" if value in _CANCELLED else "status_change"
    return "ownership_change" if name in _OWNERSHIP else "stage_change" if name in _STAGES else "other"


def project_of(change: Change, cast: Cast, document: Document) -> Entity | None:
    """The project that an issue stands in, made if new."""
    return _thing(change, cast, document.properties.get("project"), PROJECT)


def _thing(change: Change, cast: Cast, value: Any, type_: str) -> Entity | None:
    name = clean(text_of(value) or "")[:NAME_LIMIT]
    if not name:
        return None
    found = find_or_make(change, End(name, type_, (), {}, True, "extracted"))
    if found.is_new:
        cast.fresh.add(found.entity.id)
    return found.entity


def _issue(change: Change, cast: Cast, document: Document) -> Iterator[Told]:
    project = project_of(change, cast, document)
    assignee = _person(cast, document, "assignee")
    if project is not None and assignee is not None:
        words = f"{assignee.name} works on {project.name}"
        yield Told("AFFILIATED", "contributor", assignee, project, words, "inferred", document.source_at)


def _change(change: Change, cast: Cast, document: Document) -> Iterator[Told]:
    fields = document.properties
    issue = issue_of(change, document)
    project = project_of(change, cast, issue) if issue is not None else None
    who = _person(cast, document, "changed_by")
    subject = who or project
    if subject is None:
        return
    field, to_value = text_of(fields.get("field")) or "", text_of(fields.get("to_value"))
    what = f"{field} of {_issue_named(document, issue)}"
    moved = "".join(
        f" {word} {value}" for word, value in (("from", text_of(fields.get("from_value"))), ("to", to_value)) if value
    )
    words = f"{who.name} changed {what}{moved}" if who else f"{what} changed{moved}"
    at = moment(change, fields, "changed_at") or document.source_at
    target = project if who is not None else None
    yield Told("TRANSITIONED", change_type(field, to_value), subject, target, words, "stated", at)


def issue_of(change: Change, document: Document) -> Document | None:
    """The issue that a change belongs to, if it has come."""
    key = text_of(document.properties.get("issue_record_id"))
    found = change.document_named("record", key) if key else None
    return found if found is not None and not found.deleted else None


def _issue_named(document: Document, issue: Document | None) -> str:
    fields = issue.properties if issue is not None else document.properties
    identifier = text_of(fields.get("identifier")) or text_of(document.properties.get("issue_record_id")) or ""
    title = issue.title if issue is not None else document.title
    return f"{identifier} ({title})" if title else identifier


def _pull_request(change: Change, cast: Cast, document: Document) -> Iterator[Told]:
    fields, at = document.properties, document.source_at
    repository = _thing(change, cast, fields.get("repository"), REPOSITORY)
    author = _person(cast, document, "author")
    if repository is not None and author is not None:
        words = f"{author.name} contributes to {repository.name}"
        yield Told("AFFILIATED", "contributor", author, repository, words, "inferred", at)
    for reviewer in _people(cast, fields, "reviewers") if repository is not None else ():
        words = f"{reviewer.name} reviews for {repository.name if repository else ''}"
        yield Told("AFFILIATED", "reviewer", reviewer, repository, words, "inferred", at)
    merged_at = moment(change, fields, "merged_at")
    if merged_at is not None and author is not None:
        words = f"{author.name} completed {_numbered('pull request', document)}{_within(repository)}"
        yield Told("TRANSITIONED", "completion", author, repository, words, "stated", merged_at)


def _closed(change: Change, cast: Cast, document: Document) -> Iterator[Told]:
    fields = document.properties
    repository = _thing(change, cast, fields.get("repository"), REPOSITORY)
    closed_at = moment(change, fields, "closed_at")
    who = _person(cast, document, "closed_by") or _person(cast, document, "author")
    if closed_at is not None and who is not None:
        words = f"{who.name} resolved {_numbered('issue', document)}{_within(repository)}"
        yield Told("TRANSITIONED", "resolution", who, repository, words, "stated", closed_at)


def _numbered(what: str, document: Document) -> str:
    title = f" ({document.title})" if document.title else ""
    return f"{what} #{text_of(document.properties.get('number')) or '?'}{title}"


def _within(repository: Entity | None) -> str:
    return f" in {repository.name}" if repository is not None else ""


def moment(change: Change, fields: Mapping[str, Any], key: str) -> Instant | None:
    """The instant in a field; an unreadable one refuses the record."""
    return instant_of(change, text_of(fields.get(key)), f"record.{key}")


def _person(cast: Cast, document: Document, key: str) -> Entity | None:
    party = party_of(field_of(document, key))
    return cast.person(party) if party is not None else None


def _people(cast: Cast, fields: Mapping[str, Any], key: str) -> list[Entity]:
    found = (cast.person(party) for party in parties_of(fields.get(key)))
    return [each for each in found if each is not None]
