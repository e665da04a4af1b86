"""The page of a fact or document answers: who says so, why is it overdue, what closed it, what holds instead."""

from pathlib import Path
from typing import Any

import pytest

from recollect.importers.formats import detect_format, read_sample
from tests.serve.web.sites import Site
from tests.serve.web.test_import_page import MBOX
from tests.serve.web.test_open_page import tell_item

LENA = {"subject": "Lena", "predicate": "lives_in", "object": "Porto"}


def lena(site: Site) -> str:
    return str(site.tool("remember", facts=[LENA], source="a letter", source_at="2026-01-05")["facts"][0]["id"])


@pytest.fixture
def mailbox(site: Site, tmp_path: Path) -> Site:
    box = tmp_path / "box.mbox"
    box.write_bytes(MBOX)
    detect_format(read_sample(site.memory(), box)).import_path(site.memory(), box, None)
    return site


def test_an_overdue_item_says_why_and_is_done_on_its_own_page(site: Site) -> None:
    item = tell_item(site, due="2020-01-15")
    text = site.get(f"fact/{item}").text
    assert "Overdue: it was due" in text
    assert "due <time" in text
    assert "until <time" not in text
    assert 'action="/w/default/open/done"' in text
    site.post("open/done", item=item, back=f"/w/default/fact/{item}")
    text = site.get(f"fact/{item}").text
    assert "Overdue: it was due" not in text
    assert 'action="/w/default/open/done"' not in text


def test_an_item_that_somebody_reports_done_names_the_report(site: Site) -> None:
    site.tool("remember", text="I will pay the garage invoice by 2026-01-20.")
    [item] = [each for group in site.json("open")["groups"] for each in group["items"]]
    site.tool("remember", text="I paid the garage invoice.")
    page = site.json(f"fact/{item['id']}")
    closer = page["closed_by"] or page["replaced_by"]
    assert "paid" in closer["text"]
    assert "Done, as this says" in site.get(f"fact/{item['id']}").text


def test_a_fact_that_no_longer_holds_shows_what_does(site: Site) -> None:
    fact = lena(site)
    site.post(f"fact/{fact}/change", target="Lisbon", target_kind="entity", when="2026-03-01")
    page = site.json(f"fact/{fact}")
    shown: list[Any] = [page["replaced_by"]] if page["replaced_by"] else page["instead"]
    assert [each["text"] for each in shown] == ["Lena lives in Lisbon"]
    assert site.json(f"fact/{shown[0]['id']}")["instead"] == []


def test_who_ended_a_fact_is_not_dated_as_its_source_is(site: Site) -> None:
    fact = lena(site)
    site.post(f"fact/{fact}/end", when="2026-03-01", reason="she told me")
    first, ended = site.json(f"fact/{fact}")["sources"]
    assert (first["source"], first["ends_it"], first["when"][:10]) == ("a letter", False, "2026-01-05")
    assert (ended["source"], ended["ends_it"], ended["when"]) == ("she told me", True, None)


def test_a_mail_shows_who_wrote_it_to_whom(mailbox: Site) -> None:
    found = mailbox.json("search?q=Ada+Weaver")["entities"][0]
    document = mailbox.json(f"entity/{found['id']}")["documents"][0]["id"]
    page = mailbox.json(f"document/{document}")
    name = page["document"]["author"]
    assert name.endswith(" Weaver")
    assert page["address"] == f"{name.split()[0].lower()}@example.org"
    assert page["recipients"] == ["Lena Hartwig"]
    text = mailbox.get(f"document/{document}").text
    assert f"from <bdi>{name}</bdi>" in text
    assert "Unknown source:" in text


def test_the_source_of_a_fact_from_a_mail_names_the_sender(mailbox: Site) -> None:
    found = mailbox.json("search?q=Where+does+Ada+Weaver+work&kind=facts")["facts"]
    [fact] = [each["fact"] for each in found if each["fact"]["text"] == "Ada Weaver works at Brightwater"]
    assert {each["speaker"] for each in mailbox.json(f"fact/{fact['id']}")["sources"]} == {"Ada Weaver"}


def test_a_neighbour_with_several_relations_is_drawn_once(site: Site) -> None:
    both = [{"subject": "Lena", "predicate": each, "object": "Brightwater"} for each in ("works_at", "advises")]
    site.tool("remember", facts=both)
    [found] = [each for each in site.json("search?q=Lena")["entities"] if each["name"] == "Lena"]
    page = site.json(f"entity/{found['id']}")
    [node] = page["graph"]["nodes"]
    assert (node["entity"]["name"], node["count"], page["neighbours"]) == ("Brightwater", 2, 1)
    assert sorted(node["words"].split(", ")) == ["related", "works at"]


def test_a_name_that_is_not_known_leads_to_those_like_it(site: Site) -> None:
    lena(site)
    [found] = site.json("search?q=Porto")["entities"]
    reply = site.post(f"entity/{found['id']}/merge", other="Lena Q. Nobody")
    assert reply.status_code == 404
    assert "Did you mean" in reply.text
    assert ">Lena<" in reply.text
