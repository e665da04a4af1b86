"""One hash for everything, whichever way it was come by."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from tests.support.calls import asking
from tests.support.properties import examples

from recollect.keep.client_sync.pull import state_hash
from recollect.memory import Memory

ask = asking("entity-core")


def hash_now(memory: Memory, *, anew: bool = False) -> str:
    with memory.write() as change:
        if anew:
            change.connection.run("sync_state_drop", {"ws": change.ws})
        return state_hash(change, change.last_tx)


def remember(memory: Memory, day: int, text: str) -> None:
    date = f"2026-05-{day:02}"
    ask(memory, "memory_create", granularity="daily", date=date, instanceId="a", content=text)


STEPS = some.lists(
    some.tuples(some.sampled_from(["create", "update", "delete", "write", "hash"]), some.integers(1, 3)), max_size=12
)


@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(STEPS)
def test_a_hash_that_was_mended_is_the_one_worked_out_anew(memory: Memory, steps: list[tuple[str, int]]) -> None:
    for number, (step, day) in enumerate(steps):
        id_ = f"daily-2026-05-{day:02}_a"
        match step:
            case "create":
                remember(memory, day, f"- line {number}")
            case "update":
                ask(memory, "memory_update", id=id_, content=f"- changed {number}")
            case "delete":
                ask(memory, "memory_delete", id=id_)
            case "write":
                ask(memory, "identity_write", category="self", filename=f"f{day}.md", content=f"text {number}")
            case "hash":
                hash_now(memory)
    mended = hash_now(memory)
    assert mended == hash_now(memory, anew=True)


def test_another_state_has_another_hash_and_the_same_state_the_same(memory: Memory) -> None:
    remember(memory, 1, "- one")
    first = hash_now(memory)
    remember(memory, 2, "- two")
    second = hash_now(memory)
    assert first != second
    ask(memory, "memory_delete", id="daily-2026-05-02_a")
    assert hash_now(memory) == first


def test_an_earlier_state_can_be_asked_for(memory: Memory) -> None:
    remember(memory, 1, "- one")
    first = hash_now(memory)
    remember(memory, 2, "- two")
    hash_now(memory)
    with memory.write() as change:
        assert state_hash(change, 1) == first
