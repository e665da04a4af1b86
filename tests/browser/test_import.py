"""Files are dropped on the import page, checked, and imported while the page follows; stopped and resumed."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.serve.web.sites import Site
from tests.serve.web.test_import_page import MBOX, TREE, VAULT, Pause
from tests.support.processes import LONGEST_WAIT

DROP = """(files) => {
  const dropped = new DataTransfer();
  for (const [name, bytes] of files) dropped.items.add(new File([new Uint8Array(bytes)], name));
  const options = {bubbles: true, cancelable: true, dataTransfer: dropped};
  document.querySelector("h1").dispatchEvent(new DragEvent("drop", options));
}"""


def test_dropped_files_are_checked_and_imported(page: Page, site: Site) -> None:
    page.goto("/w/default/import")
    page.evaluate(DROP, [[name, list(data)] for name, data in (("a.mbox", MBOX), ("v.zip", VAULT), ("t.ged", TREE))])
    page.get_by_role("button", name="Upload and check").click()
    job = page.locator("#job")
    expect(job).to_have_attribute("data-state", "ready", timeout=30_000)
    promised = page.locator("[data-new=facts]").text_content() or ""
    assert site.json("home.json")["is_empty"]
    page.locator("[data-import=start]").click()
    expect(job).to_have_attribute("data-state", "done", timeout=30_000)
    expect(page.locator("[data-new=facts]")).to_have_text(promised)
    page.locator("#job .entries a").last.click()
    expect(page.locator("main")).to_have_attribute("data-page", "fact")


def test_an_import_is_cancelled_half_way_and_resumed(page: Page, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the file is markup that must not run."""
    page.goto("/w/default/import")
    page.evaluate(DROP, [["<img src=x onerror=alert(1)>.mbox", list(MBOX)]])
    page.get_by_role("button", name="Upload and check").click()
    job = page.locator("#job")
    expect(job).to_have_attribute("data-state", "ready", timeout=30_000)
    promised = page.locator("[data-new=documents]").text_content() or ""
    with Pause(monkeypatch) as pause:
        page.locator("[data-import=start]").click()
        assert pause.reached.wait(LONGEST_WAIT)
        expect(page.locator("#progress")).to_be_visible()
        page.locator("[data-import=stop]").click()
    expect(job).to_have_attribute("data-state", "stopped", timeout=30_000)
    stopped = site.json("settings")["counts"]["documents"]
    assert 0 < stopped < int(promised)
    page.locator("[data-import=start]", has_text="Resume").click()
    expect(job).to_have_attribute("data-state", "done", timeout=30_000)
    assert site.json("settings")["counts"]["documents"] == int(promised)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_file_name_leaves_the_table_in_its_page(page: Page, tmp_path: Path, width: int) -> None:
    file = tmp_path / f"{'n' * 200}.md"
    file.write_text("Pam lives in Oslo.")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/w/default/import")
    page.locator("#files").set_input_files(file)
    page.get_by_role("button", name="Upload and check").click()
    expect(page.locator("table.files")).to_be_visible(timeout=30_000)
    assert page.locator(".wide").evaluate("each => each.scrollWidth - each.clientWidth") <= 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
