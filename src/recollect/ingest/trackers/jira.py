"""Jira: issues with their comments and changelog, as its REST API (versions 2 and 3) gives them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from recollect.ingest.api_object import ApiObject, make_record, party_field, record_line
from recollect.ingest.json_stream import JsonItem
from recollect.ingest.line import IngestItem, RecordPart
from recollect.ingest.parties import Party

_KEY = re.compile(r"[A-Z][A-Z0-9_]*-\d+")
_OFFSET = re.compile(r"([+-]\d\d)(\d\d)$")
_CHANGED: Mapping[str, str] = {
    "status": "status",
    "assignee": "assignee",
    "priority": "priority",
    "duedate": "due date",
    "summary": "title",
    "project": "project",
    "resolution": "resolution",
    "fix version": "milestone",
    "sprint": "cycle",
    "issuetype": "type",
}
"""Fields whose changes are kept, by the names that Jira gives them."""
_BLOCKS = frozenset("paragraph heading listItem codeBlock blockquote rule tableRow panel".split())


def is_jira(item: JsonItem) -> bool:
    """Whether an item is an issue of Jira with its fields."""
    given = ApiObject.of(item.value)
    return _KEY.fullmatch(given.text("key") or "") is not None and given.object("fields").has("summary")


def read_jira(item: JsonItem, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The records of an issue: itself, its comments and its changes."""
    given = ApiObject.of(item.value)
    if not is_jira(item):
        left_out["objects that are not issues with their fields"] += 1
        return
    issue, key = _issue(given), given.text("key") or ""
    yield record_line(issue)
    for comment in given.object("fields").object("comment").objects("comments"):
        yield _comment(comment, key, issue.title)
    left_out["worklogs"] += len(given.object("fields").object("worklog").objects("worklogs"))
    for entry in given.object("changelog").objects("histories"):
        yield from _changes(entry, key, issue.title, left_out)


def _issue(given: ApiObject) -> RecordPart:
    key, about = given.text("key") or "", given.object("fields")
    people = {name: _person(about.object(name)) for name in ("reporter", "creator", "assignee")}
    creator, assignee = people["reporter"] or people["creator"], people["assignee"]
    fields = {
        "jira_id": given.text("id") or key,
        "identifier": key,
        "status": about.object("status").text("name"),
        "kind": about.object("issuetype").text("name"),
        "priority": about.object("priority").text("name"),
        "creator": party_field(creator),
        "assignee": party_field(assignee),
        "project": about.object("project").text("name", "key"),
        "labels": about.names("labels", "name"),
        "due_date": about.text("duedate"),
        "created_at": _time(about.text("created")),
        "updated_at": _time(about.text("updated")),
        "resolved_at": _time(about.text("resolutiondate")),
        "resolution": about.object("resolution").text("name"),
    }
    text, title = _text(about.get("description")), about.text("summary")
    return make_record(
        f"jira:{key}", "jira_issue", title, None, _time(about.text("created")), text, fields, _url(given)
    )


def _url(given: ApiObject) -> str | None:
    """The page of an issue, from the address of its resource."""
    found = re.match(r"(https?://[^/]+(?:/[^/]+)*?)/rest/api/", given.text("self") or "")
    return f"{found[1]}/browse/{given.text('key')}" if found else None


def _time(text: str | None) -> str | None:
    """A time with its offset in the usual form: Jira writes `+0200`."""
    return _OFFSET.sub(r"\1:\2", text) if text else None


def _person(user: ApiObject) -> Party | None:
    name = user.text("display_name", "name", "email_address")
    return Party(name, user.text("email_address")) if name else None


def _text(value: Any) -> str | None:
    """A text as Jira stores it: plain, or a document of nested nodes."""
    if isinstance(value, str):
        return ApiObject({"text": value}).text("text")
    return "".join(_node_text(value)).strip() or None


_LEVELS = [1, 2, 3, 4, 5, 6]


def _node_text(node: Any, depth: int = 0) -> Iterator[str]:
    if not isinstance(node, dict) or depth > 50:
        return
    given = ApiObject(node)
    kind = given.text("type")
    match kind:
        case "text":
            yield given.text("text") or ""
        case "hardBreak":
            yield "\n"
        case "mention" | "emoji" | "date" | "status" | "inlineCard":
            about = given.object("attrs")
            yield about.text("text", "shortName", "timestamp", "url") or ""
        case "heading":
            level = given.object("attrs").get("level")
            yield "#" * (level if level in _LEVELS else 1) + " "
        case "listItem":
            yield "- "
        case "taskItem":
            yield "- [x] " if given.object("attrs").text("state") == "DONE" else "- [ ] "
    content = node.get("content")
    for inner in content if isinstance(content, list) else ():
        yield from _node_text(inner, depth + 1)
    if kind in _BLOCKS or kind == "taskItem":
        yield "\n"


def _comment(given: ApiObject, key: str, title: str | None) -> IngestItem:
    at = _time(given.text("created"))
    fields = {
        "issue_record_id": f"jira:{key}",
        "identifier": key,
        "updated_at": _time(given.text("updated")),
    }
    heading = f"Comment on {key}" + (f": {title}" if title else "")
    id_, author = f"jira:{key}/comment-{given.text('id') or at}", _person(given.object("author"))
    return record_line(make_record(id_, "jira_comment", heading, author, at, _text(given.get("body")), fields))


def _changes(entry: ApiObject, key: str, title: str | None, left_out: Counter[str]) -> Iterator[IngestItem]:
    at, author = _time(entry.text("created")), _person(entry.object("author"))
    for number, item in enumerate(entry.objects("items")):
        name = item.text("field") or ""
        field = _CHANGED.get(name.casefold())
        if field is None:
            left_out[f"changes of {name}"] += 1
            continue
        fields = {
            "issue_record_id": f"jira:{key}",
            "identifier": key,
            "field": field,
            "from_value": item.text("fromString"),
            "to_value": item.text("toString"),
            "changed_by": party_field(author),
            "changed_at": at,
        }
        id_ = f"jira:{key}/change-{entry.text('id') or at}-{number}"
        yield record_line(make_record(id_, "jira_issue_change", title, None, at, None, fields))
