"""Names that are written from right to left, in sentences that are not."""

from recollect.serve.web.framework.marked_text import TextRun
from recollect.serve.web.framework.rendering import isolated, isolated_runs
from tests.serve.web.sites import Site

PERSON, CITY = "محمد علي", "القاهرة"
SENTENCE = f'<bdi dir="ltr"><bdi>{PERSON}</bdi> lives in <bdi>{CITY}</bdi></bdi>'


def test_subject_and_object_are_isolated_each_in_a_sentence_from_left_to_right() -> None:
    assert isolated(f"{PERSON} lives in {CITY}") == SENTENCE


def test_a_sentence_in_one_direction_keeps_its_own() -> None:
    assert isolated("Lena lives in <Porto>") == "<bdi>Lena lives in &lt;Porto&gt;</bdi>"
    assert isolated(f"{PERSON} في {CITY}") == f"<bdi>{PERSON} في {CITY}</bdi>"


def test_marks_stay_inside_the_name_that_holds_them() -> None:
    first, last = PERSON.split()
    runs = [TextRun(first, is_marked=True), TextRun(f" {last} lives in "), TextRun("Cairo", is_marked=True)]
    expected = f'<bdi dir="ltr"><bdi><mark>{first}</mark> {last}</bdi> lives in <mark>Cairo</mark></bdi>'
    assert isolated_runs(runs) == expected


def test_every_page_that_prints_a_fact_keeps_its_order(site: Site) -> None:
    made = site.tool("remember", facts=[{"subject": PERSON, "predicate": "lives_in", "object": CITY}])
    fact, entity = made["facts"][0]["id"], made["entities"][0]["id"]
    for path in ("", f"entity/{entity}", f"fact/{fact}", "activity"):
        assert SENTENCE in site.get(path).text, path
    assert "lives in <bdi>" in site.get(f"search?q={PERSON}").text
