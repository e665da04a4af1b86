"""Conditions, hearsay, hope, doubt and denial in other languages support nothing; a plain statement supports itself."""

import pytest
from tests.reason.verify.test_role_alignment import sign

from recollect.reason.verify.other_languages import is_english


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("Si Rodrigo vende el taller, compra un velero.", "Rodrigo vende el taller"),
        ("Si Rodrigo vende el taller, compra un velero.", "Rodrigo compra un velero"),
        ("Quand Édith paiera, le club rouvre.", "Le club rouvre"),
        ("Se Ornella perde il treno, arriva domani.", "Ornella perde il treno"),
        ("Se o Vasco perder o barco, fica em casa.", "Vasco fica em casa"),
        ("Om Sixten missar tåget kommer han senare.", "Sixten missar tåget"),
        ("Jeśli Halina wygra, kupi rower.", "Halina kupi rower"),
        ("Falls Irmtraud absagt, spielt Jobst die Orgel.", "Jobst spielt die Orgel"),
        ("Sobald Irmtraud zahlt, öffnet das Bad.", "Irmtraud zahlt"),
        ("Als Joris het huis verkoopt, verhuist hij.", "Joris verkoopt het huis"),
        ("Merche asegura que Tito rompió la taza.", "Tito rompió la taza"),
        ("Selon Hervé, Maud a cassé la vitre.", "Maud a cassé la vitre"),
        ("Secondo Livia, Ugo ha rubato la bici.", "Ugo ha rubato la bici"),
        ("Enligt Greger sålde Tove båten.", "Tove sålde båten"),
        ("Espero que Fermín pague la multa.", "Fermín pague la multa"),
        ("Hoppas Ragna hittar nyckeln.", "Ragna hittar nyckeln"),
        ("Wątpię, że Bogdan naprawił dach.", "Bogdan naprawił dach"),
        ("Hvis Ragnhild flytter, selger Odd huset.", "Ragnhild flytter"),
        ("Jos Veikko myöhästyy, juna lähtee.", "Juna lähtee"),
        ("Ha Gergő elkésik, Réka főz.", "Réka főz"),
        ("Если Тимур опоздает, поезд уйдёт.", "Тимур опоздает"),
        ("Тимур не купил билет.", "Тимур купил билет"),
        ("Randi kjøpte ikke hytta.", "Randi kjøpte hytta"),
    ],
)
def test_what_another_language_only_supposes_or_reports_supports_nothing(evidence: str, claim: str) -> None:
    assert sign(evidence, claim) == 0


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("Rodrigo vendió el taller.", "Rodrigo vendió el taller"),
        ("Irmtraud hat gestern die Orgel verkauft.", "Irmtraud hat die Orgel verkauft"),
        ("Tove sålde båten i maj.", "Tove sålde båten"),
        ("Тимур купил билет.", "Тимур купил билет"),
    ],
)
def test_what_another_language_states_supports_it(evidence: str, claim: str) -> None:
    assert sign(evidence, claim) == 1


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("Ada mended the kettle.", True), ("Ada isn't home.", True), ("Jos Aino myy veneen, hän muuttaa.", False)],
)
def test_english_is_told_by_its_small_words_and_verb_forms(sentence: str, expected: bool) -> None:
    assert is_english(sentence) is expected
