"""The parser of claim blocks, and the forms in which pairs are learned from."""

from pathlib import Path
from random import Random

from training.claims import ClaimPair, claim_texts, load_claims, renamed, unrelated

BLOCK = """E1: The mill on Orr Lane opened in 1987.
C1: A mill opened in the eighties.
E2: The mill on Orr Lane opened in 1997.
C2: A mill opened in the nineties.
N: The mill is made of brick.
T: The mill may close. | The mill has closed. | N

E1: only one half
"""


def test_a_block_gives_every_pair_of_claim_and_evidence(tmp_path: Path) -> None:
    (tmp_path / "ash_01.txt").write_text(BLOCK)
    problems: list[str] = []
    pairs = load_claims(tmp_path, problems)
    verdicts = {(each.claim[-10:], each.evidence[-5:]): each.verdict for each in pairs}
    assert verdicts[" eighties.", "1987."] == "supports"
    assert verdicts[" eighties.", "1997."] == verdicts[" nineties.", "1987."] == "refutes"
    assert [each.verdict for each in pairs].count("neither") == 3
    assert {each.group for each in pairs} == {"ash"}
    assert len(problems) == 1
    assert len(list(claim_texts(tmp_path))) == 7


def test_a_renamed_pair_keeps_what_both_texts_share() -> None:
    pair = ClaimPair("It stood near Orr until 1990.", "The mill near Orr burned down.", "neither", "ash")
    other = renamed(pair, Random(1), ["Velm"])
    assert (other.claim, other.evidence) == ("It stood near Velm until 1990.", "The mill near Velm burned down.")


def test_unrelated_pairs_are_neither() -> None:
    pairs = [ClaimPair("a", "b", "supports", "x"), ClaimPair("c", "d", "refutes", "y")]
    assert {each.verdict for each in unrelated(pairs, 20, 1)} == {"neither"}
