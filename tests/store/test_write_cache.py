"""The cache of names: the entity of a name that no other entity has."""

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.store.write_cache import WriteCache
from recollect.when.instant import Instant

NOW = Instant(0)


def ada(name: str = "Ada") -> Entity:
    folded = name.casefold()
    return Entity(EntityId("1"), 1, "person", name, folded, False, 1.0, {}, NOW, NOW, "given", None, None)


def knowing_ada() -> WriteCache:
    recent = WriteCache()
    recent.put(ada())
    recent.name("ada", [("name", EntityId("1"))])
    assert recent.only("ada") == ada()
    return recent


def test_a_name_that_another_takes_on_is_no_longer_anybodys_alone() -> None:
    recent = knowing_ada()
    recent.name("ada", [("name", EntityId("1")), ("alias", EntityId("2"))])
    assert recent.only("ada") is None


def test_an_alias_is_nobodys_name() -> None:
    recent = knowing_ada()
    recent.name("countess", [("alias", EntityId("1"))])
    assert recent.only("countess") is None


def test_who_is_meant_is_remembered_as_they_stand_now() -> None:
    recent = knowing_ada()
    renamed = ada("Augusta")
    recent.put(renamed)
    assert recent.only("ada") == renamed
    recent.name("ada", [])
    recent.name("augusta", [("name", EntityId("1"))])
    assert (recent.only("ada"), recent.only("augusta")) == (None, renamed)


def test_what_was_forgotten_is_nobody() -> None:
    recent = knowing_ada()
    recent.clear()
    assert recent.only("ada") is None
