"""What the writer of a note decided is a decision in every language that is read; what others decided is not."""

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent

DECIDED = (
    "Wir haben beschlossen, das Haus rot zu streichen.",
    "Ich habe beschlossen, im Mai zu kündigen.",
    "Wir haben uns für Angebot B entschieden.",
    "Vi har bestämt att måla huset rött.",
    "Nous avons décidé de changer de fournisseur.",
    "Abbiamo deciso di cambiare fornitore.",
    "Hemos decidido pintar la casa de rojo.",
    "Postanowiliśmy zmienić dostawcę.",
    "We hebben besloten het huis rood te verven.",
)
NOT_DECIDED = (
    "Der Bundestag hat beschlossen, die Steuer zu senken.",
    "El gobierno ha decidido bajar los impuestos.",
    "Regeringen har beslutat att sänka skatten.",
    "Le gouvernement a décidé de baisser les impôts.",
    "Wir haben uns noch nicht für Angebot B entschieden.",
    "Haben wir uns für Angebot B entschieden?",
    "Ich glaube, wir haben uns entschieden.",
)


@pytest.mark.parametrize("text", DECIDED)
def test_what_the_writer_decided_is_a_decision(memory: Memory, text: str) -> None:
    [told] = Agent(memory).do("remember", text=text)["facts"]
    assert (told["text"], told["predicate"]) == (f"Me: {text}", "decision")


@pytest.mark.parametrize("text", NOT_DECIDED)
def test_what_others_decided_or_nobody_yet_is_none(memory: Memory, text: str) -> None:
    assert Agent(memory).do("remember", text=text)["facts"] == []


@pytest.mark.parametrize("text", ["They decided to cut taxes.", "She has decided to study law."])
def test_what_somebody_unnamed_decided_is_none_of_the_writer_s(memory: Memory, text: str) -> None:
    assert Agent(memory).do("remember", text=text)["facts"] == []
