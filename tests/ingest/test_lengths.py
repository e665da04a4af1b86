"""How long things may be: the same on every engine, whatever an index of theirs can hold."""

from random import Random

from tests.ingest.taking import GOOD, Json, Taking, employee, facts, record
from tests.support.calls import answer_of, asking
from tests.support.facts import texts

from recollect.memory import Memory

LETTERS = "abcdefghijklmnopqrstuvwxyzабвгдежз0123456789"

ask = asking("entity-core")


def long(length: int = 9_000, seed: int = 1) -> str:
    """A text that no store can press together."""
    return "".join(Random(seed).choices(LETTERS, k=length))


TOO_LONG: list[tuple[Json, str]] = [
    ({"record": record(long())}, "id has at most 500 characters, not 9000"),
    ({"record": record("a", author=long())}, "author has at most 500 characters"),
    ({"record": record("a", type=long())}, "record.type: has at most 64 characters"),
    (facts(employee("Ada", "Acme", predicate=long(101))), "facts[0].predicate: has at most 100 characters, not 101"),
    (facts({"from": "Ada", "to": "Acme", "edge_label": "ASSERTED", "fact_type": long()}), "facts[0].fact_type"),
    (facts(employee("Ada", {"name": "Acme", "type": long(65)})), "facts[0].to.type: has at most 64 characters"),
    ({"entities": [{"name": "Ada", "type": long()}]}, "entities[0].type: has at most 64 characters"),
    ({"entities": [{"name": "Ada", "type": "Person", "metadata": {"email": long()}}]}, "email has at most 500"),
    ({"entities": [{"name": "Ada", "type": "Person", "metadata": {"gedcom_id": long()}}]}, "gedcom_id has at most 500"),
    ({"entities": [{"name": "Ada", "metadata": {long(): 1}}]}, "entities[0].metadata: has at most 100 characters"),
    ({"record": record("a", tags=["fine", long()])}, "record.tags: has at most 500 characters"),
    ({"record": record("a", type="memory", content="x", stream=long())}, "record.stream: has at most 500 characters"),
    (facts(employee("Ada", "Acme", "words", supersedes=long())), "supersedes: has at most 500 characters"),
    ({"entities": [{"name": "Acme", "type": "Company", "metadata": {"domain": long()}}]}, "domain has at most 500"),
]


def test_a_line_with_something_too_long_is_skipped_with_its_limit_and_the_rest_goes_in(take: Taking) -> None:
    skipped = take(*(line for line, _ in TOO_LONG), GOOD)
    assert [number for number, _ in skipped] == list(range(1, len(TOO_LONG) + 1))
    assert [reason for (_, told), (_, reason) in zip(skipped, TOO_LONG, strict=True) if reason not in told] == []
    assert texts(take.memory, "Ada") == ["Ada employee Acme"]


def test_the_longest_that_is_allowed_is_taken(take: Taking) -> None:
    fullest = employee("Ada", {"name": "Acme", "type": long(64)}, predicate=long(100), fact_type=long(100, 2))
    who = {"name": "Ada", "type": "Person", "metadata": {"email": long(500)}}
    line = {"record": record(long(500), type=long(64), author=long(500, 3)), "entities": [who], "facts": [fullest]}
    assert take(line) == []


def test_titles_and_message_ids_may_be_of_any_length(take: Taking) -> None:
    sent = {"sender": "Ann Lee <ann@acme.example>", "message_id": long(seed=4)}
    mail = {"record": record("m", type="email", title=long(), content="I will call.", metadata=sent)}
    assert take(mail) == []
    assert take({"record": {**mail["record"], "id": "again"}}) == []
    with take.memory.read() as view:
        assert view.document_named("record", "again") is None
        held = view.document_named("record", "m")
    assert held is not None
    assert held.title == long()


def test_a_word_of_any_length_may_stand_in_a_sentence_that_is_read(take: Taking) -> None:
    mail = record("m", type="email", content=f"I will send {long(1_500)} today.", sender="Ann Lee <ann@acme.example>")
    assert take({"record": mail}) == []


def test_a_memory_may_have_a_heading_of_any_length(memory: Memory) -> None:
    about = {"granularity": "significant", "date": "2026-05-12", "instanceId": "desk"}
    made = ask(memory, "memory_create", **about, content=f"# {long()}\n\nText.")
    assert ask(memory, "memory_read", id=made["memoryId"])["memory"]["title"] == long()


def test_an_address_that_is_too_long_names_its_field(memory: Memory) -> None:
    node = {"type": "person", "label": "Ada", "properties": {"email": long()}}
    refused = answer_of(memory, "entity-core", "graph_node_create", **node).structured
    assert (refused["error"], refused["field"]) == ("invalid_input", "email")
    assert ask(memory, "graph_node_list")["total"] == 0
