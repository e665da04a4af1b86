"""A person finds a fact by a mistyped name, reads its source, ends it, looks back on both clocks and undoes it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from recollect.importers.formats import detect_format, read_sample
from tests.serve.web.sites import Site
from tests.serve.web.test_import_page import MBOX

TEXT = "Lena Hartwig lives in Porto. Lena Hartwig works at Brightwater since 2024-03. The weather was fine."


def open_fact(page: Page, text: str) -> None:
    page.locator(f"[data-fact]:has-text('{text}') a.claim").first.click()


@pytest.fixture
def states(site: Site) -> Callable[..., list[str]]:
    """What MCP's `recall` says of the fact at some moment."""

    def recalled(**clocks: object) -> list[str]:
        found = site.tool("recall", query="Where does Lena Hartwig work?", about="Lena Hartwig", **clocks)["results"]
        return [each["state"] for each in found if "works at" in each["text"] and each["kind"] == "fact"]

    return recalled


def test_search_read_end_look_back_and_undo(page: Page, site: Site, states: Callable[..., list[str]]) -> None:
    before = site.tool("remember", text=TEXT)["undo"]
    page.goto("/w/default/")
    page.get_by_role("search").locator("input[name=q]").fill("Lena Hartwg")
    page.keyboard.press("Enter")
    page.locator("#results [data-entity]").first.click()
    expect(page.locator("main")).to_have_attribute("data-page", "entity")
    entity = page.url
    open_fact(page, "works at Brightwater")
    fact = page.url
    page.locator(".assertion a").first.click()
    expect(page.locator("main")).to_have_attribute("data-page", "document")
    expect(page.locator("mark", has_text="works at Brightwater")).to_be_visible()
    assert states() == ["current"]

    page.goto(fact)
    page.locator("form[action$='/end'] input[name=when]").fill("2026-02-01")
    page.locator("[data-action=end]").click()
    undo = page.locator("[data-undo]").get_attribute("data-undo")
    expect(page.locator("article[data-state=ended]")).to_be_visible()
    assert states() == ["ended"]

    current = "[data-fact][data-state=current]:has-text('works at Brightwater')"
    page.goto(entity)
    expect(page.locator(current)).to_have_count(0)
    page.locator("[data-clock] input[name=at]").fill("2025-06-01")
    page.locator("[data-clock] button").click()
    expect(page.locator(current)).to_be_visible()
    expect(page.locator("body.past")).to_have_count(1)
    assert states(at="2025-06-01") == ["current"]
    page.goto(f"{entity}?as_of={before}")
    expect(page.locator(current)).to_be_visible()
    expect(page.locator(".badge.change-gone")).to_be_visible()
    assert states(as_of=before) == ["current"]

    second = page.context.new_page()
    second.goto(fact)
    second.locator("form[action$='/end'] input[name=when]").fill("2026-02-02")
    second.locator("[data-action=end]").click()
    second.locator("[data-undo]").click()
    expect(second.locator(".flash")).to_contain_text("Undone")
    expect(second.locator("article[data-state=ended]")).to_be_visible()
    site.post("undo", transaction=undo)
    second.goto(entity)
    expect(second.locator(current)).to_be_visible()
    assert states() == ["current"]


def test_a_fact_from_a_mail_is_ended_and_brought_back(page: Page, site: Site, tmp_path: Path) -> None:
    """Every mail of hers says it; ending it must hold against all of them."""
    box = tmp_path / "box.mbox"
    box.write_bytes(MBOX)
    detect_format(read_sample(site.memory(), box)).import_path(site.memory(), box, None)

    def told(**clocks: object) -> list[str]:
        found = site.tool("recall", query="Where does Ada Weaver work?", about="Ada Weaver", **clocks)["results"]
        return [each["state"] for each in found if "works at" in each["text"] and each["kind"] == "fact"]

    page.goto("/w/default/search?q=Ada+Weavr")
    page.locator("#results [data-entity]", has_text="Ada Weaver").first.click()
    entity, current = page.url, "[data-fact][data-state=current]:has-text('works at Brightwater')"
    open_fact(page, "works at Brightwater")
    fact = page.url
    page.locator(".assertion a").first.click()
    expect(page.locator("mark", has_text="works at Brightwater").first).to_be_visible()
    page.goto(fact)
    page.locator("form[action$='/end'] input[name=when]").fill("2026-04-01")
    page.locator("[data-action=end]").click()
    expect(page.locator("article[data-state=ended]")).to_be_visible()
    assert (told(), told(at="2026-03-20")) == (["ended"], ["current"])
    page.locator(".flash [data-undo]").click()
    expect(page.locator("article[data-state=current]")).to_be_visible()
    page.goto(entity)
    expect(page.locator(current)).to_be_visible()
    assert told() == ["current"]
