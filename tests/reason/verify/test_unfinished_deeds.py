"""What was only begun, meant, done to something else or of another kind does not support that it was done."""

import pytest
from tests.reason.verify.test_role_alignment import sign


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("Torben is too frail to steer the barge.", "Torben steers the barge"),
        ("Isa was afraid to enter the cave.", "Isa entered the cave"),
        ("Rolf is the only clerk able to read the ledger.", "Rolf reads the ledger"),
        ("Nele came to tune the piano.", "Nele tuned the piano"),
        ("Bente began to translate the hymns.", "Bente translated the hymns"),
        ("Siv is learning to juggle.", "Siv juggles"),
        ("Otto is training to be a diver.", "Otto is a diver"),
        ("Frauke died before completing the mural.", "Frauke completed the mural"),
        ("Kaj drove off before locking the shed.", "Kaj locked the shed"),
        ("Ilka left the choir to join the band.", "Ilka left the band"),
        ("Pelle sold the canoe to pay the dentist.", "Pelle sold the dentist"),
        ("Runa broke the handle of the jug.", "Runa broke the jug"),
        ("Signe lost the ticket to the opera.", "Signe lost the opera"),
        ("Tilde saw a picture of the bishop.", "Tilde saw the bishop"),
        ("Wim is the father of the girl who won the race.", "Wim won the race"),
        ("The bakery is closing in spring.", "The bakery is closed"),
        ("Dora is getting divorced in May.", "Dora is divorced"),
        ("The bridge is being painted.", "The bridge was painted"),
        ("Lasse was climbing the mast when it broke.", "Lasse climbed the mast"),
        ("Vito is a would-be poet.", "Vito is a poet"),
        ("Vito owns a model steamer.", "Vito owns a steamer"),
        ("Ylva posed as a plumber.", "Ylva is a plumber"),
        ("Ylva dressed up as a pirate.", "Ylva is a pirate"),
        ("Arvid scratched his sister's bicycle.", "Arvid scratched his bicycle"),
        ("Nobody but Hedda saw the comet.", "Nobody saw the comet"),
        ("Everyone except Ivo paid the fee.", "Everyone paid the fee"),
        ("Jens is not merely a cook but a painter.", "Jens is not a cook"),
        ("Mads waters the ferns every other day.", "Mads waters the ferns every day"),
        ("Ebbe joined the sailing club.", "The sailing club joined Ebbe"),
        ("Ida and Leo play chess and golf respectively.", "Ida plays golf"),
        ("The guard lacks a key.", "The guard has a key"),
        ("In Berit's view the fee was too high.", "The fee was too high"),
        ("Karin left Falcon Textiles.", "Karin left Heron Textiles"),
    ],
)
def test_a_deed_that_is_not_told_as_done_supports_nothing(evidence: str, claim: str) -> None:
    assert sign(evidence, claim) <= 0


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Torben managed to steer the barge.", "Torben steered the barge", 1),
        ("Nele was the first to climb the tower.", "Nele climbed the tower", 1),
        ("Pelle sold the canoe to pay the dentist.", "Pelle sold the canoe", 1),
        ("Ylva worked as a plumber in Ghent.", "Ylva worked as a plumber", 1),
        ("Jens is not merely a cook but a painter.", "Jens is a cook", 1),
        ("Everyone but Ivo paid the fee.", "Ivo paid the fee", -1),
    ],
)
def test_a_deed_that_is_told_as_done_still_supports(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Malin no longer sells candles.", "Malin sold candles", 1),
        ("Malin no longer sells candles.", "Malin did not sell candles", -1),
        ("Malin no longer sells candles.", "Malin sells candles", -1),
        ("Malin no longer sells candles.", "Malin sold candles in 1999", 0),
        ("Jonte is no longer afraid of heights.", "Jonte was afraid of heights", 1),
        ("Petter stopped baking bread.", "Petter baked bread", 1),
        ("Petter stopped baking bread.", "Petter bakes bread", -1),
        ("Petter refused to bake bread.", "Petter baked bread", -1),
    ],
)
def test_what_is_over_was_so_before(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Sunniva moved to Gdansk in 2008 and to Lviv in 2017.", "Sunniva moved to Lviv in 2017", 1),
        ("Sunniva moved to Gdansk in 2008 and to Lviv in 2017.", "Sunniva moved to Lviv in 2008", -1),
        ("Sunniva moved to Gdansk in 2008 and to Lviv in 2017.", "Sunniva moved to Gdansk in 2008", 1),
        ("Olav bought the forge in 1999 and the kiln in 2004.", "Olav bought the kiln in 2004", 1),
        ("Olav bought the forge in 1999 and the kiln in 2004.", "Olav bought the kiln in 1999", -1),
        ("Gro paid the mason 200 euros and the tiler 350 euros.", "Gro paid the mason 350 euros", -1),
        ("The north gate opened in May and the south gate in June.", "The south gate opened in June", 1),
        ("The north gate opened in May and the south gate in June.", "The south gate opened in May", -1),
    ],
)
def test_a_second_value_shares_the_verb_of_the_first(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected
