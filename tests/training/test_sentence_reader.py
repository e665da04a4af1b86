"""The trained sentence reader: what it reads in sentences nobody trained it on, and how sure it is."""

import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from training.sentence_reader import ACTS, MODALITIES, MODEL, POLARITIES, LocalSentenceReader, SentenceInput

from recollect.text_models.pair_model import Calibration

READER = Path(__file__).parents[2] / "training" / "models" / "reader"


@cache
def trained_reader() -> LocalSentenceReader:
    return LocalSentenceReader(READER)


def test_the_files_have_the_recorded_checksums() -> None:
    lines = (line.split() for line in (READER / "SHA256SUMS").read_text().splitlines())
    recorded = {name: digest for digest, name in lines}
    assert recorded.keys() == {"model.onnx", "calibration.json"}
    assert {name: sha256((READER / name).read_bytes()).hexdigest() for name in recorded} == recorded


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        (SentenceInput("I'll bring the projector back on Wednesday.", "mail"), "commitment"),
        (SentenceInput("Could you please send me the floor plan by Friday?", "mail"), "request"),
        (SentenceInput("where did you park the trailer?", "chat"), "question"),
        (SentenceInput("Have paid the electrician this morning.", "chat"), "completion"),
        (SentenceInput("haha brilliant", "chat", "I fell into the pond", before_by_other=True), "none"),
    ],
)
def test_plain_sentences_are_read_and_sure(sentence: SentenceInput, act: str) -> None:
    [reading] = trained_reader().read([sentence])
    assert (reading.act.label, reading.is_sure) == (act, True)
    assert reading.model == MODEL


def test_a_sentence_is_read_the_same_alone_and_among_others() -> None:
    sentences = [
        SentenceInput(text, "chat") for text in ("Is it open?", "I'll ring the insurance tomorrow. " * 4, "no")
    ]
    alone = [trained_reader().read([sentence])[0] for sentence in sentences]
    assert trained_reader().read(sentences) == alone


def test_a_question_is_asked_and_a_condition_is_conditional() -> None:
    asked, conditional = trained_reader().read(
        [
            SentenceInput("Is the bridge open again?", "chat"),
            SentenceInput("If the paint has dried by then, I'll hang the doors.", "chat"),
        ]
    )
    assert asked.modality.label == "asked"
    assert conditional.modality.label == "conditional"


def test_the_author_owns_what_the_author_undertakes() -> None:
    [reading] = trained_reader().read([SentenceInput("I'll ring the insurance tomorrow.", "chat")])
    assert reading.owner.label == "author"


def test_readings_do_not_depend_on_what_else_is_read() -> None:
    short = SentenceInput("ok, on it", "chat", "can you feed the cat?", before_by_other=True)
    long = SentenceInput("The hall was repainted in spring, and since then the echo is gone. " * 12, "note")
    alone = trained_reader().read([short])[0]
    [_, beside] = trained_reader().read([long, short])
    assert (alone.act.label, alone.modality.label) == (beside.act.label, beside.modality.label)
    assert alone.act.probability == pytest.approx(beside.act.probability, abs=0.02)


def test_labels_and_probabilities_are_in_range_for_odd_texts() -> None:
    texts = ("", " ", "?", "🙂", "日本語の文です", "x" * 3000)
    for reading in trained_reader().read([SentenceInput(text) for text in texts]):
        assert reading.act.label in ACTS
        assert reading.modality.label in MODALITIES
        assert reading.polarity.label in POLARITIES
        assert 0 <= reading.act.probability <= 1


def test_nothing_to_read_gives_nothing() -> None:
    assert trained_reader().read([]) == []


def test_an_act_without_a_threshold_is_never_sure() -> None:
    calibration = Calibration({}, {"goal": [(0.2, 0.1), (0.8, 0.5)]}, {"request": 0.7})
    assert calibration.act_probability("goal", 0.5) == pytest.approx(0.3)
    assert not calibration.is_sure("goal", 1.0)
    assert calibration.is_sure("request", 0.7)


def test_importing_the_reader_loads_no_model_library() -> None:
    code = (
        "import sys, pathlib, training.sentence_reader as r; r.LocalSentenceReader(pathlib.Path()); "
        "sys.exit(bool({'numpy', 'onnxruntime', 'tokenizers'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
