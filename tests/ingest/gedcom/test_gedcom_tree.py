"""What the records of a family tree give."""

from typing import Any

import pytest

from recollect.ingest.drafts import KeyRef, LiteralTarget, NameRef, RelationDraft, UnreadableItem
from recollect.ingest.gedcom.records import parse_records
from recollect.ingest.gedcom.tree import FamilyTree, NotGedcom, parse_tree

HEAD = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n"


def tree(records: str) -> FamilyTree:
    return parse_tree("tree", HEAD + records + "0 TRLR\n")


def said(found: FamilyTree) -> list[tuple[Any, ...]]:
    """Who, what, whom, from when, until when, and how."""

    def end(each: Any) -> Any:
        match each:
            case KeyRef(key):
                return key.removeprefix("place ")
            case NameRef(name, type_):
                return (name, type_)
            case LiteralTarget(text):
                return {"literal": text}
        return None

    def row(each: RelationDraft) -> tuple[Any, ...]:
        return (
            end(each.subject),
            each.relation,
            end(each.target),
            each.valid_from,
            each.valid_until,
            dict(each.attributes),
        )

    return [row(each) for each in found.reading.relations]


def test_a_person_has_a_name_aliases_and_a_sex() -> None:
    found = tree(
        "0 @I1@ INDI\n1 NAME Victoria  /Hanover/\n2 NICK Drina\n2 _MARNM Victoria Wettin\n1 NAME Queen /Victoria/\n"
        "1 NAME  \n1 SEX F\n0 @I7@ INDI\n1 NAME //\n0 @I8@ INDI\n1 NAME\n2 GIVN Ada\n2 SURN Byron\n"
    )
    first, second, third = found.reading.entities
    assert (first.name, first.aliases) == ("Victoria Hanover", ("Queen Victoria", "Drina", "Victoria Wettin"))
    assert dict(first.properties) == {"sex": "F", "surname": "Hanover", "gedcom_id": "tree#I1"}
    assert (second.name, third.name) == ("Unnamed (I7)", "Ada Byron")
    assert (found.people, found.families) == (3, 0)


def test_births_and_deaths_have_a_time_and_a_place() -> None:
    found = tree(
        "0 @I1@ INDI\n1 NAME A\n1 BIRT\n2 DATE 24 MAY 1819\n2 PLAC Kensington,London,England\n1 DEAT Y\n"
        "0 @I2@ INDI\n1 NAME B\n1 BIRT\n1 DEAT\n2 DATE DECEASED\n"
        "0 @I3@ INDI\n1 NAME C\n1 BIRT Y\n1 DEAT N\n"
        "0 @I4@ INDI\n1 NAME D\n1 BIRT\n2 DATE FROM 1850 TO 1852\n1 DEAT\n2 DATE TO 1900\n"
    )
    assert said(found)[:6] == [
        ("I1", "born", "kensington,london,england", "1819-05-24", "1819-05-24", {}),
        ("I1", "died", None, None, None, {}),
        ("I2", "died", None, None, None, {"date_text": "DECEASED"}),
        ("I3", "born", None, None, None, {}),
        ("I4", "born", None, "[1850..1852]", "[1850..1852]", {}),
        ("I4", "died", None, "[..1900]", "[..1900]", {}),
    ]
    assert found.reading.unread == ()


def test_a_place_lies_in_what_follows_its_comma() -> None:
    found = tree("0 @I1@ INDI\n1 NAME A\n1 BIRT\n2 PLAC Kensington, London, England\n1 DEAT\n2 PLAC , , England\n")
    places = [(each.name, dict(each.properties)) for each in found.reading.entities[1:]]
    assert places == [
        ("Kensington, London, England", {}),
        ("London, England", {}),
        ("England", {"root": True}),
    ]
    assert said(found)[2:] == [
        ("kensington, london, england", "part_of", "london, england", None, None, {}),
        ("london, england", "part_of", "england", None, None, {}),
    ]


def test_other_events_and_attributes() -> None:
    found = tree(
        "0 @I1@ INDI\n1 NAME A\n1 CHR\n2 DATE 1820\n1 BAPM\n2 PLAC Rome\n1 BURI\n2 PLAC Rome\n1 OCCU Baker\n"
        "2 DATE FROM 1840 TO 1850\n1 TITL Queen of England\n1 RESI\n2 PLAC Rome\n2 DATE 1841\n1 EMIG\n2 DATE 1845\n"
        "2 PLAC Rome\n1 EVEN\n2 TYPE Military Service\n2 DATE 1850\n1 EVEN\n2 TYPE Founded\n1 _MILT\n2 DATE 1851\n"
        "1 RELI Lutheran\n1 FACT Left\n2 TYPE Handedness\n2 DATE 1852\n1 FACT Tall\n"
    )
    assert said(found) == [
        ("I1", "baptised", None, "1820", "1820", {}),
        ("I1", "baptised", "rome", None, None, {}),
        ("I1", "buried_at", "rome", None, None, {}),
        ("I1", "occupation", {"literal": "Baker"}, "1840", "1850", {}),
        ("I1", "holds_title", ("Queen of England", "title"), None, None, {}),
        ("I1", "resided_in", "rome", "1841", "1841", {}),
        ("I1", "emig", "rome", "1845", "1845", {}),
        ("I1", "military_service", None, "1850", "1850", {"type": "Military Service"}),
        ("I1", "founded_event", None, None, None, {"type": "Founded"}),
        ("I1", "milt", None, "1851", "1851", {}),
        ("I1", "handedness", {"literal": "Left"}, "1852", "1852", {"type": "Handedness"}),
        ("I1", "fact", {"literal": "Tall"}, None, None, {}),
    ]
    assert found.reading.entities[0].properties["religion"] == "Lutheran"


FAMILY = (
    "0 @I1@ INDI\n1 NAME Father\n1 SEX M\n0 @I2@ INDI\n1 NAME Mother\n1 SEX F\n"
    "0 @I3@ INDI\n1 NAME Child\n1 FAMC @F1@\n2 PEDI {}\n"
    "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n"
)


@pytest.mark.parametrize(
    ("pedigree", "kind"),
    [("birth", {}), ("BIRTH", {}), ("adopted", {"kind": "adopted"}), ("FOSTER", {"kind": "foster"}), ("", {})],
)
def test_parents_have_a_role_and_a_kind(pedigree: str, kind: dict[str, str]) -> None:
    assert said(tree(FAMILY.format(pedigree)))[:2] == [
        ("I1", "parent_of", "I3", None, None, {"role": "father", **kind}),
        ("I2", "parent_of", "I3", None, None, {"role": "mother", **kind}),
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", ("partner_of", None, None, {})),
        ("1 MARR\n", ("spouse_of", None, None, {})),
        ("1 MARR Y\n", ("spouse_of", None, None, {})),
        ("1 MARR N\n", ("partner_of", None, None, {})),
        ("1 MARR\n2 DATE 10 FEB 1840\n", ("spouse_of", "1840-02-10", None, {})),
        ("1 MARR\n2 PLAC  Low  Port\n", ("spouse_of", None, None, {"place": "Low Port"})),
        (
            "1 MARR\n2 DATE 1840\n1 DIV\n2 DATE ABT 1850\n",
            ("spouse_of", "1840", "1850~", {"ended_by": "divorce"}),
        ),
        ("1 MARR\n2 DATE 1840\n1 ANUL\n2 DATE 1841\n", ("spouse_of", "1840", "1841", {"ended_by": "annulment"})),
        ("1 MARR\n2 DATE 1840\n1 DIV N\n", ("spouse_of", "1840", None, {})),
        ("1 MARR\n2 DATE 1840\n1 DIV Y\n", ("spouse_of", "1840", None, {"ended_by": "divorce"})),
    ],
)
def test_a_couple_is_married_if_there_was_a_wedding(lines: str, expected: tuple[Any, ...]) -> None:
    _, _, (one, relation, other, start, end, attributes) = said(tree(FAMILY.format("birth") + lines))
    assert (one, other) == ("I1", "I2")
    assert (relation, start, end, attributes) == expected


def test_a_couple_may_marry_twice() -> None:
    lines = "1 MARR\n2 DATE 1 APR 1911\n1 DIV\n2 DATE 2 MAY 1912\n1 MARR\n2 DATE 4 JUL 1914\n"
    rows = said(tree(FAMILY.format("birth") + lines))[2:]
    assert [row[1:5:2] + row[4:5] for row in rows] == [
        ("spouse_of", "1911-04-01", "1912-05-02"),
        ("spouse_of", "1914-07-04", None),
    ]


def test_a_child_that_only_its_own_record_names_belongs_to_the_family() -> None:
    found = tree(
        "0 @I1@ INDI\n1 NAME Father\n1 SEX M\n1 FAMS @F1@\n0 @I3@ INDI\n1 NAME Child\n1 FAMC @F1@\n0 @F1@ FAM\n"
    )
    assert said(found) == [("I1", "parent_of", "I3", None, None, {"role": "father"})]


def test_pointers_that_lead_nowhere_are_reported_and_void_is_not() -> None:
    found = tree("0 @I1@ INDI\n1 NAME A\n0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @VOID@\n1 CHIL @I9@\n1 CHIL @I1@\n")
    assert [(each.line, each.item) for each in found.reading.unread] == [(9, "CHIL @I9@"), (10, "F1 CHIL I1")]
    assert said(found) == []


def test_one_xref_for_two_records_makes_two_people() -> None:
    found = tree(
        "0 @I1@ INDI\n1 NAME A\n1 FAMS @F1@\n0 @I1@ INDI\n1 NAME B\n1 FAMS @F2@\n0 @I2@ INDI\n1 NAME C\n"
        "0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n0 @F2@ FAM\n1 HUSB @I1@\n1 CHIL @I2@\n"
    )
    assert [each.name for each in found.reading.entities] == ["A", "B", "C"]
    assert [row[:3] for row in said(found)] == [("I1", "parent_of", "I2"), ("I1~2", "parent_of", "I2")]
    assert len(found.reading.warnings) == 1


def test_notes_and_sources_are_quotes_and_passages() -> None:
    found = tree(
        "0 @I1@ INDI\n1 NAME Ada\n1 NOTE She wrote\n2 CONC  programs.\n2 CONT And letters.\n1 BIRT\n2 DATE 1815\n"
        "2 SOUR @S1@\n3 PAGE 12\n3 DATA\n4 TEXT Born on a Sunday.\n2 NOTE @N1@\n1 DEAT\n2 DATE 1852\n2 SOUR @S1@\n"
        "3 PAGE 13\n0 @N1@ NOTE A shared note.\n0 @S1@ SOUR\n1 TITL The Register\n"
    )
    born, died = found.reading.relations
    assert (born.quote, died.quote) == ("Born on a Sunday.\nA shared note.", "The Register, 13")
    assert found.text == (
        "Ada\nShe wrote programs.\nAnd letters.\n\nAda\nBorn on a Sunday.\n\nAda\nA shared note.\n\n"
        "Ada\nThe Register, 13\n\nThe Register"
    )


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way_and_may_be_indented(line_end: str) -> None:
    text = line_end.join(["  0 HEAD", "\t0 @I1@ INDI", " 1 NAME Ann @@ Sea", "", "   garbled", "1  SEX F", "0 TRLR"])
    found = parse_records(text)
    assert found.unread == [UnreadableItem(5, "garbled", "not a GEDCOM line (level, tag, value)")]
    assert [(node.tag, [(each.tag, each.text) for each in node.children]) for node in found.roots] == [
        ("HEAD", []),
        ("INDI", [("NAME", "Ann @ Sea"), ("SEX", "F")]),
        ("TRLR", []),
    ]


def test_a_text_without_records_is_no_family_tree() -> None:
    with pytest.raises(NotGedcom):
        parse_tree("x", "Once upon a time\n")


def test_a_life_told_at_length_is_no_property_of_the_person() -> None:
    short, long = "Kept the ferry.", "She kept the ferry and its ledger. " * 100
    found = tree(f"0 @I1@ INDI\n1 NAME Ada\n1 NOTE {short}\n0 @I2@ INDI\n1 NAME Bea\n1 NOTE {long}\n")
    assert [each.properties.get("notes") for each in found.reading.entities] == [short, None]
