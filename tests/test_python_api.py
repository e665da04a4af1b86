"""The Python API: the verbs of the everyday surface as typed methods."""

import inspect

import pytest

import recollect
from recollect.surfaces.everyday_memory import EverydayMemory, open_memory
from recollect.surfaces.problems import BadArgument
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
