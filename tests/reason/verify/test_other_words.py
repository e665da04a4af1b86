"""The same in other words: synonyms, appositions, the year of a film, nationality; and what only looks so."""

import pytest
from tests.reason.verify.test_role_alignment import sign


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Bo purchased the mill.", "Bo bought the mill", 1),
        ("Bo bought the mill.", "Bo did not purchase the mill", -1),
        ("The kids did not repair the shed.", "The children fixed the shed", -1),
        ("Harrow was established in 1901.", "Harrow was founded in 1902", -1),
        ("Ada Lund began her career as a model in 1998.", "Ada Lund started her career in 1999", -1),
        ("Ada Lund died in Graz in 1990.", "Ada Lund passed away in 1990", 1),
        ("Ada Lund married Bo Berg in 1990.", "Ada Lund was married to Bo Berg", 1),
        ("Lund is located in southern Austria.", "Lund is in Austria", 1),
        ("Rain is a 2012 British drama film directed by Bo Berg.", "Rain was released in 2012", 1),
        ("Rain is a 2012 British drama film directed by Bo Berg.", "Rain was released in 2013", -1),
        ("Rain is a 2012 British drama film directed by Bo Berg.", "Rain is a drama", 1),
        ("Rain is a 2012 film directed by Bo Berg and starring Ada Lund.", "Ada Lund starred in Rain", 1),
        ("Rain is a film written and directed by Bo Berg.", "Rain was written by Ada Lund", -1),
        ("Ada Lund, an Austrian actress, lives in Graz.", "Ada Lund is an actress", 1),
        ("Ada Lund, an Austrian actress, lives in Graz.", "Ada Lund is Danish", -1),
        ("Ada Lund is an English singer.", "Ada Lund is from England", 1),
        ("Ada Lund is an English singer.", "Ada Lund is from Denmark", -1),
        ("Bo Lund is a British singer living in France.", "Bo Lund is from France", -1),
    ],
)
def test_other_words_may_say_the_same(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("Bo tried to purchase the mill.", "Bo bought the mill"),
        ("Bo purchased half of the mill.", "Bo bought the mill"),
        ("Bo purchased the mill's wheel.", "Bo bought the mill"),
        ("Rain is a planned 2031 film.", "Rain was released in 2031"),
        ("Rain was to be a 2012 film.", "Rain was released in 2012"),
        ("Rain is a film starring the sister of Ada Lund.", "Ada Lund starred in Rain"),
        ("Ada Lund, a cook, and Bo Berg left the house.", "Bo Berg is a cook"),
        ("Ada, a cousin of the baker, lives in Graz.", "Ada is a baker"),
        ("Ada Lund, a would-be actress, lives in Graz.", "Ada Lund is an actress"),
        ("Ada Lund, the nurse said, lives in Graz.", "Ada Lund is a nurse"),
        ("Ada helped to found the club.", "Ada founded the club"),
        ("The Heron, once a ferry, is a hotel now.", "The Heron is a ferry"),
        ("Per, an actor in his dreams, is a cook.", "Per is an actor"),
        ("Per, an actor until 2010, is a cook.", "Per is an actor"),
        ("Kasimir is the ambassador to Norway.", "Kasimir is from Norway"),
        ("Fjord is a 2019 re-release of a 1990 album.", "Fjord was released in 1990"),
        ("Fjord is a 2019 film festival in Oslo.", "Fjord was released in 2019"),
        ("Fjord is the 2019 film's sequel.", "Fjord was released in 2019"),
        ("Bo Lund is a British-trained surgeon.", "Bo Lund is British"),
        ("Bo Lund is a Swiss bank employee.", "Bo Lund is from Germany"),
        ("Bo Lund is an American football fan.", "Bo Lund is American"),
        ("Lund is located near Austria.", "Lund is in Austria"),
        ("Lund is located on the border of Austria and Italy.", "Lund is in Italy"),
        ("The van was in Austria in May.", "The van was in Norway"),
        ("The café was designed by a Dane.", "The café was designed by Bo Berg"),
        ("Rain was written by Bo Berg for Ada Lund.", "Rain was written by Ada Lund"),
        ("Ada Lund was born in the Graz hospital.", "Ada Lund was born in Graz"),
        ("Ada was born in Munich.", "Ada was born in Bavaria"),
        ("Ada wasn't unable to sell the van.", "Ada was unable to sell the van"),
    ],
)
def test_words_that_only_look_alike_say_nothing(evidence: str, claim: str) -> None:
    assert sign(evidence, claim) == 0
