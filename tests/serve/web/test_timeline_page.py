"""The timeline page: lanes on an axis whose part is in the address, with a table that says the same."""

import re

from tests.serve.web.sites import Site
from tests.support.facts import fact, take_line, tell


def tell_jobs(site: Site) -> None:
    tell(site.memory(), fact("Ada", "employee", "Guild", valid_from="2018", valid_until="2020"))
    tell(site.memory(), fact("Ada", "employee", "Mill", valid_from="2021"))


def bars(html: str) -> int:
    return len(re.findall(r'<a href="[^"]*" class="bar', html))


def test_an_empty_memory_says_how_a_timeline_comes_about(site: Site) -> None:
    page = site.get("timeline")
    assert page.status_code == 200
    assert "Nothing has a date yet" in page.text


def test_every_period_is_a_bar_and_a_row_of_the_table(site: Site) -> None:
    tell_jobs(site)
    html = site.get("timeline?about=Ada").text
    assert bars(html) == 2
    assert '<time title="2018">2018</time>' in html
    assert "2019" in re.findall(r"<text[^>]*>([^<]*)</text>", html)


def test_the_address_says_which_part_of_the_axis_is_shown(site: Site) -> None:
    tell_jobs(site)
    html = site.get("timeline?about=Ada&from=2018-03&to=2018-09").text
    assert bars(html) == 1
    assert "1 March 2018 to 30 September 2018" in html
    assert "1 at other times" in html


def test_zoom_links_lead_to_parts_that_can_be_read_again(site: Site) -> None:
    tell_jobs(site)
    page = site.json("timeline?about=Ada")
    for name in ("into", "out", "earlier", "later", "everything"):
        reply = site.get(page["links"][name])
        assert reply.status_code == 200, name


def test_zooming_in_comes_to_an_end(site: Site) -> None:
    tell_jobs(site)
    address, steps = "timeline?about=Ada", 0
    while address and steps < 40:
        page = site.json(address)
        address, steps = page["links"]["into"], steps + 1
    assert address == ""


def test_several_entities_have_a_lane_each_and_can_be_taken_out(site: Site) -> None:
    tell_jobs(site)
    page = site.json("timeline?about=Ada&about=Mill")
    assert [lane["entity"]["name"] for lane in page["drawing"]["lanes"]] == ["Ada", "Mill"]
    assert [each["entity"]["name"] for each in site.json(page["about"][0]["without"])["about"]] == ["Mill"]


def test_a_world_has_its_own_ruler_and_eras(site: Site) -> None:
    months = [["Thaw", 40], ["Reed", 40]]
    take_line(site.memory(), {"calendar": {"name": "Lamps", "months": months}})
    take_line(site.memory(), {"era": {"name": "Age of Reeds", "start": 1, "end": 30}})
    take_line(site.memory(), {"era": {"name": "Age of Lamps", "start": "after:age_of_reeds", "end": None}})
    tell(
        site.memory(),
        fact("Mere", "rules", "Fen", valid_from="age_of_reeds.year_20", valid_until="age_of_lamps.year_9"),
    )
    page = site.json("timeline?about=Mere")
    assert [era["name"] for era in page["drawing"]["eras"]] == ["Age of Reeds", "Age of Lamps"]
    labels = [mark["label"] for mark in page["drawing"]["marks"]]
    assert "Age of Reeds 20" in labels
    assert "Age of Lamps 5" in labels
    for address in (page["links"]["into"], page["links"]["out"]):
        assert site.get(address).status_code == 200
