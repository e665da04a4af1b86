"""What becomes of a text that an embodiment and the server may both have changed: the table, row by row."""

import pytest

from recollect.keep.client_sync.merge import (
    LabelledText,
    MergeBase,
    MergeCase,
    MergeStatus,
    MergeVerdict,
    decide_merge,
    later_side,
    suggest_resolution,
)
from recollect.keep.client_sync.pull import BadCursor, SyncPage, first_page, parse_cursor
from recollect.when.instant import Instant

B, S, C = LabelledText("b"), LabelledText("s"), LabelledText("c")
LINES = LabelledText("1\n2\n3\n4\n5")


def base(text: LabelledText | None, *, current: bool = False) -> MergeBase:
    return MergeBase(text, is_current=current)


@pytest.mark.parametrize(
    ("case", "status", "text"),
    [
        (MergeCase(C, None, None), "applied", C),
        (MergeCase(C, None, base(None, current=True)), "applied", C),
        (MergeCase(C, C, None), "unchanged", C),
        (MergeCase(C, S, base(S, current=True)), "applied", C),
        (MergeCase(C, S, base(S)), "applied", C),
        (MergeCase(B, S, base(B)), "kept_server", S),
        (MergeCase(C, S, base(B)), "conflict", C),
        (MergeCase(C, S, None), "conflict", C),
        (MergeCase(C, S, base(None)), "conflict", C),
        (MergeCase(None, None, None), "unchanged", None),
        (MergeCase(None, S, base(S, current=True)), "applied", None),
        (MergeCase(None, S, base(B)), "conflict", None),
        (MergeCase(None, S, None), "conflict", None),
        (MergeCase(C, None, base(B)), "conflict", C),
        (MergeCase(B, None, base(B)), "kept_server", None),
        (MergeCase(B, None, None, last_deleted_text=B), "kept_server", None),
        (MergeCase(C, None, None, last_deleted_text=B), "applied", C),
        (MergeCase(B, None, base(None, current=True), last_deleted_text=B), "applied", B),
        (MergeCase(B, None, base(None), last_deleted_text=B), "applied", B),
        (
            MergeCase(LabelledText("1\n2\n3\n4\nV"), LabelledText("I\n2\n3\n4\n5"), base(LINES)),
            "merged",
            LabelledText("I\n2\n3\n4\nV"),
        ),
        (
            MergeCase(LabelledText("I\n2\n3\n4\nV"), LabelledText("I\n2\n3\n4\nV"), base(LINES)),
            "unchanged",
            LabelledText("I\n2\n3\n4\nV"),
        ),
        (
            MergeCase(LabelledText("1\nII\n3\n4\n5"), LabelledText("I\n2\n3\n4\n5"), base(LINES)),
            "conflict",
            LabelledText("1\nII\n3\n4\n5"),
        ),
    ],
)
def test_every_row_of_the_table(case: MergeCase, status: MergeStatus, text: LabelledText | None) -> None:
    assert decide_merge(case) == MergeVerdict(status, text)


@pytest.mark.parametrize("known", [None, base(None), base(LabelledText("- a"))])
def test_a_day_is_never_a_conflict(known: MergeBase | None) -> None:
    case = MergeCase(LabelledText("- a\n- c"), LabelledText("- a\n- s"), known, is_daily=True)
    assert decide_merge(case) == MergeVerdict("merged", LabelledText("- a\n- s\n- c\n"))


@pytest.mark.parametrize(
    ("client", "server", "started", "status", "label"),
    [
        ("new", "old", "old", "applied", "new"),
        ("old", "new", "old", "kept_server", "new"),
        ("one", "two", "old", "conflict", "one"),
        ("new", "new", "old", "unchanged", "new"),
    ],
)
def test_a_label_is_settled_like_a_text(
    client: str, server: str, started: str, status: MergeStatus, label: str
) -> None:
    case = MergeCase(LabelledText("x", client), LabelledText("x", server), base(LabelledText("x", started)))
    assert decide_merge(case) == MergeVerdict(status, LabelledText("x", label))


@pytest.mark.parametrize(
    ("client", "side", "suggested"),
    [(9, "server", "keep_server"), (10, None, "merge"), (11, "local", "keep_local"), (None, None, "merge")],
)
def test_the_later_time_is_suggested(client: int | None, side: str | None, suggested: str) -> None:
    found = later_side(None if client is None else Instant(client), Instant(10))
    assert (found, suggest_resolution(found)) == (side, suggested)


@pytest.mark.parametrize("page", [SyncPage(7, None), SyncPage(7, 0, 20), SyncPage(0, None)])
def test_a_cursor_is_read_as_it_was_said(page: SyncPage) -> None:
    assert parse_cursor(page.to_cursor(), 7) == page


@pytest.mark.parametrize(
    "cursor", ["", "7", "7.x.0", "8.all.0", "7.all.-1", "7.all.1.1", "٧.all.0", "7.all." + "9" * 30]
)
def test_another_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(BadCursor):
        parse_cursor(cursor, 7)


def test_a_sync_ahead_of_the_store_starts_over() -> None:
    assert (first_page(5, None), first_page(5, 6), first_page(5, 5)) == (
        SyncPage(5, None),
        SyncPage(5, None),
        SyncPage(5, 5),
    )
