"""The parser of memory banks, and the pools that the encoder is trained on."""

from random import Random

from training.corpus import split_held_out
from training.memories import Memory, bank_pool, bank_texts, bank_totals, load_banks, parse_bank

TINY = """# domain: allotment; owner: Ines Okafor, dry humour
= The stopcock is behind the bleach.
? how do I turn off the water
? main valve location
= Bea can't have sesame.
? is hummus safe for Bea?

! who mows the lawn
"""


def test_a_bank_becomes_typed_records() -> None:
    bank = parse_bank(TINY, "ines")
    assert (bank.name, bank.domain, bank.owner) == ("ines", "allotment", "Ines Okafor, dry humour")
    first = Memory("The stopcock is behind the bleach.", ("how do I turn off the water", "main valve location"))
    assert bank.memories == (first, Memory("Bea can't have sesame.", ("is hummus safe for Bea?",)))
    assert (bank.unanswered, bank.problems) == (("who mows the lawn",), ())


def test_an_invalid_line_is_reported_and_the_rest_is_read() -> None:
    bank = parse_bank("? asked before anything is told\n" + TINY.replace("! who", "~ who"))
    assert [each.split(":")[0] for each in bank.problems] == ["line 1", "line 9"]
    assert len(bank.memories) == 2


def test_totals_count_each_answered_question_as_a_pair() -> None:
    counted = bank_totals([parse_bank(TINY)])
    assert (counted["memories"], counted["question-evidence pairs"], counted["questions that nothing answers"]) == (
        2,
        3,
        1,
    )
    assert len(list(bank_texts([parse_bank(TINY)]))) == 6


def test_a_pool_keeps_the_questions_of_each_bank_to_its_memories() -> None:
    pool = bank_pool([parse_bank(TINY, "one"), parse_bank(TINY, "two")])
    assert pool.banks == (0, 0, 1, 1)
    assert [(each.bank, each.gold) for each in pool.questions] == [
        (0, 0),
        (0, 0),
        (0, 1),
        (0, None),
        (1, 2),
        (1, 2),
        (1, 3),
        (1, None),
    ]


def test_variation_changes_case_and_question_mark_only() -> None:
    plain, varied = bank_pool([parse_bank(TINY)]), bank_pool([parse_bank(TINY)] * 20, Random(1))
    known = {each.text.rstrip("?").lower() for each in plain.questions}
    assert {each.text.rstrip("?").lower() for each in varied.questions} == known
    assert {each.text for each in varied.questions} > {each.text for each in plain.questions}


def test_banks_kept_for_measuring_are_not_trained_on() -> None:
    banks = [parse_bank(TINY, f"bank{at}") for at in range(10)]
    learned, held = split_held_out(banks, 3)
    assert (len(learned), len(held)) == (7, 3)
    assert split_held_out(banks, 0) == (banks, [])


def test_the_banks_of_the_corpus_have_no_problem() -> None:
    banks = load_banks()
    assert [each for bank in banks for each in bank.problems] == []
    assert all(bank.domain and bank.owner for bank in banks)
