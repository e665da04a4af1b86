"""Memories as they stand in real transcripts: one sentence inside a long passage about other things.

A bank of memories trains short texts against short questions. Sessions with an assistant hold the same sentence between
unrelated turns, so the questions of a bank are asked of such passages as well.
"""

from collections.abc import Sequence
from random import Random

from training.corpus import World
from training.memories import MemoryBank
from training.pairs import MAX_PASSAGE, Pool, Query

Turns = list[tuple[str, str]]


def assistant_turns(worlds: Sequence[World]) -> list[Turns]:
    """The talks of these worlds with an assistant, each as roles and texts."""
    docs = [doc for world in worlds for doc in world.docs if doc.kind == "assistant"]
    return [[("assistant" if each.speaker == "Assistant" else "user", each.text) for each in doc.units] for doc in docs]


def talk_pool(bank: MemoryBank, talks: Sequence[Turns], random: Random) -> Pool:
    """Every memory of a bank inside a stretch of some talk, with its questions, and as many stretches without one."""
    passages: list[str] = []
    queries: list[Query] = []
    for memory in bank.memories:
        queries += [Query(each, (len(passages),), "talk") for each in memory.questions]
        passages.append(_hide(memory.text, random.choice(talks), random))
    passages += [_hide("", random.choice(talks), random) for _ in bank.memories]
    return Pool(tuple(passages), tuple(queries))


def _hide(memory: str, talk: Turns, random: Random) -> str:
    """A stretch of a talk with the memory as a turn of its user, or at one end of a turn."""
    turns = _stretch(talk, random)
    at = random.randrange(len(turns) + 1)
    if not memory:
        return _shown(turns, random)
    if at < len(turns) and turns[at][0] == "user" and random.random() < 0.6:
        both = (memory, turns[at][1])
        turns[at] = ("user", " ".join(both if random.random() < 0.5 else reversed(both)))
        return _shown(turns, random, memory)
    return _shown([*turns[:at], ("user", memory), *turns[at:]], random, memory)


def _stretch(talk: Turns, random: Random) -> Turns:
    """Neighbouring turns of about the length that one passage of a session has."""
    start, wanted = random.randrange(len(talk)), random.choice((100, 300, 500, 700, 850))
    turns: Turns = []
    for turn in (*talk[start:], *talk[:start]):
        if turns and sum(len(said) for _, said in turns) >= wanted:
            break
        turns.append(turn)
    return turns


def _shown(turns: Turns, random: Random, memory: str = "") -> str:
    with_roles = random.random() < 0.7
    text = "\n".join(f"{role}: {said}" if with_roles else said for role, said in turns)
    first = max(0, text.find(memory) + len(memory) - MAX_PASSAGE)
    return text[first : first + MAX_PASSAGE]
