"""Open items: by owner, in a calendar, and closed, cancelled, moved or reassigned."""

from typing import Any

from tests.serve.web.sites import Site
from tests.support.facts import fact, tell


def tell_item(site: Site, words: str = "Ada will send the plan", due: str | None = "2026-11-20") -> str:
    ada, mill = {"name": "Ada", "type": "person"}, {"name": "Mill", "type": "project"}
    bounds = {} if due is None else {"valid_until": due}
    tell(site.memory(), fact(ada, "commitment", mill, words, "ASSERTED", **bounds))
    tell(site.memory(), fact({"name": "Bo", "type": "person"}, "member", "Guild"))
    return str(only(site)["id"])


def only(site: Site, query: str = "") -> dict[str, Any]:
    [item] = [item for group in site.json(f"open{query}")["groups"] for item in group["items"]]
    return dict(item)


def test_no_items_say_what_will_appear(site: Site) -> None:
    page = site.get("open")
    assert page.status_code == 200
    assert "Nothing is open" in page.text


def test_an_item_stands_under_its_owner_and_in_the_month_it_is_due(site: Site) -> None:
    tell_item(site)
    page = site.json("open?month=2026-11")
    assert [group["name"] for group in page["groups"]] == ["Ada"]
    due = [cell["label"] for week in page["month"]["weeks"] for cell in week if cell["items"]]
    assert (page["month"]["label"], due) == ("November 2026", ["20"])
    assert site.get("open?month=nonsense").status_code == 200


def test_an_item_that_is_done_is_closed_and_the_tool_agrees(site: Site) -> None:
    item = tell_item(site)
    assert site.post("open/done", item=item).status_code == 303
    assert site.json("open")["groups"] == []
    assert only(site, "?closed=1")["state"] == "done"
    assert site.tool("open_items")["counts"]["done"] == 1


def test_at_an_earlier_time_an_item_is_open_that_was_closed_since(site: Site) -> None:
    site.tool("remember", text="I will send the plan to Mill by 2026-11-20.", source="a mail", source_at="2026-01-10")
    site.tool("correct", fact=only(site)["id"], mode="ended")
    assert site.json("open")["groups"] == []
    then = only(site, "?at=2026-02-01")
    assert (then["state"], then["change"]) == ("open", "gone")
    assert site.json("open?at=2025")["groups"] == []


def test_a_cancelled_item_says_so(site: Site) -> None:
    item = tell_item(site)
    site.post("open/cancel", item=item)
    assert only(site, "?closed=1")["state"] == "cancelled"


def test_an_item_is_moved_and_moved_back_by_undo(site: Site) -> None:
    item = tell_item(site)
    site.post("open/move", item=item, due="2026-12-24")
    assert only(site)["due"] == "2026-12-24"
    [last] = site.json("activity")["transactions"][:1]
    site.post("undo", transaction=last["tx"])
    assert only(site)["due"] == "2026-11-20"
    site.post("open/move", item=item, due="")
    assert only(site)["due"] is None


def test_an_item_is_reassigned(site: Site) -> None:
    item = tell_item(site)
    site.post("open/reassign", item=item, owner="Bo")
    moved = only(site)
    assert (moved["owner"]["name"], moved["text"]) == ("Bo", "Bo will send the plan")


def test_many_items_are_spread_over_pages_of_a_bearable_size(site: Site) -> None:
    ada, mill = {"name": "Ada", "type": "person"}, {"name": "Mill", "type": "project"}
    days = [f"2026-12-{day:02}" for day in range(1, 29)]
    many = [
        fact(ada, "commitment", mill, f"Ada will send part {number}", "ASSERTED", valid_until=days[number % 28])
        for number in range(200)
    ]
    tell(site.memory(), *many)
    pages = [site.json(f"open?page={number}") for number in (1, 2, 3)]
    assert [sum(len(group["items"]) for group in page["groups"]) for page in pages] == [80, 80, 40]
    assert [page["has_next"] for page in pages] == [True, True, False]
    assert len(site.get("open").content) < 300_000


def test_what_cannot_be_done_is_refused_with_a_reason(site: Site) -> None:
    item = tell_item(site)
    assert site.post("open/move", item=item, due="notaday").status_code == 400
    assert site.post("open/reassign", item=item, owner="Nobody Known").status_code == 404
    assert site.post("open/reassign", item=item, owner="Ada").status_code == 400
    assert site.post("open/done", item="fact_01ARZ3NDEKTSV4RRFFQ69G5FAV").status_code == 404
    site.post("open/done", item=item)
    assert site.post("open/move", item=item, due="2026-12-24").status_code == 400


def test_items_are_shown_as_they_were_known(site: Site) -> None:
    item = tell_item(site)
    site.post("open/done", item=item)
    before = site.get("open?as_of=2")
    assert "Ada will send the plan" in before.text
    assert "data-done" not in before.text


def test_a_reader_changes_no_item(guarded_site: Site) -> None:
    site = guarded_site
    site.sign_in(site.token("read"))
    tell_item(site)
    assert "data-done" not in site.get("open").text
    for path in ("done", "cancel", "move", "reassign"):
        assert site.post(f"open/{path}", item="x", owner="Bo").status_code == 403
