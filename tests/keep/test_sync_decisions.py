"""What becomes of a text that an embodiment and the server may both have changed: the table, row by row."""

import pytest

from recollect.keep.sync.pull import BadCursor, Page, first_page, read_page
from recollect.keep.sync.reconcile import Base, Case, Status, Text, Verdict, decide, later, resolution
from recollect.when.instant import Instant

B, S, C = Text("b"), Text("s"), Text("c")
LINES = Text("1\n2\n3\n4\n5")


def base(text: Text | None, *, current: bool = False) -> Base:
    return Base(text, is_current=current)


@pytest.mark.parametrize(
    ("case", "status", "text"),
    [
        (Case(C, None, None), "applied", C),
        (Case(C, None, base(None, current=True)), "applied", C),
        (Case(C, C, None), "unchanged", C),
        (Case(C, S, base(S, current=True)), "applied", C),
        (Case(C, S, base(S)), "applied", C),
        (Case(B, S, base(B)), "kept_server", S),
        (Case(C, S, base(B)), "conflict", C),
        (Case(C, S, None), "conflict", C),
        (Case(C, S, base(None)), "conflict", C),
        (Case(None, None, None), "unchanged", None),
        (Case(None, S, base(S, current=True)), "applied", None),
        (Case(None, S, base(B)), "conflict", None),
        (Case(None, S, None), "conflict", None),
        (Case(C, None, base(B)), "conflict", C),
        (Case(B, None, base(B)), "kept_server", None),
        (Case(B, None, None, buried=B), "kept_server", None),
        (Case(C, None, None, buried=B), "applied", C),
        (Case(B, None, base(None, current=True), buried=B), "applied", B),
        (Case(B, None, base(None), buried=B), "applied", B),
        (Case(Text("1\n2\n3\n4\nV"), Text("I\n2\n3\n4\n5"), base(LINES)), "merged", Text("I\n2\n3\n4\nV")),
        (Case(Text("I\n2\n3\n4\nV"), Text("I\n2\n3\n4\nV"), base(LINES)), "unchanged", Text("I\n2\n3\n4\nV")),
        (Case(Text("1\nII\n3\n4\n5"), Text("I\n2\n3\n4\n5"), base(LINES)), "conflict", Text("1\nII\n3\n4\n5")),
    ],
)
def test_every_row_of_the_table(case: Case, status: Status, text: Text | None) -> None:
    assert decide(case) == Verdict(status, text)


@pytest.mark.parametrize("known", [None, base(None), base(Text("- a"))])
def test_a_day_is_never_a_conflict(known: Base | None) -> None:
    case = Case(Text("- a\n- c"), Text("- a\n- s"), known, daily=True)
    assert decide(case) == Verdict("merged", Text("- a\n- s\n- c\n"))


@pytest.mark.parametrize(
    ("client", "server", "started", "status", "label"),
    [
        ("new", "old", "old", "applied", "new"),
        ("old", "new", "old", "kept_server", "new"),
        ("one", "two", "old", "conflict", "one"),
        ("new", "new", "old", "unchanged", "new"),
    ],
)
def test_a_label_is_settled_like_a_text(client: str, server: str, started: str, status: Status, label: str) -> None:
    case = Case(Text("x", client), Text("x", server), base(Text("x", started)))
    assert decide(case) == Verdict(status, Text("x", label))


@pytest.mark.parametrize(
    ("client", "side", "suggested"),
    [(9, "server", "keep_server"), (10, None, "merge"), (11, "local", "keep_local"), (None, None, "merge")],
)
def test_the_later_time_is_suggested(client: int | None, side: str | None, suggested: str) -> None:
    found = later(None if client is None else Instant(client), Instant(10))
    assert (found, resolution(found)) == (side, suggested)


@pytest.mark.parametrize("page", [Page(7, None), Page(7, 0, 20), Page(0, None)])
def test_a_cursor_is_read_as_it_was_said(page: Page) -> None:
    assert read_page(page.say(), 7) == page


@pytest.mark.parametrize(
    "cursor", ["", "7", "7.x.0", "8.all.0", "7.all.-1", "7.all.1.1", "٧.all.0", "7.all." + "9" * 30]
)
def test_another_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(BadCursor):
        read_page(cursor, 7)


def test_a_sync_ahead_of_the_store_starts_over() -> None:
    assert (first_page(5, None), first_page(5, 6), first_page(5, 5)) == (Page(5, None), Page(5, None), Page(5, 5))
