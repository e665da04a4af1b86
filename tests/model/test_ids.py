"""128-bit ids: round trips, order, growth, and what is refused."""

import threading
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import MovingClock

from recollect.model.ids import (
    ENTITY_PREFIX,
    FACT_PREFIX,
    BadId,
    IdMaker,
    decode_id,
    encode_id,
    format_entity_id,
    format_fact_id,
    format_uuid,
    is_id,
    parse_document_id,
    parse_entity_id,
    read_id,
)
from recollect.when.clock import FixedClock
from recollect.when.instant import Instant

bits = st.integers(0, 2**128 - 1)
NOW = 1_770_000_000_123_456


def maker(at: int = NOW, seed: int = 1) -> IdMaker:
    return IdMaker(FixedClock(Instant(at)), Random(seed))


@given(bits)
def test_an_id_reads_back_bare_prefixed_as_uuid_and_in_any_case(value: int) -> None:
    digits = encode_id(value)
    forms = (digits, digits.lower(), f" {digits} ", f"ent_{digits}", f"ENT_{digits.lower()}", format_uuid(digits))
    assert {read_id(form, ENTITY_PREFIX) for form in forms} == {digits}
    assert (len(digits), decode_id(digits)) == (26, value)
    assert UUID(format_uuid(digits)).int == value


@given(bits, bits)
def test_digits_sort_as_the_numbers_do(one: int, other: int) -> None:
    assert (encode_id(one) < encode_id(other)) == (one < other)


def test_doors_print_prefixes() -> None:
    digits = maker()()
    assert (format_entity_id(digits), format_fact_id(digits)) == (f"ent_{digits}", f"fact_{digits}")
    assert read_id(format_fact_id(digits), FACT_PREFIX) == digits


def test_an_id_is_a_version_seven_uuid_of_its_millisecond() -> None:
    for _ in range(3):
        made = UUID(format_uuid(maker()()))
        assert (made.version, made.variant) == (7, "specified in RFC 4122")
        assert made.int >> 80 == NOW // 1000


def test_ids_grow_while_the_clock_stands_still() -> None:
    new_id = maker()
    made = [new_id() for _ in range(5_000)]
    assert made == sorted(set(made))


def test_ids_grow_when_the_clock_runs_and_when_it_runs_back() -> None:
    clock = MovingClock(Instant(NOW))
    new_id = IdMaker(clock, Random(2))
    made = []
    for step in (0, 1_000, 5_000_000, -9_000_000, 1, 2_000_000):
        clock.instant = Instant(clock.instant + step)
        made += [new_id(), new_id()]
    assert made == sorted(set(made))


def test_ids_of_different_milliseconds_are_ordered_by_time_across_makers() -> None:
    assert maker(NOW, seed=1)() < maker(NOW + 1_000, seed=2)()


def test_two_makers_never_make_the_same_id() -> None:
    one, other = maker(seed=1), maker(seed=2)
    assert not {one() for _ in range(500)} & {other() for _ in range(500)}


def test_the_same_seed_and_clock_make_the_same_ids() -> None:
    one, other = maker(), maker()
    assert [one() for _ in range(50)] == [other() for _ in range(50)]


def test_an_instant_before_the_epoch_still_makes_an_id() -> None:
    assert UUID(format_uuid(maker(-5)())).version == 7


def test_threads_that_share_a_maker_never_get_the_same_id() -> None:
    new_id, made = maker(), list[str]()
    threads = [threading.Thread(target=lambda: made.extend([new_id() for _ in range(500)])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 2_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ent_",
        "ent_0",
        "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "0123456789ABCDEFGHJKMNPQRU",
        "0123456789ABCDEFGHJKMNPQR",
        "0123456789ABCDEFGHJKMNPQRST",
        "fact_0123456789ABCDEFGHJKMNPQRS",
        "not-a-uuid-at-all-but-thirty-six-xx!",
        "0123456789ABCDEF-GHJKMNPQR",
        "٠١٢٣٤٥٦٧٨٩ABCDEFGHJKMNPQRS",
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(BadId) as refused:
        read_id(text, ENTITY_PREFIX)
    assert refused.value.code == "bad_id"
    assert not is_id(text, ENTITY_PREFIX)


def test_letters_that_look_like_digits_are_read_as_digits() -> None:
    assert read_id("ent_0oIL" + "0" * 22, ENTITY_PREFIX) == "0011" + "0" * 22


def test_only_a_prefixed_id_or_a_uuid_is_surely_an_id() -> None:
    digits = maker()()
    assert is_id(f"ent_{digits}", ENTITY_PREFIX)
    assert is_id(format_uuid(digits), ENTITY_PREFIX)
    assert not is_id(digits, ENTITY_PREFIX)
    assert not is_id("Ada Lovelace", ENTITY_PREFIX)


def test_a_strict_reading_takes_only_what_is_surely_an_id() -> None:
    digits = maker()()
    assert parse_entity_id(digits) == parse_entity_id(f"ent_{digits}", strict=True) == digits
    assert parse_entity_id(digits, strict=True) is None
    assert parse_document_id(format_uuid(digits)) == digits
    assert parse_document_id(f"doc_{digits}") is None


def test_many_ids_grow_together_with_those_made_one_by_one() -> None:
    make = maker()
    many = make.many()
    made = [make(), *(next(many) for _ in range(3_000)), make(), next(many), make()]
    assert made == sorted(set(made))
