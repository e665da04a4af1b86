"""What a sentence has besides the words of a claim may take it back, weaken it or be about something else."""

import pytest
from tests.reason.verify.test_role_alignment import sign

from recollect.reason.verify.ellipsis import write_out
from recollect.reason.verify.sentence_guards import is_rebuttal


def check_sign(evidence: str, claim: str, expected: int) -> None:
    assert sign(evidence, claim) == expected


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("The kiosk opens at 8 and closes at 6.", "The kiosk opens at 8", 1),
        ("The kiosk opens at 8 and closes at 6.", "The kiosk opens at 6", -1),
        ("The kiosk opens at 8:15 and closes at 18:40.", "The kiosk closes at 18:40", 1),
        ("Of the 20 rowers from Elst, 6 capsized.", "20 rowers from Elst capsized", 0),
        ("Of the 20 rowers from Elst, 6 capsized.", "6 rowers from Elst capsized", 0),
        ("Donations fell by 120 to 480.", "Donations fell to 120", 0),
        ("Donations fell by 120 to 480.", "Donations fell to 480", 1),
        ("The toll went up by 5 euros to 35 euros.", "The toll is 5 euros", 0),
        ("A cup of cider costs 9.50, two cost 17.", "A cup of cider costs 9.50", 1),
        ("A cup of cider costs 9.50, two cost 17.", "A cup of cider costs 17", 0),
        ("The tall urn is cracked, the small urn whole.", "The tall urn is whole", 0),
        ("Joost is a tailor, his cousin Wim a smith.", "Joost is a smith", 0),
        ("Wing A was roofed by Ute and wing B by Kurt.", "Wing A was roofed by Kurt", 0),
        ("The shop shuts at noon on Fridays and at six on other days.", "The shop shuts at noon on other days", 0),
        ("The choir sang in Bonn on 4 May and in Trier on 6 May.", "The choir sang in Trier on 4 May", -1),
        ("The choir, founded in 2019, sang in Bonn in 2021.", "The choir sang in Bonn in 2019", -1),
        ("The vat is kept at -18 degrees.", "The vat is kept at 18 degrees", -1),
        ("The vat is kept at -18 degrees.", "The vat is kept at -18 degrees", 1),
    ],
)
def test_a_value_of_another_clause_is_not_the_claimed_one(evidence: str, claim: str, expected: int) -> None:
    check_sign(evidence, claim, expected)


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("The lake did not thaw until June.", "The lake thawed in June", 0),
        ("The lake did not thaw until June.", "The lake did not thaw", 0),
        ("Far from being angry, Nora thanked the porter.", "Nora thanked the porter", 1),
        ("Far from resigning, Nora signed the lease.", "Nora did not sign the lease", -1),
        ("Without asking anyone, Nora moved the hives.", "Nora moved the hives", 1),
        ("Trude did not resign in anger; she resigned in tears.", "Trude resigned", 0),
        ("Trude did not resign because of the noise.", "Trude resigned", 0),
        ("Timo is no longer our tenant; since May it is Frau Lenz.", "Frau Lenz is our tenant", 0),
        ("Neither Arvid nor Bente passed the test.", "Arvid passed the test", -1),
        ("Neither Arvid nor Bente passed the test.", "Bente did not pass the test", 1),
        ("Arvid attended the burial, but not the wake.", "Arvid attended the wake", -1),
        ("Arvid did not attend the wake.", "Arvid attended the wake", -1),
    ],
)
def test_a_negation_reaches_only_what_it_applies_to(evidence: str, claim: str, expected: int) -> None:
    check_sign(evidence, claim, expected)


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Peak Una is higher than Peak Bina but lower than Peak Tria.", "Peak Una is higher than Peak Tria", -1),
        ("Peak Una is higher than Peak Bina but lower than Peak Tria.", "Peak Una is higher than Peak Bina", 1),
        ("Ramon is the third best rower of the club.", "Ramon is the best rower of the club", 0),
        ("The Isen is one of the coldest rivers of the region.", "The Isen is the coldest river of the region", 0),
        ("The Isen is the longest river after the Alz.", "The Isen is the longest river", 0),
        ("Apart from the Alz, the Isen is the longest river.", "The Isen is the longest river", 0),
    ],
)
def test_a_comparison_holds_for_what_it_names(evidence: str, claim: str, expected: int) -> None:
    check_sign(evidence, claim, expected)


@pytest.mark.parametrize(
    ("evidence", "claim", "expected"),
    [
        ("Everyone but Alwin signed the lease.", "Alwin signed the lease", -1),
        ("All the flautists but Gernot know the piece.", "Gernot knows the piece", -1),
        ("The whole crew bar Njal reached the summit.", "Njal reached the summit", -1),
        ("The whole crew minus Hagen trained in Zell.", "Hagen trained in Zell", -1),
        ("Other than Fenna, the whole class failed.", "Fenna failed", -1),
        ("Nobody but Ruth found the cairn.", "Ruth did not find the cairn", 0),
        ("All but two of the tenors attended the rehearsal.", "Two of the tenors attended the rehearsal", 0),
        ("Everyone laughed but Alwin wept.", "Alwin wept", 1),
        ("Leaving aside Priska, the tenants paid the rent.", "Priska paid the rent", -1),
        ("Thinking of Priska, the tenants paid the rent.", "Priska paid the rent", 0),
        ("Few guests liked the soup.", "The guests liked the soup", 0),
        ("Most guests liked the soup.", "The guests liked the soup", 0),
    ],
)
def test_whoever_is_left_out_did_not_take_part(evidence: str, claim: str, expected: int) -> None:
    check_sign(evidence, claim, expected)


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("The leaflet names Hortensia as soloist, but that is a misprint.", "Hortensia is soloist"),
        ("The rota shows Brand on call on Sunday, which is wrong.", "Brand is on call on Sunday"),
        ("The board still lists Ewalda as warden; she isn't.", "Ewalda is warden"),
        ("Gerda is the champion, or rather was.", "Gerda is the champion"),
        ("The note calls Lothar the winner.", "Lothar is the winner"),
        ("The atlas gives Lund as his birthplace.", "Lund is his birthplace"),
        ('"Leo wrecked the minibus" is what the gossips shout.', "Leo wrecked the minibus"),
        ("The headline 'Mayor Lindqvist resigns' was a joke.", "Mayor Lindqvist resigned"),
        ("From next month Gebhard is the sexton.", "Gebhard is the sexton"),
        ("As of 1 January 2027 the fee is 9 euros.", "The fee is 9 euros"),
        ("Starting in August, Lorcan is the head of the depot.", "Lorcan is the head of the depot"),
        ("In 2028 Marlene takes over the farm.", "Marlene took over the farm"),
        ("Once the snow melts, Arvid is the guide.", "Arvid is the guide"),
        ("The deputy director of the museum retired.", "The director of the museum retired"),
        ("The vice-president of the yacht club died.", "The president of the yacht club died"),
        ("The former bishop of Trent blessed the bell.", "The bishop of Trent blessed the bell"),
        ("Elise is half Danish.", "Elise is Danish"),
        ("Bertrand's son Yves is mayor of Quimper.", "Bertrand is mayor of Quimper"),
        ("Ansgar is the mayor's driver.", "Ansgar is the mayor"),
        ("The bell tower collapsed.", "The bell collapsed"),
        ("Manfred killed two birds with one stone.", "Manfred killed two birds"),
        ("The clerk cooked the meal.", "The clerk cooked"),
        ("In Ilse's story the clerk buries the crown.", "The clerk buried the crown"),
        ("Ada is over the moon about the bench.", "Ada is on the moon"),
    ],
)
def test_what_is_taken_back_quoted_to_come_or_less_does_not_decide(evidence: str, claim: str) -> None:
    check_sign(evidence, claim, 0)


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("In January 2024 Lothar sold the mill.", "Lothar sold the mill"),
        ("Lothar intends to sell the mill next autumn.", "Lothar intends to sell the mill"),
        ('Lothar wrote the song "My Old Mill".', 'Lothar wrote the song "My Old Mill"'),
        ("By mistake, Lothar sold the mill.", "Lothar sold the mill"),
        ("Lothar is a former Danish miller.", "Lothar is Danish"),
        ("Lothar, the miller, left.", "Lothar is the miller"),
    ],
)
def test_what_stands_beside_a_claim_without_harm_is_passed_over(evidence: str, claim: str) -> None:
    check_sign(evidence, claim, 1)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("It doesn't.", True), ("Alas, no.", True), ("Wrong!", True), ("Ada sold it in May.", False), ("", False)],
)
def test_a_short_denial_takes_back_the_sentence_before_it(sentence: str, expected: bool) -> None:
    assert is_rebuttal(sentence) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ada is older than Bo and younger than Cy.", "Ada is older than Bo; Ada is younger than Cy."),
        ("The inn opens at 8 and closes at 6.", "The inn opens at 8; The inn closes at 6."),
        ("Neither Ada nor Bo sang.", "Ada never sang; Bo never sang."),
        ("Ada and Bo sang.", "Ada and Bo sang."),
        (
            "Ada sold 12 jars of jam in May and 19 in June.",
            "Ada sold 12 jars of jam in May; Ada sold 19 jars of jam in June.",
        ),
        (
            "Ada sold 2 jars of jam in May and 9 pots in June.",
            "Ada sold 2 jars of jam in May; Ada sold 9 pots in June.",
        ),
    ],
)
def test_two_parts_that_share_words_become_two_clauses(sentence: str, expected: str) -> None:
    assert write_out(sentence) == expected


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("Dana n'a pas signé le contrat.", "Dana a signé le contrat"),
        ("Dana hat den Zaun nie gestrichen.", "Dana hat den Zaun gestrichen"),
        ("Dana heeft de brug niet gebouwd.", "Dana heeft de brug gebouwd"),
        ("Dana a peut-être vendu la maison.", "Dana a vendu la maison"),
        ("The board chose steel over wood.", "The board chose wood"),
        ("Dana prefers tea to coffee.", "Dana prefers coffee"),
        ("Half of the crew joined the strike.", "The crew joined the strike"),
    ],
)
def test_a_denial_abroad_a_rejected_choice_or_a_part_supports_nothing(evidence: str, claim: str) -> None:
    assert sign(evidence, claim) <= 0


def test_what_was_chosen_and_what_is_said_abroad_is_supported() -> None:
    assert sign("The board chose steel over wood.", "The board chose steel") == 1
    assert sign("Dana hat den Zaun gestrichen.", "Dana hat den Zaun gestrichen") == 1
