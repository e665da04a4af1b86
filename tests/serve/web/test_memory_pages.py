"""The pages of memories and identity: what a companion wrote is shown, edited and brought back."""

from recollect.surfaces.entity_core.identity import identity_write
from recollect.surfaces.entity_core.memory_writing import memory_create
from tests.serve.web.sites import Site


def tell_day(site: Site) -> str:
    memory = site.memory().as_actor("entity-core", "memory_create")
    created = memory_create(
        memory, granularity="daily", date="2026-03-04", content="- walked to the harbour", instanceId="phone"
    )
    return str(created["memoryId"])


def tell_identity(site: Site, text: str) -> None:
    memory = site.memory().as_actor("entity-core", "identity_write")
    identity_write(memory, "self", "my_wants.md", text)


def test_both_pages_say_what_to_do_when_nothing_is_there(site: Site) -> None:
    assert "No memories in this year" in site.get("memories").text
    assert "No identity files yet" in site.get("identity").text


def test_a_day_is_on_the_heat_map_and_its_text_is_shown(site: Site) -> None:
    entry = tell_day(site)
    page = site.json(f"memories?year=2026&entry={entry}")
    [day] = [each for each in page["days"] if each["entry"]]
    assert (day["day"], day["level"] > 0) == ("2026-03-04", True)
    assert "walked to the harbour" in page["entry"]["rendered"]


def test_another_moment_marks_what_was_written_changed_and_removed_since(site: Site) -> None:
    first = site.tool("remember", text="Lena lives in Porto")["undo"]
    entry = tell_day(site)
    tell_identity(site, "Tea.")
    before = site.json("activity")["last_tx"]
    site.post("memories/edit", entry=entry, version=1, content="- stayed at home all day")
    tell_identity(site, "Tea and rest, and the sea.")
    changed = site.json(f"memories?year=2026&as_of={before}")["entries"]
    assert [(line["id"], line["change"]) for line in changed] == [(entry, "changed")]
    assert [line["change"] for line in site.json(f"memories?year=2026&as_of={first}")["entries"]] == ["added"]
    files = site.json(f"identity?as_of={before}")["files"]
    assert {line["key"]: line["change"] for line in files}["self/my_wants.md"] == "changed"
    assert "changed later" in site.get(f"identity?as_of={before}").text
    assert all(not line["change"] for line in site.json("identity")["files"])


def test_a_memory_is_edited_and_the_edit_undone(site: Site) -> None:
    entry = tell_day(site)
    version = site.json(f"memories?entry={entry}")["entry"]["line"]["version"]
    assert site.post("memories/edit", entry=entry, version=version, content="- stayed at home").status_code == 303
    assert site.json(f"memories?entry={entry}")["entry"]["content"] == "- stayed at home"
    latest = site.json("activity")["transactions"][0]["tx"]
    site.post("undo", transaction=latest)
    assert "harbour" in site.json(f"memories?entry={entry}")["entry"]["content"]


def test_an_edit_of_an_older_version_is_refused(site: Site) -> None:
    entry = tell_day(site)
    assert site.post("memories/edit", entry=entry, version=7, content="- other").status_code == 409
    assert "harbour" in site.json(f"memories?entry={entry}")["entry"]["content"]


def test_an_identity_file_is_edited_and_restored_from_its_snapshot(site: Site) -> None:
    tell_identity(site, "# Wants\n\nQuiet mornings.")
    first = site.json("identity")["file"]
    assert "Quiet mornings" in first["rendered"]
    site.post("identity/edit", file="self/my_wants.md", version=first["line"]["version"], content="Loud evenings.")
    page = site.json("identity")
    assert page["file"]["content"] == "Loud evenings."
    [snapshot] = [each for each in page["snapshots"] if each["subject"] == "self/my_wants.md"]
    site.post("identity/restore", snapshot=snapshot["id"])
    assert "Quiet mornings" in site.json("identity")["file"]["content"]


def test_a_named_snapshot_is_listed(site: Site) -> None:
    tell_identity(site, "Tea at four.")
    site.post("identity/snapshot", label="before the move")
    assert any(each["label"] == "before the move" for each in site.json("identity")["snapshots"])


def test_hostile_texts_stay_text(site: Site) -> None:
    tell_identity(site, "<script>alert(1)</script>\n\n[x](javascript:alert(1))")
    html = site.get("identity").text
    assert "<script>alert" not in html
    assert 'href="javascript:' not in html


def test_an_earlier_version_is_shown_and_brought_back(site: Site) -> None:
    entry = tell_day(site)
    tell_identity(site, "Tea.")
    site.post("memories/edit", entry=entry, version=1, content="- stayed at home all day")
    site.post("identity/edit", file="self/my_wants.md", version=1, content="Coffee.")
    day, wants = f"memories?year=2026&entry={entry}", "identity?file=self/my_wants.md"
    for path, part, then, now in ((day, "entry", "harbour", "home"), (wants, "file", "Tea", "Coffee")):
        first, last = site.json(path)[part]["versions"]
        assert (first["is_shown"], last["is_shown"]) == (False, True)
        assert now in site.json(path)[part]["content"]
        past = f"{path}&as_of={first['transaction']}"
        assert "Restore this text" in site.get(past).text
        text = site.json(past)[part]
        key = {"entry": entry} if part == "entry" else {"file": "self/my_wants.md"}
        action = "memories/edit" if part == "entry" else "identity/edit"
        assert site.post(action, **key, version=text["replaced"], content=text["content"]).status_code == 303
        assert then in site.json(path)[part]["content"]
        assert "Restore this text" not in site.get(path).text
