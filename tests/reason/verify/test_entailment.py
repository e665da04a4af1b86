"""Claims that only the entailment model decides, and the marks in a sentence that outvote it."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest
from tests.surfaces.carabase.asking import ask, note, tell

from recollect.memory import Memory
from recollect.settings import Settings
from recollect.text_models.entailment import ClaimReading, ClaimVerdict
from recollect.text_models.pair_model import ENTAILMENT, READING, LocalEntailment, ModelFiles, PairModel, entailment_for

TOOL = "carabase_verify_hypothesis"
WHEN = "2026-05-01T08:00:00Z"


class FakeEntailment:
    """Gives every piece of evidence the same verdict and remembers what it was asked."""

    model = "fake"

    def __init__(self, verdict: ClaimVerdict, *, is_sure: bool = True) -> None:
        self._reading = ClaimReading(verdict, 0.8, is_sure, self.model)
        self.asked: list[str] = []

    def read(self, claim: str, evidence: Sequence[str]) -> list[ClaimReading]:  # noqa: ARG002
        self.asked += evidence
        return [self._reading for _ in evidence]


def decide(
    monkeypatch: pytest.MonkeyPatch, memory: Memory, text: str, claim: str, model: FakeEntailment | None
) -> dict[str, Any]:
    monkeypatch.setattr("recollect.text_models.pair_model.entailment_for", lambda _: model)
    tell(memory, note("n-1", text, WHEN))
    return verify(memory, claim)


def verify(memory: Memory, claim: str) -> dict[str, Any]:
    return ask(memory, TOOL, {"claim": claim}).structured


def test_a_sentence_in_other_words_is_decided_by_the_model(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The Harbour Lamp is a 2013 opera by Odile Marchetaine."
    got = decide(monkeypatch, memory, text, "The Harbour Lamp is a piece of music", FakeEntailment("supports"))
    assert got["verdict"] == "corroborated"
    [item] = verify(memory, "The Harbour Lamp is a piece of music")["corroborated_by"]
    assert (item["text"], item["stance_reason"], item["producer"], item["decided_by"]) == (text, "nli", "nli", "fake")
    assert item["weight"] == pytest.approx(0.8)


def test_what_the_model_is_not_sure_of_decides_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The Harbour Lamp is a 2013 opera by Odile Marchetaine."
    unsure = FakeEntailment("supports", is_sure=False)
    assert (
        decide(monkeypatch, memory, text, "The Harbour Lamp is a piece of music", unsure)["verdict"] == "inconclusive"
    )


def test_the_model_is_not_asked_where_rules_decide(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    model = FakeEntailment("refutes")
    got = decide(monkeypatch, memory, "Odile Marchetaine is a Belgian actress.", "Odile Marchetaine is Belgian", model)
    assert (got["verdict"], model.asked) == ("corroborated", [])


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Did Ilva Brandt buy the mill?", "Ilva Brandt purchased the watermill"),
        ("If the bank agrees, Ilva Brandt will take over the mill.", "Ilva Brandt is a mill owner"),
        ("Ilva Brandt may have taken over the mill.", "Ilva Brandt is a mill owner"),
        ("I doubt that Ilva Brandt took over the mill.", "Ilva Brandt is a mill owner"),
        ("Torben said that Ilva Brandt runs the mill.", "Ilva Brandt is a miller"),
        ("The mill on the Lune was sold in spring.", "Ilva Brandt is a miller"),
        ("Ilva Brandt paid 300 euros for the wheel.", "Ilva Brandt spent 500 euros"),
    ],
)
def test_sentences_that_do_not_assert_it_are_not_read(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, text: str, claim: str
) -> None:
    model = FakeEntailment("supports")
    assert decide(monkeypatch, memory, text, claim, model)["verdict"] != "corroborated"
    assert model.asked == []


def test_what_has_ended_supports_no_claim_of_today(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Ilva Brandt used to run the mill."
    assert (
        decide(monkeypatch, memory, text, "Ilva Brandt is a miller", FakeEntailment("supports"))["verdict"]
        == "inconclusive"
    )


def test_nobody_having_seen_something_refutes_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Nobody heard Ilva Brandt come home."
    got = decide(monkeypatch, memory, text, "Ilva Brandt returned that night", FakeEntailment("refutes"))
    assert got["verdict"] == "inconclusive"


def test_the_setting_switches_the_model_off() -> None:
    assert entailment_for(Settings()) is not None
    assert entailment_for(Settings(file={"reading.entailment_model": "none"})) is None


@pytest.mark.parametrize(
    ("text", "claim", "verdict"),
    [
        ("Wilma Drost, a violinist, lives in Ghent with her two sisters.", "Wilma Drost is a musician", "corroborated"),
        ("Sunken Parade is a Danish television series about a circus.", "Sunken Parade is a novel", "contradicted"),
        ("Wilma Drost met the mayor on Friday.", "Wilma Drost owns a boat", "inconclusive"),
        ("Wilma Drost lives in Ghent.", "Wilma Pauwels lives in Bruges", "inconclusive"),
    ],
)
def test_the_bundled_model_knows_kinds_and_leaves_the_rest_open(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, text: str, claim: str, verdict: str
) -> None:
    monkeypatch.setattr(
        "recollect.text_models.pair_model.entailment_for", lambda _: LocalEntailment(PairModel(ENTAILMENT))
    )
    tell(memory, note("n-1", text, WHEN))
    assert verify(memory, claim)["verdict"] == verdict


@pytest.mark.parametrize("files", [READING, ENTAILMENT], ids=lambda files: files.name)
def test_the_files_of_models_have_the_recorded_checksums(files: ModelFiles) -> None:
    lines = (line.split() for line in (files.folder / "SHA256SUMS").read_text().splitlines())
    recorded = {name: digest for digest, name in lines}
    assert recorded.keys() == {"model.onnx", "calibration.json"}
    assert {name: sha256((files.folder / name).read_bytes()).hexdigest() for name in recorded} == recorded
