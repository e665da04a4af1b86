"""The five kinds of structured lore give exactly the relations their table says."""

from typing import Any

import pytest

from recollect.ingest.drafts import NameRef
from recollect.ingest.lore.markup import load_yaml
from recollect.ingest.lore.structured import detect_structured_kind, parse_structured

Row = tuple[Any, ...]


def read(kind: str, text: str) -> tuple[list[Row], list[Row], list[Row], list[str]]:
    """Entities, relations, what was not read, and warnings."""
    found = parse_structured(kind, load_yaml(text))

    def name(end: Any) -> Any:
        return end.name if isinstance(end, NameRef) else end

    return (
        [(each.label, each.name, each.aliases, dict(each.properties)) for each in found.entities],
        [
            (
                name(each.subject),
                each.relation,
                name(each.target),
                each.valid_from,
                each.valid_until,
                dict(each.attributes),
            )
            for each in found.relations
        ],
        [(each.line, each.item, each.reason) for each in found.unread],
        list(found.warnings),
    )


def test_a_timeline() -> None:
    entities, relations, unread, warnings = read(
        "timeline",
        """
source_type: timeline
mood: dark
events:
  - name: Breaking of the Mole
    date: y45
    type: disaster
    location: Halden
    participants: [Mira, {name: Guard, from: y44, until: y46}]
    witnesses: Perrin
    caused_by: [Worm]
    causes: Drowning
    preceded_by: Storm
    description: It broke.
    tides: 3
  - {name: Siege, from: y60, until: y62, type: duel}
  - {name: Quiet}
  - {date: y1}
  - {name: Both, date: y1, from: y2}
""",
    )
    assert entities == [
        ("Event", "Breaking of the Mole", (), {"subtype": "disaster", "description": "It broke.", "tides": 3}),
        ("Event", "Siege", (), {"subtype": "duel"}),
        ("Event", "Quiet", (), {}),
    ]
    assert relations == [
        ("Breaking of the Mole", "occurred_during", "y45", None, None, {}),
        ("Breaking of the Mole", "occurred_at", "Halden", "y45", "y45", {}),
        ("Mira", "participated_in", "Breaking of the Mole", "y45", "y45", {}),
        ("Guard", "participated_in", "Breaking of the Mole", "y44", "y46", {}),
        ("Perrin", "witnessed", "Breaking of the Mole", "y45", "y45", {}),
        ("Worm", "caused", "Breaking of the Mole", None, None, {}),
        ("Breaking of the Mole", "caused", "Drowning", None, None, {}),
        ("Storm", "preceded", "Breaking of the Mole", None, None, {}),
        ("Siege", "occurred_during", "y60 .. y62", None, None, {}),
    ]
    assert [(line, item) for line, item, _ in unread] == [(18, ""), (19, "Both")]
    assert warnings == ["line 3: unknown key mood in a timeline; skipped"]


def test_a_family_tree() -> None:
    entities, relations, unread, _ = read(
        "family_tree",
        """
lineage: {name: Orrin blood, founding_ancestor: Tobin}
people:
  - name: Mira
    born: y20
    died: {date: y71, place: Halden}
    parents: [Tobin]
    mother: Ysolde
    spouses: {name: Kell, from: y40, until: y50}
    titles: [Harbour Lady]
    aliases: [the Lady]
    eyes: grey
  - {name: Kell, member: no}
  - Tobin
""",
    )
    assert entities == [
        ("Lineage", "Orrin blood", (), {"founding_ancestor": "Tobin"}),
        ("Person", "Mira", ("the Lady",), {"eyes": "grey"}),
        ("Person", "Kell", (), {}),
        ("Person", "Tobin", (), {}),
    ]
    assert relations == [
        ("Mira", "born", None, "y20", "y20", {}),
        ("Mira", "died", "Halden", "y71", "y71", {}),
        ("Tobin", "parent_of", "Mira", None, None, {}),
        ("Ysolde", "parent_of", "Mira", None, None, {"role": "mother"}),
        ("Mira", "spouse_of", "Kell", "y40", "y50", {}),
        ("Mira", "holds_title", "Harbour Lady", None, None, {}),
        ("Mira", "member_of", "Orrin blood", None, None, {}),
        ("Tobin", "member_of", "Orrin blood", None, None, {}),
    ]
    assert unread == []


def test_a_gazetteer() -> None:
    entities, relations, _, _ = read(
        "gazetteer",
        """
places:
  - {name: Halden, type: castle, part_of: Marrow Coast, ruled_by: {name: Orrin, from: y25}, aliases: [the Rock]}
  - {name: Marrow Coast, type: province, root: true, controlled_by: [Guard], description: wet}
  - {name: Low Port, capital_of: Marrow Coast}
""",
    )
    assert entities == [
        ("Location", "Halden", ("the Rock",), {"subtype": "castle"}),
        ("Location", "Marrow Coast", (), {"subtype": "province", "description": "wet", "root": True}),
        ("Location", "Low Port", (), {}),
    ]
    assert relations == [
        ("Halden", "part_of", "Marrow Coast", None, None, {}),
        ("Orrin", "rules", "Halden", "y25", None, {}),
        ("Guard", "controls", "Marrow Coast", None, None, {}),
        ("Low Port", "capital_of", "Marrow Coast", None, None, {}),
    ]


def test_a_bestiary() -> None:
    entities, relations, _, _ = read(
        "bestiary", "creatures:\n  - {name: Wyrm, type: dragon, habitat: [Halden, Reach], aliases: [Worm]}\n"
    )
    assert entities == [("Creature", "Wyrm", ("Worm",), {"subtype": "dragon"})]
    assert relations == [
        ("Wyrm", "located_in", "Halden", None, None, {}),
        ("Wyrm", "located_in", "Reach", None, None, {}),
    ]


def test_a_system_of_magic() -> None:
    entities, relations, _, _ = read(
        "magic_system",
        """
system: {name: Tidecraft, description: salt}
spells: [{name: Ebb, from: y1, until: y9}, Flow]
practitioners: [Mira]
created_by: {name: Undertow, from: y1}
""",
    )
    assert entities == [
        ("MagicSystem", "Tidecraft", (), {"description": "salt"}),
        ("Spell", "Ebb", (), {}),
        ("Spell", "Flow", (), {}),
    ]
    assert relations == [
        ("Mira", "practices", "Tidecraft", None, None, {}),
        ("Undertow", "created", "Tidecraft", "y1", None, {}),
        ("Ebb", "part_of", "Tidecraft", "y1", "y9", {}),
        ("Flow", "part_of", "Tidecraft", None, None, {}),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("events: []", "timeline"),
        ("people: []", "family_tree"),
        ("lineage: {}", "family_tree"),
        ("places: []", "gazetteer"),
        ("creatures: []", "bestiary"),
        ("system: {}", "magic_system"),
        ("entities: []", None),
    ],
)
def test_a_kind_is_told_by_its_keys(text: str, kind: str | None) -> None:
    assert detect_structured_kind(load_yaml(text)) == kind


@pytest.mark.parametrize("kind", ["timeline", "family_tree", "gazetteer", "bestiary"])
def test_what_is_no_list_is_reported(kind: str) -> None:
    key = {"timeline": "events", "family_tree": "people", "gazetteer": "places", "bestiary": "creatures"}[kind]
    _, _, unread, _ = read(kind, f"{key}: 7\n")
    assert unread == [(1, key, "should be a list")]
