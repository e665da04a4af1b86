"""Claims with evidence as typed pairs: the hand-written blocks of the corpus and the claims of its worlds.

    python -m training.claims [FOLDER]

prints totals and what is invalid. `training/corpus/FORMAT.md` describes the format.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from recollect.text_models.entailment import VERDICTS, ClaimVerdict
from training.corpus import World, load_worlds

CLAIMS = Path(__file__).parent / "corpus" / "claims"
_LETTERS: dict[str, ClaimVerdict] = {"S": "supports", "R": "refutes", "N": "neither"}
_LINE = re.compile(r"(?P<kind>E1|C1|E2|C2|N|T): (?P<text>.+)")
_WORD = r"[A-ZÀ-Þ][\w'’.-]*"
_BE = r"(?=(?:was|is|has|had|were|are)\b)"
_NAME = re.compile(rf"^(?:(?:The|A|An) )?{_WORD}(?: (?:of|the|de|van|von|and|{_WORD}))* {_BE}")
_PUNCTUATION = re.compile(r"([,.;:()!?]|'s\b)")


@dataclass(frozen=True, slots=True)
class ClaimPair:
    """A claim and a piece of evidence; `group` is the writer or the world, which folds keep together."""

    claim: str
    evidence: str
    verdict: ClaimVerdict
    group: str


def load_claims(folder: Path = CLAIMS, problems: list[str] | None = None) -> list[ClaimPair]:
    """Every pair of the blocks of a folder; blocks that are not as described are added to `problems`."""
    found: list[ClaimPair] = []
    for path in sorted(folder.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
            try:
                found += _block_pairs(block, path.stem.split("_")[0])
            except ValueError as failure:
                if problems is not None:
                    problems.append(f"{path.name}: {failure}: {block[:80]}")
    return found


def claim_texts(folder: Path = CLAIMS) -> Iterator[str]:
    """Every claim and piece of evidence of the blocks, once."""
    pairs = load_claims(folder)
    yield from dict.fromkeys(text for pair in pairs for text in (pair.evidence, pair.claim))


def _block_pairs(block: str, group: str) -> list[ClaimPair]:
    lines = [_LINE.fullmatch(line.strip()) for line in block.splitlines() if line.strip()]
    parts = [(each["kind"], each["text"].strip()) for each in lines if each is not None]
    if len(parts) < len(lines):
        raise ValueError("a line of no known kind")
    one = {kind: text for kind, text in parts if kind not in "NT"}
    traps = [_trap(text, group) for kind, text in parts if kind == "T"]
    if not one and traps:
        return traps
    if len(one) < len(("E1", "C1", "E2", "C2")):
        raise ValueError("E1, C1, E2, C2 are needed")
    made = [
        ClaimPair(one[f"C{claim}"], one[f"E{evidence}"], "supports" if claim == evidence else "refutes", group)
        for claim in (1, 2)
        for evidence in (1, 2)
    ]
    silent = [text for kind, text in parts if kind == "N"]
    made += [ClaimPair(text, one[evidence], "neither", group) for text in silent for evidence in ("E1", "E2")]
    return made + traps


def _trap(text: str, group: str) -> ClaimPair:
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != len(("evidence", "claim", "verdict")) or parts[2] not in _LETTERS:
        raise ValueError("a trap is: evidence | claim | S, R or N")
    return ClaimPair(parts[1], parts[0], _LETTERS[parts[2]], group)


def world_claims(worlds: Sequence[World]) -> Iterator[ClaimPair]:
    """The claims of worlds whose evidence is one unit, with its speaker before it."""
    for world in worlds:
        units = world.units
        for each in world.claims:
            if len(each.evidence) != 1 or each.verdict not in VERDICTS:
                continue
            unit = units[each.evidence[0]]
            said = f"{unit.speaker}: {unit.text}" if unit.speaker else unit.text
            yield ClaimPair(each.text, said, each.verdict, world.name)


_CAPITALISED = re.compile(r"(?<=[a-z0-9,;] )[A-ZÀ-Þ][a-zà-ÿ]{2,}\b")
_KEPT = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|\w+day|\w+(?:ish|ese|ian|ean|ans?|ch|ic|i)s?|I|North|South|East|West)"
)


def names_in(text: str) -> list[str]:
    """Capitalised words inside sentences that are no months, days or peoples."""
    return [name for name in _CAPITALISED.findall(text) if not _KEPT.fullmatch(name)]


def renamed(pair: ClaimPair, random: Random, names: Sequence[str]) -> ClaimPair:
    """The same pair about others: most names exchanged, alike in claim and evidence."""
    found = sorted(set(names_in(pair.evidence) + names_in(pair.claim)))
    given = {name: random.choice(names) for name in found if random.random() < 0.8}
    if not given:
        return pair
    exchanged = re.compile(rf"\b(?:{'|'.join(map(re.escape, given))})\b")
    claim, evidence = (exchanged.sub(lambda hit: given[hit[0]], text) for text in (pair.claim, pair.evidence))
    return ClaimPair(claim, evidence, pair.verdict, pair.group)


def varied(pair: ClaimPair, random: Random, others: Sequence[ClaimPair]) -> ClaimPair:
    """Another form of a pair with the same verdict: beside other text, spaced as data sets are, or with a pronoun."""
    claim, evidence = pair.claim, pair.evidence
    if random.random() < 0.1:
        evidence = _NAME.sub(random.choice(("It ", "He ", "She ")), evidence, count=1)
    if random.random() < 0.15:
        beside = random.choice(others).evidence
        evidence = f"{evidence} {beside}" if random.random() < 0.5 else f"{beside} {evidence}"
    if random.random() < 0.3:
        claim, evidence = (_PUNCTUATION.sub(r" \1 ", text).replace("  ", " ").strip() for text in (claim, evidence))
    elif random.random() < 0.2:
        claim = claim.rstrip(".")
    return ClaimPair(claim, evidence, pair.verdict, pair.group)


def unrelated(pairs: Sequence[ClaimPair], count: int, seed: int) -> list[ClaimPair]:
    """Claims beside evidence of other blocks, which says nothing of them."""
    random = Random(seed)
    drawn = [(random.choice(pairs), random.choice(pairs)) for _ in range(count)]
    return [
        ClaimPair(one.claim, other.evidence, "neither", one.group)
        for one, other in drawn
        if one.evidence != other.evidence
    ]


_SUBJECT = re.compile(r"(?P<first>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*) (?P<last>[A-ZÀ-Þ][\w'’-]+)(?=(?:'s)? [a-z])")


def of_namesakes(pairs: Sequence[ClaimPair], count: int, names: Sequence[str], seed: int) -> list[ClaimPair]:
    """Claims of somebody who shares only a first name or a family name with whom the evidence is about."""
    random = Random(seed)
    found: list[ClaimPair] = []
    for pair in random.sample(pairs, len(pairs)):
        subject = _SUBJECT.match(pair.claim)
        if subject is None or subject[0] not in pair.evidence:
            continue
        other, rest = random.choice(names), pair.claim[subject.end() :]
        name = f"{other} {subject['last']}" if random.random() < 0.5 else f"{subject['first']} {other}"
        found.append(ClaimPair(name + rest, pair.evidence, "neither", pair.group))
        if len(found) == count:
            break
    return found


def main() -> None:
    problems: list[str] = []
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else CLAIMS
    pairs = load_claims(folder, problems)
    for name, each in (("blocks", pairs), ("worlds", list(world_claims(load_worlds())))):
        counted = Counter(pair.verdict for pair in each)
        sys.stdout.write(f"{name}: {len(each)} pairs, {dict(counted)}, {len({p.group for p in each})} groups\n")
    sys.stdout.writelines(f"{problem}\n" for problem in problems)


if __name__ == "__main__":
    main()
