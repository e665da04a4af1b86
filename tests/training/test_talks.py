"""Memories inside stretches of talks with an assistant."""

from random import Random

from training.corpus import load_worlds
from training.memories import load_banks
from training.pairs import MAX_PASSAGE
from training.talks import assistant_turns, talk_pool


def test_every_question_leads_to_a_passage_that_holds_its_memory_whole() -> None:
    bank = load_banks()[0]
    pool = talk_pool(bank, assistant_turns(load_worlds()[:30]), Random(1))
    told = {question: memory.text for memory in bank.memories for question in memory.questions}
    assert len(pool.passages) == 2 * len(bank.memories)
    assert len(pool.queries) == sum(len(memory.questions) for memory in bank.memories)
    assert all(told[each.text] in pool.passages[each.gold[0]] for each in pool.queries)
    assert max(map(len, pool.passages)) <= MAX_PASSAGE


def test_talks_have_both_roles_and_the_same_seed_gives_the_same_pool() -> None:
    talks = assistant_turns(load_worlds()[:30])
    assert {role for talk in talks for role, _ in talk} == {"user", "assistant"}
    bank = load_banks()[0]
    assert talk_pool(bank, talks, Random(2)) == talk_pool(bank, talks, Random(2))
