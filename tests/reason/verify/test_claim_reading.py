"""Statements as tokens: words, entities, numbers, dates, negations and tenses."""

from datetime import UTC

import pytest

from recollect.model.ids import EntityId
from recollect.reason.verify.evidence import find_statement_times, period_of_year
from recollect.reason.verify.parsed_statement import (
    ParsedStatement,
    StatementSpan,
    entity_token,
    parse_statement,
)
from recollect.reason.verify.statement_numbers import StatementNumber
from recollect.reason.verify.word_lists import antonyms, cessatives
from recollect.text.content_words import content_token
from recollect.text.verbs import irregular_forms
from recollect.when.instant import read_instant

NOW = read_instant("2026-05-20T10:00:00Z", UTC)
ADA, BO = EntityId("A" * 26), EntityId("B" * 26)


def reading(text: str, **named: EntityId) -> ParsedStatement:
    """The reading of a text in which these words are entities."""
    names = [
        StatementSpan(text.index(word), text.index(word) + len(word), entity)
        for word, entity in named.items()
        if word in text
    ]
    return parse_statement(
        text, [*names, *find_statement_times(text, NOW, UTC, names)], lambda year: period_of_year(UTC, year, NOW)
    )


@pytest.mark.parametrize(
    ("text", "negators"),
    [
        ("Ada sings", 0),
        ("Ada does not sing", 1),
        ("Ada doesn't sing", 1),
        ("Ada can’t sing", 1),
        ("Ada cannot sing", 1),
        ("Ada no longer sings", 1),
        ("Ada does not sing any more", 1),
        ("Ada never sings without music", 2),
        ("Neither Ada nor Bo sings", 2),
        ("Ada sings not only tangos", 0),
    ],
)
def test_negators_are_counted_and_dropped(text: str, negators: int) -> None:
    found = reading(text)
    assert found.negators == negators
    assert "sing" in found.tokens
    assert found.tokens.isdisjoint({"not", "no", "never", "longer", "without"})


def test_an_entity_is_one_token_whatever_it_is_called() -> None:
    found = reading("Ada Lovelace met Bo", **{"Ada Lovelace": ADA}, Bo=BO)
    assert found.tokens == {entity_token(ADA), "meet", entity_token(BO)}
    assert found.entities == (ADA, BO)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It sold 12 million copies", {StatementNumber(12e6, "copi")}),
        ("It sold 1,250 copies", {StatementNumber(1250, "copi")}),
        ("It cost $3.5m", {StatementNumber(3.5e6, "$")}),
        ("It cost 40k euro", {StatementNumber(40e3, "euro")}),
        ("It grew 7 %", {StatementNumber(7, "%")}),
        ("Six boats came", {StatementNumber(6, "boat")}),
        ("the second album", {StatementNumber(2, "th")}),
        ("One of the boats came", set()),
    ],
)
def test_numbers_have_a_unit(text: str, numbers: set[StatementNumber]) -> None:
    assert set(reading(text).numbers) == numbers


def test_four_digits_are_a_year_and_a_date_is_a_period() -> None:
    year, day = reading("It began in 2004").days[0], reading("It began on September 22, 2004").days[0]
    assert year.overlaps(day)
    assert not year.overlaps(reading("It began in 2005").days[0])
    assert reading("It began on 22 September").days[0].overlaps(day)
    assert not reading("It began on 23 September").days[0].overlaps(day)
    assert reading("a film of 1999 stars").days != ()


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("Ada works here", "present"),
        ("Ada is working here", "present"),
        ("Ada was working here", "past"),
        ("Ada used to work here", "past"),
        ("Ada worked here", "past"),
        ("Ada left", "past"),
        ("Ada has worked here", "present"),
        ("Ada formerly has an office here", "past"),
    ],
)
def test_the_tense_is_read_from_the_words(text: str, tense: str) -> None:
    assert reading(text).tense == tense


def test_the_second_is_the_doer_where_by_stands_before_it() -> None:
    assert reading("Ada was hired by Bo", Ada=ADA, Bo=BO).is_exchanged
    assert not reading("Ada hired Bo", Ada=ADA, Bo=BO).is_exchanged
    assert not reading("Ada stood by Bo", Ada=ADA, Bo=BO).is_exchanged


@pytest.mark.parametrize("year", [-43, 0, 1, 2026, 9999, 12_026])
def test_a_day_without_a_year_meets_every_year_there_is(year: int) -> None:
    [stretch] = find_statement_times("on March 15", NOW, UTC, [])
    assert stretch.day is not None
    assert stretch.day.overlaps(period_of_year(UTC, year, NOW))
    assert period_of_year(UTC, year, NOW).overlaps(stretch.day)


def test_every_irregular_form_and_opposite_is_known_by_its_stem() -> None:
    assert all(content_token(form) == content_token(base) for form, base in irregular_forms().items())
    assert all(
        token in others
        for token, opposites in antonyms().items()
        for other in opposites
        for others in [antonyms()[other]]
    )
    assert {content_token(word) for word in "stopped ceases quitting cancelled".split()} & cessatives()
