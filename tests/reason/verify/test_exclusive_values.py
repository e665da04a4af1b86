"""Another value where there is one only: kinds, nationalities, makers, birthplaces; and what is no other value."""

import pytest
from tests.reason.verify.test_role_alignment import sign


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Rain is a song by Ada Lund.", "Rain is a film", -1),
        ("Rain is a song by Ada Lund.", "Rain is not a film", 1),
        ("Rain is a 1997 American comedy film.", "Rain is an American movie", 1),
        ("Rex is a terrier.", "Rex is a dog", 1),
        ("Rex is a terrier.", "Rex is a cat", -1),
        ("Ada Rosa Lund is an American singer and dancer.", "Ada Lund is a musician", 1),
        ("Ada Rosa Lund is an American singer and dancer.", "Ada Lund is a ferry", -1),
        ("Lund is a village near Graz.", "There is a country called Lund", -1),
        ("Rain is a British film.", "Rain is something other than a British film", -1),
    ],
)
def test_what_is_of_one_kind_is_not_of_another(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("Bo is a baker.", "Bo is a painter"),
        ("Rex is a guard dog.", "Rex is a guard"),
        ("Rex is not a terrier.", "Rex is a dog"),
        ("Rex is not a terrier.", "Rex is not a dog"),
        ("Ada is a musician.", "Ada is a singer"),
        ("Ada is a star.", "Ada is a singer"),
        ("The Otter is either a ferry or a train.", "The Otter is a train"),
        ("The Otter is like a train.", "The Otter is a ferry"),
        ("Harrow is a series of novels.", "Harrow is a novel"),
        ("Harrow is the thing that lifts ferries.", "Harrow is a ferry"),
        ("Harrow might be a film.", "Harrow is a novel"),
        ("Harrow was going to be a film.", "Harrow is a novel"),
        ("Ada's brother is a pilot.", "Ada is a ferry"),
        ("Ada's dog is a terrier.", "Ada is a woman"),
        ("My heron is a painting.", "The Heron is a bird"),
    ],
)
def test_kinds_that_may_go_together_or_are_not_asserted_say_nothing(evidence: str, claim: str) -> None:
    assert sign(evidence, claim) == 0


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Ada is a Swedish painter.", "Ada is Danish", -1),
        ("Ada is a Scottish painter.", "Ada is English", -1),
        ("Ada is a Scottish painter.", "Ada is British", 0),
        ("Ada is a German painter.", "Ada is an Asian painter", -1),
        ("Ada is a Mexican and American singer.", "Ada is only American", -1),
        ("Ada is a French teacher.", "Ada is German", 0),
        ("Ada is an Italian restaurant owner.", "Ada is Danish", 0),
        ("Ada is a Danish-speaking Swede.", "Ada is Danish", 0),
        ("Ada is half Danish.", "Ada is Swedish", 0),
        ("Ada's husband is Danish.", "Ada is Swedish", 0),
    ],
)
def test_another_nationality_opposes(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Rain was directed by Bo Lund.", "Ada Berg directed Rain", -1),
        ("Rain is a 2012 film directed by Bo Lund.", "Rain was directed by Ada Berg", -1),
        ("Rain is a 2012 film directed by Bo Lund.", "Rain was not directed by Ada Berg", 1),
        ("Rain was written by Bo Lund and directed by Ada Berg.", "Rain was written by Ada Berg", -1),
        ("Rain was written by Bo Lund and directed by Ada Berg.", "Rain was directed by Ada Berg", 1),
        ("Harrow is an album by the band Lund.", "Harrow is an album by Ada Berg", -1),
        ("Rain was directed by Bo Lund.", "Rain was directed by Bo Berg", 0),
        ("Rain was co-directed by Bo Lund.", "Rain was directed by Ada Berg", 0),
        ("Rain was directed by her brother.", "Rain was directed by Bo Lund", 0),
        ("The sequel of Rain was directed by Bo Lund.", "Rain was directed by Ada Berg", 0),
        ("Rain was praised by Bo Lund.", "Rain was praised by Ada Berg", 0),
        ("The letter was written by Bo's secretary.", "The letter was written by Ada", 0),
        ("Ada Berg directed Rain.", "Ada Berg directed Monsoon", 0),
        ("Bo Lund founded the Rain Club in 2001.", "Ada Berg founded the Rain Club", -1),
        ("Fjord was founded by Per, among others.", "Fjord was founded by Kasimir", 0),
        ("Fjord was founded by Per and a partner.", "Fjord was founded by Kasimir", 0),
        ("Fjord is a song by Per featuring Kasimir.", "Fjord is a song by Kasimir", 0),
        ("Fjord is a cover by Per of a song by Kasimir.", "Fjord is a song by Kasimir", 0),
    ],
)
def test_another_maker_opposes(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Ada was born in Graz.", "Ada was born in Linz", -1),
        ("Ada was born in Norway.", "Ada was born in Austria", -1),
        ("Ada was born in Graz.", "Ada was born in Austria", 0),
        ("Ada was almost born in Graz.", "Ada was born in Linz", 0),
        ("Ada's mother was born in Graz.", "Ada was born in Linz", 0),
        ("Ada works in Graz.", "Ada works in Linz", 0),
        ("Lund is a town in Austria.", "Lund is a town in Norway", -1),
        ("Lund is a town in the west of Mexico.", "Lund is a town in Europe", -1),
        ("Lund is a town in Austria.", "Lund is a town in Europe", 0),
        ("Zenda is the capital of Ruritania.", "Strelsau is the capital of Ruritania", -1),
        ("Zenda was the capital of Ruritania.", "Strelsau is the capital of Ruritania", 0),
        ("Zenda is the former capital of Ruritania.", "Strelsau is the capital of Ruritania", 0),
        ("Zenda is the capital of a province in Ruritania.", "Zenda is the capital of Ruritania", 0),
        ("Per is the author of several novels.", "Kasimir is the author of several novels", 0),
        ("Lund is on the way to France.", "Lund is in France", 0),
    ],
)
def test_another_place_opposes_where_there_is_one(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Ada Berg (born 3 May 1980) is a painter.", "Ada Berg was born on 3 May 1980", 1),
        ("Ada Berg (born 3 May 1980) is a painter.", "Ada Berg was born on 4 May 1980", -1),
        ("Ada Berg (born 3 May 1980) is a painter.", "Ada Berg is a painter", 1),
        ("Ada Berg (3 May 1920 - 7 June 1990) was a painter.", "Ada Berg died in 1990", 1),
        ("Ada Berg (3 May 1920 - 7 June 1990) was a painter.", "Ada Berg died in 1920", -1),
        ("Ada Berg (3 May 1920 - 7 June 1990) was a painter.", "Ada Berg was born in 1990", -1),
        ("Bo Lund, the son of Ada Lund (born 1950), is a baker.", "Bo Lund was born in 1950", 0),
        ("Bo Lund and Ada Berg (born 1950) run the bakery.", "Bo Lund was born in 1950", 0),
        ("The project (2019-2021) cost 4 million.", "The project died in 2021", 0),
        ("Ada Berg (2015-2019) was a mayor.", "Ada Berg died in 2019", 0),
        ("Bo Lund (born 1980 or 1981) is a baker.", "Bo Lund was born in 1980", 0),
    ],
)
def test_dates_of_life_in_brackets_are_those_of_the_name_before_them(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("Bo all but sold the barn.", "Bo sold the barn"),
        ("Bo is capable of selling the barn.", "Bo sold the barn"),
    ],
)
def test_what_was_almost_or_can_be_done_was_not_done(evidence: str, claim: str) -> None:
    assert sign(evidence, claim) == 0
