"""What services deliver by webhook, as records: events of GitHub, Linear and Slack, and lines of our own format."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from recollect.importers.import_run import ImportItem, ImportResult, import_items
from recollect.importers.record_files import as_is
from recollect.ingest.api_object import ApiObject
from recollect.ingest.chats.slack import SlackNames, is_slack_message, read_slack_message
from recollect.ingest.fields import BadLine
from recollect.ingest.json_items import JsonItem
from recollect.ingest.line import IngestItem, parse_line
from recollect.ingest.trackers.github import is_github, read_github
from recollect.ingest.trackers.linear import is_linear, read_linear
from recollect.memory import Memory

Json = Mapping[str, Any]
PayloadReader = Callable[[Json, Counter[str]], Iterator[IngestItem]]
OTHER_EVENTS = "events of other kinds"


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """What became of one delivery: its records, how many of them are new or changed, and what was left out."""

    records: int
    changed: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()


def import_delivery(memory: Memory, source: str, payload: Json) -> DeliveryResult:
    """Take in one delivery; one that was taken before changes nothing."""
    left_out: Counter[str] = Counter()
    try:
        lines = list(PAYLOAD_READERS[source](payload, left_out))
    except BadLine as problem:
        return DeliveryResult(0, 0, skipped=(str(problem),))
    items = [ImportItem(number, 0, line.hash, partial(as_is, line)) for number, line in enumerate(lines, start=1)]
    result: ImportResult = import_items(memory, f"webhook of {source}", iter(items), len(items))
    skipped = tuple(each.reason for each in result.skipped)
    return DeliveryResult(len(lines), result.tally.changed, {key: n for key, n in left_out.items() if n}, skipped)


def _read_github(payload: Json, left_out: Counter[str]) -> Iterator[IngestItem]:
    item = JsonItem(payload, {})
    if is_github(item):
        yield from read_github(item, left_out)
    else:
        left_out[OTHER_EVENTS] += 1


def _read_linear(payload: Json, left_out: Counter[str]) -> Iterator[IngestItem]:
    item = JsonItem(payload.get("data"), {})
    if payload.get("action") in ("create", "update") and is_linear(item):
        yield from read_linear(item, left_out)
    else:
        left_out[OTHER_EVENTS] += 1


def _read_slack(payload: Json, left_out: Counter[str]) -> Iterator[IngestItem]:
    event = payload.get("event")
    # An edited message stands inside the event that tells of the edit.
    changed = event.get("message") if isinstance(event, Mapping) else None
    said = changed if isinstance(changed, Mapping) else event
    if not is_slack_message(JsonItem(said, {})):
        left_out[OTHER_EVENTS] += 1
        return
    channel = ApiObject.of(event).text("channel")
    line = read_slack_message(ApiObject.of(said), SlackNames(), channel, left_out)
    if line is not None:
        yield line


def _read_generic(payload: Json, _: Counter[str]) -> Iterator[IngestItem]:
    lines = payload.get("lines")
    for each in lines if isinstance(lines, list) else [payload]:
        yield parse_line(each)


PAYLOAD_READERS: Mapping[str, PayloadReader] = {
    "github": _read_github,
    "linear": _read_linear,
    "slack": _read_slack,
    "generic": _read_generic,
}
