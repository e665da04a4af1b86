"""Deciding questions without a mouse, and taking the decisions back in the activity list."""

from playwright.sync_api import Page, expect

from tests.serve.web.sites import Site
from tests.serve.web.test_review_page import tell_conflict, tell_duplicate


def test_a_conflict_and_a_duplicate_are_decided_by_keyboard_and_undone_from_activity(page: Page, site: Site) -> None:
    tell_conflict(site)
    tell_duplicate(site)
    keys, questions = page.keyboard, page.locator("[data-review]")
    page.goto("/w/default/review")
    expect(questions).to_have_count(2)
    expect(page.locator(".question.current")).to_have_attribute("data-kind", "conflict")
    keys.press("j")
    expect(page.locator(".question.current")).to_have_attribute("data-kind", "duplicate")
    keys.press("k")
    keys.press("1")
    expect(questions).to_have_count(1)
    keys.press("1")
    expect(questions).to_have_count(0)

    keys.press("Control+k")
    keys.type("Activity")
    expect(page.locator("#palette-list li").first).to_contain_text("Activity")
    keys.press("Enter")
    expect(page.locator("main")).to_have_attribute("data-page", "activity")
    for _ in range(2):
        undo = page.locator(".transaction:not(.undone) [data-undo]", has_text="Undo").first
        undo.focus()
        keys.press("Enter")
        expect(page.locator(".flash")).to_contain_text("Undone")
    page.goto("/w/default/review")
    expect(questions).to_have_count(2)


def test_u_takes_the_last_decision_back(page: Page, site: Site) -> None:
    tell_conflict(site)
    questions = page.locator("[data-review]")
    page.goto("/w/default/review")
    page.keyboard.press("2")
    expect(questions).to_have_count(0)
    expect(page.locator("#last-decision")).to_have_count(1)
    page.keyboard.press("u")
    expect(questions).to_have_count(1)


def test_u_twice_takes_two_decisions_back(page: Page, site: Site) -> None:
    tell_conflict(site)
    tell_duplicate(site)
    questions = page.locator("[data-review]")
    page.goto("/w/default/review")
    for left in (1, 0):
        page.keyboard.press("1")
        expect(questions).to_have_count(left)
    for open_again in (1, 2):
        expect(page.locator("#last-decision")).to_have_count(1)
        page.keyboard.press("u")
        expect(questions).to_have_count(open_again)
    page.keyboard.press("u")
    expect(page.locator("#last-decision")).to_have_count(0)
    expect(questions).to_have_count(2)


def test_keys_do_nothing_while_somebody_types(page: Page, site: Site) -> None:
    tell_conflict(site)
    page.goto("/w/default/review")
    page.locator("#q").focus()
    page.keyboard.type("1ju")
    expect(page.locator("[data-review]")).to_have_count(1)
    expect(page.locator("#q")).to_have_value("1ju")


def test_the_queue_updates_itself_when_an_agent_decides(page: Page, site: Site) -> None:
    tell_conflict(site)
    page.goto("/w/default/review")
    question = page.locator("[data-review]")
    id_ = question.get_attribute("data-review")
    site.tool("review", decide={"id": id_, "choice": "both"})
    expect(question).to_have_count(0, timeout=15_000)
