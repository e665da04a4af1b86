"""The graph page: a drawing with its counts, a path, and a table that says the same."""

import re

from tests.serve.web.sites import Site
from tests.support.facts import fact, tell


def tell_guild(site: Site) -> None:
    tell(site.memory(), fact("Ada", "member", "Guild", valid_from="2020", valid_until="2022"))
    tell(site.memory(), fact("Bo", "member", "Guild", valid_from="2021"), fact("Bo", "contributor", "Mill"))


def counts(html: str) -> tuple[int, int]:
    [(nodes, edges)] = re.findall(r'id="graph" data-nodes="(\d+)" data-edges="(\d+)"', html)
    return int(nodes), int(edges)


def test_an_empty_memory_says_how_a_graph_comes_about(site: Site) -> None:
    page = site.get("graph")
    assert page.status_code == 200
    assert "Nothing is connected yet" in page.text


def test_the_drawing_counts_what_is_true_at_the_time_of_the_clock(site: Site) -> None:
    tell_guild(site)
    assert counts(site.get("graph?focus=Guild&at=2021-06").text) == (3, 2)
    assert counts(site.get("graph?focus=Guild&at=2024").text) == (2, 1)
    assert counts(site.get("graph?focus=Guild&at=2010").text) == (1, 0)


def test_edges_carry_their_periods_so_that_time_can_be_played(site: Site) -> None:
    tell_guild(site)
    drawing = site.json("graph?focus=Guild")["drawing"]
    periods = [edge["periods"] for edge in drawing["edges"]]
    assert sorted(len(each) for each in periods) == [1, 1]
    assert any(until is None for [[_, until]] in periods)
    axis = drawing["axis"]
    assert axis["lo"] < axis["marks"][0]["at"] < axis["hi"]
    assert axis["marks"][0]["label"]


def test_several_entities_can_be_in_the_middle_and_others_hidden(site: Site) -> None:
    tell_guild(site)
    names = {node["name"]: node["id"] for node in site.json("graph?focus=Guild&focus=Bo")["drawing"]["nodes"]}
    assert set(names) == {"Guild", "Ada", "Bo", "Mill"}
    left = site.json(f"graph?focus=Guild&focus=Bo&hide={names['Ada']}")["drawing"]["nodes"]
    assert {node["name"] for node in left} == {"Guild", "Bo", "Mill"}


def test_a_path_between_two_entities_is_told_and_drawn(site: Site) -> None:
    tell_guild(site)
    page = site.json("graph?focus=Ada&to=Mill&at=2021-06")
    assert [(step["start"]["name"], step["end"]["name"]) for step in page["path"]] == [
        ("Ada", "Guild"),
        ("Guild", "Bo"),
        ("Bo", "Mill"),
    ]
    assert "Path from Ada to Mill" in site.get("graph?focus=Ada&to=Mill&at=2021-06").text
    assert "No chain" in site.get("graph?focus=Ada&to=Mill&at=2010").text


def test_a_hub_is_cut_and_says_what_was_left_out(site: Site) -> None:
    tell(site.memory(), *(fact({"name": f"Person {n}", "type": "person"}, "member", "Guild") for n in range(320)))
    page = site.json("graph?focus=Guild")
    assert len(page["drawing"]["nodes"]) == 300
    assert page["left_out"]["by_type"] == {"person": 21}
    reply = site.get("graph?focus=Guild")
    assert "21</b> more neighbours are left out" in reply.text
    assert len(reply.content) < 300_000


def test_an_unknown_focus_is_not_found(site: Site) -> None:
    assert site.get("graph?focus=Nobody").status_code == 404


def test_a_hostile_name_is_only_text(site: Site) -> None:
    name = "</pre><script>alert(1)</script>"
    tell(site.memory(), fact({"name": name, "type": "person"}, "member", "Guild"))
    html = site.get("graph?focus=Guild").text
    assert "<script>alert" not in html
    assert "</pre><script" not in html
