"""Who did what to whom, with which value and when: a claim is decided by one clause with the same roles, or not."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.reason.verify.test_claim_reading import ADA, reading

from recollect.reason.verify.parsed_statement import ParsedStatement
from recollect.reason.verify.role_alignment import is_said_alike
from recollect.reason.verify.sentence_evidence import AskedClaim, judge_sentence
from recollect.reason.verify.statements import ClauseStatement, claim_form


def _read(found: Sequence[ClauseStatement]) -> list[ParsedStatement]:
    read = [reading(each.text) for each in found]
    return [replace(one, negators=one.negators + each.is_denied) for each, one in zip(found, read, strict=True)]


def sign(evidence: str, claim: str) -> int:
    form = claim_form(claim)
    asked = AskedClaim(form, _read([ClauseStatement(form.text, form.is_denied)])[0])
    return judge_sentence(asked, evidence, reading(evidence), _read).stance.sign


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Milo is 51 and Greta is 47.", "Greta is 47", 1),
        ("Milo is 51 and Greta is 47.", "Greta is 51", -1),
        ("Milo is 51 and Greta is 47.", "Milo is 47", -1),
        ("A pear costs 2 euros and a melon costs 5 euros.", "A melon costs 2 euros", -1),
        ("Hall One has 30 seats, Hall Two has 44.", "Hall Two has 30 seats", 0),
        ("Hall One has 30 seats, Hall Two has 44.", "Hall Two has 44 seats", 0),
        ("The east wing was built in 1931, the west wing in 1958.", "The west wing was built in 1931", 0),
        ("The pier opened in 1911, was flooded in 1953 and was rebuilt in 1960.", "The pier opened in 1911", 1),
        ("The pier opened in 1911, was flooded in 1953 and was rebuilt in 1960.", "The pier opened in 1953", -1),
        ("Edda was born in Ghent in 1950 and died in Liege in 2012.", "Edda was born in Liege", -1),
        ("The fee for the loft rose from 7,200 to 7,900 crowns.", "The fee for the loft is 7,900 crowns", 1),
        ("The fee for the loft rose from 7,200 to 7,900 crowns.", "The fee for the loft is 7,200 crowns", -1),
        ("Nadia runs the bakery and Piet runs the dairy.", "Nadia runs the dairy", 0),
    ],
)
def test_a_value_belongs_to_its_own_clause(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("The nephew of Ottilie won the regatta.", "Ottilie won the regatta", 0),
        ("Ottilie's nephew won the regatta.", "Ottilie won the regatta", 0),
        ("The gate behind the Lenne collapsed.", "The Lenne collapsed", 0),
        ("The guest Ottilie drove left the inn.", "Ottilie left the inn", 0),
        ("Jonas thanked the mason who built the arch.", "Jonas built the arch", 0),
        ("Petra, whose sister Lene is a judge, owns a kiosk.", "Petra is a judge", 0),
        ("Petra, whose sister Lene is a judge, owns a kiosk.", "Lene owns a kiosk", 0),
        ("The abbot, who followed Beda, is Gallus.", "Beda is the abbot", 0),
        ("Before Hugo rented the barn, Mechthild painted it.", "Hugo painted the barn", 0),
        ("The clerk froze the account.", "The clerk was frozen", 0),
        ("Runa trained Sigrid in the forge.", "Runa trained Sigrid in the forge", 1),
        ("Sigrid was trained by Runa in the forge.", "Runa trained Sigrid in the forge", 1),
        ("Jonas painted the house of Runa.", "Jonas painted Runa", 0),
        ("Jonas has a heart of gold.", "Jonas has gold", 0),
        ("Jonas let Runa saw the beam.", "Jonas sawed the beam", 0),
        ("Jonas watched Runa paint the beam.", "Jonas painted the beam", 0),
        ("The parcel from Jonas reached Runa.", "The parcel reached Runa", 1),
        ("Unlike Jonas, Runa drinks tea.", "Jonas drinks tea", 0),
        ("Without Jonas, Runa opened the gala.", "Jonas opened the gala", 0),
        ("Arne, Bengt and Cilla signed the petition.", "Bengt signed the petition", 1),
        ("The capital of Norland is Vik.", "Vik is the capital of Norland", 1),
    ],
)
def test_a_deed_belongs_to_its_doer(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Ida left the pottery in 2016.", "Ida works at the pottery", 0),
        ("Ida sold the orchard.", "Ida owns the orchard", 0),
        ("Ida lost her permit in 2020.", "Ida has a permit", 0),
        ("Bela was accused of forging the deed.", "Bela forged the deed", 0),
        ("Bela was afraid of losing the farm.", "Bela lost the farm", 0),
        ("Bela put off selling the farm.", "Bela sold the farm", 0),
        ("Either Bela or Ida found the purse.", "Ida broke the purse", 0),
        ("Either Bela or Ida broke the purse.", "Ida broke the purse", 0),
        ("One of Bela and Ida broke the purse.", "Ida broke the purse", 0),
        ("Bela was married to Ida.", "Bela is married to Ida", 0),
        ("Without a doubt, Bela sold the farm.", "Bela sold the farm", 1),
        ("Bela is anything but shy.", "Bela is shy", 0),
        ("Nearly all the pears rotted.", "All the pears rotted", 0),
        ("Bela failed to sell the farm.", "Bela sold the farm", -1),
        ("Bela is drowning in paperwork.", "Bela drowned", 0),
        ("Bela is known for forging swords.", "Bela forged swords", 1),
    ],
)
def test_what_ended_or_is_left_open_does_not_support(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Mona is taller than Lea.", "Mona is shorter than Lea", -1),
        ("Mona is taller than Lea.", "Lea is shorter than Mona", 0),
        ("Mona is taller than Lea.", "Lea is taller than Mona", -1),
        ("The ladder is safe for children.", "The ladder is unsafe for children", -1),
        ("The ladder is sturdy.", "The ladder is slippery", 0),
    ],
)
def test_opposites_oppose_and_other_words_are_silent(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("At least 60 people came to the fair.", "75 people came to the fair", 0),
        ("At least 60 people came to the fair.", "40 people came to the fair", -1),
        ("Fewer than ten carts came to the fair.", "Twelve carts came to the fair", -1),
        ("Fewer than ten carts came to the fair.", "Seven carts came to the fair", 0),
        ("Nearly 200 geese crossed the field.", "200 geese crossed the field", 0),
        ("72 people came to the fair.", "More than 60 people came to the fair", 1),
        ("72 people came to the fair.", "At most 60 people came to the fair", -1),
        ("About 60 people came to the fair.", "500 people came to the fair", -1),
    ],
)
def test_a_bound_leaves_open_what_it_allows(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


def test_many_equal_words_take_no_longer() -> None:
    assert sign("hen " * 60 + "slept", "Hen hen hen hen hen hen hen woke") == 0


def test_a_known_entity_is_another_doer_like_any_name() -> None:
    said = reading("Jonas watched Ada paint the beam", Ada=ADA)
    assert not is_said_alike(reading("Jonas painted the beam", Ada=ADA), said)
    assert is_said_alike(reading("Ada painted the beam", Ada=ADA), reading("Ada painted the beam", Ada=ADA))
