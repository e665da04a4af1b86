"""The seed file and notes."""

from pathlib import Path

import pytest
from tests.ingest.records import Reading, email, everything, told
from tests.support.facts import entity_named

from recollect.importers.formats import detect_format, read_sample
from recollect.importers.import_run import ImportResult
from recollect.importers.notes import import_notes, parse_note
from recollect.importers.seed import import_seed
from recollect.memory import Memory

SEED = """---
source_at: 2026-01-05
---
# Who we are

## Facts
Marcus Webb | AFFILIATED/owner | Lumen Audit | Marcus runs \\| leads Lumen Audit
- MW | ASSERTED/goal | | Learn to sail
* Dana Cole | affiliated/advisor | Harrow Bridge Ltd

### People
- Marcus Webb | Partner | marcus@harrow-bridge.example
- Dana Cole

## companies
Harrow Bridge Ltd | harrow-bridge.example
<!-- Gone Ltd | gone.example -->

## Projects
1. Lumen Audit

## Aliases
Marcus Webb | Marc | MW

## Elsewhere
not read | at all
"""


def take(memory: Memory, path: Path, text: str = SEED) -> ImportResult:
    path.write_text(text, "utf-8")
    assert detect_format(read_sample(memory, path)).name == "seed"
    return import_seed(memory, path)


def test_a_seed_file_gives_people_companies_projects_facts_and_aliases(memory: Memory, tmp_path: Path) -> None:
    taken = take(memory, tmp_path / "seed.md")
    assert (taken.skipped, taken.tally.facts) == ([], 4)
    assert sorted(told(memory), key=repr) == [
        ("advisor", "Dana Cole", "Harrow Bridge Ltd", None),
        ("employee", "Marcus Webb", "Harrow Bridge Ltd", None),
        ("goal", "Marcus Webb", "", None),
        ("owner", "Marcus Webb", "Lumen Audit", None),
    ]
    found = {each.fact.fact_type: each for each in everything(memory)}
    assert found["owner"].text == "Marcus runs | leads Lumen Audit"
    assert found["advisor"].text == "Dana Cole advisor Harrow Bridge Ltd"
    assert (found["owner"].fact.certainty, found["employee"].fact.certainty) == ("stated", "inferred")
    assert found["owner"].fact.source_at == 1_767_571_200_000_000
    marcus = entity_named(memory, "MW")
    assert marcus is not None
    assert marcus.properties == {"role": "Partner", "email": "marcus@harrow-bridge.example"}
    assert entity_named(memory, "Gone Ltd") is None


def test_repeating_a_seed_file_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    take(memory, tmp_path / "seed.md")
    with memory.read() as view:
        before = view.last_tx
    taken = take(memory, tmp_path / "seed.md")
    with memory.read() as view:
        assert (view.last_tx, taken.tally.changed) == (before, 0)
        [[document, _]] = view.rows("records_all")
        kept = view.document(document)
    assert kept is not None
    assert kept.type == "seed"


def test_wrong_rows_are_named_with_their_lines_and_the_rest_goes_in(memory: Memory, tmp_path: Path) -> None:
    text = (
        "# People\nAda | lead | no address\nBo\n| | x\na | b | c | d\n# Facts\nBo | TRANSITIONED/role_change | | x\n"
        "Bo | AFFILIATED | Acme\nBo | AFFILIATED/owner | Nowhere Inc\nBo | ASSERTED/goal | | Rest\n# Aliases\nBo\n"
    )
    taken = take(memory, tmp_path / "seed.md", text)
    assert [each.line for each in taken.skipped] == [2, 4, 5, 7, 8, 9, 12]
    assert told(memory) == [("goal", "Bo", "", None)]


def test_a_row_that_left_the_file_is_taken_back(memory: Memory, tmp_path: Path) -> None:
    take(
        memory,
        tmp_path / "seed.md",
        "# People\nBo\n# Facts\nBo | ASSERTED/goal | | Rest\nBo | ASSERTED/goal | | Sing\n",
    )
    take(memory, tmp_path / "seed.md", "# People\nBo\n# Facts\nBo | ASSERTED/goal | | Sing\n")
    assert [each.text for each in everything(memory)] == ["Sing"]


def test_mail_before_or_after_the_seed_is_about_the_same_people(memory: Memory, tmp_path: Path) -> None:
    Reading(memory, tmp_path / "mail.jsonl")(email("e1", sender="marcus@harrow-bridge.example", recipients=[]))
    take(memory, tmp_path / "seed.md")
    with memory.read() as view:
        assert [each.name for each in view.entities_of_types(["organization"], 9)] == ["Harrow Bridge Ltd"]
        assert sorted(each.name for each in view.entities_of_types(["person"], 9)) == ["Dana Cole", "Marcus Webb"]


@pytest.mark.parametrize(
    "text",
    [
        "## Decisions\nWe decided to use pnpm.\n\n## People\n- Met Lena at the fair, she works at Nordwind.\n",
        "# People\n\nLena works at Nordwind.\n",
        "## Projects\n- [ ] Finish the report by Friday\n",
        "## People\n\n| Name | Role |\n| --- | --- |\n| Lena Voss | CFO |\n",
        "# Facts\nPenguins swim.\n",
        "## People\n- Lena Voss\n\n## Decisions\nWe decided to use pnpm.\n",
    ],
)
def test_a_note_with_the_headings_of_a_seed_file_is_a_note(memory: Memory, tmp_path: Path, text: str) -> None:
    path = tmp_path / "week.md"
    path.write_text(text, "utf-8")
    assert detect_format(read_sample(memory, path)).name == "note"


def test_a_file_of_names_alone_is_a_seed_file(memory: Memory, tmp_path: Path) -> None:
    take(
        memory,
        tmp_path / "seed.md",
        "---\nsource_at: 2026-01-05\n---\n# Us\n## People\n- Dana Cole\n## Projects\nacme-web\n",
    )
    assert entity_named(memory, "Dana Cole") is not None


NOTE = b"""---
title: Weekly
author: Dana Cole
date: 2026-03-09
tags: [ops, weekly]
mood: fine
---
# Not the title

[[Marcus Webb|Marc]] will send the [[Projects/Lumen Audit]] file by Friday. #todo `#not`
![[picture.png]]
"""


def test_a_note_is_a_record_with_its_front_matter_links_and_tags() -> None:
    record = parse_note("k", "file", NOTE)
    assert (record.type, record.title, record.author, record.source_at) == (
        "generic",
        "Weekly",
        "Dana Cole",
        "2026-03-09",
    )
    assert record.properties == {
        "mood": "fine",
        "tags": ["ops", "weekly", "todo"],
        "links": ["Marcus Webb", "Lumen Audit"],
    }
    assert "[[Marcus Webb|Marc]] will send the [[Projects/Lumen Audit]] file by Friday." in (record.content or "")


def test_a_note_without_front_matter_has_its_heading_or_name_for_a_title_and_its_day_for_a_time() -> None:
    assert parse_note("k", "file", b"# Plan\n\nText").title == "Plan"
    day = parse_note("k", "2026-03-09", b"Text")
    assert (day.title, day.source_at) == ("2026-03-09", "2026-03-09")
    assert parse_note("k", "2026-13-45", b"Text").source_at is None


def test_a_vault_is_taken_whole_and_read_again_when_names_come(memory: Memory, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "sub").mkdir()
    (vault / ".obsidian" / "app.md").write_text("hidden", "utf-8")
    (vault / "sub" / "week.md").write_bytes(NOTE)
    (vault / "empty.md").write_text("Nothing to say.", "utf-8")
    assert import_notes(memory, vault).tally.changed == 2
    assert "Marcus Webb" not in [each.subject_name for each in everything(memory)]
    take(memory, tmp_path / "seed.md")
    [sent] = [each for each in everything(memory) if each.fact.fact_type == "commitment"]
    assert (sent.subject_name, sent.source_key) == ("Marcus Webb", "note:vault/sub/week.md")
    assert str(sent.fact.valid_until) == "2026-03-13"
    assert import_notes(memory, vault).tally.changed == 0


def test_a_note_that_is_too_large_is_skipped(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(b"x" * (21 * 1024 * 1024))
    assert len(import_notes(memory, path).skipped) == 1


@pytest.mark.parametrize("row", ["Ana Ruiz | AFFILIATED/advisor | Zeta", "Zeta | AFFILIATED/other | Ana Ruiz"])
def test_what_a_seed_file_states_about_two_its_mail_domain_does_not_suggest(
    memory: Memory, tmp_path: Path, row: str
) -> None:
    people = "## People\nAna Ruiz | CFO | ana@zeta.example\n## Companies\nZeta | zeta.example\n"
    take(memory, tmp_path / "seed.md", f"{people}## Facts\n{row}\n")
    assert [each.fact.certainty for each in everything(memory)] == ["stated"]
    with memory.read() as view:
        before = view.last_tx
    take(memory, tmp_path / "seed.md", f"{people}## Facts\n{row}\n")
    with memory.read() as view:
        assert view.last_tx == before


def test_a_note_with_broken_front_matter_is_taken_without_it(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "bad.md"
    path.write_text("---\ntags: [unclosed\n---\nQuince text.\n", "utf-8")
    taken = import_notes(memory, path)
    assert (taken.skipped, taken.tally.changed) == ([], 1)
    assert "bad.md: the front matter could not be read" in taken.warnings[0]
    record = parse_note("k", "bad", path.read_bytes())
    assert (record.content, record.properties["front_matter"]) == ("Quince text.\n", "---\ntags: [unclosed\n---\n")


@pytest.mark.parametrize("coding", ["utf-8", "latin-1", "utf-16"])
def test_a_note_is_read_in_the_coding_it_was_written_in(coding: str) -> None:
    assert parse_note("k", "n", "Grüße aus Köln, très bien.".encode(coding)).content == "Grüße aus Köln, très bien."


def test_a_bad_byte_in_utf8_spoils_no_other_letter() -> None:
    assert parse_note("k", "n", "Grüße, Köln \u2013 ".encode() + b"\xff").content == "Grüße, Köln – \ufffd"
