"""The adapters against the frameworks themselves; `make test-adapters` installs them."""

import asyncio
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recollect
from recollect.surfaces.everyday_memory import EverydayMemory
from tests.support.properties import examples

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
FRAMEWORKS = ("langgraph", "langchain_core", "llama_index", "agents")


def needs(framework: str) -> pytest.MarkDecorator:
    missing = importlib.util.find_spec(framework) is None
    return pytest.mark.skipif(missing, reason=f"{framework} is not installed; run make test-adapters")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[EverydayMemory]:
    with recollect.open(str(tmp_path / "memory.db")) as opened:
        yield opened


NAMESPACES = st.sampled_from([("a",), ("a", "b"), ("a", "b", "c"), ("b",), ("ab", "b")])
KEYS = st.sampled_from(["x", "y", 'q"uote'])
VALUES = st.fixed_dictionaries(
    {"n": st.integers(0, 3)},
    optional={"text": st.sampled_from(["pizza", "train"]), "deep": st.fixed_dictionaries({"m": st.integers(0, 1)})},
)
FILTERS = st.sampled_from([None, {"n": 1}, {"n": {"$gt": 1}}, {"n": {"$ne": 0}}, {"deep": {"m": 1}}, {"text": "pizza"}])
PATHS = st.sampled_from([(), ("a",), ("*", "b"), ("b",), ("c",)])
CALLS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), NAMESPACES, KEYS, VALUES),
        st.tuples(st.just("delete"), NAMESPACES, KEYS),
        st.tuples(st.just("get"), NAMESPACES, KEYS),
        st.tuples(st.just("search"), st.sampled_from([(), ("a",), ("a", "b"), ("b",)]), FILTERS),
        st.tuples(st.just("list"), PATHS, PATHS, st.sampled_from([None, 1, 2])),
    ),
    max_size=12,
)


def answer(store: Any, call: tuple[Any, ...]) -> object:
    match call:
        case ("put", namespace, key, value):
            return store.put(namespace, key, value)
        case ("delete", namespace, key):
            return store.delete(namespace, key)
        case ("get", namespace, key):
            found = store.get(namespace, key)
            return found and (found.namespace, found.key, found.value)
        case ("search", prefix, wanted):
            items = store.search(prefix, filter=wanted, limit=100)
            return sorted((item.namespace, item.key, str(item.value)) for item in items)
        case ("list", prefix, suffix, depth):
            return store.list_namespaces(prefix=prefix or None, suffix=suffix or None, max_depth=depth)
    raise AssertionError(call)


@needs("langgraph")
@settings(max_examples=examples(25))
@given(calls=CALLS)
def test_the_store_answers_as_the_one_of_langgraph_does(calls: list[tuple[Any, ...]]) -> None:
    from langgraph.store.memory import InMemoryStore

    from recollect.adapters.langgraph import RecollectStore

    with TemporaryDirectory() as folder, recollect.open(f"{folder}/memory.db") as opened:
        theirs, ours = InMemoryStore(), RecollectStore(opened)
        # A namespace that was only asked for, or whose items were all deleted, is in the list of theirs.
        has_empty = any(call[0] in ("get", "delete") for call in calls)
        for call in calls:
            if call[0] != "list" or not has_empty:
                assert answer(ours, call) == answer(theirs, call)


@needs("langgraph")
def test_a_batch_reads_before_it_writes_and_offsets_count(memory: EverydayMemory) -> None:
    from langgraph.store.base import GetOp, PutOp, SearchOp

    from recollect.adapters.langgraph import RecollectStore

    store = RecollectStore(memory)
    results = asyncio.run(
        store.abatch([PutOp(("a",), "x", {"n": 1}), GetOp(("a",), "x"), PutOp(("a",), "x", {"n": 2}), SearchOp(("a",))])
    )
    assert results == [None, None, None, []]
    found = store.get(("a",), "x")
    assert found is not None
    assert found.value == {"n": 2}
    for number in range(5):
        store.put(("page",), str(number), {"n": number})
    assert len(store.search(("page",), limit=2, offset=4)) == 1


@needs("langgraph")
@pytest.mark.parametrize("value", ["text", [1], 5])
def test_a_value_that_is_no_dictionary_is_refused_as_langgraph_does(memory: EverydayMemory, value: Any) -> None:
    from langgraph.store.memory import InMemoryStore

    from recollect.adapters.langgraph import RecollectStore

    for store in (InMemoryStore(), RecollectStore(memory)):
        with pytest.raises((TypeError, ValueError)):
            store.put(("x",), "k", value)
    assert RecollectStore(memory).search(("x",)) == []


@needs("langgraph")
def test_only_the_named_fields_are_searched(memory: EverydayMemory) -> None:
    from recollect.adapters.langgraph import RecollectStore

    store = RecollectStore(memory)
    store.put(("docs",), "shown", {"title": "pizza", "body": "train"}, index=["title"])
    store.put(("docs",), "silent", {"title": "pizza"}, index=False)
    found = {item.key: item.score for item in store.search(("docs",), query="pizza")}
    assert found["shown"] is not None
    assert found["shown"] > 0.9
    assert found["silent"] is None


@needs("langgraph")
def test_a_graph_uses_the_store(memory: EverydayMemory) -> None:
    graph = pytest.importorskip("langgraph.graph", reason="only langgraph-checkpoint is installed")
    from recollect.adapters.langgraph import RecollectStore

    def node(state: dict[str, int], runtime: Any) -> dict[str, int]:
        runtime.store.put(("counts",), "n", {"n": state["n"]})
        return {"n": state["n"] + 1}

    node.__annotations__["runtime"] = pytest.importorskip("langgraph.runtime").Runtime
    built = graph.StateGraph(dict).add_node("node", node).add_edge(graph.START, "node")
    store = RecollectStore(memory)
    assert built.compile(store=store).invoke({"n": 1}) == {"n": 2}
    found = store.get(("counts",), "n")
    assert found is not None
    assert found.value == {"n": 1}


@needs("langchain_core")
def test_messages_of_every_kind_come_back(memory: EverydayMemory) -> None:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    from recollect.adapters.langchain import RecollectChatHistory

    given_messages = [
        SystemMessage("Be brief."),
        HumanMessage([{"type": "text", "text": "What is in the picture?"}]),
        AIMessage("", tool_calls=[{"name": "look", "args": {"at": "picture"}, "id": "1"}]),
        ToolMessage("a heron", tool_call_id="1"),
    ]
    history = RecollectChatHistory("one", memory)
    history.add_messages(given_messages)
    assert RecollectChatHistory("one", memory).messages == given_messages
    assert [each["text"] for each in memory.recall("heron")["results"]] == ["a heron"]


@needs("llama_index")
def test_a_llama_index_memory_keeps_sets_and_resets(memory: EverydayMemory) -> None:
    from llama_index.core.llms import ChatMessage

    from recollect.adapters.llama_index import RecollectMemory

    chat = RecollectMemory.from_defaults("one", memory, learn=True)
    chat.put_messages(
        [ChatMessage(role="user", content="Lena lives in Porto."), ChatMessage(role="assistant", content="Yes.")]
    )
    assert [each.content for each in chat.get_all()] == ["Lena lives in Porto.", "Yes."]
    assert "Lena lives in Porto" in str(chat.get("where does Lena live")[0].content)
    chat.set([ChatMessage(role="user", content="New.")])
    assert [each.content for each in chat.get()] == ["New."]
    chat.reset()
    assert chat.get() == []


@needs("agents")
def test_the_agents_sdk_takes_the_session(memory: EverydayMemory) -> None:
    from agents import Session

    from recollect.adapters.openai_agents import RecollectSession

    assert isinstance(RecollectSession("one", memory), Session)


@pytest.mark.skipif(any(importlib.util.find_spec(each) is None for each in FRAMEWORKS), reason="run make test-adapters")
def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python[^\n]*\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    assert all("assert " in block for block in blocks)
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
