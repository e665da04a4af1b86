"""The parser and the checks of the training corpus, on a tiny world."""

import json
from pathlib import Path

import numpy as np
from training.corpus import Label, parse_world, totals
from training.corpus_checks import close_pairs, copied_runs, data_texts, opening_shares, report

TINY = """@world tidewater-bakery
@domain bakery in a harbour town
@voice Ada: terse
@voice Bo: friendly

@doc c1 2025-03-04 chat
@title Ovens and rent
1 Ada 09:12 > new oven comes thursday. || i'll be there to sign for it
= event time="thursday" ; commitment owner=Ada
@day 2025-03-05
2 Bo 09:14 > great!! || did you ever pay the deposit?
= none ; question/asked

@doc m1 2025-03-07 mail
@from Bo
@to Ada
@subject Flour
1 > Hi Ada,\\n || the mill has put the price up to 31 a sack from April.
= none ; attribute s="flour sack" p="price" v="31" from="April"
2 > I doubt he will, but still.
= none/negative/doubted

? single c1.1 >> When does the equipment arrive? >> thursday
? multi c1.1,m1.1 >> What costs more, and what is new? >> flour; an oven
+ c1.1 >> Ada will take delivery of the oven.
! refutes m1.1 value >> A sack costs 40.
@end
"""


def test_a_world_becomes_typed_records() -> None:
    world = parse_world(TINY)
    assert world.problems == ()
    assert (world.name, world.domain, len(world.voices)) == ("tidewater-bakery", "bakery in a harbour town", 2)
    chat, mail = world.docs
    assert (chat.kind, chat.title, mail.author, mail.title) == ("chat", "Ovens and rent", "Bo", "Flour")
    assert [unit.day for unit in chat.units] == ["2025-03-04", "2025-03-05"]
    assert (chat.units[0].speaker, chat.units[0].time, mail.units[0].speaker) == ("Ada", "09:12", None)
    assert mail.units[0].text == "Hi Ada,\n the mill has put the price up to 31 a sack from April."
    price = Label("attribute", slots={"s": "flour sack", "p": "price", "v": "31", "from": "April"})
    assert mail.units[0].sentences[1].label == price
    assert mail.units[1].sentences[0].label == Label("none", True, "doubted")
    assert [each.evidence for each in world.questions] == [("c1.1",), ("c1.1", "m1.1")]
    assert (world.claims[0].verdict, world.claims[0].trap) == ("refutes", "value")
    assert totals([world])["sentences"] == 7


def test_an_invalid_line_is_reported_and_the_rest_is_read() -> None:
    broken = (
        TINY.replace("commitment owner=Ada", "promise owner=Ada")
        .replace("= none ; question/asked", "= none")
        .replace("? single c1.1", "? single c9.1")
        .replace("+ c1.1 >>", "+ c1.1 >")
    )
    world = parse_world(broken)
    assert len(world.problems) == 4
    assert [each.evidence for each in world.questions] == [("c1.1", "m1.1")]
    assert [sentence.label is None for sentence in world.units["c1.1"].sentences] == [False, True]


def test_a_slot_that_is_not_copied_from_its_sentence_is_reported() -> None:
    world = parse_world(TINY.replace('v="31"', 'v="32"'))
    assert "does not occur" in world.problems[0]


def test_texts_that_begin_alike_are_counted() -> None:
    texts = ["What did Ada say about the oven?", "what did ada say about Bo?", "Who paid for the new oven then?"]
    assert opening_shares(texts)[0] == ("what did ada say about", 2 / 3)


def test_eight_words_in_a_row_in_common_are_found(tmp_path: Path) -> None:
    (tmp_path / "set.json").write_text(json.dumps({"text": "so\nI think the mill has put the price up, again"}))
    ours = ["the mill has put the price up again", "the mill has put the price down"]
    assert copied_runs(ours, data_texts(tmp_path)) == {"the mill has put the price up again"}


def test_near_neighbours_are_listed_once() -> None:
    rows = np.array([[1, 0], [0, 1], [0.999, 0.04]], np.float32)
    assert close_pairs(rows) == [(0, 2)]


def test_the_report_says_which_line_is_not_met() -> None:
    lines = list(report([parse_world(TINY)], [], None, neighbours=False))
    assert "NOT MET: 1 domains of 60" in lines
