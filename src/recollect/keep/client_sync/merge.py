"""Three-way merge of a text that client and server may both have changed: pure functions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal, NamedTuple

from recollect.keep.memories.daily_merge import merge_daily_texts
from recollect.when.instant import Instant

# The time of a comparison grows with the pairs of equal lines; texts with more are not merged.
MAX_PAIRS = 2_000_000


class LineEdit(NamedTuple):
    """The lines that replace those of the base from `start` to before `stop`."""

    start: int
    stop: int
    lines: tuple[str, ...]


def merge_lines(base: str, one: str, other: str) -> str | None:
    """The base with both edits, or none if they overlap or touch."""
    lines, ones, others = (text.split("\n") for text in (base, one, other))
    if _count_equal_pairs(lines, ones) > MAX_PAIRS or _count_equal_pairs(lines, others) > MAX_PAIRS:
        return None
    first, second = _edits(lines, ones), _edits(lines, others)
    merged = sorted({*first, *second})
    if any(left.stop >= right.start for left, right in pairwise(merged)):
        return None
    return "\n".join(_apply_edits(lines, merged))


def _count_equal_pairs(base: Sequence[str], text: Sequence[str]) -> int:
    mine, theirs = Counter(base), Counter(text)
    return sum(count * theirs[line] for line, count in mine.items())


def _edits(base: Sequence[str], text: Sequence[str]) -> list[LineEdit]:
    matcher = SequenceMatcher(None, base, text, autojunk=False)
    return [
        LineEdit(start, stop, tuple(text[lo:hi]))
        for tag, start, stop, lo, hi in matcher.get_opcodes()
        if tag != "equal"
    ]


def _apply_edits(base: Sequence[str], edits: Sequence[LineEdit]) -> Iterator[str]:
    at = 0
    for edit in edits:
        yield from base[at : edit.start]
        yield from edit.lines
        at = edit.stop
    yield from base[at:]


MergeStatus = Literal["applied", "merged", "unchanged", "kept_server", "conflict"]
Resolution = Literal["keep_local", "keep_server", "merge"]
Side = Literal["local", "server"]


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text with its prompt label; memories have none."""

    text: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class MergeBase:
    """What the client's change is based on; no text if the item did not exist or was deleted then."""

    text: LabelledText | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class MergeCase:
    """The two sides, either of which may be a deletion, and their base, if it is known.

    `last_deleted_text` is the last text of an item that is deleted on the server.
    """

    client: LabelledText | None
    server: LabelledText | None
    base: MergeBase | None
    last_deleted_text: LabelledText | None = None
    is_daily: bool = False

    @property
    def is_live_day(self) -> bool:
        """Whether this is about a day that is there, and so never a conflict."""
        return self.is_daily and self.server is not None


@dataclass(frozen=True, slots=True)
class MergeVerdict:
    """What to do, and the resulting text; for a conflict, that of the client."""

    status: MergeStatus
    text: LabelledText | None = None


def decide_merge(case: MergeCase) -> MergeVerdict:
    """Decide a case by three-way merge."""
    client, server, base = case.client, case.server, case.base
    if client == server:
        return MergeVerdict("unchanged", server)
    if base is not None and (base.is_current or server == base.text):
        return MergeVerdict("applied", client)
    if server is None and (base is None or base.text is None):
        is_old = base is None and client == case.last_deleted_text
        return MergeVerdict("kept_server") if is_old else MergeVerdict("applied", client)
    if base is not None and client == base.text and client is not None:
        return MergeVerdict("kept_server", server)
    if client is None or server is None:
        return MergeVerdict("conflict", client)
    return _merge_sides(client, server, base.text if base else None, daily=case.is_daily) or MergeVerdict(
        "conflict", client
    )


def decide_last_write(case: MergeCase, side: Side | None, *, is_own: bool, is_successor: bool) -> MergeVerdict:
    """Decide a case whose base may not be the one that was named: the later write wins.

    A client that follows its own write is not in conflict with it, unless its edit is the older one. Days are merged,
    and so are other texts if the server's is the direct successor of the named base.
    """
    client = case.client
    if client == case.server:
        return MergeVerdict("unchanged", case.server)
    if is_own and side != "server":
        return MergeVerdict("applied", client)
    if case.is_live_day:
        return decide_merge(case)
    if is_successor and (verdict := decide_merge(case)).status == "merged":
        return verdict
    earlier = [each.text for each in (case.last_deleted_text, case.base and case.base.text) if each]
    if side != "local" and client is not None and client.text in earlier:
        return MergeVerdict("kept_server", case.server)
    return MergeVerdict("conflict", client)


def _merge_sides(
    client: LabelledText, server: LabelledText, base: LabelledText | None, *, daily: bool
) -> MergeVerdict | None:
    if daily:
        return MergeVerdict("merged", LabelledText(merge_daily_texts(server.text, client.text).text))
    if base is None:
        return None
    text = _changed_side(client.text, server.text, base.text)
    if text is None:
        text = merge_lines(base.text, server.text, client.text)
    label = _changed_side(client.label, server.label, base.label)
    if text is None or (label is None and server.label is not None):
        return None
    if LabelledText(text, label) == server:
        return MergeVerdict("kept_server" if client.text == base.text else "unchanged", server)
    return MergeVerdict("merged", LabelledText(text, label))


def _changed_side(client: str | None, server: str | None, base: str | None) -> str | None:
    """The only side that changed, or either if both agree; none if they differ."""
    if client in (server, base):
        return server
    return client if server == base else None


def later_side(client: Instant | None, server: Instant) -> Side | None:
    """The side with the later time; none if they are equal or one is unknown."""
    if client is None or client == server:
        return None
    return "local" if client > server else "server"


def suggest_resolution(side: Side | None) -> Resolution:
    return "merge" if side is None else "keep_local" if side == "local" else "keep_server"
