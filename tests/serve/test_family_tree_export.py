"""Family trees as other genealogy programs read them: whole, well formed, and the same when they come back."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from recollect.exporters.gedcom_lines import tag_lines
from recollect.memory import Memory
from tests.ingest.formats.importing import Imported
from tests.serve.test_exports import export_text, graph_of, other_memory

TREE = """0 HEAD
1 SOUR TEST
1 GEDC
2 VERS 5.5.1
2 FORM LINEAGE-LINKED
1 CHAR UTF-8
1 SUBM @U1@
0 @U1@ SUBM
1 NAME Me
0 @I1@ INDI
1 NAME Ólafur Jón /de la Berg/ Jr.
2 GIVN Ólafur Jón
2 SURN de la Berg
2 NICK Oli
1 NAME Olaf /Berg/
2 TYPE aka
1 SEX M
1 BIRT
2 DATE @#DJULIAN@ 3 MAR 1701/02
2 PLAC Bergen, Norway
2 NOTE Found in the parish register, which says in a rather long sentence that he was bap
3 CONC tised on the same day as his twin, that the godparents were the baker, the smith and the mi
3 CONC ller with his wife, and that it snowed; see mail a@@b.example.
3 CONT Second line
3 CONT
3 CONT Fourth line
1 CHR
2 DATE AFT 4 MAR 1702
1 DEAT
2 DATE BET 1760 AND 1765
2 CAUS fever
1 BURI
2 PLAC Oslo
1 OCCU Cooper
2 DATE FROM 1720 TO 1740
1 TITL Baron
1 RESI
2 DATE 1750
2 PLAC Oslo
1 EMIG
2 DATE 1725
2 PLAC Hull, England
1 CENS Y
1 GRAD
2 DATE ABT 1722
2 AGNC University
1 EVEN knighted by the king
2 TYPE Knighthood
2 DATE 1730
1 FACT Blue
2 TYPE Eye colour
1 DSCR Tall and
2 CONT thin
1 EDUC Latin school
1 RELI Lutheran
1 NOTE Person note.
2 CONT It has two lines.
1 NOTE @N1@
1 FAMS @F1@
1 FAMS @F2@
0 @I2@ INDI
1 NAME Kari /Vik/
1 SEX F
1 DEAT Y
1 FAMS @F1@
0 @I3@ INDI
1 NAME Nils /Berg/
1 FAMC @F1@
2 PEDI adopted
1 BIRT
2 DATE (about harvest time)
0 @I4@ INDI
1 NAME /Mao/ Zedong
1 FAMC @F1@
2 PEDI step
0 @I5@ INDI
1 NAME Anna
1 SEX F
1 BIRT
2 DATE INT 1705 (by her age)
1 FAMS @F2@
0 @I6@ INDI
1 NAME Plato //
1 SEX M
1 BIRT
2 DATE 12 MAY 428 B.C.
0 @F1@ FAM
1 HUSB @I1@
1 WIFE @I2@
1 MARR
2 DATE EST 1725
2 PLAC Bergen, Norway
2 NOTE By the bishop
1 DIV
2 DATE 1740
1 CHIL @I3@
1 CHIL @I4@
1 NOTE They lived at the mill.
2 CONT With his mother.
1 NOTE @N2@
0 @F2@ FAM
1 HUSB @I1@
1 WIFE @I5@
1 DIV Y
0 @N1@ NOTE A note that two people share.
0 @N2@ NOTE A note of the family.
0 TRLR
"""
_RECORD = re.compile(r"(?P<level>\d+) (?:@(?P<xref>[A-Z0-9]+)@ )?(?P<tag>[A-Z_0-9]+)(?: (?P<value>.*))?")
PEDIGREES = {"5.5.1": {"adopted", "birth", "foster", "sealing"}}
PEDIGREES["7.0"] = {each.upper() for each in PEDIGREES["5.5.1"]} | {"OTHER"}


class Line(NamedTuple):
    level: int
    xref: str | None
    tag: str
    value: str
    record: str


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def lines_of(text: str) -> list[Line]:
    """Every line of a file; one that is not a line of GEDCOM, or jumps a level, fails."""
    found: list[Line] = []
    record = ""
    for line in text.removeprefix("\ufeff").removesuffix("\n").split("\n"):
        read = _RECORD.fullmatch(line)
        assert read is not None, line
        level = int(read["level"])
        assert level <= (found[-1].level if found else -1) + 1, line
        record = f"@{read['xref']}@" if level == 0 else record
        found.append(Line(level, read["xref"], read["tag"], read["value"] or "", record))
    return found


def links(lines: list[Line], *tags: str) -> set[tuple[str, str]]:
    """From which record to which the lines with these tags lead."""
    return {(each.record, each.value) for each in lines if each.level == 1 and each.tag in tags}


def taken(memory: Memory, folder: Path) -> None:
    source = folder / "berg.ged"
    source.write_text(TREE, "utf-8")
    assert Imported(memory, source).skipped == []


@pytest.mark.parametrize(("form", "version"), [("gedcom", "5.5.1"), ("gedcom7", "7.0")])
def test_a_tree_is_well_formed_and_comes_back_the_same(memory: Memory, tmp_path: Path, form: str, version: str) -> None:
    taken(memory, tmp_path)
    text = export_text(memory, form)
    lines = lines_of(text)
    assert [lines[0].tag, lines[-1].tag] == ["HEAD", "TRLR"]
    assert [each.value for each in lines if each.tag == "VERS"] == [version]
    assert [each.value for each in lines if each.tag == "CHAR"] == (["UTF-8"] if version == "5.5.1" else [])
    known = {each.record for each in lines if each.xref}
    pointers = {each.value for each in lines if re.fullmatch(r"@[^@]+@", each.value)}
    assert pointers <= known
    assert links(lines, "FAMS") == {(to, of) for of, to in links(lines, "HUSB", "WIFE")}
    assert links(lines, "FAMC") == {(to, of) for of, to in links(lines, "CHIL")}
    assert {each.value for each in lines if each.tag == "PEDI"} <= PEDIGREES[version]
    assert ("CONC" in {each.tag for each in lines}) == (version == "5.5.1")
    copy = tmp_path / "copy" / "berg.ged"
    copy.parent.mkdir()
    copy.write_text(text, "utf-8")
    other = other_memory(tmp_path)
    Imported(other, copy)
    assert graph_of(other) == graph_of(memory)
    assert export_text(other, form) == text
    other.close()


def test_names_dates_notes_and_other_events_keep_their_form(memory: Memory, tmp_path: Path) -> None:
    taken(memory, tmp_path)
    text = export_text(memory, "gedcom")
    for part in (
        "1 NAME Ólafur Jón /de la Berg/ Jr.\n2 GIVN Ólafur Jón\n2 SURN de la Berg\n2 NSFX Jr.\n",
        "1 NAME /Mao/ Zedong\n2 GIVN Zedong\n2 SURN Mao\n",
        "1 NAME Anna\n1 SEX F\n1 BIRT\n2 DATE INT 1705 (by her age)\n",
        "2 DATE @#DJULIAN@ 3 MAR 1701/02\n",
        "1 BAPM\n2 DATE AFT 4 MAR 1702\n",
        "1 DEAT\n2 DATE BET 1760 AND 1765\n2 CAUS fever\n",
        "1 OCCU Cooper\n2 DATE FROM 1720 TO 1740\n",
        "1 EMIG\n2 PLAC Hull, England\n2 DATE 1725\n",
        "1 CENS Y\n",
        "1 GRAD\n2 DATE ABT 1722\n2 AGNC University\n",
        "1 EVEN knighted by the king\n2 TYPE Knighthood\n2 DATE 1730\n",
        "1 FACT Blue\n2 TYPE Eye colour\n",
        "2 DATE 12 MAY 428 BC\n",
        "see mail a@@b.example.\n3 CONT Second line\n3 CONT\n3 CONT Fourth line\n",
        "1 DIV Y\n",
        "1 NOTE They lived at the mill.\n2 CONT With his mother.\n2 CONT A note of the family.\n",
        "1 NOTE Person note.\n2 CONT It has two lines.\n2 CONT\n2 CONT A note that two people share.\n",
    ):
        assert part in text
    newer = export_text(memory, "gedcom7")
    assert "2 PEDI OTHER\n3 PHRASE step\n" in newer
    assert "2 DATE 1705\n3 PHRASE by her age\n" in newer
    assert "2 DATE JULIAN 3 MAR 1701/02\n" in newer


def test_a_place_where_somebody_lived_is_a_residence(memory: Memory, tmp_path: Path) -> None:
    taken(memory, tmp_path)
    bundle = tmp_path / "lived.jsonl"
    lived = {
        "from": "Anna",
        "to": {"name": "Turku", "type": "location"},
        "predicate": "lives_in",
        "valid_until": "1701",
    }
    bundle.write_text(json.dumps({"facts": [lived]}))
    Imported(memory, bundle)
    text = export_text(memory, "gedcom")
    assert "1 RESI\n2 PLAC Turku\n2 DATE TO 1701\n" in text
    assert "lives in" not in text


def test_a_long_line_is_cut_inside_a_word_and_never_inside_an_escape() -> None:
    text = ("many words and a@b " * 60).strip()
    lines = list(tag_lines(1, "NOTE", text, "5.5.1"))
    values = [each.split(" ", 2)[2].removesuffix("\n") for each in lines]
    assert "".join(values) == text.replace("@", "@@")
    assert all(each == each.strip() and len(each) <= 200 and each.count("@") % 2 == 0 for each in values)
