"""Linear: issues with their comments and history, as its GraphQL API gives them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from recollect.ingest.api_object import ApiObject, make_record, party_field, record_line
from recollect.ingest.json_stream import JsonItem
from recollect.ingest.line import IngestItem, RecordPart
from recollect.ingest.parties import Party

_IDENTIFIER = re.compile(r"[A-Z][A-Z0-9]*-\d+")
_CHANGED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "State": ("status", ("name",)),
    "Assignee": ("assignee", ("name", "display_name")),
    "Project": ("project", ("name",)),
    "Cycle": ("cycle", ("name", "number")),
    "Team": ("team", ("name",)),
    "Title": ("title", ()),
    "Priority": ("priority", ()),
    "DueDate": ("due date", ()),
    "Estimate": ("estimate", ()),
}
"""The ends of history fields such as `fromState` and `toState`, the field that they mean, and where its name stands."""


def is_linear(item: JsonItem) -> bool:
    """Whether an item is an issue of Linear, or a comment that names its issue."""
    given = ApiObject.of(item.value)
    return _is_issue(given) or _is_comment(given)


def _is_issue(given: ApiObject) -> bool:
    return given.has("title") and _IDENTIFIER.fullmatch(given.text("identifier") or "") is not None


def _is_comment(given: ApiObject) -> bool:
    return given.has("body") and _IDENTIFIER.fullmatch(given.object("issue").text("identifier") or "") is not None


def read_linear(item: JsonItem, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The records of an issue: itself, its comments and its changes."""
    given = ApiObject.of(item.value)
    if not _is_issue(given):
        if _is_comment(given):
            issue = given.object("issue")
            yield _comment(given, issue.text("identifier") or "", issue.text("title"))
        else:
            left_out["objects that are not issues or comments"] += 1
        return
    issue_record = _issue(given)
    yield record_line(issue_record)
    key = given.text("identifier") or ""
    for comment in given.objects("comments"):
        yield _comment(comment, key, issue_record.title)
    for entry in given.objects("history"):
        yield from _changes(entry, key, issue_record.title, left_out)


def _issue(given: ApiObject) -> RecordPart:
    key = given.text("identifier") or ""
    state = given.object("state")
    creator, assignee = _person(given.object("creator")), _person(given.object("assignee"))
    fields = {
        "linear_id": given.text("id") or key,
        "identifier": key,
        "status": state.text("name"),
        "status_type": state.text("type"),
        "priority": given.text("priority_label", "priority"),
        "creator": party_field(creator),
        "assignee": party_field(assignee),
        "project": given.object("project").text("name"),
        "team": given.object("team").text("name", "key"),
        "labels": given.names("labels", "name"),
        "due_date": given.text("due_date"),
        "linear_created_at": given.text("created_at"),
        "linear_updated_at": given.text("updated_at"),
        "completed_at": given.text("completed_at"),
        "canceled_at": given.text("canceled_at"),
    }
    return make_record(
        f"linear:{key}",
        "linear_issue",
        given.text("title"),
        None,
        given.text("created_at"),
        given.text("description"),
        fields,
        given.text("url"),
    )


def _person(user: ApiObject) -> Party | None:
    name = user.text("name", "display_name") or user.text("email")
    return Party(name, user.text("email")) if name else None


def _comment(given: ApiObject, key: str, title: str | None) -> IngestItem:
    at = given.text("created_at")
    bot = given.object("bot_actor").text("name")
    fields = {
        "issue_record_id": f"linear:{key}",
        "identifier": key,
        "updated_at": given.text("edited_at", "updated_at"),
        "in_reply_to": given.object("parent").text("id"),
    }
    author: Party | str | None = _person(given.object("user")) or (f"{bot}[bot]" if bot else None)
    heading = f"Comment on {key}" + (f": {title}" if title else "")
    id_ = f"linear:{key}/comment-{given.text('id') or at}"
    return record_line(
        make_record(id_, "linear_comment", heading, author, at, given.text("body"), fields, given.text("url"))
    )


def _changes(entry: ApiObject, key: str, title: str | None, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The changes that one entry of a history holds, each a record."""
    at, actor = entry.text("created_at"), _person(entry.object("actor"))
    is_empty = True
    for end, (field, names) in _CHANGED.items():
        before, after = (_value(entry, f"{side}{end}", names) for side in ("from", "to"))
        if before == after:
            continue
        is_empty = False
        history_id = f"{entry.text('id') or at}-{end}"
        fields: dict[str, Any] = {
            "linear_history_id": history_id,
            "issue_record_id": f"linear:{key}",
            "identifier": key,
            "field": field,
            "from_value": before,
            "to_value": after,
            "changed_by": party_field(actor),
            "changed_at": at,
        }
        id_ = f"linear:{key}/change-{history_id}"
        yield record_line(make_record(id_, "linear_issue_change", title, None, at, None, fields))
    left_out["changes of labels, descriptions or relations"] += is_empty


def _value(entry: ApiObject, key: str, names: tuple[str, ...]) -> str | None:
    return entry.object(key).text(*names) if names else entry.text(key)
