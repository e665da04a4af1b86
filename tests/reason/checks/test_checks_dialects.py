"""Family trees as programs write them: what is impossible in them is found, whatever form its dates have."""

from typing import Any

import pytest
from tests.surfaces.lore_engine.telling_tools import Builder

from recollect.memory import Memory

MOTHER = ("3 FEB 1699/00", "BET 1750 AND 1755")
PEOPLE = {
    "Ada": MOTHER,
    "Tom": ("@#DJULIAN@ 25 DEC 1690", "Y"),
    "Rex": ("CAL 1695", "4 MAY 1730"),
    "Young": ("1711", None),
    "Grown": ("AFT JAN 1712", None),
    "Orphan": ("AFT 1755", None),
    "Perhaps": ("AFT 1754", None),
    "Elder": ("BEF 3 FEB 1700", None),
    "Ward": ("1690", None),
    "Heir": ("28 FEB 1731", None),
    "Ghost": ("1 MAR 1731", None),
    "Backward": ("INT 1800 (the bible)", "BEF 1799"),
    "Forward": ("1800", "BEF 1801"),
    "Caesar": ("44 B.C.", "20 B.C."),
    "Cato": ("50 BC", None),
    "Bride": ("EST 1820", None),
    "Groom": ("1780", "TO 1850"),
    "Widow": (None, None),
    "Citizen": ("@#DFRENCH R@ 11 VEND 4", "30 SEP 1795"),
}
FAMILIES: list[tuple[str, str | None, str | None, list[str]]] = [
    ("Tom", "Ada", "BEF 1700", ["Young", "Grown", "Orphan", "Perhaps", "Elder", "Ward"]),
    ("Rex", "Ada", "FROM 1725 TO 1730", ["Heir", "Ghost"]),
    ("Caesar", None, None, ["Cato"]),
    ("Groom", "Bride", "1809", []),
    ("Groom", "Widow", "AFT 1850", []),
]
IMPOSSIBLE = {
    ("anachronism-lifespan", "Ada", "Tom"),
    ("anachronism-lifespan", "Bride", "Groom"),
    ("anachronism-lifespan", "Groom", "Widow"),
    ("anachronism-order", "Backward", None),
    ("anachronism-order", "Citizen", None),
    ("kinship-age", "Ada", "Young"),
    ("kinship-age", "Tom", "Elder"),
    ("kinship-birth-order", "Ada", "Elder"),
    ("kinship-birth-order", "Caesar", "Cato"),
    ("kinship-posthumous", "Ada", "Orphan"),
    ("kinship-posthumous", "Rex", "Ghost"),
}


def exported(version: str) -> str:
    """The tree as a file of that version, where calendars are words or escapes."""
    lines = ["0 HEAD", "1 GEDC", f"2 VERS {version}"]
    for name, (born, died) in PEOPLE.items():
        lines += [f"0 @{name}@ INDI", f"1 NAME {name} //"]
        for tag, date in (("BIRT", born), ("DEAT", died)):
            lines += [f"1 {tag} Y"] if date == "Y" else [f"1 {tag}", f"2 DATE {date}"] if date else []
    for number, (father, mother, married, children) in enumerate(FAMILIES):
        lines += [f"0 @F{number}@ FAM", f"1 HUSB @{father}@"]
        lines += [f"1 WIFE @{mother}@"] if mother else []
        for child in children:
            lines += [f"1 CHIL @{child}@", *(["2 _FREL Adopted", "2 _MREL Adopted"] if child == "Ward" else [])]
        lines += ["1 MARR", f"2 DATE {married}"] if married else []
    text = "\n".join([*lines, "0 TRLR"])
    return text if version == "5.5.1" else text.replace("@#DFRENCH R@", "FRENCH_R").replace("@#DJULIAN@", "JULIAN")


def found(world: Builder) -> set[tuple[Any, ...]]:
    listed = world.do("get_anachronisms", limit=100)
    return {(each["rule_id"], each["entity_name"], each["event_name"]) for each in listed}


@pytest.mark.parametrize("version", ["5.5.1", "7.0"])
def test_exactly_what_no_reading_of_the_dates_allows_is_found(memory: Memory, version: str) -> None:
    world = Builder(memory)
    world.do("add_lore_source", title="quill", source_type="gedcom", content=exported(version))
    assert found(world) == IMPOSSIBLE
    run = world.do("run_consistency_check")
    assert (found(world), run["opened"], run["resolved"]) == (IMPOSSIBLE, 0, 0)
