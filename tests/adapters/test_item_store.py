"""What the adapters share, and the session of the OpenAI Agents SDK, which needs nothing of that package."""

import asyncio
from dataclasses import fields
from typing import Any

import pytest

from recollect.adapters.item_store import ItemStore, SessionLog, sessions, used_by
from recollect.adapters.openai_agents import RecollectSession
from recollect.keep.items import BadItem, ItemDraft, ItemPath
from recollect.memory import Memory
from recollect.settings import Settings, environment_name
from recollect.surfaces.everyday_memory import EverydayMemory
from recollect.text.redaction import SECRETS_SETTING
from tests.conftest import MovingClock

FOOD = ItemPath(("users", "ada"), "food")
TRAIN = ItemPath(("users", "ada"), "train")
DOG = ItemPath(("users", "bo"), "dog")


@pytest.fixture
def everyday(memory: Memory) -> EverydayMemory:
    return EverydayMemory(**{each.name: getattr(memory, each.name) for each in fields(memory)})


@pytest.fixture
def store(memory: Memory) -> ItemStore:
    return ItemStore(used_by(memory, "langgraph"))


def put(store: ItemStore, *drafts: tuple[ItemPath, Any]) -> None:
    store.apply([ItemDraft(path, value) for path, value in drafts])


def test_a_value_comes_back_as_it_was_given(store: ItemStore) -> None:
    value = {"text": "line\nline", "none": None, "list": [1, 2.5, True, {"deep": "å🙂"}], "nul": "\0", "half": "\ud800"}
    put(store, (FOOD, value))
    found = store.find(FOOD)
    assert found is not None
    assert found.value == value


def test_paths_that_look_alike_are_apart(store: ItemStore) -> None:
    alike = [ItemPath(("a",), "b"), ItemPath(("a", "b"), "c"), ItemPath(("ab",), "c"), ItemPath(('a","b',), "c")]
    put(store, *((path, number) for number, path in enumerate(alike)))
    assert [found.value for path in alike if (found := store.find(path))] == [0, 1, 2, 3]
    assert sorted(each.item.value for each in store.search(("a",))) == [0, 1]
    assert len(store.search(())) == 4


def test_search_is_by_meaning_and_below_a_prefix(store: ItemStore) -> None:
    put(
        store,
        (FOOD, {"text": "Ada likes pizza with basil"}),
        (TRAIN, {"text": "The train to Graz leaves at nine"}),
        (DOG, {"text": "Bo likes pizza too"}),
    )
    found = store.search(("users", "ada"), "favourite food")
    assert [each.item.path for each in found] == [FOOD, TRAIN]
    assert found[0].score is not None
    assert found[1].score is not None
    assert found[0].score > found[1].score


def test_without_a_model_words_decide(memory: Memory) -> None:
    plain = ItemStore(memory.with_parts(cache=type(memory.cache)([None])))
    put(plain, (FOOD, {"text": "Ada likes pizza"}), (TRAIN, {"text": "The train leaves at nine"}))
    assert [each.item.path for each in plain.search((), "when does the train leave")] == [TRAIN, FOOD]


def test_what_was_overwritten_and_deleted_stays_in_the_history(store: ItemStore, memory: Memory) -> None:
    put(store, (FOOD, {"n": 1}))
    with memory.read() as view:
        before = view.last_tx
    put(store, (FOOD, {"n": 2}))
    store.apply([FOOD])
    assert store.find(FOOD) is None
    put(store, (FOOD, {"n": 3}))
    with memory.read(before) as view:
        document = view.document_named("artifact", 'item:["users","ada","food"]')
        assert document is not None
        assert view.text_of(document) == '{"n": 1}'


def test_a_lifetime_ends_unless_it_is_refreshed(store: ItemStore, memory: Memory, clock: MovingClock) -> None:
    store.apply([ItemDraft(FOOD, {"text": "pizza"}, minutes=10), ItemDraft(TRAIN, {"text": "train"}, minutes=10)])
    clock.set("2026-05-20T10:09:00Z")
    assert store.find(FOOD, refresh=True) is not None
    clock.set("2026-05-20T10:11:00Z")
    assert [each.item.path for each in store.search(())] == [FOOD]
    assert store.sweep() == 1
    with memory.read() as view:
        gone = view.document_named("artifact", 'item:["users","ada","train"]')
        assert gone is not None
        assert view.text_of(gone) is None
    assert [each.item.path for each in store.search((), "pizza")] == [FOOD]


def test_a_value_that_is_no_json_is_refused(store: ItemStore) -> None:
    with pytest.raises(BadItem):
        put(store, (FOOD, {"x": object()}))
    assert store.find(FOOD) is None


def test_secrets_are_masked_where_the_workspace_says_so(memory: Memory) -> None:
    masking = Settings(environment={environment_name(SECRETS_SETTING): "mask"})
    store = ItemStore(memory.with_parts(settings=masking))
    put(store, (FOOD, {"password": "hunter2222", "text": "pizza"}))
    found = store.find(FOOD)
    assert found is not None
    assert found.value == {"password": "[redacted]", "text": "pizza"}


def test_a_session_keeps_its_entries_in_order(memory: Memory) -> None:
    log = SessionLog(used_by(memory, "langgraph"), "one")
    log.add([{"n": 0}, {"n": 1}])
    SessionLog(memory, "on").add([{"n": "other"}])
    log.add([{"n": 2}])
    assert log.entries() == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert log.entries(2) == [{"n": 1}, {"n": 2}]
    assert log.entries(0) == []
    assert log.entries(-1) == log.entries()
    assert log.remove(1) == {"n": 1}
    assert log.pop() == {"n": 2}
    log.add([{"n": 3}])
    assert log.entries() == [{"n": 0}, {"n": 3}]
    assert sessions(memory) == ["on", "one"]
    log.clear()
    assert (log.entries(), log.pop(), log.remove(0)) == ([], None, None)


def test_a_session_of_the_agents_sdk(everyday: EverydayMemory) -> None:
    session = RecollectSession("chat", everyday, learn=True)
    user = {"role": "user", "content": [{"type": "input_text", "text": "My sister Anna lives in Graz."}]}
    call = {"type": "function_call_output", "call_id": "1", "output": "42"}

    async def talk() -> tuple[list[Any], Any, list[Any]]:
        await session.add_items([user, call])
        return await session.get_items(limit=1), await session.pop_item(), await session.get_items()

    assert asyncio.run(talk()) == ([call], call, [user])
    texts = [each["text"] for each in everyday.recall("where does Anna live")["results"]]
    assert "Anna lives in Graz" in texts
    assert texts.count("My sister Anna lives in Graz.") == 1
    asyncio.run(session.clear_session())
    assert asyncio.run(session.get_items()) == []
