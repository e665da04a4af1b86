"""Home: counts, what was learned lately and what is due, now and at another moment."""

import pytest

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.reason.review import duplicates
from recollect.resolve.port import NameIndex
from tests.serve.web.sites import Site
from tests.serve.web.test_review_page import tell_conflict, tell_duplicate
from tests.support.facts import take_line


def test_home_at_another_moment_says_what_was_known_and_what_came_since(site: Site) -> None:
    then = site.tool("remember", text="Lena lives in Porto. I will call Lena by 2027-01-05.")["undo"]
    now = site.json("")
    site.tool("remember", text="Lena moved to Lisbon. Tomas lives in Ghent.")
    past = site.json(f"?as_of={then}")
    assert [card["count"] for card in past["counts"]] == [card["count"] for card in now["counts"]]
    assert [card["days"] for card in past["counts"]] == [card["days"] for card in now["counts"]]
    grown = [card["count"] - old["count"] for card, old in zip(site.json("")["counts"], now["counts"], strict=True)]
    assert [card["later"] for card in past["counts"]] == grown
    assert (past["days"], past["items"]) == (now["days"], now["items"])
    assert "Tomas lives in Ghent" in {entry["text"] for entry in past["since_added"]}


def test_home_at_another_moment_is_tinted_and_marks_what_differs(site: Site) -> None:
    then = site.tool("remember", text="Lena lives in Porto.")["undo"]
    site.tool("remember", text="Lena moved to Lisbon.")
    html = site.get(f"?as_of={then}").text
    assert 'class="past"' in html
    assert f"As known after transaction {then}." in html
    assert "changed later" in html or "gone later" in html
    assert 'id="tell"' not in html
    assert 'id="tell"' in site.get("").text


def test_an_item_is_open_on_home_at_a_time_before_it_was_done(site: Site) -> None:
    site.tool("remember", text="I will call Lena by 2027-01-05.", source_at="2026-01-02")
    [item] = site.json("")["items"]
    site.post("open/done", item=item["id"])
    assert site.json("")["items"] == []
    assert [each["id"] for each in site.json("?at=2026-02-01")["items"]] == [item["id"]]


def test_home_says_without_scripts_how_much_waits_for_review(site: Site) -> None:
    assert 'hx-trigger="load">0</b> to review' in site.get("").text
    tell_conflict(site)
    assert 'hx-trigger="load">1</b> to review' in site.get("").text
    assert site.json("")["review_count"] == 1


def test_near_names_are_looked_up_again_only_when_names_change(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    tell_duplicate(site)
    assert site.json("home/review")["count"] == 1
    looked_up: list[str] = []
    find = duplicates._near_names

    def note(names: NameIndex, entity: Entity, spelling: str) -> set[EntityId]:
        looked_up.append(spelling)
        return find(names, entity, spelling)

    monkeypatch.setattr(duplicates, "_near_names", note)
    site.tool("remember", facts=[{"subject": "Guild", "predicate": "motto", "value": "onwards"}])
    assert (site.json("home/review")["count"], looked_up) == (1, [])
    site.tool("remember", facts=[{"subject": "Marta Oliveirra", "predicate": "likes", "value": "tea"}])
    assert site.json("home/review")["count"] > 1
    assert "Marta Oliveirra" in looked_up


def test_the_memory_of_an_owner_without_a_name_is_mine(site: Site) -> None:
    site.tool("remember", text="I like tea.")
    assert "<h1>My memory</h1>" in site.get("").text


def test_what_is_overdue_is_open_too(site: Site) -> None:
    site.tool("remember", text="I will call Lena by 2026-01-05.", source_at="2026-01-02")
    site.tool("remember", text="I will call Tomas by 2099-01-05.", source_at="2026-01-02")
    assert "2 open, 1 overdue" in site.get("").text
    assert '<b>2</b> open, <b class="late">1</b> overdue' in site.get("open").text


def test_a_text_from_which_nothing_was_learned_is_not_listed_as_learned(site: Site) -> None:
    site.tool("remember", text="Lena lives in Porto.")
    take_line(site.memory(), {"record": {"id": "n1", "type": "email", "title": "50% off", "content": "Buy now."}})
    days = site.json("")["days"]
    listed = [entry["text"] for day in days for source in day["sources"] for entry in source["entries"]]
    assert listed == ["Lena lives in Porto"]
