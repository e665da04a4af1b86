"""The activity list: transactions as readable changes, undone alone or together, and two moments compared."""

import re

from tests.serve.web.sites import Site

LENA = {"subject": "Lena", "predicate": "lives_in", "object": "Porto"}


def test_an_empty_memory_has_no_activity(site: Site) -> None:
    page = site.get("activity")
    assert page.status_code == 200
    assert "No change fits" in page.text


def test_a_change_says_who_made_it_through_which_tool(site: Site) -> None:
    site.tool("remember", facts=[LENA])
    [only] = site.json("activity")["transactions"]
    assert (only["surface"], only["tool"]) == ("recollect", "remember")
    assert any(change["change"] == "learned" and "Porto" in change["text"] for change in only["changes"])
    html = site.get("activity").text
    assert f'data-undo="{only["tx"]}"' in html
    assert "recollect/remember" in html


def test_undo_in_the_list_takes_a_change_back_and_redo_brings_it_again(site: Site) -> None:
    site.tool("remember", facts=[LENA])
    [only] = site.json("activity")["transactions"]
    site.post("undo", transaction=only["tx"], back="/w/default/activity")
    undoing, undone = site.json("activity")["transactions"]
    assert undone["undone_by"] == undoing["tx"]
    assert not undone["can_be_undone"]
    site.post("undo", transaction=undoing["tx"])
    assert "lives in Porto" in str(site.tool("recall", query="Where does Lena live?"))


def test_several_are_undone_together(site: Site) -> None:
    site.tool("remember", facts=[LENA])
    site.tool("remember", facts=[{"subject": "Tom", "predicate": "lives_in", "object": "Lisbon"}])
    numbers = [each["tx"] for each in site.json("activity")["transactions"]]
    assert site.post("activity/undo", transaction=numbers).status_code == 303
    assert [each["undone_by"] is None for each in site.json("activity")["transactions"]] == [True, True, False, False]


def test_several_are_undone_all_or_none(site: Site) -> None:
    site.tool("remember", facts=[LENA])
    [only] = site.json("activity")["transactions"]
    assert site.post("activity/undo", transaction=[only["tx"], 999]).status_code == 404
    assert len(site.json("activity")["transactions"]) == 1
    assert site.post("activity/undo").status_code == 400


def test_the_list_is_filtered_and_paged_by_the_address(site: Site) -> None:
    for number in range(30):
        site.tool("remember", facts=[{"subject": f"Person {number}", "predicate": "lives_in", "object": "Porto"}])
    first = site.json("activity")
    assert len(first["transactions"]) == 25
    second = site.json(f"activity?before={first['next_before']}")
    assert len(second["transactions"]) == 5
    assert len(site.json("activity?about=Person+7")["transactions"]) == 1
    assert site.json("activity?tool=web/entity")["transactions"] == []
    assert len(site.json("activity?since=today")["transactions"]) == 25
    assert site.json("activity?until=2001")["transactions"] == []
    assert site.get("activity?since=notatime").status_code == 400


def test_two_moments_are_compared(site: Site) -> None:
    site.tool("remember", facts=[LENA])
    site.tool("correct", fact="Lena lives in Porto", mode="wrong")
    found = site.json("activity/compare?from=1")
    assert found["counts"] == {"added": 0, "changed": 0, "gone": 1}
    assert site.json("activity/compare?from=2&to=2")["counts"] == {"added": 0, "changed": 0, "gone": 0}
    html = site.get("activity/compare?from=0&to=1").text
    assert re.findall(r'data-outcome="(\w+)"', html) == ["added"]
    assert {each["name"] for each in site.json("activity/compare?from=0&to=1")["entities"]} == {"Lena", "Porto"}
    assert site.get("activity/compare").status_code == 200


def test_a_reader_cannot_undo(guarded_site: Site) -> None:
    site = guarded_site
    site.tool("remember", facts=[LENA])
    site.sign_in(site.token("read"))
    assert "data-undo" not in site.get("activity").text
    assert site.post("activity/undo", transaction=1).status_code == 403


def test_without_moments_the_last_week_is_compared_and_named_by_its_time(site: Site) -> None:
    site.tool("remember", facts=[LENA])
    page = site.json("activity/compare")
    assert (page["first_at"], page["counts"]["added"]) == (None, 1)
    assert page["last_at"] is not None
    text = site.get("activity/compare").text
    assert "before the first change" in text
    assert page["last_at"] in text
