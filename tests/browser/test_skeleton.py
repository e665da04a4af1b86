"""The frame of every page in a browser: navigation, palette, theme, live updates."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watched_page
from tests.serve.web.sites import Site

SHOWS_FOCUS = """() => [document.activeElement, document.activeElement.parentElement].some((each) =>
  each === document.documentElement || getComputedStyle(each).outlineStyle !== "none")"""


def test_the_front_page_leads_to_the_default_workspace(page: Page) -> None:
    page.goto("/")
    expect(page).to_have_url("/w/default/")
    expect(page.locator("main")).to_have_attribute("data-page", "home")
    expect(page).to_have_title("Home · Recollect")


def test_the_theme_switch_is_remembered(page: Page) -> None:
    page.goto("/w/default/")
    page.locator("[data-theme-switch]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_sliding_through_the_times_of_an_entity_sets_its_clock(page: Page, site: Site) -> None:
    made = site.tool("remember", text="Lena works at Brightwater since 2024-03. Lena lives in Porto since 2021.")
    address = f"/w/default/entity/{made['entities'][0]['id']}"
    slider = page.locator("[data-moments=at]")
    page.goto(f"{address}?at=2023")
    expect(slider.locator("output")).to_have_text("2023")
    expect(slider.locator("input")).to_have_value("0")
    slider.locator("input").press("End")
    expect(page.locator("body.past")).to_have_count(0)
    slider.locator("input").press("Home")
    expect(page).to_have_url(f"{address}?at=2021")
    expect(page.locator("[data-fact]:not(.added)")).to_have_count(1)


def test_a_day_typed_into_the_date_picker_waits_for_enter(page: Page) -> None:
    page.goto("/w/default/")
    picker = page.locator("[data-fills=at]")
    picker.focus()
    page.keyboard.type("03052026", delay=20)
    expect(page.locator("[name=at]")).to_have_value("2026-03-05")
    assert picker.evaluate("each => getComputedStyle(each).color") != "rgba(0, 0, 0, 0)"
    assert picker.bounding_box()["width"] > 80  # type: ignore[index]
    expect(page).to_have_url("/w/default/")
    page.keyboard.press("Enter")
    expect(page).to_have_url("/w/default/?at=2026-03-05")


def test_a_change_elsewhere_is_announced_on_an_open_page(page: Page, site: Site) -> None:
    page.goto("/w/default/settings")
    site.tool("remember", text="Lena lives in Porto")
    expect(page.locator("#news")).to_contain_text("1 new fact", timeout=15_000)


def test_the_home_page_updates_by_itself(page: Page, site: Site) -> None:
    page.goto("/w/default/")
    expect(page.locator("#review-count")).to_have_text("0")
    site.tool("remember", text="Lena lives in Porto")
    expect(page.locator("main")).to_contain_text("Lena lives in Porto", timeout=15_000)
    expect(page.locator("#review-count")).to_have_text("0")


def test_what_somebody_types_survives_a_change_elsewhere(page: Page, site: Site) -> None:
    page.goto("/w/default/")
    page.locator("#tell").fill("Tomas lives in")
    site.tool("remember", text="Lena lives in Porto")
    expect(page.locator("#news")).to_contain_text("1 new fact", timeout=15_000)
    expect(page.locator("#tell")).to_have_value("Tomas lives in")
    page.locator("#tell").press("End")
    page.keyboard.type(" Porto")
    page.keyboard.press("Enter")
    expect(page.locator(".flash")).to_contain_text("Tomas lives in Porto")


def test_the_command_palette_finds_an_entity_by_a_mistyped_name(page: Page, site: Site) -> None:
    site.tool("remember", text="Lena Hartwig lives in Porto")
    page.goto("/w/default/settings")
    page.keyboard.press("Control+k")
    page.keyboard.type("Hartwg")
    expect(page.locator("#palette-list li").first).to_contain_text("Lena Hartwig")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_have_attribute("data-page", "entity")
    page.keyboard.press("/")
    page.keyboard.type("activ")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_have_attribute("data-page", "activity")


def test_every_control_shows_that_it_has_the_focus(page: Page, site: Site) -> None:
    site.tool("remember", text="Lena Hartwig lives in Porto")
    page.goto("/w/default/search?q=Lena")
    for _ in range(40):
        page.keyboard.press("Tab")
        assert page.evaluate(SHOWS_FOCUS), page.evaluate("document.activeElement.outerHTML")


def test_without_scripts_the_home_page_has_no_place_holders(browser: Browser, site: Site) -> None:
    with watched_page(browser, site, java_script_enabled=False) as page:
        page.goto("/w/default/")
        expect(page.locator(".counts")).to_contain_text("to review")
        expect(page.locator(".counts")).not_to_contain_text("?")


def test_hostile_names_run_nothing_and_break_no_layout(page: Page, site: Site) -> None:
    names = ["<script>document.title='owned'</script>", "<img src=x onerror=alert(1)>", "\u202egnp.exe", "W" * 190]
    facts = [{"subject": name, "predicate": "likes", "value": f"{name} x"} for name in names]
    made = site.tool("remember", text=f"On {' and '.join(names)} " + "W" * 10_000, facts=facts)
    ids = [each["id"] for each in made["entities"]]
    for path in ("", f"document/{made['note']}", "search?q=likes", *(f"entity/{each}" for each in ids)):
        page.goto(f"/w/default/{path}")
        expect(page).not_to_have_title("owned")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
