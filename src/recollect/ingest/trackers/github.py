"""GitHub: issues, pull requests, comments, reviews and events, by its REST and GraphQL APIs or `gh --json`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from recollect.ingest.api_object import ApiObject, known_as, make_record, record_line
from recollect.ingest.json_stream import JsonItem
from recollect.ingest.line import IngestItem, RecordPart
from recollect.write.entity_refs import NamedRef

Reader = Callable[[ApiObject, Counter[str]], Iterator[IngestItem]]
_PLACE = re.compile(r"https?://[^/\s]+/(?:api/v3/)?(?:repos/)?([\w.-]+/[\w.-]+)/(?:issues|pulls?)/(\d+)")
_REPOSITORY = re.compile(r"https?://[^/\s]+/(?:api/v3/)?(?:repos/)?([\w.-]+/[\w.-]+?)/?$")
_ANCHOR = re.compile(r"#((?:issuecomment-|discussion_r|pullrequestreview-)\d+)$")
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_URLS = ("html_url", "issue_url", "pull_request_url", "url")


def is_github(item: JsonItem) -> bool:
    """Whether an item is an object of GitHub that can be read."""
    return _reader_of(ApiObject.of(item.value)) is not None


def read_github(item: JsonItem, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The records of an item: an issue with its comments and reviews, or whatever else it is."""
    given = ApiObject.of(item.value)
    read = _reader_of(given)
    if read is None:
        left_out["objects that are not issues, pull requests, comments, reviews or events"] += 1
        return
    yield from read(given, left_out)


def _reader_of(given: ApiObject) -> Reader | None:
    if isinstance(given.get("type"), str) and given.object("payload") and given.object("repo"):
        return _read_activity
    if given.has("action") and given.object("repository") and (given.object("issue") or given.object("pull_request")):
        return _read_payload
    if isinstance(given.get("event"), str) and given.has("created_at") and "actor" in given.value:
        return _read_event
    if given.has("state", "submitted_at") and _place_of(given)[0]:
        return _read_review
    if given.has("body") and not given.has("title") and _place_of(given)[0]:
        return _read_comment
    is_issue = isinstance(given.get("number"), int) and isinstance(given.get("title"), str)
    return _read_issue if is_issue and (_place_of(given)[0] or _login(given) is not None) else None


def _place_of(given: ApiObject) -> tuple[str | None, str | None]:
    """The repository and the number that the addresses of an object name."""
    for key in _URLS:
        found = _PLACE.match(given.text(key) or "")
        if found is not None:
            return found[1], found[2]
    return None, None


def _login(given: ApiObject) -> str | None:
    return (given.object("user") or given.object("author")).text("login")


def _read_issue(given: ApiObject, left_out: Counter[str]) -> Iterator[IngestItem]:
    place, _ = _place_of(given)
    repository = place or _repository_name(given) or ""
    key = f"{repository}#{given.text('number')}"
    record = _pull_request(given, key) if _is_pull_request(given) else _issue(given, key)
    record = record._replace(properties={**record.properties, **({"repository": repository} if repository else {})})
    users = (given.object("user"), given.object("author"), *given.objects("assignees"))
    yield record_line(record, [each for user in users for each in _known_users(user)])
    for comment in given.objects("comments"):
        yield _comment(comment, key, record.title)
    for review in given.objects("reviews"):
        yield _review(review, key, record.title)
    for event in given.objects("timeline_items"):
        yield from _change(event, key, record.title, left_out)


def _is_pull_request(given: ApiObject) -> bool:
    marks = ("head_ref_name", "base_ref_name", "merged_at", "reviews", "review_decision")
    in_address = any("/pull/" in (given.text(key) or "") for key in ("html_url", "url"))
    has_branches = bool(given.object("head")) and bool(given.object("base"))
    return (
        bool(given.object("pull_request")) or has_branches or in_address or any(each in given.value for each in marks)
    )


def _repository_name(given: ApiObject) -> str | None:
    about = given.object("repository")
    found = _REPOSITORY.match(given.text("repository_url") or "")
    return found[1] if found else about.text("full_name", "name_with_owner", "name")


def _issue(given: ApiObject, key: str) -> RecordPart:
    closed_by = _person(given.object("closed_by"))
    fields = {
        **_shared_fields(given, key),
        "assignees": [_person(each) for each in given.objects("assignees")],
        # Without a name the time must not say that the author closed it.
        "closed_at" if closed_by else "ended_at": given.text("closed_at"),
        "closed_by": closed_by,
        "state_reason": given.text("state_reason"),
    }
    return _record(given, key, "github_issue", fields)


def _pull_request(given: ApiObject, key: str) -> RecordPart:
    requested = [_person(each) for each in (*given.objects("requested_reviewers"), *given.objects("review_requests"))]
    reviewed = [_person(each.object("author") or each.object("user")) for each in given.objects("reviews")]
    fields = {
        **_shared_fields(given, key),
        "reviewers": list(dict.fromkeys(each for each in (*requested, *reviewed) if each)),
        "branch": given.object("head").text("ref") or given.text("head_ref_name"),
        "base_branch": given.object("base").text("ref") or given.text("base_ref_name"),
        "merged_at": given.text("merged_at") or given.object("pull_request").text("merged_at"),
        "merged_by": _person(given.object("merged_by")),
        "closed_at": given.text("closed_at"),
    }
    return _record(given, key, "github_pr", fields)


def _shared_fields(given: ApiObject, key: str) -> dict[str, Any]:
    return {
        "github_id": given.text("id", "node_id") or key,
        "number": given.get("number"),
        "identifier": key,
        "state": (given.text("state") or "").lower(),
        "labels": given.names("labels", "name"),
        "milestone": given.object("milestone").text("title"),
        "created_at": given.text("created_at"),
        "updated_at": given.text("updated_at"),
    }


def _record(given: ApiObject, key: str, type_: str, fields: dict[str, Any]) -> RecordPart:
    author = _person(given.object("user") or given.object("author"))
    url = given.text("html_url") or given.text("url")
    return make_record(
        f"github:{key}", type_, given.text("title"), author, given.text("created_at"), _body(given), fields, url
    )


def _body(given: ApiObject) -> str | None:
    """What somebody wrote, without the hidden hints of a template."""
    text = _HIDDEN.sub("", given.text("body") or "").strip()
    return text or None


def _person(user: ApiObject) -> str | None:
    """A user by name, else by login; a bot is marked as one."""
    login = user.text("login", "slug", "name")
    if login is None:
        return None
    is_bot = user.text("type") == "Bot" or user.get("is_bot") is True or login.startswith("app/")
    if is_bot or login.endswith("[bot]"):
        return f"{login.removeprefix('app/').removesuffix('[bot]')}[bot]"
    return user.text("name") or login


def _known_users(user: ApiObject) -> list[NamedRef]:
    """A user whose name and login are both given, and differ."""
    name, login = user.text("name"), user.text("login")
    return [known_as(name, login)] if name and login and name != login and _person(user) == name else []


def _read_comment(given: ApiObject, left_out: Counter[str]) -> Iterator[IngestItem]:
    del left_out
    repository, number = _place_of(given)
    yield _comment(given, f"{repository}#{number}", None)


def _comment(given: ApiObject, key: str, title: str | None) -> IngestItem:
    url = given.text("html_url", "url")
    found = _ANCHOR.search(url or "")
    user = given.object("user") or given.object("author")
    fields = {
        "issue_record_id": f"github:{key}",
        "identifier": key,
        "updated_at": given.text("updated_at"),
        "path": given.text("path"),
        "in_reply_to": given.text("in_reply_to_id"),
    }
    id_ = f"github:{key}/{found[1] if found else given.text('id')}"
    heading = f"Comment on {key}" + (f": {title}" if title else "")
    return record_line(
        make_record(id_, "github_comment", heading, _person(user), given.text("created_at"), _body(given), fields, url),
        _known_users(user),
    )


def _read_review(given: ApiObject, left_out: Counter[str]) -> Iterator[IngestItem]:
    del left_out
    repository, number = _place_of(given)
    yield _review(given, f"{repository}#{number}", None)


def _review(given: ApiObject, key: str, title: str | None) -> IngestItem:
    user, url = given.object("user") or given.object("author"), given.text("html_url", "url")
    found = _ANCHOR.search(url or "")
    state = (given.text("state") or "").lower()
    fields = {"issue_record_id": f"github:{key}", "identifier": key, "state": state}
    heading = f"Review of {key}" + (f": {title}" if title else "")
    id_ = f"github:{key}/{found[1] if found else 'review-' + (given.text('id') or '')}"
    record = make_record(
        id_, "github_review", heading, _person(user), given.text("submitted_at"), _body(given), fields, url
    )
    return record_line(record, _known_users(user))


def _read_event(given: ApiObject, left_out: Counter[str]) -> Iterator[IngestItem]:
    """An event of an issue, and the issue itself where the event holds it."""
    issue = given.object("issue")
    if issue:
        yield from _read_issue(issue, left_out)
    repository, number = _place_of(issue) if issue else _place_of(given)
    if repository is None:
        left_out["events that name no issue"] += 1
        return
    yield from _change(given, f"{repository}#{number}", issue.text("title"), left_out)


def _change(given: ApiObject, key: str, title: str | None, left_out: Counter[str]) -> Iterator[IngestItem]:
    event = given.text("event") or (given.text("__typename") or "").removesuffix("Event").lower()
    changed = _changed_field(given, event)
    if changed is None:
        left_out[f"{event} events"] += 1
        return
    field, before, after = changed
    at, who = given.text("created_at"), _person(given.object("actor"))
    id_ = f"github:{key}/event-{given.text('id', 'node_id') or f'{event}-{at}'}"
    fields = {
        "issue_record_id": f"github:{key}",
        "identifier": key,
        "field": field,
        "from_value": before,
        "to_value": after,
        "changed_by": who,
        "changed_at": at,
    }
    yield record_line(make_record(id_, "github_issue_change", title, None, at, None, fields))


def _changed_field(given: ApiObject, event: str) -> tuple[str, str | None, str | None] | None:
    """The field that an event changed, with its value before and after."""
    match event:
        case "closed" | "merged":
            return "state", "open", event
        case "reopened":
            return "state", "closed", "open"
        case "assigned":
            return "assignee", None, _person(given.object("assignee"))
        case "unassigned":
            return "assignee", _person(given.object("assignee")), None
        case "milestoned":
            return "milestone", None, given.object("milestone").text("title")
        case "demilestoned":
            return "milestone", given.object("milestone").text("title"), None
        case "renamed":
            return "title", given.object("rename").text("from"), given.object("rename").text("to")
        case _:
            return None


def _read_activity(given: ApiObject, left_out: Counter[str]) -> Iterator[IngestItem]:
    """An event of a user or of a repository: what its payload holds."""
    payload = given.object("payload")
    if not (payload.object("issue") or payload.object("pull_request")):
        left_out[f"{given.text('type')}s"] += 1
        return
    yield from _read_payload(payload, left_out)


def _read_payload(given: ApiObject, left_out: Counter[str]) -> Iterator[IngestItem]:
    about = given.object("issue") or given.object("pull_request")
    repository, number = _place_of(about)
    if about.has("title"):
        yield from _read_issue(about, left_out)
    key = f"{repository}#{number}"
    if given.object("comment"):
        yield _comment(given.object("comment"), key, about.text("title"))
    if given.object("review"):
        yield _review(given.object("review"), key, about.text("title"))
