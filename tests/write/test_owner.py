"""The owner: one person, found by role, named by the settings."""

import pytest

from recollect.memory import Memory
from recollect.serve.workspace_settings import put_setting
from recollect.settings import Settings
from recollect.surfaces.carabase.edges import entities_with_role, role_of
from recollect.write.entity_refs import NamedRef, create, find
from recollect.write.owner import (
    SeveralOwners,
    find_or_create_owner,
    find_owner,
    is_owner_word,
    owner_profile,
    set_owner_name,
)
from recollect.write.undo import undo
from tests.support.facts import entity_named, fact, tell
from tests.write.test_undo import state


def set_(memory: Memory, key: str, value: str) -> None:
    with memory.write() as change:
        put_setting(change, key, value)


def test_without_a_name_the_owner_is_a_person_called_me(memory: Memory) -> None:
    with memory.read() as view:
        assert find_owner(view) is None
    with memory.write() as change:
        owner = find_or_create_owner(change)
        assert find_or_create_owner(change).id == owner.id
    assert (owner.name, owner.type, role_of(owner)) == ("Me", "person", "self")
    with memory.read() as view:
        assert find_owner(view) == owner
        assert entities_with_role(view, "self") == [owner]


def test_setting_the_name_renames_the_owner_and_keeps_id_and_facts(memory: Memory) -> None:
    with memory.write() as change:
        owner = find_or_create_owner(change)
    tell(memory, fact("Me", "works_at", "Acme"))
    before = state(memory)
    set_(memory, "me.name", "Ada Brandt")
    renamed = entity_named(memory, "Ada Brandt")
    assert renamed is not None
    assert renamed.id == owner.id
    with memory.read() as view:
        assert [each.predicate for each in view.facts_touching(owner.id)] == ["works_at"]
        assert find_owner(view) == renamed
        tx = view.last_tx
    with memory.write() as change:
        undo(change, tx)
    assert state(memory) == before


def test_the_first_name_makes_an_owner_of_the_person_who_has_it(memory: Memory) -> None:
    tell(memory, fact({"name": "Ada Brandt", "type": "Person"}, "works_at", "Acme"))
    known = entity_named(memory, "Ada Brandt")
    set_(memory, "me.name", "ada brandt")
    with memory.read() as view:
        owner = find_owner(view)
    assert owner is not None
    assert known is not None
    assert (owner.id, owner.name) == (known.id, "Ada Brandt")


def test_the_unnamed_owner_and_the_person_of_that_name_become_one(memory: Memory) -> None:
    with memory.write() as change:
        me = find_or_create_owner(change)
        create(change, NamedRef("Ada Brandt", "person"))
    set_(memory, "me.name", "Ada Brandt")
    with memory.read() as view:
        owner = find_owner(view)
    assert owner is not None
    assert (owner.id, owner.name) == (me.id, "Ada Brandt")
    assert entity_named(memory, "Ada Brandt") == owner


def test_emails_and_aliases_are_names_of_the_owner(memory: Memory) -> None:
    set_(memory, "me.name", "Ada Brandt")
    set_(memory, "me.aliases", "Ada, Adi")
    set_(memory, "me.emails", "ada@example.org, brandt@example.com")
    with memory.write() as change:
        owner = find_owner(change)
        for name in ("Adi", "ada@example.org", "brandt@example.com"):
            assert find(change, NamedRef(name)) == owner


def test_an_email_decides_between_namesakes(memory: Memory) -> None:
    with memory.write() as change:
        create(change, NamedRef("Ada Brandt", "person", properties={"email": "one@example.org"}))
        other = create(change, NamedRef("Ada Brandt", "person", properties={"email": "two@example.org"}))
    with pytest.raises(SeveralOwners, match=r"me\.emails"):
        set_(memory, "me.name", "Ada Brandt")
    set_(memory, "me.emails", "two@example.org")
    set_(memory, "me.name", "Ada Brandt")
    with memory.read() as view:
        owner = find_owner(view)
    assert owner is not None
    assert owner.id == other.id


def test_a_name_is_set_only_while_none_is_set(memory: Memory) -> None:
    with memory.write() as change:
        assert set_owner_name(change, "Ada Brandt") is not None
        assert set_owner_name(change, "Bea Brandt") is None
    with memory.read() as view:
        owner = find_owner(view)
        assert owner is not None
        assert owner.name == "Ada Brandt"


def test_the_environment_can_name_the_owner(memory: Memory) -> None:
    named = memory.with_parts(settings=Settings(environment={"RECOLLECT_ME_NAME": "Ada Brandt"}))
    with named.write() as change:
        assert find_or_create_owner(change).name == "Ada Brandt"


def test_lists_may_be_written_with_commas_or_as_lists() -> None:
    given = Settings(workspace={"me.aliases": "Ada, Adi,", "me.emails": ["a@x.example"]})
    assert owner_profile(given) == (None, ("Ada", "Adi"), ("a@x.example",))


def test_pronouns_mean_the_owner() -> None:
    assert all(map(is_owner_word, ("I", "me", "My", "myself")))
    assert not is_owner_word("Ada")


def test_a_person_already_called_me_becomes_the_owner(memory: Memory) -> None:
    tell(memory, fact("Me", "works_at", "Acme"))
    known = entity_named(memory, "Me")
    with memory.write() as change:
        owner = find_or_create_owner(change)
    assert known is not None
    assert owner.id == known.id
    assert owner.type == "person"


def test_an_assistant_that_writes_of_itself_is_not_renamed_to_the_owner(memory: Memory) -> None:
    with memory.write() as change:
        assistant = create(change, NamedRef("me", "self"))
    set_(memory, "me.name", "Ada Brandt")
    with memory.read() as view:
        owner = find_owner(view)
        assert owner is not None
        assert (owner.name, owner.id == assistant.id) == ("Ada Brandt", False)
        assert view.entity(assistant.id) == assistant
