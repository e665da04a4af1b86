"""Documents taken in by hand: what they state, what a new version changes, and what is refused."""

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.telling_tools import Builder, Json, year


@pytest.fixture
def world(memory: Memory) -> Builder:
    return Builder(memory).tides()


def take(world: Builder, content: str, source_type: str = "prose", **more: object) -> Json:
    said: Json = world.do("add_lore_source", title="doc", source_type=source_type, content=content, **more)
    return said


INVENTORY = f"""---
author: the quartermaster
mood: sour
relations:
  - from: Saltguard
    relation: POSSESSES
    to: Tide-Knife
    valid_from: {year(50)}
    valid_until: {year(52)}
    quote: One knife
---
One knife, salt-scarred.
"""


def test_front_matter_states_relations(world: Builder) -> None:
    first = take(world, INVENTORY, reliability="factional")
    counts = ("entities_created", "relations_created", "assertions_added", "chunks", "extraction")
    assert [first[key] for key in counts] == [2, 1, 0, 1, "front_matter"]
    said = world.do("was_true_at", subject="Saltguard", relation="OWNS", object="Tide-Knife", at_time=year(51))
    assert (said["was_true"], said["confidence"], said["sources"]) == (True, 0.75, ["doc"])
    again = take(world, INVENTORY, reliability="factional")
    assert (again["created"], again["updated"], again["tx"]) == (False, False, first["tx"])
    assert take(world, INVENTORY)["tx"] == first["tx"]
    other = take(world, INVENTORY, reliability=0.2)
    assert (other["updated"], other["assertions_withdrawn"], other["relations_created"]) == (True, 0, 0)
    said = world.do("was_true_at", subject="Saltguard", relation="OWNS", object="Tide-Knife", at_time=year(51))
    assert said["confidence"] == 0.2


def test_a_new_version_withdraws_what_is_no_longer_there(world: Builder) -> None:
    relations = ["{from: A, relation: RULES, to: X}", "{from: B, relation: RULES, to: Y}"]
    first = take(world, "---\nrelations:\n" + "".join(f"  - {each}\n" for each in relations) + "---\n")
    relations[1] = "{from: C, relation: RULES, to: Y}"
    second = take(world, "---\nrelations:\n" + "".join(f"  - {each}\n" for each in relations) + "---\n")
    assert (second["document_id"], second["created"], second["updated"]) == (first["document_id"], False, True)
    counts = ("relations_created", "assertions_added", "assertions_withdrawn")
    assert [second[key] for key in counts] == [1, 0, 1]
    assert world.do("was_true_at", subject="A", relation="RULES", object="X", at_time=year(1))["was_true"] is True
    assert world.do("was_true_at", subject="B", relation="RULES", object="Y", at_time=year(1))["was_true"] is False
    assert (
        world.do("was_true_at", subject="B", relation="RULES", object="Y", at_time=year(1), as_of=first["tx"])[
            "was_true"
        ]
        is True
    )


def test_a_page_is_about_its_entity(world: Builder) -> None:
    content = f"""---
entity: {{type: Castle, name: Halden, aliases: [the Rock], founded: {year(5)}, walls: 3}}
relations:
  - {{relation: PART_OF, to: Marrow Coast}}
  - {{relation: RULED_BY, to: House Orrin, at: {year(30)}, visibility: public, attributes: {{joint: true}}}}
---
Halden, seat of [[House Orrin]] and of [[Nobody|no one]].
- Saltguard CONTROLS Halden ({year(40)} .. {year(48)})
- [[Mira]] BORN ({year(20)})
- Mira is IMPORTANT to some
"""
    said = take(world, content)
    assert (said["extraction"], said["relations_created"]) == ("front_matter+heuristic", 4)
    halden = world.do("get_context", name="the rock")
    assert halden["entity"]["properties"] == {"subtype": "castle", "founded": year(5), "walls": 3}
    assert halden["entity"]["provisional"] is False
    controls = world.do("was_true_at", subject="Saltguard", relation="CONTROLS", object="Halden", at_time=year(44))
    assert (controls["was_true"], controls["confidence"]) == (True, 0.9)
    unresolved = {each["name"]: each["reason"] for each in world.do("get_unresolved")}
    assert unresolved["Nobody"] == "link"


def test_sentences_between_known_names_are_read(world: Builder) -> None:
    for label, name in (
        ("Person", "Mira Orrin"),
        ("Person", "Tobin Orrin"),
        ("House", "House Orrin"),
        ("Castle", "Halden"),
    ):
        world.do("add_entity", label=label, name=name)
    content = (
        f"Mira Orrin was the daughter of Tobin Orrin. Mira Orrin was born in Halden in {year(20)}. House Orrin ruled "
        f"Halden from {year(25)} to {year(53)}. Tobin Orrin died in {year(60)}. Mira Orrin never married Tobin Orrin. "
        "Mira Orrin was a member of House Orrin."
    )
    said = take(world, content)
    assert (said["extraction"], said["relations_created"]) == ("heuristic", 5)
    rules = world.do("was_true_at", subject="House Orrin", relation="RULES", object="Halden", at_time=year(30))
    assert (rules["was_true"], rules["confidence"], rules["valid_until"]) == (True, 0.6, year(53))
    assert (
        world.do("was_true_at", subject="Mira Orrin", relation="CHILD_OF", object="Tobin Orrin", at_time=year(30))[
            "was_true"
        ]
        is True
    )


def test_a_marriage_told_in_a_sentence_is_read(world: Builder) -> None:
    for name in ("Mira Orrin", "Tam Vell", "Sela Orrin", "Jory"):
        world.do("add_entity", label="Person", name=name)
    content = f"Mira Orrin married Tam Vell in {year(40)}. Sela Orrin wed Jory."
    assert take(world, content)["relations_created"] == 2
    married = world.do("was_true_at", subject="Tam Vell", relation="MARRIED", object="Mira Orrin", at_time=year(41))
    assert (married["was_true"], married["valid_from"]) == (True, year(40))


def test_times_in_sentences_are_read_in_every_form(world: Builder) -> None:
    for label, name in (("Person", "Mira"), ("Person", "Tobin"), ("Castle", "Halden"), ("Castle", "Keep")):
        world.do("add_entity", label=label, name=name)
    take(world, "Mira ruled Halden from 25 ST until 53 ST. Tobin died in 60 ST. Mira ruled Keep during the Grey Years.")
    told = {each["other"]["name"]: (each["at"], each["until"]) for each in world.do("timeline", entity="Mira")}
    assert told == {"Halden": (year(25), year(53)), "Keep": ("second_tide.grey_years", "second_tide.grey_years")}
    assert world.do("entity_context", name="Tobin")["lifespan"]["until"] == year(60)


def test_dates_in_sentences_are_read_as_english_writes_them(memory: Memory) -> None:
    world = Builder(memory)
    for label, name in (("Person", "Ada Quill"), ("Person", "Tom Marsh"), ("Company", "Marsh Works")):
        world.do("add_entity", label=label, name=name)
    take(
        world,
        "Ada Quill was born on 10 December 1815. Tom Marsh died on March 5, 1852. Ada Quill married Tom Marsh in June "
        "1840. Ada Quill was a member of Marsh Works from 1841 until May 1850.",
    )
    told = [(each["relation"], each["at"], each["until"]) for each in world.do("timeline", entity="Ada Quill")]
    assert told == [
        ("BORN", "1815-12-10", "1815-12-10"),
        ("SPOUSE_OF", "1840-06", None),
        ("MEMBER_OF", "1841", "1850-05"),
    ]
    assert world.do("entity_context", name="Tom Marsh")["lifespan"]["until"] == "1852-03-05"


def test_what_a_sentence_only_considers_and_what_stands_in_code_is_no_fact(world: Builder) -> None:
    for label, name in (("Person", "Mira"), ("Castle", "Halden")):
        world.do("add_entity", label=label, name=name)
    said = take(
        world, "If Mira ruled Halden, all was lost.\n\n```\n- Mira RULES Halden\n```\n\nPerhaps Mira died in 9 ST."
    )
    assert (said["extraction"], said["relations_created"]) == ("none", 0)


def test_a_relation_whose_quote_is_not_in_the_text_is_dropped_and_counted(world: Builder) -> None:
    said = take(world, INVENTORY.replace("quote: One knife", "quote: Two knives"))
    assert (said["relations_created"], [each["line"] for each in said["skipped"]]) == (0, [5])


def test_a_retcon_by_its_ends(world: Builder) -> None:
    old = world.relate("Orrin", "RULES", "Halden", valid_from=year(25))["id"]
    content = f"""---
relations:
  - from: Saltguard
    relation: RULES
    to: Halden
    valid_from: {year(25)}
    supersedes: {{from: Orrin, relation: RULED_OVER, to: Halden}}
---
"""
    first = take(world, content)
    was = world.do("was_true_at", subject="Orrin", relation="RULES", object="Halden", at_time=year(30))
    assert (was["was_true"], [each["relation_id"] for each in was["retconned"]]) == (False, [old])
    second = take(world, content + "More words.\n")
    assert (second["relations_created"], second["assertions_withdrawn"]) == (0, 0)
    assert second["document_id"] == first["document_id"]
    failure = world.fail("add_lore_source", title="other", source_type="prose", content=content)
    assert (failure["error"], failure["problems"][0]["line"]) == ("BAD_INPUT", 3)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("---\na: [1\n---\n", 3),
        ("---\na: !!python/object:x {}\n---\n", 2),
        ("---\n- a\n---\n", 2),
        ("---\nrelations:\n  - {from: A, relation: RULES}\n---\n", 3),
        ("---\nrelations:\n  - {relation: RULES, to: B}\n---\n", 3),
        ("---\nrelations:\n  - {from: A, relation: RULES, to: B, valid_from: nowhere.year_1}\n---\n", 3),
        ("---\nrelations:\n  - {from: A, relation: RULES, to: B, foo: 1}\n---\n", 3),
        ("---\nrelations:\n  - {from: A, relation: RULES, to: B, confidence: high}\n---\n", 3),
        ("---\nrelations:\n  - {from: A, relation: RULES, to: A}\n---\n", 3),
        ("---\nentities:\n  - {name: A}\n---\n", 3),
        ("---\nentities:\n  - {type: Era, name: A}\n---\n", 3),
        ("---\nentity: {type: Person, name: A, born: sometime}\n---\n", 2),
        ("---\nx: 1\n---\n\n- A RULES B (nowhere.year_1)\n", 5),
    ],
)
def test_a_bad_item_refuses_the_document_with_its_line(world: Builder, content: str, line: int) -> None:
    failure = world.fail("add_lore_source", title="doc", source_type="prose", content=content)
    assert (failure["error"], failure["line"]) == ("BAD_INPUT", line)


def test_all_bad_items_are_named_and_skipped_when_lenient(world: Builder) -> None:
    content = "---\nrelations:\n  - {from: A, relation: RULES}\n  - {from: B, relation: RULES, to: C}\n  - 7\n---\n"
    failure = world.fail("add_lore_source", title="doc", source_type="prose", content=content)
    assert [each["line"] for each in failure["problems"]] == [3, 5]
    said = take(world, content, lenient=True)
    assert ([each["line"] for each in said["skipped"]], said["relations_created"]) == ([3, 5], 1)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"source_type": "encounter", "content": "x"}, "BAD_INPUT"),
        ({"source_type": "prose", "content": "  "}, "BAD_INPUT"),
        ({"source_type": "prose", "content": "x" * 2_000_001}, "TOO_LARGE"),
        ({"source_type": "prose", "content": "x", "reliability": "holy"}, "BAD_INPUT"),
        ({"source_type": "prose", "content": "x", "reliability": 1.5}, "BAD_INPUT"),
        ({"source_type": "prose", "content": "x", "world_time": "never.year_1"}, "UNKNOWN_ERA"),
        ({"source_type": "prose", "content": "x", "url": "ftp://x"}, "BAD_INPUT"),
        ({"source_type": "timeline", "content": "[1, 2]"}, "BAD_INPUT"),
        ({"source_type": "prose", "content": "---\nworld_time: {a: 1}\n---\n"}, "BAD_INPUT"),
        ({"source_type": "prose", "content": "---\nknown_to: 7\n---\n"}, "BAD_INPUT"),
        ({"source_type": "prose", "content": "---\nauthor: [x]\n---\n"}, "BAD_INPUT"),
        ({"source_type": "dialogue", "content": "---\nat_time: true\n---\nA: b\n"}, "BAD_INPUT"),
        ({"source_type": "gedcom", "content": "0 HEAD\n0 TRLR\n"}, "TIMELINE_FIXED"),
    ],
)
def test_a_bad_document_is_refused(world: Builder, arguments: Json, error: str) -> None:
    assert world.fail("add_lore_source", title="doc", **arguments)["error"] == error


def test_a_dialogue_is_an_encounter_of_its_speakers(world: Builder) -> None:
    content = f"""---
at_time: {year(59)}
location: Halden
witnesses: [The Cook]
---
Old Perrin: The mole broke.
It fell at night.
[later] Sela Orrin: I see.
"""
    said = take(world, content, "dialogue")
    assert (said["chunks"], said["relations_created"]) == (2, 5)
    known = world.do("query_as_npc", npc="The Cook", query="mole", at_time=year(60), all=True)
    assert [each["title"] for each in known["encounters"]] == ["doc"]
    heard = "Old Perrin: The mole broke.\nIt fell at night.\n[later] Sela Orrin: I see."
    assert [each["text"] for each in known["encounters"]] == [heard]
    assert world.do("query_as_npc", npc="The Cook", query="mole", at_time=year(58), all=True)["encounters"] == []
    changed = take(world, content.replace("at night", "by day"), "dialogue")
    assert (changed["updated"], changed["relations_created"], changed["assertions_withdrawn"]) == (True, 0, 0)


def test_a_dialogue_without_a_time_is_only_a_document(memory: Memory) -> None:
    world = Builder(memory)
    world.do("define_era", name="Tide", start=1, end=None)
    said = take(world, "Perrin: Hello.\nSela: Good day.\n", "dialogue")
    assert (said["chunks"], said["relations_created"], said["entities_created"]) == (2, 0, 0)


def test_gedcom_comes_in_through_the_tool(memory: Memory) -> None:
    world = Builder(memory)
    content = "0 HEAD\n0 @I1@ INDI\n1 NAME Ada /Byron/\n1 BIRT\n2 DATE ABT 1815\n1 DEAT\n2 DATE (unsure)\n0 TRLR\n"
    said = take(world, content, "gedcom")
    assert (said["people"], said["families"], said["extraction"]) == (1, 0, "gedcom")
    assert [each["item"] for each in said["skipped"]] == ["DEAT DATE (unsure)"]
    context = world.do("entity_context", name="Ada Byron", at_time="1830")
    assert context["lifespan"]["from"] == "1815~"


def test_an_event_of_a_tree_whose_date_is_only_words_is_kept_with_them(memory: Memory) -> None:
    world = Builder(memory)
    take(world, "0 HEAD\n0 @I1@ INDI\n1 NAME Ada /Byron/\n1 CHR\n2 DATE (around Easter)\n0 TRLR\n", "gedcom")
    [christened] = world.do("get_context", name="Ada Byron")["relations"]
    assert (christened["relation"], christened["valid_from"]) == ("BAPTISED", None)
    assert christened["attributes"] == {"date_text": "(around Easter)"}


@pytest.mark.parametrize("escape", [r"\0", r"\x00", r"\u0000", r"\ud800"])
def test_what_no_store_holds_is_refused_though_it_is_written_as_an_escape(world: Builder, escape: str) -> None:
    page = f'---\nmood: "a{escape}b"\n---\nText.\n'
    refused = world.fail("add_lore_source", title="doc", source_type="prose", content=page)
    assert (refused["error"], refused["line"]) == ("BAD_INPUT", 2)
    table = f'events:\n  - name: "Feast{escape}"\n'
    refused = world.fail("add_lore_source", title="doc", source_type="timeline", content=table)
    assert (refused["error"], refused["line"]) == ("BAD_INPUT", 2)
