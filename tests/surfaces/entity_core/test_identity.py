"""Identity files: nine tools, every rule of section 4."""

import threading
from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity

WANTS = "## Learning\nFlemish\n\n## Rest\nMore of it.\n"


def place(key: str) -> dict[str, Any]:
    category, filename = key.split("/")
    return {"category": category, "filename": filename}


def test_a_new_workspace_has_no_files(entity: Entity) -> None:
    assert entity.ok("identity_get_all") == {"self": [], "user": [], "relationship": [], "custom": []}
    assert entity.ok("identity_get_meta")["meta"] == {}


def test_a_file_is_created_and_read_back(entity: Entity) -> None:
    said = entity.write("self/my_identity.md", "I am Wren.\n", instanceId="psy-desk")
    assert said == {
        "success": True,
        "message": said["message"],
        "content": "I am Wren.\n",
        "version": 1,
        "snapshotId": None,
        "tx": entity.tx,
    }
    assert entity.ok("identity_get_all")["self"] == [
        {
            "filename": "my_identity.md",
            "content": "I am Wren.\n",
            "promptLabel": "my_identity",
            "version": 1,
            "lastModified": "2026-05-14T09:30:00.000Z",
            "modifiedBy": "psy-desk",
        }
    ]


def test_the_text_is_stored_verbatim_but_for_line_breaks(entity: Entity) -> None:
    assert entity.write("self/a.md", "  x \r\ny\rz  ")["content"] == "  x \ny\nz  "
    assert entity.content("self/a.md") == "  x \ny\nz  "


def test_an_empty_file_exists(entity: Entity) -> None:
    entity.write("custom/empty.md", "")
    assert entity.content("custom/empty.md") == ""
    assert entity.write("custom/empty.md", "more")["snapshotId"] is None


def test_replacing_names_the_state_before(entity: Entity) -> None:
    entity.write("user/user_life.md", "Noor keeps bees.")
    said = entity.write("user/user_life.md", "Noor sold the bees.")
    assert (said["version"], said["snapshotId"]) == (2, "user/user_life_2026-05-14T09-30-00-000Z")
    assert entity.ok("snapshot_get", snapshotId=said["snapshotId"])["content"] == "Noor keeps bees."


def test_equal_text_changes_nothing(entity: Entity) -> None:
    first = entity.write("user/user_life.md", "Noor keeps bees.")
    again = entity.write("user/user_life.md", "Noor keeps bees.", instanceId="other")
    assert (again["unchanged"], again["tx"], again["version"], again["snapshotId"]) == (True, first["tx"], 1, None)
    assert "unchanged" not in first


def test_files_are_listed_in_their_order(entity: Entity) -> None:
    for name in ("zoo", "my_wants", "my_identity", "Alpha", "my_mechanics", "my_persona", "my_personhood"):
        entity.write(f"self/{name}.md", name)
    listed = [file["filename"] for file in entity.ok("identity_get_all")["self"]]
    known = ["my_identity.md", "my_persona.md", "my_personhood.md", "my_wants.md", "my_mechanics.md"]
    assert listed == [*known, "Alpha.md", "zoo.md"]


def test_any_file_name_may_stand_in_any_category(entity: Entity) -> None:
    entity.write("relationship/my_wants.md", "ours")
    assert entity.content("relationship/my_wants.md") == "ours"


def test_names_differ_by_case(entity: Entity) -> None:
    entity.write("custom/Tea.md", "one")
    entity.write("custom/tea.md", "two")
    assert (entity.content("custom/Tea.md"), entity.content("custom/tea.md")) == ("one", "two")


def test_appending_parts_by_one_blank_line(entity: Entity) -> None:
    entity.write("user/user_life.md", "\n Noor keeps bees. \n\n\n")
    said = entity.ok("identity_append", **place("user/user_life.md"), content="\n\nShe moved to Leuven.  \n")
    assert (said["content"], said["version"], said["snapshotId"]) == (
        "Noor keeps bees.\n\nShe moved to Leuven.\n",
        2,
        None,
    )


def test_appending_twice_appends_twice(entity: Entity) -> None:
    for _ in range(2):
        entity.ok("identity_append", **place("custom/a.md"), content="again")
    assert entity.content("custom/a.md") == "again\n\nagain\n"


@pytest.mark.parametrize("tool", ["identity_append", "identity_prepend"])
@pytest.mark.parametrize("before", [None, " \n\n"])
def test_a_missing_or_blank_file_becomes_the_new_text(entity: Entity, tool: str, before: str | None) -> None:
    if before is not None:
        entity.write("custom/rituals.md", before)
    said = entity.ok(tool, **place("custom/rituals.md"), content=" Tea at four.\n")
    assert said["content"] == "Tea at four.\n"


def test_prepending_goes_to_the_beginning(entity: Entity) -> None:
    entity.write("custom/a.md", "old\n")
    assert entity.ok("identity_prepend", **place("custom/a.md"), content="new")["content"] == "new\n\nold\n"


def test_two_appends_at_the_same_moment_both_survive(entity: Entity) -> None:
    def append(number: int) -> None:
        entity.ok("identity_append", **place("custom/a.md"), content=f"line {number}")

    threads = [threading.Thread(target=append, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    text = entity.content("custom/a.md") or ""
    assert sorted(text.strip().split("\n\n")) == [f"line {number}" for number in range(6)]


def test_a_section_gets_more(entity: Entity) -> None:
    entity.write("self/my_wants.md", WANTS)
    said = entity.ok("identity_update_section", **place("self/my_wants.md"), section="Learning", content="Knots.")
    assert said["content"] == "## Learning\nFlemish\n\nKnots.\n\n## Rest\nMore of it.\n"
    assert (said["version"], said["snapshotId"]) == (2, None)


def test_a_section_is_rewritten_and_the_state_before_named(entity: Entity) -> None:
    entity.write("self/my_wants.md", WANTS)
    arguments: dict[str, Any] = {**place("self/my_wants.md"), "section": "Rest", "content": "## Rest\nQuiet mornings."}
    said = entity.ok("identity_rewrite_section", **arguments)
    assert said["content"] == "## Learning\nFlemish\n\n## Rest\nQuiet mornings.\n"
    assert entity.ok("snapshot_get", snapshotId=said["snapshotId"])["content"] == WANTS
    again = entity.ok("identity_rewrite_section", **arguments)
    assert (again["unchanged"], again["snapshotId"]) == (True, None)


def test_a_section_may_be_emptied(entity: Entity) -> None:
    entity.write("self/my_wants.md", WANTS)
    said = entity.ok("identity_rewrite_section", **place("self/my_wants.md"), section="## learning", content="")
    assert said["content"] == "## Learning\n\n## Rest\nMore of it.\n"


@pytest.mark.parametrize("tool", ["identity_update_section", "identity_rewrite_section"])
def test_section_tools_need_the_file(entity: Entity, tool: str) -> None:
    entity.assert_fails(tool, "not_found", **place("self/my_wants.md"), section="Rest", content="x")


@pytest.mark.parametrize("section", ["", "##", " # ", "a\nb", "a\r", "a\u2028b", "a\0"])
def test_a_bad_section_is_refused(entity: Entity, section: str) -> None:
    entity.write("self/my_wants.md", WANTS)
    said = entity.assert_fails(
        "identity_update_section", "invalid_input", **place("self/my_wants.md"), section=section, content="x"
    )
    assert said["field"] == "section"


@pytest.mark.parametrize("tool", ["identity_append", "identity_prepend", "identity_update_section"])
@pytest.mark.parametrize("content", ["", " \n\t", "\u200b\u00a0", "\ufeff\u2060"])
def test_adding_nothing_visible_is_refused(entity: Entity, tool: str, content: str) -> None:
    entity.write("self/my_wants.md", WANTS)
    more: dict[str, Any] = {"section": "Rest"} if tool.endswith("section") else {}
    said = entity.assert_fails(tool, "invalid_input", **place("self/my_wants.md"), content=content, **more)
    assert said["field"] == "content"


def test_a_custom_file_is_deleted_and_comes_back_with_its_label(entity: Entity) -> None:
    entity.write("custom/rituals.md", "Tea at four.\n")
    entity.ok("identity_set_meta", **place("custom/rituals.md"), promptLabel="tea")
    said = entity.ok("identity_delete_custom", filename="rituals.md")
    assert said["snapshotId"] == "custom/rituals_2026-05-14T09-30-00-000Z"
    assert said["tx"] == entity.tx
    assert entity.content("custom/rituals.md") is None
    assert entity.ok("identity_get_meta")["meta"] == {}
    entity.assert_fails("identity_delete_custom", "not_found", filename="rituals.md")
    entity.ok("snapshot_restore", snapshotId=said["snapshotId"])
    [file] = entity.ok("identity_get_all")["custom"]
    assert (file["content"], file["promptLabel"], file["version"]) == ("Tea at four.\n", "tea", 4)


def test_deleting_reaches_no_other_category(entity: Entity) -> None:
    entity.write("self/my_wants.md", WANTS)
    entity.assert_fails("identity_delete_custom", "not_found", filename="my_wants.md")
    entity.assert_fails("identity_delete_custom", "invalid_input", filename="../self/my_wants.md")
    entity.assert_fails("identity_delete_custom", "invalid_input", category="self", filename="my_wants.md")


def test_a_deleted_file_made_again_goes_on_counting(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.ok("identity_set_meta", **place("custom/a.md"), promptLabel="tea")
    entity.ok("identity_delete_custom", filename="a.md")
    assert entity.write("custom/a.md", "two", expectedVersion=0)["version"] == 4
    assert entity.ok("identity_get_meta")["meta"] == {"custom/a.md": "a"}


def test_labels_cover_every_file_in_listing_order(entity: Entity) -> None:
    for key in ("custom/9lives.md", "custom/-x.md", "custom/XmlNotes.md", "user/user_life.md", "self/user_life.md"):
        entity.write(key, "x")
    meta = entity.ok("identity_get_meta")["meta"]
    assert list(meta.items()) == [
        ("self/user_life.md", "user_life"),
        ("user/user_life.md", "user_life"),
        ("custom/-x.md", "_-x"),
        ("custom/9lives.md", "_9lives"),
        ("custom/XmlNotes.md", "_XmlNotes"),
    ]
    assert list(entity.ok("identity_get_meta", category="user")["meta"]) == ["user/user_life.md"]
    assert list(entity.ok("identity_get_meta", filename="user_life.md")["meta"]) == [
        "self/user_life.md",
        "user/user_life.md",
    ]
    assert entity.ok("identity_get_meta", filename="nothing.md")["meta"] == {}


def test_a_label_is_a_new_version_and_survives_edits(entity: Entity) -> None:
    entity.write("user/user_life.md", "Noor keeps bees.")
    said = entity.ok("identity_set_meta", **place("user/user_life.md"), promptLabel="about_noor", instanceId="st-attic")
    assert (said["version"], said["tx"]) == (2, entity.tx)
    again = entity.ok("identity_set_meta", **place("user/user_life.md"), promptLabel="about_noor")
    assert (again["version"], again["unchanged"], again["tx"]) == (2, True, said["tx"])
    entity.ok("identity_append", **place("user/user_life.md"), content="More.")
    [file] = entity.ok("identity_get_all")["user"]
    assert (file["promptLabel"], file["version"]) == ("about_noor", 3)


def test_two_files_may_share_a_label(entity: Entity) -> None:
    for key in ("custom/a.md", "custom/b.md"):
        entity.write(key, "x")
        entity.ok("identity_set_meta", **place(key), promptLabel="same")
    assert set(entity.ok("identity_get_meta")["meta"].values()) == {"same"}


def test_a_label_needs_its_file(entity: Entity) -> None:
    entity.assert_fails("identity_set_meta", "not_found", **place("custom/a.md"), promptLabel="a")


@pytest.mark.parametrize("label", ["", "1a", "xml", "XMLish", "a b", "a>", "a" * 65, "a\n", "-a", "ä"])
def test_a_label_must_be_fit_for_a_tag(entity: Entity, label: str) -> None:
    entity.write("custom/a.md", "x")
    said = entity.assert_fails("identity_set_meta", "invalid_input", **place("custom/a.md"), promptLabel=label)
    assert said["field"] == "promptLabel"


def test_an_expected_version_is_held(entity: Entity) -> None:
    entity.write("custom/a.md", "one", expectedVersion=0)
    entity.assert_fails("identity_write", "version_conflict", **place("custom/a.md"), content="two", expectedVersion=0)
    said = entity.assert_fails(
        "identity_append", "version_conflict", **place("custom/a.md"), content="two", expectedVersion=2
    )
    assert said["field"] == "expectedVersion"
    entity.assert_fails("identity_write", "version_conflict", **place("custom/b.md"), content="two", expectedVersion=1)
    assert entity.write("custom/a.md", "two", expectedVersion=1.0)["version"] == 2


def test_earlier_states_stay_readable(entity: Entity) -> None:
    first = entity.write("custom/a.md", "one")["tx"]
    entity.write("custom/a.md", "two")
    assert entity.content("custom/a.md", as_of=first) == "one"
    assert entity.content("custom/a.md", asOf=0) is None
    assert entity.ok("identity_get_meta", as_of=0)["meta"] == {}


def test_the_instance_is_who_acts(entity: Entity) -> None:
    entity.write("custom/a.md", "one", instanceId="psy-desk")
    with entity.memory.read() as view:
        tx = view.transaction(view.last_tx)
    assert tx is not None
    assert (tx.surface, tx.tool, tx.actor) == ("entity-core", "identity_write", "psy-desk")
    entity.write("custom/a.md", "two")
    assert entity.ok("identity_get_all")["custom"][0]["modifiedBy"] == "unknown"


def test_a_mebibyte_is_taken_and_no_more(entity: Entity) -> None:
    entity.write("custom/a.md", "x" * (1 << 20))
    entity.assert_fails("identity_write", "too_large", **place("custom/b.md"), content="é" * (1 << 19) + "x")
    said = entity.assert_fails("identity_append", "too_large", **place("custom/a.md"), content="x")
    assert said["field"] == "content"
    entity.assert_fails("identity_update_section", "too_large", **place("custom/a.md"), section="s" * 201, content="x")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "category"),
        ({"category": "self"}, "filename"),
        ({"category": "self", "filename": "a.md"}, "content"),
        ({"category": "other", "filename": "a.md", "content": "x"}, "category"),
        ({"category": "Self", "filename": "a.md", "content": "x"}, "category"),
        ({"category": "self", "filename": "a.md", "content": 5}, "content"),
        ({"category": "self", "filename": "a.md", "content": None}, "content"),
        ({"category": "self", "filename": "a.md", "content": "a\0b"}, "content"),
        ({"category": "self", "filename": "a.md", "content": "x", "expectedVersion": "1"}, "expectedVersion"),
        ({"category": "self", "filename": "a.md", "content": "x", "expectedVersion": -1}, "expectedVersion"),
        ({"category": "self", "filename": "a.md", "content": "x", "expectedVersion": True}, "expectedVersion"),
        ({"category": "self", "filename": "a.md", "content": "x", "expectedVersion": 1.5}, "expectedVersion"),
        ({"category": "self", "filename": "a.md", "content": "x", "extra": 1}, "extra"),
    ],
)
def test_a_wrong_call_names_the_field(entity: Entity, arguments: dict[str, Any], field: str) -> None:
    assert entity.assert_fails("identity_write", "invalid_input", **arguments)["field"] == field


def test_both_spellings_are_taken_if_they_agree(entity: Entity) -> None:
    entity.write("custom/a.md", "one", instance_id="psy-desk", expected_version=0)
    entity.write("custom/a.md", "two", instance_id="psy-desk", instanceId="psy-desk")
    entity.assert_fails(
        "identity_write",
        "invalid_input",
        **place("custom/a.md"),
        content="three",
        instance_id="psy-desk",
        instanceId="st-attic",
    )


def test_null_means_absent_where_it_may(entity: Entity) -> None:
    entity.write("custom/a.md", "one", instanceId=None, expectedVersion=None)
    assert entity.content("custom/a.md") == "one"


def test_a_token_that_may_only_read_is_forbidden_to_write(entity: Entity) -> None:
    entity.may_write = False
    entity.assert_fails("identity_write", "forbidden", is_error=True, **place("custom/a.md"), content="one")
    assert entity.ok("identity_get_all")["custom"] == []
