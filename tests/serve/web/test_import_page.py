"""The import page: a dry run that changes nothing, the import, stopping and resuming, hostile files."""

import io
import stat
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from recollect.importers import import_run
from recollect.serve.import_jobs import ImportJob, ProgressMark, estimate_seconds, import_jobs
from tests.serve.web.sites import GUARDED, Site, running_site
from tests.support.processes import LONGEST_WAIT

MAIL = """From {name}@example.org Mon Mar  2 10:{minute:02}:00 2026
From: {name} Weaver <{name}@example.org>
To: Lena Hartwig <lena@example.org>
Subject: Report {minute}
Date: Mon, 2 Mar 2026 10:{minute:02}:00 +0000
Message-ID: <{minute}@example.org>

{name} Weaver works at Brightwater. I will send the report {minute} by 2026-03-20.

"""
MBOX = "".join(
    MAIL.format(name=name, minute=minute) for minute, name in enumerate(["Ada", "Bo", "Cy", "Dee"] * 5)
).encode()
TREE = b"""0 HEAD
1 GEDC
2 VERS 5.5.1
1 CHAR UTF-8
0 @I1@ INDI
1 NAME Corwin /Marr/
1 SEX M
0 @I2@ INDI
1 NAME Ysolde /Marr/
1 SEX F
0 @F1@ FAM
1 HUSB @I1@
1 CHIL @I2@
0 TRLR
"""


def zipped(**members: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


VAULT = zipped(
    **{
        "Garden/.obsidian/app.json": b"{}",
        "Garden/People/Lena Hartwig.md": b"# Lena Hartwig\n\nLena Hartwig works at Brightwater.\n",
        "Garden/Ideas.md": b"# Ideas\n\nSow the peas in March. [[Lena Hartwig]] lives in Porto.\n",
    }
)
FILES = {"box.mbox": MBOX, "vault.zip": VAULT, "tree.ged": TREE}


def send(site: Site, *files: tuple[str, bytes]) -> Any:
    parts = [("files", (name, content, "application/octet-stream")) for name, content in files]
    return site.client.post(site.url("import/upload"), data={"csrf_token": site.csrf()}, files=parts)


def job_of(site: Site, reply: Any) -> ImportJob:
    assert reply.status_code == 303, reply.text
    return import_jobs(site.memory()).find(reply.headers["location"].rpartition("/")[2])


def uploaded(site: Site, *files: tuple[str, bytes]) -> ImportJob:
    """The job of an upload, after its dry run."""
    job = job_of(site, send(site, *files))
    job.wait(LONGEST_WAIT)
    return job


def run(site: Site, job: ImportJob, verb: str = "start") -> Any:
    assert site.post(f"import/{job.id}/{verb}").status_code == 303
    job.wait(LONGEST_WAIT)
    return site.json(f"import/{job.id}")


def state(site: Site) -> tuple[int, dict[str, int]]:
    with site.memory().read() as view:
        return view.last_tx, dict(view.counts())


@pytest.mark.parametrize("name", FILES)
def test_a_dry_run_changes_nothing_and_says_what_the_import_then_does(site: Site, name: str) -> None:
    before = state(site)
    job = uploaded(site, (name, FILES[name]))
    page = site.json(f"import/{job.id}")
    assert page["job"]["state"] == "ready", page
    assert state(site) == before
    assert page["trial"]["new"]["facts"] > 0
    assert page["trial"]["sample"]
    assert "Dry run" in site.get(f"import/{job.id}").text

    done = run(site, job)
    assert done["job"]["state"] == "done"
    assert done["outcome"]["new"] == page["trial"]["new"]
    after = state(site)
    assert after[0] > before[0]
    fact = next(each["fact"] for each in reversed(done["outcome"]["sample"]) if each["fact"])
    assert site.get(f"fact/{fact}").status_code == 200

    again = uploaded(site, (name, FILES[name]))
    repeated = run(site, again)
    assert repeated["outcome"]["new"] == {"entities": 0, "facts": 0, "documents": 0}
    assert state(site) == after


def test_a_note_that_is_uploaded_again_is_a_new_version_of_the_same_document(site: Site) -> None:
    for text in (b"# Plan\n\nLena Hartwig lives in Porto.\n", b"# Plan\n\nLena Hartwig lives in Faro.\n"):
        run(site, uploaded(site, ("plan.md", text)))
    assert state(site)[1]["documents"] == 1


def test_each_file_is_named_with_its_format_or_with_what_to_do_instead(site: Site) -> None:
    job = uploaded(site, ("a.mbox", MBOX), ("b.png", b"\x89PNG\r\n x"), ("tree.ged", TREE))
    page = site.json(f"import/{job.id}")
    assert [(each["name"], each["format"]) for each in page["files"]] == [("a.mbox", "mail"), ("tree.ged", "gedcom")]
    [refused] = page["refused"]
    assert refused["file"] == "b.png"
    assert "images cannot be read" in refused["reason"]


def test_a_page_that_is_uploaded_again_is_a_new_version_of_the_same_document(site: Site) -> None:
    for text in (b"<html><body><p>Blue lids.</p></body></html>", b"<html><body><p>Red lids.</p></body></html>"):
        run(site, uploaded(site, ("lids.html", text)))
    assert state(site)[1]["documents"] == 1


def test_bad_lines_are_reported_by_their_number(site: Site) -> None:
    good = b'{"entities": [{"name": "Mill", "type": "project"}]}\n'
    page = run(site, uploaded(site, ("lines.jsonl", good + b"{broken\n")))
    assert [(each["file"], each["line"]) for each in page["outcome"]["skipped"]] == [("lines.jsonl", 2)]


def test_a_world_is_not_put_into_a_workspace_with_another_calendar(site: Site) -> None:
    time = Path(__file__).parents[3] / "examples" / "lanternfen" / "00-time.jsonl"
    page = site.json(f"import/{uploaded(site, ('00-time.jsonl', time.read_bytes())).id}")
    assert page["files"] == []
    assert "recollect workspace create" in page["refused"][0]["reason"]


@pytest.fixture
def pause(monkeypatch: pytest.MonkeyPatch) -> "Pause":
    return Pause(monkeypatch)


class Pause:
    """Holds an import after its second commit until it is told to go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go_on = threading.Event(), threading.Event()
        self._import_batch: Callable[..., Any] = import_run._import_batch
        self._batches = 0
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(import_run, "COMMIT_RECORDS", 3)

    def __enter__(self) -> "Pause":
        self._monkeypatch.setattr(import_run, "_import_batch", self.run)
        return self

    def __exit__(self, *_: object) -> None:
        self.go_on.set()

    def run(self, *arguments: Any) -> Any:
        self._batches += 1
        if self._batches == 3:
            self.reached.set()
            assert self.go_on.wait(LONGEST_WAIT)
        return self._import_batch(*arguments)


@pytest.mark.parametrize(
    ("marks", "left"),
    [
        ([(0, 0)], None),
        ([(0, 0), (2, 10)], None),
        ([(0, 0), (2, 10), (4, 20)], 16),
        ([(100, 60), (102, 70), (104, 80)], 4),
        ([(0, 10), (2, 10), (4, 10)], None),
        ([(0, 0), (50_000, 1), (90_000, 2)], None),
    ],
)
def test_the_rest_of_an_import_is_estimated_from_its_speed_lately(
    marks: list[tuple[float, int]], left: int | None
) -> None:
    assert estimate_seconds([ProgressMark(*each) for each in marks], marks[-1][0], 100) == left


def test_an_import_is_stopped_half_way_and_resumed(site: Site, pause: Pause) -> None:
    job = uploaded(site, ("box.mbox", MBOX))
    expected = site.json(f"import/{job.id}")["trial"]["new"]
    with pause:
        site.post(f"import/{job.id}/start")
        assert pause.reached.wait(LONGEST_WAIT)
        page = site.get(f"import/{job.id}").text
        assert 'hx-trigger="every 1s"' in page
        running = site.json(f"import/{job.id}")
        assert running["job"]["percent"] > 0
        assert 0 < running["outcome"]["new"]["documents"] < expected["documents"]
        assert "Imported so far" in page
        assert 'class="flash"' not in page
        site.post(f"import/{job.id}/stop")
    job.wait(LONGEST_WAIT)
    half = site.json(f"import/{job.id}")
    assert half["job"]["state"] == "stopped"
    assert 0 < half["outcome"]["new"]["documents"] < expected["documents"]
    assert job.folder.exists
    done = run(site, job)
    assert done["job"]["state"] == "done"
    assert (done["outcome"]["new"], done["outcome"]["unchanged"]) == (expected, 0)
    assert not job.folder.exists


def test_uploaded_files_are_private_and_removed_when_discarded(site: Site) -> None:
    job = uploaded(site, ("../../etc/box.mbox", MBOX), ("vault.zip", VAULT))
    paths = [job.folder.path.parent, *job.folder.path.parent.rglob("*")]
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in paths)
    assert job.names == ["box.mbox", "vault.zip"]
    assert site.post(f"import/{job.id}/discard").status_code == 303
    assert not job.folder.path.parent.exists()
    assert site.get(f"import/{job.id}").status_code == 404


def link_archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        link = zipfile.ZipInfo("notes.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (zipped(**{"../../out.md": b"# Out"}), "leads out of it"),
        (zipped(**{"/tmp/out.md": b"# Out"}), "leads out of it"),
        (zipped(**{"a\\..\\out.md": b"# Out"}), "leads out of it"),
        (link_archive(), "leads out of it"),
        (zipped(**{f"{number}.md": b"x" for number in range(12)}), "Split it"),
        (zipped(**{"big.md": b"x" * 5000}), "larger than"),
        (VAULT[:200], "unpack"),
        (zipped(), "no file"),
    ],
    ids=["parent", "absolute", "backslash", "link", "many", "large", "damaged", "empty"],
)
def test_a_hostile_zip_is_refused_whole(
    site: Site, monkeypatch: pytest.MonkeyPatch, content: bytes, reason: str
) -> None:
    monkeypatch.setattr("recollect.importers.upload_folder.MOST_MEMBERS", 10)
    monkeypatch.setattr("recollect.importers.upload_folder.MOST_UNPACKED_BYTES", 4000)
    job = uploaded(site, ("evil.zip", content))
    page = site.json(f"import/{job.id}")
    assert page["files"] == []
    assert reason in page["refused"][0]["reason"]
    assert not list(job.folder.path.rglob("*.md"))


def test_hostile_file_names_are_shown_as_text(site: Site) -> None:
    names = ["<img src=x onerror=alert(1)>.md", "\u202egnp.md", "a" * 3000 + ".md", "..", ".md"]
    job = uploaded(site, *((name, b"# Note\n\nLena lives in Porto.\n") for name in names))
    html = site.get(f"import/{job.id}").text
    assert "<img" not in html
    assert "\u202e" not in html
    assert run(site, job)["job"]["state"] == "done"


def test_an_upload_without_files_or_over_the_limit_is_refused(site: Site) -> None:
    assert send(site, ("", b"")).status_code == 400
    connection = HTTPConnection(site.address.removeprefix("http://"), timeout=LONGEST_WAIT)
    connection.putrequest("POST", "/w/default/import/upload")
    connection.putheader("Content-Length", str(600 * 1024**2))
    connection.endheaders()
    with closing(connection), connection.getresponse() as reply:
        assert reply.status == 413
        assert b"recollect ingest" in reply.read()


def test_a_read_token_sees_no_form_and_cannot_upload(tmp_path: Path) -> None:
    with running_site(str(tmp_path / "memory.db"), GUARDED) as site:
        site.sign_in(site.token("read"))
        assert "import/upload" not in site.get("import").text
        assert send(site, ("box.mbox", MBOX)).status_code == 403
        assert import_jobs(site.memory()).all() == []
