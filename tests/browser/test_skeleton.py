"""The frame of every page in a browser: navigation, palette, theme, live updates."""

import pytest
from playwright.sync_api import Page, expect

from tests.serve.web.sites import Site

pytestmark = pytest.mark.xdist_group("browser")


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


def test_a_change_elsewhere_is_announced_on_an_open_page(page: Page, site: Site) -> None:
    page.goto("/w/default/settings")
    site.tool("remember", text="Lena lives in Porto")
    expect(page.locator("#news")).to_contain_text("1 new change", timeout=15_000)
