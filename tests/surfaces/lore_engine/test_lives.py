"""Reigns, marriages and stays of people who are born and die, against a count of every year."""

import random
from typing import NamedTuple

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.tides import World, y

PEOPLE = ("Mira", "Sela", "Tobin", "Perrin", "Ann", "Ben")
PLACES = ("Halden", "Coast", "Reach", "Keep")
YEARS = range(1, 40)


class Stated(NamedTuple):
    relation: str
    one: str
    other: str
    first: int | None
    last: int | None

    @property
    def line(self) -> str:
        if self.first is None and self.last is None:
            return f"{self.one} {self.relation} {self.other}"
        first, last = ("" if year is None else f"y{year}" for year in (self.first, self.last))
        return f"{self.one} {self.relation} {self.other} ({first} .. {last})".replace("( ..", "(..").replace(
            ".. )", "..)"
        )


class Lives(NamedTuple):
    born: dict[str, int]
    died: dict[str, int]

    def years_of(self, stated: Stated) -> set[int]:
        """The years in which it was so: an open bound closes with those who must live for it."""
        living = (stated.one, stated.other) if stated.relation == "SPOUSE_OF" else (stated.one,)
        first = [self.born.get(each, 0) for each in living] if stated.first is None else [stated.first]
        last = [self.died.get(each, 99) for each in living] if stated.last is None else [stated.last]
        return {year for year in YEARS if max(first) <= year <= min(last)}


def invent(dice: random.Random) -> tuple[Lives, list[Stated]]:
    lives = Lives(
        {each: dice.randint(1, 15) for each in PEOPLE if dice.random() < 0.7},
        {each: dice.randint(16, 39) for each in PEOPLE if dice.random() < 0.7},
    )
    pairs = [("RULES", one, other) for one in PEOPLE for other in PLACES]
    pairs += [("RESIDED_IN", one, other) for one in PEOPLE for other in PLACES]
    pairs += [("SPOUSE_OF", one, other) for one in PEOPLE for other in PEOPLE if one < other]
    chosen = dice.sample(pairs, 20)
    return lives, [Stated(*pair, *_bounds(dice)) for pair in chosen]


def _bounds(dice: random.Random) -> tuple[int | None, int | None]:
    first, last = sorted(dice.sample(YEARS, 2))
    return first if dice.random() < 0.5 else None, last if dice.random() < 0.5 else None


@pytest.mark.large
@pytest.mark.parametrize("seed", range(3))
def test_what_was_true_in_each_year_is_what_a_count_of_the_years_finds(memory: Memory, seed: int) -> None:
    lives, told = invent(random.Random(seed))
    world = World(memory).invented()
    world.tell(
        *(f"{each} BORN (y{year})" for each, year in lives.born.items()),
        *(f"{each} DIED (y{year})" for each, year in lives.died.items()),
        *(each.line for each in told),
    )
    for each in told:
        expected = lives.years_of(each)
        found = {year for year in YEARS if _was_true(world, each, year)}
        assert (each, found) == (each, expected)
        during = world.ask(
            "true_during", relation=each.relation, subject=each.one, object=each.other, era="second_tide"
        )
        assert bool(during) == bool(expected)


def _was_true(world: World, stated: Stated, year: int) -> bool:
    said = world.ask("was_true_at", relation=stated.relation, subject=stated.one, object=stated.other, at_time=y(year))
    return bool(said["was_true"])
