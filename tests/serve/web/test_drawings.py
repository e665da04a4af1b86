"""Drawings and texts of the web app that need no server."""

import re

from recollect.serve.web.framework.drawings import DatedBar, KnownVersion, draw_two_clocks, make_strip
from recollect.serve.web.framework.marked_text import MarkedSpan, highlight, mark_text, quote_in_context
from recollect.serve.web.framework.page_layout import clock_sentence
from recollect.serve.web.framework.pages import Clocks
from recollect.serve.web.framework.rendering import human_time, render_markdown, templates, time_element
from recollect.serve.web.sections.document_views import diff_rows
from recollect.serve.web.sections.timeline_layout import EraBox, TimelineDrawing
from recollect.when.instant import MAX, MIN
from recollect.when.period import Time


def version(valid: tuple[int, int], known: tuple[int, int], state: str = "current") -> KnownVersion:
    return KnownVersion("x", state, *valid, None, None, *known, "2026-01-01", None, 1, "web")


def test_versions_lie_below_each_other_in_the_order_they_were_known() -> None:
    diagram = draw_two_clocks([version((100, MAX), (5, 8)), version((100, 200), (8, MAX))], at=150, known=20, now=20)
    first, second = diagram.boxes
    assert first.y + first.height == second.y
    assert first.is_open_end
    assert not second.is_open_end
    assert second.x + second.width < first.x + first.width
    assert second.x < diagram.cross_x < second.x + second.width
    assert diagram.cross_y == second.y + second.height == diagram.bottom


def test_a_look_back_puts_the_crosshair_into_the_version_known_then() -> None:
    diagram = draw_two_clocks([version((100, MAX), (5, 8)), version((100, 200), (8, MAX))], at=150, known=6, now=20)
    first, _ = diagram.boxes
    assert first.y < diagram.cross_y < first.y + first.height


def test_a_version_without_any_bound_fills_the_width() -> None:
    [box] = draw_two_clocks([version((MIN, MAX), (5, MAX))], at=150, known=20, now=20).boxes
    assert box.is_open_start
    assert box.width > 600
    assert draw_two_clocks([version((MIN, MAX), (5, MAX))], at=MIN, known=20, now=20).boxes[0].width > 600


def test_bars_share_one_axis_and_open_ends_reach_its_edge() -> None:
    bars = [DatedBar("a", "a", 100, 200, None, None), DatedBar("b", "b", 150, MAX, None, None)]
    one, other = make_strip(bars, now=300).bars
    assert one.x < other.x
    assert other.x + other.width == 1000
    assert make_strip([DatedBar("c", "c", MIN, MAX, None, None)], now=300).bars == ()


def test_times_are_written_for_people_with_their_exact_form_beside() -> None:
    written = [human_time(text) for text in ("2026-03-03", "2026-03", "2026", "2026-03-03T14:05:00+00:00")]
    assert written == ["3 March 2026", "March 2026", "2026", "3 March 2026, 14:05"]
    assert human_time("age_of_lamps.year_84") == "age of lamps, year 84"
    assert human_time("bce.year_44.month_3.day_15") == "15 March 44 BCE"
    assert human_time("bce.year_753~") == "about 753 BCE"
    assert human_time("2026-W43") == "week 43 of 2026"
    assert str(time_element("2026-03")) == '<time datetime="2026-03" title="2026-03">March 2026</time>'
    assert "<b>" not in time_element("<b>")


def test_a_page_says_which_moment_it_shows() -> None:
    day = Time("2026-03-03", 1, 2, grain="day")
    assert clock_sentence(Clocks("2026-03-03", "", day)) == "What was true on 3 March 2026."
    assert clock_sentence(Clocks("", "2026-03-03", None, "x", "2026-03-03")) == "As known on 3 March 2026."
    assert clock_sentence(Clocks("", "7", None, 7, "7")) == "As known after transaction 7."


def test_quotes_are_found_whatever_their_white_space() -> None:
    found = quote_in_context("He said:  it is\n done. More.", "it is done.")
    assert found is not None
    assert (found.before, found.quote, found.after) == ("He said:  ", "it is\n done.", " More.")
    assert quote_in_context("nothing", "it is done") is None


def test_mentions_are_linked_inside_and_outside_of_quotes() -> None:
    text = "Ann met Bob. Ann left."
    blocks = mark_text(text, [MarkedSpan(0, 12, ("f",))], [MarkedSpan(0, 3, ("a",)), MarkedSpan(13, 16, ("a",))], 0, 22)
    assert ["".join(piece.text for piece in block.pieces) for block in blocks] == ["Ann met Bob.", " Ann left."]
    assert [block.facts for block in blocks] == [("f",), ()]
    assert [piece.text for block in blocks for piece in block.pieces if piece.entity] == ["Ann", "Ann"]


def test_overlapping_quotes_are_one_mark_with_both_facts() -> None:
    [block] = mark_text("abcdef", [MarkedSpan(0, 4, ("f",)), MarkedSpan(2, 6, ("g",))], [], 0, 6)
    assert block.facts == ("f", "g")


def test_lines_that_differ_stand_side_by_side() -> None:
    rows = diff_rows("one\ntwo\nthree", "one\n2\nthree\nfour")
    assert [(row.kind, row.left, row.right) for row in rows] == [
        ("same", "one", "one"),
        ("changed", "two", "2"),
        ("same", "three", "three"),
        ("added", "", "four"),
    ]


def test_words_of_the_question_are_marked_in_all_their_forms() -> None:
    runs = list(highlight("She paints boats.", {"paint"}))
    assert [run.text for run in runs if run.is_marked] == ["paints"]


def test_markdown_runs_no_html_and_loads_no_image() -> None:
    html = render_markdown("<script>x</script> ![cat](http://a/b.png) [a](javascript:x) [b](http://b)")
    assert "<script" not in html
    assert "<img" not in html
    assert "[cat]" in html
    assert "javascript:x)" in html
    assert html.count("<a ") == 1
    assert 'rel="noopener noreferrer"' in html


def test_the_name_of_an_era_that_does_not_fit_ends_in_an_ellipsis() -> None:
    eras = tuple(EraBox("Age of Reeds", 0.0, width, 0, False) for width in (200.0, 50.0, 12.0))
    drawing = TimelineDrawing(100, 20, (), eras, (), None)
    html = templates().from_string('{% import "axis.html" as axis %}{{ axis.ruler(drawing) }}').render(drawing=drawing)
    assert re.findall(r"<text[^>]*>([^<]*)", html) == ["Age of Reeds", "Age o…"]
    assert html.count("<title>Age of Reeds</title>") == 3


def test_a_version_that_was_learned_this_moment_has_a_height() -> None:
    [box] = draw_two_clocks([version((100, MAX), (20, MAX))], at=150, known=20, now=20).boxes
    assert box.height > 100
