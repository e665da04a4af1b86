"""A made-up history of any size, as a bundle: people, houses, places inside places, battles; the same each time."""

from collections.abc import Iterator
from random import Random
from typing import Any

PROBES = 20
Json = dict[str, Any]
Facts = list[Json]


def history(facts: int) -> Iterator[Json]:
    """Lines of about this many facts, each line with a record of its own; the probes come last."""
    dice, people = Random(facts), max(200, facts // 10)
    places, houses, battles = max(150, people // 20), max(40, people // 100), people // 8
    told = (
        *(_place(dice, number, houses) for number in range(places)),
        *(_battle(dice, number, places) for number in range(battles)),
        *(_person(dice, number, people, places, houses, battles) for number in range(people)),
        *(_probe(number) for number in range(PROBES)),
    )
    for number, line in enumerate(told):
        record = {"id": f"r{number}", "type": "note", "title": f"Chronicle {number}", "source_at": "2026-01-01"}
        yield {"record": record, "facts": [fact for fact in line if fact["from"] != fact["to"]]}


def probe(number: int) -> Json:
    return {"name": f"Wilhelmina Probe {number:02}", "type": "Person"}


def place(number: int) -> Json:
    return {"name": f"Place {number:06}", "type": "Location"}


def house(number: int) -> Json:
    return {"name": f"House {number:05}", "type": "Faction"}


def _person_named(number: int) -> Json:
    return {"name": f"Person {number:07}", "type": "Person"}


def _battle_named(number: int) -> Json:
    return {"name": f"Battle of {number:06}", "type": "Event"}


def _fact(one: Json, predicate: str, other: Any, first: int | None = None, last: int | None = None) -> Json:
    years = {"valid_from": first, "valid_until": last}
    return {"from": one, "predicate": predicate, "to": other} | {
        key: f"{year:04}" for key, year in years.items() if year is not None
    }


def _place(dice: Random, number: int, houses: int) -> Facts:
    told, year = [_fact(place(number), "part_of", place((number - 1) // 4))] if number else [], 1000
    while year < 1950:
        last = year + dice.randint(20, 80)
        told.append(_fact(house(dice.randrange(houses)), "rules", place(number), year, last))
        year = last + dice.randint(0, 5)
    return told


def _battle(dice: Random, number: int, places: int) -> Facts:
    year = dice.randint(1000, 1950)
    return [
        _fact(_battle_named(number), "occurred_during", {"literal": f"{year:04}"}, year, year),
        _fact(_battle_named(number), "occurred_at", place(dice.randrange(places))),
    ]


def _person(dice: Random, number: int, people: int, places: int, houses: int, battles: int) -> Facts:
    me, birth = _person_named(number), dice.randint(1000, 1900)
    death = birth + dice.randint(20, 80)
    stays = [_fact(me, "located_in", place(dice.randrange(places)), birth, (birth + death) // 2)]
    stays += [_fact(me, "located_in", place(dice.randrange(places)), (birth + death) // 2 + 1)]
    return [
        _fact(me, "born", place(dice.randrange(places)), birth, birth),
        _fact(me, "died", place(dice.randrange(places)), death, death),
        _fact(me, "member_of", house(dice.randrange(houses)), birth + 15),
        _fact(_person_named(dice.randrange(people)), "parent_of", me),
        _fact(me, "participated_in", _battle_named(dice.randrange(battles))),
        *stays,
    ]


def _probe(number: int) -> Facts:
    """Twenty facts of one person: a birth, a death, ten memberships and eight stays."""
    me = probe(number)
    return [
        _fact(me, "born", place(number + 10), 1400, 1400),
        _fact(me, "died", place(number + 10), 1471, 1471),
        *(_fact(me, "member_of", house(number + step), 1410 + step, 1412 + step) for step in range(10)),
        *(_fact(me, "located_in", place(30 + step), 1420 + 2 * step, 1421 + 2 * step) for step in range(8)),
    ]
