"""Files that cannot be read are refused by name, and markup, data and raw bytes never become notes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from recollect.importers.notes import parse_note
from recollect.serve.cli.main import main

ISSUE = {"number": 7, "html_url": "https://github.com/acme/kettle/issues/7", "title": "Lid leaks", "body": "It drips."}
REPOSITORY = {"id": 1, "full_name": "acme/kettle", "html_url": "https://github.com/acme/kettle", "private": False}
USER = {"id": "U02", "team_id": "T1", "name": "olga", "profile": {"real_name": "Olga Lind"}}
REFUSED: dict[str, tuple[bytes, str]] = {
    "repositories.json": (json.dumps([REPOSITORY], indent=2).encode(), "GitHub API"),
    "repository.json": (json.dumps(REPOSITORY).encode(), "GitHub API"),
    "users.json": (json.dumps([USER], indent=2).encode(), "JSON of Slack without messages"),
    "list.json": (b'{"messages": [{"id": "18f", "threadId": "18f"}], "resultSizeEstimate": 1}', "messages.get"),
    "nodes.json": (
        b'[{"uuid": "1", "name": "Olga", "labels": ["Entity"], "name_embedding": null}]',
        "nodes of Graphiti",
    ),
    "unknown.json": (b'{"colour": "green"}', "JSON of no known shape"),
    "unknown.jsonl": (b'{"colour": "green"}\n', "JSON of no known shape: convert it to JSON lines"),
    "unknown": (b'{"colour": "green"}', "JSON of no known shape: convert it to JSON lines"),
    "list.txt": (b'[\n  {"colour": "green"}\n]\n', "JSON of no known shape"),
    "broken.json": (b'{"colour": ', "JSON that is cut off or damaged"),
    "offer.pdf": (b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n", "PDF"),
    "offer.txt": (b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n", "PDF"),
    "feed.xml": (b'<?xml version="1.0"?><rss><channel/></rss>', "XML document"),
    "letter.rtf": (b"{\\rtf1\\ansi Dear Olga}", "RTF document"),
    "data.bin": (b"\x00\x01\x02\x03 kettle", "binary file"),
    "store.db": (b"SQLite format 3\0" + bytes(84), "SQLite database"),
    "photo.jpg": (b"\xff\xd8\xff\xe0" + bytes(20), "JPEG image"),
    "boil.py": (b"print('I live in Paris')\n", "source code"),
    "boil.js": (b"function a() { return 'I live in Paris' }", "source code"),
    "boil": (b"#!/bin/sh\necho I live in Paris\n", "source code"),
    "move.patch": (b"I moved\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-I live in Paris\n+I live in Rome\n", "patch"),
    "move.txt": (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-I live in Paris\n+I live in Rome\n", "patch"),
    "move.md": (b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-I live in Paris\n", "patch"),
    "cities.csv": (b"name,city\nOlga,Paris\n", "table of values"),
    "kettle.toml": (b'[a]\nb = "I live in Paris"\n', "settings"),
    "kettle.yaml": (b"foo: 1\nbar: [a]\n", "YAML of no known shape"),
    "print.ps": (b"%!PS-Adobe\n(I live) show\n", "PostScript"),
    "blob.txt": (b"QUJD" * 2000, "base64"),
    "lines.txt": ((b"QUJDRA+/" * 9 + b"\n") * 20 + b"QQ==\n", "base64"),
    "pack.zip": (b"PK\x03\x04" + bytes(30), "ZIP"),
}
PAGE = """<!DOCTYPE html><html><head><title>Kettle &amp; lid</title><style>p {color: red}</style></head>
<body><h1>Minutes</h1><p>Olga will send the offer by Friday.</p><script>track()</script></body></html>"""

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "store" / "memory.db"))
    (tmp_path / "store").mkdir()
    monkeypatch.setenv("RECOLLECT_NOW", "2026-05-20T10:00:00Z")
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, [str(each) for each in words])


def status(run: Run) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("status", "--json").stdout)
    return found


@pytest.mark.parametrize("opened", ["[", '{"a":', '{"type":"entity","name":"x","entityType":"p","observations":['])
@pytest.mark.parametrize("ending", ["md", "json", "jsonl", "af"])
def test_json_that_is_nested_too_deeply_is_no_crash(run: Run, tmp_path: Path, opened: str, ending: str) -> None:
    (tmp_path / f"deep.{ending}").write_text(opened + "[" * 50_000, "utf-8")
    result = run("ingest", f"deep.{ending}")
    assert isinstance(result.exception, SystemExit | None), result.exception


TAKEN = {
    "long words.txt": b"Donaudampfschifffahrtsgesellschaft\n" * 20,
    "code.md": b"# Kettle\n\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n```\n",
    "rule.md": b"---\n\nOlga lives in Turku.\n",
    "world.yaml": b"entities:\n- name: Olga\n  type: person\n",
}


@pytest.mark.parametrize("name", TAKEN)
def test_a_text_with_code_or_long_words_is_taken(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TAKEN[name])
    assert run("ingest", name).exit_code == 0


def test_the_tags_of_html_in_a_note_are_not_stored_but_their_text_is() -> None:
    text = "<div class='x'><p>I live in <b>Oslo</b>.</p></div>\n\nUse `<b>` and <T>.\n\n| a<br>b | c |\n"
    code = "```\n<p>kept</p>\n```"
    stored = parse_note("page", "page", f"{text}\n{code}\n<style>p {{}}</style>\n".encode()).content
    assert (stored or "").strip() == f"I live in Oslo.\n\nUse `<b>` and <T>.\n\n| a b | c |\n\n{code}"


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("more", [(), ("--as", "note")])
def test_a_file_that_cannot_be_read_is_refused_by_name(
    run: Run, tmp_path: Path, name: str, more: tuple[str, ...]
) -> None:
    content, what = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    result = run("ingest", name, *more)
    assert result.exit_code == 2, result.output
    [line] = [each for each in result.stderr.splitlines() if each.startswith(f"{name}: ")]
    assert what.lower() in line.lower()
    assert status(run)["tx"] == 0


def test_a_recognised_file_is_never_taken_for_a_note(run: Run, tmp_path: Path) -> None:
    (tmp_path / "issue.json").write_text(json.dumps(ISSUE))
    result = run("ingest", "issue.json", "--as", "note")
    assert result.exit_code == 2
    assert "issue.json: is a file of the format github: ingest it without --as" in result.stderr
    assert status(run)["tx"] == 0


def test_a_folder_takes_what_can_be_read_and_names_the_rest(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    (folder / "more").mkdir(parents=True)
    for name, (content, _) in REFUSED.items():
        (folder / "more" / name).write_bytes(content)
    (folder / "note.md").write_text("Olga will send the offer.")
    result = run("ingest", folder, "--json")
    assert result.exit_code == 2
    skipped = json.loads(result.stdout)["skipped"]
    assert sorted(each["file"] for each in skipped) == sorted(f"more/{name}" for name in REFUSED)
    assert status(run)["documents"] == 1


@pytest.mark.parametrize("names", [("unknown.json", "note.md"), ("note.md", "unknown.json")])
def test_a_named_file_that_cannot_be_read_does_not_keep_others_out(
    run: Run, tmp_path: Path, names: tuple[str, ...]
) -> None:
    (tmp_path / "unknown.json").write_bytes(REFUSED["unknown.json"][0])
    (tmp_path / "note.md").write_text("Olga will send the offer.")
    result = run("ingest", *names)
    assert result.exit_code == 2
    assert "unknown.json: is JSON of no known shape" in result.stderr
    assert status(run)["documents"] == 1


@pytest.mark.parametrize("name", ["page.html", "page.htm", "page.txt", "page"])
def test_a_page_becomes_a_record_of_its_text(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(PAGE)
    assert run("ingest", name).exit_code == 0
    found = run("search", "offer Friday", "--json").stdout
    assert "Olga will send the offer by Friday." in found
    assert "Kettle & lid" in found
    assert not any(each in found for each in ("<p>", "track()", "color: red"))
    again = json.loads(run("ingest", name, "--json").stdout)
    assert (again["changed"], again["unchanged"]) == (0, 1)


def test_a_page_is_read_in_the_encoding_that_it_names(run: Run, tmp_path: Path) -> None:
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Zoë grüßt Ägidius.</p></body></html>'
    (tmp_path / "old.html").write_bytes(page.encode("iso-8859-1"))
    assert run("ingest", "old.html").exit_code == 0
    assert "Zoë grüßt Ägidius." in json.dumps(json.loads(run("search", "Ägidius", "--json").stdout), ensure_ascii=False)


@pytest.mark.parametrize(
    "text", ["[x] buy a kettle", "[Kettle](kettle.md) is blue.", "{kettle} is a slot", "[1] first note"]
)
def test_prose_that_begins_with_a_bracket_is_still_a_note(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "note.md").write_text(text)
    assert run("ingest", "note.md").exit_code == 0
    assert status(run)["documents"] == 1


def test_many_lines_with_one_problem_are_told_by_the_first_few_and_a_count(run: Run, tmp_path: Path) -> None:
    good = json.dumps({"record": {"id": "r", "type": "note", "title": "T", "source_at": "2026-05-19T10:00:00Z"}})
    bad = json.dumps({"recrod": {"id": "r"}})
    (tmp_path / "b.jsonl").write_text("\n".join([good, *[bad] * 50, "{"]) + "\n", "utf-8")
    result = run("ingest", "b.jsonl", "--no-vectors")
    assert result.exit_code == 2
    told = [each for each in result.stderr.splitlines() if "recrod" in each]
    assert len(told) == 11
    assert told[-1].startswith("b.jsonl: 40 more lines: line.recrod: is unknown")
    assert told[-1].endswith("; --json lists them all")
    assert any(each.startswith("b.jsonl:52: ") for each in result.stderr.splitlines())
    assert len(json.loads(run("ingest", "--json", "b.jsonl", "--no-vectors").stdout)["skipped"]) == 51


def test_warnings_are_counted_in_the_table_and_told_once(run: Run, tmp_path: Path) -> None:
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Olga Lind\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ha"
    (tmp_path / "cards.vcf").write_bytes(card.encode())
    result = run("ingest", "cards.vcf")
    assert "warnings   1\n" in result.stdout
    assert result.output.count("the file is cut off") == 1
