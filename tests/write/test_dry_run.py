"""A dry run reads what it writes, and nothing of it stays."""

from recollect.memory import Memory
from recollect.write.entity_refs import NamedRef, find_or_create


def _is_known(memory: Memory, name: str) -> bool:
    with memory.write() as change:
        return bool(change.entities_named(name))


def test_a_dry_run_of_a_write_leaves_nothing(memory: Memory) -> None:
    with memory.write(dry_run=True) as change:
        find_or_create(change, NamedRef("Ada"))
        assert change.entities_named("ada")
    assert not _is_known(memory, "ada")


def test_a_dry_run_of_several_writes_leaves_nothing(memory: Memory) -> None:
    with memory.nested(dry_run=True) as tried:
        with tried.write() as change:
            find_or_create(change, NamedRef("Ada"))
        assert _is_known(tried, "ada")
    assert not _is_known(memory, "ada")


def test_a_dry_run_that_returns_early_leaves_nothing(memory: Memory) -> None:
    def create() -> str:
        with memory.write(dry_run=True) as change:
            return find_or_create(change, NamedRef("Ada")).entity.name

    assert create() == "Ada"
    assert not _is_known(memory, "ada")
