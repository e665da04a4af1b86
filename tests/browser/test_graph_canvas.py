"""The graph canvas: what is shown follows the slider, the legend and clicks, and the address follows them."""

import json
import re
from itertools import combinations

import pytest
from playwright.sync_api import Page, Position, expect

from tests.serve.web.sites import Site
from tests.support.facts import fact, tell


def tell_guild(site: Site) -> None:
    """A guild with one member until 2020 and two since; one of them works at a mill with another."""
    person, guild = "person", {"name": "Guild", "type": "organization"}
    ada, bo, cy = ({"name": name, "type": person} for name in ("Ada", "Bo", "Cy"))
    tell(site.memory(), fact(ada, "member", guild, valid_from="2010", valid_until="2019"))
    tell(site.memory(), fact(bo, "member", guild, valid_from="2020"), fact(cy, "member", guild, valid_from="2020"))
    mill = {"name": "Mill", "type": "project"}
    tell(site.memory(), fact(bo, "contributor", mill), fact({"name": "Dee", "type": person}, "contributor", mill))


def expect_counts(page: Page, nodes: int, edges: int) -> None:
    stage = page.locator("#graph")
    expect(stage).to_have_attribute("data-nodes", str(nodes))
    expect(stage).to_have_attribute("data-edges", str(edges))


def slide(page: Page, share: float) -> None:
    page.locator(".graph-play input").evaluate(
        "(slider, share) => { slider.value = share * 1000; slider.dispatchEvent(new Event('input'));"
        " slider.dispatchEvent(new Event('change')); }",
        share,
    )


def test_the_slider_shows_what_was_true_at_its_moment(page: Page, site: Site) -> None:
    tell_guild(site)
    page.goto("/w/default/graph?focus=Guild")
    expect_counts(page, 3, 2)
    slide(page, 0.3)
    expect_counts(page, 2, 1)
    expect(page.locator(".graph-play output")).to_contain_text("201")
    expect(page).to_have_url(re.compile("at=201"))
    page.reload()
    expect_counts(page, 2, 1)
    slide(page, 0)
    expect_counts(page, 1, 0)


def test_playing_moves_through_time(page: Page, site: Site) -> None:
    tell_guild(site)
    page.goto("/w/default/graph?focus=Guild")
    slide(page, 0)
    page.locator("[data-play]").click()
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "true")
    expect_counts(page, 2, 1)
    page.locator("[data-play]").click()
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")


def test_the_legend_switches_a_type_off(page: Page, site: Site) -> None:
    tell_guild(site)
    page.goto("/w/default/graph?focus=Guild&focus=Bo")
    expect_counts(page, 4, 3)
    page.locator('[data-legend="type"] label', has_text="project").click()
    expect_counts(page, 3, 2)
    page.reload()
    expect_counts(page, 3, 2)


def test_a_node_is_expanded_by_keyboard_and_back_takes_it_back(page: Page, site: Site) -> None:
    tell_guild(site)
    page.goto("/w/default/graph?focus=Guild")
    expect_counts(page, 3, 2)
    page.locator("#graph canvas").focus()
    for _ in range(5):
        page.keyboard.press("n")
        if page.locator(".graph-card > a").text_content() == "Bo":
            break
    page.keyboard.press("Enter")
    expect_counts(page, 4, 3)
    page.go_back()
    expect_counts(page, 3, 2)


def test_a_click_expands_a_node(page: Page, site: Site) -> None:
    tell_guild(site)
    page.goto("/w/default/graph?focus=Mill")
    expect_counts(page, 3, 2)
    page.locator("#graph canvas").focus()
    expect(page.locator("#graph")).to_have_attribute("data-moving", "no", timeout=15_000)
    place = node_place(page, "Bo")
    page.locator("#graph canvas").click(position=place)
    expect(page.locator(".graph-card > a")).to_have_text("Bo")
    expect_counts(page, 4, 3)


def node_place(page: Page, name: str) -> Position:
    """Where a node is drawn."""
    stage = page.locator("#graph")
    place = json.loads(stage.evaluate("(stage, name) => JSON.stringify(stage.placeOf(name))", name))
    return Position(x=place["x"], y=place["y"])


def test_the_drawing_is_exported(page: Page, site: Site) -> None:
    tell_guild(site)
    page.goto("/w/default/graph?focus=Guild")
    expect_counts(page, 3, 2)
    for kind in ("png", "svg"):
        with page.expect_download() as waiting:
            page.locator(f'[data-export="{kind}"]').click()
        assert waiting.value.suggested_filename == f"graph.{kind}"
    drawing = page.request.get(page.locator("[data-export-json]").get_attribute("href") or "").json()["drawing"]
    assert len(drawing["nodes"]) == 4


def test_hostile_names_run_nothing(page: Page, site: Site) -> None:
    names = ["<img src=x onerror=alert(1)>", "</pre><script>alert(2)</script>", "\u202egnirts", "x" * 200]
    guild = {"name": "Guild", "type": "organization"}
    tell(site.memory(), *(fact({"name": name, "type": "person"}, "member", guild) for name in names))
    page.on("dialog", lambda dialog: pytest.fail(f"a name ran: {dialog.message}"))
    for path in ("graph?focus=Guild", "timeline?about=Guild", "activity", "review", "open"):
        page.goto(f"/w/default/{path}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


PLACED_NAMES = """async () => {
  const script = document.querySelector("script[src*='graph.js']");
  const { placeNames } = await import(new URL("graph-drawing.js", script.src));
  const spokes = Array.from({ length: 290 }, (_, at) => ({ id: `s${at}`, name: `Member ${at}`, rank: 0.001, radius: 4,
    isVisible: true, x: 40 * Math.sqrt(at + 1) * Math.cos(at * 2.4), y: 40 * Math.sqrt(at + 1) * Math.sin(at * 2.4) }));
  const nodes = [{ id: "hub", name: "Guild", rank: 0.5, radius: 18, isVisible: true, x: 0, y: 0 }, ...spokes];
  const state = { nodes, focus: new Set(["hub"]), path: new Set(), hovered: null, chosen: null, found: null };
  return placeNames(state, 0.4).map(({ node, area }) => [node.id, ...area]);
}"""


def test_names_around_a_hub_do_not_overlap(page: Page, site: Site) -> None:
    tell_guild(site)
    page.goto("/w/default/graph?focus=Guild")
    placed = page.evaluate(PLACED_NAMES)
    assert placed[0][0] == "hub"
    assert len(placed) > 20
    areas = [area for _, *area in placed]
    assert not [
        (one, other)
        for one, other in combinations(areas, 2)
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]
