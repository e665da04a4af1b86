"""Files are dropped on the import page, checked, and imported while the page follows."""

import pytest
from playwright.sync_api import Page, expect

from tests.serve.web.sites import Site
from tests.serve.web.test_import_page import MBOX, TREE, VAULT

pytestmark = pytest.mark.xdist_group("browser")
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
