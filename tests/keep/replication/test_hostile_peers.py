"""A peer that sends anything at all is answered or refused in words, and the stores still sync afterwards."""

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

from recollect.errors import RecollectError
from recollect.keep.replication.exchange import answer_message, exchange
from recollect.memory import Memory
from recollect.surfaces.everyday_memory import EverydayMemory

ODD: tuple[Any, ...] = (None, True, -1, 2**70, 1.5, "", "x", "\x00", [], {}, [[]], {"a": {}}, "9" * 5_000, "\ud800")


def sent_by(memory: Memory) -> list[Any]:
    """The first line of a peer that knows nothing, and all that the other sends it."""
    lines: list[str] = []

    def send(message: str) -> str:
        lines.append(message)
        return answer_message(memory, message)

    header = json.dumps({"format": "recollect-sync", "version": 1, "device": "ab" * 8, "seen": {}, "digests": {}})
    return [json.loads(header), *map(json.loads, send(header).splitlines()[1:])]


def mutations(value: Any, limit: int = 40) -> Iterator[Any]:
    """The value with one of its parts replaced or left out."""
    if isinstance(value, dict | list):
        places = list(value) if isinstance(value, dict) else list(range(len(value)))
        for place in places[:limit]:
            for other in mutations(value[place], 6):
                changed = deepcopy(value)
                changed[place] = other
                yield changed
            less = deepcopy(value)
            del less[place]
            yield less
    yield from ODD


@pytest.mark.parametrize("which", [0, 1])
def test_a_message_with_anything_in_it_is_answered_or_refused(
    pair: tuple[EverydayMemory, EverydayMemory], which: int
) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    header, *sent = sent_by(one)
    assert sent
    count = 0
    for changed in mutations([header, *sent][which]):
        lines = [header, *sent]
        lines[which] = changed
        message = "\n".join(json.dumps(each) for each in lines)
        with suppress(RecollectError):
            answer_message(other, message)
        count += 1
    assert count > (40 if which == 0 else 200)
    exchange(other, lambda message: answer_message(one, message))


@pytest.mark.parametrize("message", ["", "\n", "[" * 100_000, '{"format":"recollect-sync","version":1}'])
def test_a_message_that_is_none_is_refused(pair: tuple[EverydayMemory, EverydayMemory], message: str) -> None:
    with pytest.raises(RecollectError):
        answer_message(pair[0], message)
