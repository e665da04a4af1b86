"""A person reads a note again and decides about a predicate, by mouse and by keyboard, and takes both back."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from recollect.ingest.notes import note_facts
from tests.browser.conftest import watched_page
from tests.browser.test_every_page import AXE, problems_of
from tests.serve.web.sites import GUARDED, Site, running_site
from tests.support.databases import new_sqlite_file

TEXT = "I live in Porto since 2021. I will pay the garage invoice by Friday."


@pytest.fixture
def note(site: Site, monkeypatch: pytest.MonkeyPatch) -> str:
    """A note that was told when the rules could not read states yet."""
    monkeypatch.setattr(note_facts, "requests_of", lambda *_: iter(()))
    told = str(site.tool("remember", text=TEXT)["note"])
    monkeypatch.undo()
    return told


def test_a_note_is_read_again_after_a_dry_run_and_undone_in_activity(page: Page, note: str) -> None:
    page.context.add_init_script(path=AXE)
    page.goto(f"/w/default/document/{note}")
    expect(page.locator("[data-fact]")).to_have_count(1)
    page.get_by_role("link", name="Read again").click()
    expect(page.locator("main")).to_have_attribute("data-page", "document")
    expect(page.locator("[data-trial=added]")).to_contain_text("I live in Porto")
    expect(page.locator("[data-trial=kept] [data-fact]")).to_have_count(1)
    assert problems_of(page, page.url) == []
    page.get_by_role("button", name="Read again").press("Enter")
    expect(page.locator(".flash")).to_contain_text("1 added")
    expect(page.locator("mark", has_text="I live in Porto")).to_be_visible()
    expect(page.locator("[data-fact]")).to_have_count(2)
    page.goto("/w/default/activity")
    page.locator("article, li").filter(has_text="reread").locator("[data-undo]").first.click()
    expect(page.locator(".flash")).to_contain_text("Undone")
    page.goto(f"/w/default/document/{note}")
    expect(page.locator("[data-fact]")).to_have_count(1)


def test_an_administrator_decides_about_a_predicate_and_takes_it_back(page: Page, site: Site) -> None:
    site.tool("remember", facts=[{"subject": "Ada", "predicate": "drives", "value": "a Kangoo"}])
    page.context.add_init_script(path=AXE)
    page.goto("/w/default/settings")
    page.locator("details", has_text="Predicates and policies").locator("summary").click()
    page.get_by_role("link", name="drives").click()
    form = page.locator("form[data-predicate=drives]")
    expect(form.locator("[name=csrf_token]")).to_have_count(1)
    form.get_by_label("When two values disagree").select_option("dispute")
    form.get_by_label("Values at a time").select_option("one")
    form.get_by_label("Also called").fill("steers")
    form.get_by_label("Also called").press("Enter")
    expect(page.locator(".flash")).to_contain_text("drives: saved")
    expect(form.get_by_label("When two values disagree")).to_have_value("dispute")
    expect(form.get_by_label("Also called")).to_have_value("steers")
    assert problems_of(page, "/w/default/settings?predicate=drives") == []
    told = site.tool("remember", facts=[{"subject": "Ada", "predicate": "steers", "value": "a Berlingo"}])
    assert [each["outcome"] for each in told["facts"]] == ["replaced"]
    page.goto("/w/default/activity")
    page.locator("article, li").filter(has_text="predicate_policy.drives").locator("[data-undo]").first.click()
    expect(page.locator(".flash")).to_contain_text("Undone")
    page.goto("/w/default/settings?predicate=drives")
    expect(form.get_by_label("When two values disagree")).to_have_value("")
    expect(form.get_by_label("Values at a time")).to_have_value("")


def test_somebody_who_may_only_write_sees_no_form_for_predicates(
    browser: Browser, sqlite_template: Path, tmp_path: Path
) -> None:
    with running_site(new_sqlite_file(sqlite_template, tmp_path), GUARDED) as site, watched_page(browser, site) as page:
        page.goto("/login")
        page.locator("[name=token]").fill(site.token("write"))
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_have_attribute("data-page", "home")
        page.goto("/w/default/settings?predicate=drives")
        expect(page.locator("form[data-predicate]")).to_have_count(0)
        expect(page.locator("main")).to_contain_text("Administrators can change this")


def test_the_field_for_another_entity_suggests_names_while_somebody_types(page: Page, site: Site) -> None:
    facts = [{"subject": name, "predicate": "lives_in", "object": "Porto"} for name in ("Lena Hartwig", "L. Hartwig")]
    site.tool("remember", facts=facts)
    page.goto("/w/default/search?q=Lena+Hartwig")
    page.locator("#results [data-entity]").first.click()
    page.get_by_text("Merge with…").click()
    field = page.locator("form[action$='/merge'] [name=other]")
    field.press_sequentially("L. Ha")
    expect(page.locator("#names option[value='L. Hartwig']")).to_have_count(1)
    field.fill("L. Hartwig")
    field.press("Enter")
    expect(page.locator(".flash")).to_contain_text("L. Hartwig is now part of Lena Hartwig")


def test_an_item_is_done_on_its_own_page_by_keyboard_and_undone(page: Page, site: Site) -> None:
    site.tool("remember", text="I will pay the garage invoice by 2026-01-20.")
    page.context.add_init_script(path=AXE)
    page.goto("/w/default/open")
    page.get_by_role("link", name="garage invoice").first.press("Enter")
    expect(page.locator("main")).to_contain_text("Overdue: it was due 20 January 2026")
    assert problems_of(page, page.url) == []
    page.locator("[data-done]").press("Enter")
    expect(page.locator("article[data-state=ended]")).to_be_visible()
    page.locator(".flash [data-undo]").press("Enter")
    expect(page.locator("main")).to_contain_text("Overdue: it was due 20 January 2026")


def test_why_a_fact_was_found_stands_in_its_own_row(page: Page, site: Site) -> None:
    facts = [{"subject": "Lena Hartwig", "predicate": "notes", "value": "long " * 30 + str(n)} for n in range(3)]
    site.tool("remember", facts=facts)
    page.goto("/w/default/search?q=Lena+Hartwig")
    expect(page.locator("#results .fact .why").first).to_be_visible()
    outside = page.evaluate("""() => [...document.querySelectorAll('#results .fact')].filter((row) => {
      const [box, why] = [row, row.querySelector('.why')].map((each) => each.getBoundingClientRect());
      return why.top < box.top || why.bottom > box.bottom;
    }).length""")
    assert outside == 0
