"""The Python API: the verbs of the everyday surface as typed methods."""

import inspect

import pytest

import recollect
from recollect.adapters.item_store import ItemStore, used_by
from recollect.keep.items import ItemDraft, ItemPath
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.everyday_memory import EverydayMemory, open_memory
from recollect.surfaces.registry import DEFAULT, find_surface


def test_the_public_names_can_be_imported() -> None:
    assert [name for name in recollect.__all__ if not hasattr(recollect, name)] == []


VERBS = find_surface(DEFAULT).tools


@pytest.mark.parametrize("verb", VERBS)
def test_a_method_takes_the_arguments_of_its_tool(verb: str) -> None:
    method = inspect.signature(getattr(EverydayMemory, verb)).parameters
    declared = [(each.name, each.required) for each in VERBS[verb].parameters]
    taken = [(name, each.default is inspect.Parameter.empty) for name, each in method.items() if name != "self"]
    assert taken == declared


def test_the_methods_work_on_every_engine_and_name_their_tool(address: str) -> None:
    with open_memory(address) as memory:
        tx = memory.remember(facts=({"subject": "Ada", "predicate": "uses", "value": "Linux"},))["undo"]
        assert memory.recall("what does Ada use", kinds=("facts",))["results"][0]["text"] == "Ada uses Linux"
        with memory.read() as view:
            found = view.transaction(tx)
        assert found is not None
        assert (found.surface, found.tool) == (DEFAULT, "remember")


def test_an_invalid_argument_is_raised(address: str) -> None:
    with open_memory(address) as memory, pytest.raises(BadArgument) as raised:
        memory.recall("tea", max_tokens=1)
    assert raised.value.field == "max_tokens"


def test_a_memory_that_may_only_read_does_not_write(address: str) -> None:
    with open_memory(address) as opened, pytest.raises(recollect.Forbidden):
        EverydayMemory(**{**vars(opened), "may_write": False}).remember("Ada likes tea.")


def test_undo_takes_back_the_latest_change_of_the_program_also_an_adapters(address: str) -> None:
    with open_memory(address) as memory:
        memory.remember("Lena lives in Porto.")
        items = ItemStore(used_by(memory, "langgraph"))
        path = ItemPath(("users",), "ada")
        items.apply([ItemDraft(path, {"text": "Ada likes pizza"})])
        memory.undo()
        assert items.find(path) is None
        assert memory.recall("where does Lena live")["results"]
        with memory.write() as change:
            change.put_setting("me.name", "Ada")
        memory.undo()
        assert memory.recall("where does Lena live")["results"]
        memory.undo()
        assert memory.recall("where does Lena live")["results"] == []


def test_history_without_a_name_is_of_everything(address: str) -> None:
    with open_memory(address) as memory:
        memory.remember("Lena has lived in Porto since 2020. Tom works at Acme.")
        assert [each["change"] for each in memory.history()["entries"]] == ["began"]
        assert len(memory.history(clock="knowledge")["entries"]) == 2


def test_after_close_every_verb_says_that_the_memory_was_closed(address: str) -> None:
    memory = open_memory(address)
    memory.remember("Lena lives in Porto.")
    memory.close()
    memory.close()
    for verb in (
        lambda: memory.recall("where does Lena live"),
        lambda: memory.remember("Tom works at Acme."),
        memory.open_items,
    ):
        with pytest.raises(recollect.RecollectError, match="closed"):
            verb()
