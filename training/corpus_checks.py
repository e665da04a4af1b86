"""Checks of the training corpus: variety, near duplicates, and nothing in common with evaluation sets."""

import argparse
import lzma
import re
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from training.claims import CLAIMS, claim_texts
from training.corpus import WORLDS, World, load_worlds, totals, written_texts
from training.inbox_examples import inbox_texts
from training.labelled_sentences import single_sentences
from training.memories import MemoryBank, bank_texts, bank_totals, load_banks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OPENING_WORDS = 5
MAX_OPENING_SHARE = 0.005
MIN_DOMAINS = 60
MIN_VOICES = 200
COPIED_WORDS = 8
MIN_NEIGHBOUR_WORDS = 6
NEIGHBOUR_COSINE = 0.93
SIMILAR_SHARE = 0.6
MAX_HOLDERS = 50
"""A run of words that more texts have is a common phrase and makes no two of them alike."""
_WORD = re.compile(r"\w+")


def opening_shares(texts: Iterable[str]) -> list[tuple[str, float]]:
    """How large a share of the texts begins with the same five words, the most common opening first."""
    openings: Counter[str] = Counter()
    for text in texts:
        words = _WORD.findall(text.lower())
        if len(words) > OPENING_WORDS:
            openings[" ".join(words[:OPENING_WORDS])] += 1
    total = sum(openings.values())
    return [(opening, count / total) for opening, count in openings.most_common()]


def word_runs(text: str, size: int = COPIED_WORDS) -> Iterator[tuple[str, ...]]:
    """Every run of so many words."""
    words = _WORD.findall(text.lower())
    return zip(*(words[at:] for at in range(size)), strict=False)


def copied_runs(texts: Iterable[str], others: Iterable[str]) -> set[str]:
    """Runs of eight words that both sides have."""
    ours = {run for text in texts for run in word_runs(text)}
    return {" ".join(run) for other in others for run in word_runs(other) if run in ours}


def data_texts(folder: Path) -> Iterator[str]:
    """Every file below a folder as text, packed ones unpacked."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        if path.name.endswith(".tar.xz"):
            yield from _archived_texts(path)
        else:
            raw = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
            # JSON writes line breaks and quotes as escapes, which would glue words together.
            yield re.sub(r"\\[nt\"]", " ", raw.decode("utf-8", "replace"))


def _archived_texts(path: Path) -> Iterator[str]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                yield file.read().decode("utf-8", "replace")


def close_pairs(rows: "NDArray[np.float32]", cosine: float = NEIGHBOUR_COSINE) -> list[tuple[int, int]]:
    """Each row that has a nearest neighbour at least so close, with that neighbour; a pair is listed once."""
    import numpy as np

    found: set[tuple[int, int]] = set()
    for start in range(0, len(rows), 1024):
        block = rows[start : start + 1024] @ rows.T
        block[np.arange(len(block)), np.arange(start, start + len(block))] = -1
        nearest = block.argmax(axis=1)
        for at in np.flatnonzero(block.max(axis=1) >= cosine):
            found.add((min(start + int(at), int(nearest[at])), max(start + int(at), int(nearest[at]))))
    return sorted(found)


def near_duplicates(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Different texts of some length that the bundled model can hardly tell apart."""
    from recollect.embed.cached import bundled_embedder

    long = [text for text in dict.fromkeys(texts) if len(_WORD.findall(text)) >= MIN_NEIGHBOUR_WORDS]
    return [(long[one], long[other]) for one, other in close_pairs(bundled_embedder().embed(long))]


def similar_texts(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Different texts of some length that share most of their runs of three words; needs no model."""
    long = [text for text in dict.fromkeys(texts) if len(_WORD.findall(text)) >= MIN_NEIGHBOUR_WORDS]
    runs = [frozenset(word_runs(text, 3)) for text in long]
    holders: dict[tuple[str, ...], list[int]] = {}
    for at, mine in enumerate(runs):
        for run in mine:
            holders.setdefault(run, []).append(at)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in holders.values():
        if 1 < len(numbers) <= MAX_HOLDERS:
            shared.update(combinations(numbers, 2))
    alike = [pair for pair, count in shared.items() if count >= SIMILAR_SHARE * len(runs[pair[0]] | runs[pair[1]])]
    return [(long[one], long[other]) for one, other in sorted(alike)]


def report(
    worlds: Sequence[World], banks: Sequence[MemoryBank], data: Path | None, *, neighbours: bool
) -> Iterator[str]:
    """The lines of the report: totals, then one line per check."""
    single = (each.sentence.text for each in single_sentences())
    claims = list(claim_texts(CLAIMS))
    inboxes = list(inbox_texts())
    texts = [*written_texts(worlds), *bank_texts(banks), *single, *claims, *inboxes]
    counted = totals(worlds) + bank_totals(banks)
    counted += Counter({"texts of claim blocks": len(claims), "lines of inboxes": len(inboxes)})
    yield from (f"{name}: {count}" for name, count in sorted(counted.items()))
    yield from (f"problem in {world.name}: {each}" for world in worlds for each in world.problems)
    yield from (f"problem in {bank.name}: {each}" for bank in banks for each in bank.problems)
    opening, share = next(iter(opening_shares(texts)), ("", 0.0))
    yield _verdict(share <= MAX_OPENING_SHARE, f"most common opening {opening!r}: {share:.2%} of long sentences")
    yield _verdict(counted["domains"] >= MIN_DOMAINS, f"{counted['domains']} domains of {MIN_DOMAINS}")
    yield _verdict(counted["voices"] >= MIN_VOICES, f"{counted['voices']} voices of {MIN_VOICES}")
    if data is not None:
        copied = copied_runs(texts, data_texts(data))
        yield _verdict(not copied, f"{len(copied)} runs of {COPIED_WORDS} words in common with {data.name}")
        yield from sorted(copied)[:20]
    alike = similar_texts(texts)
    yield _verdict(len(alike) <= len(texts) / 200, f"{len(alike)} pairs of nearly equal texts among {len(texts)}")
    yield from (f"  {one!r} ~ {other!r}" for one, other in alike[:10])
    if neighbours:
        pairs = near_duplicates(texts)
        yield _verdict(len(pairs) <= len(texts) / 100, f"{len(pairs)} near duplicates among {len(texts)} texts")
        yield from (f"  {one!r} ~ {other!r}" for one, other in pairs[:20])


def _verdict(is_met: bool, text: str) -> str:
    return f"{'ok' if is_met else 'NOT MET'}: {text}"


def print_report() -> None:
    parser = argparse.ArgumentParser(description="Totals and checks of the training corpus")
    parser.add_argument("folder", type=Path, nargs="?", default=WORLDS)
    parser.add_argument("--data", type=Path, help="folder of evaluation sets that nothing may be copied from")
    parser.add_argument("--neighbours", action="store_true", help="also look for near duplicates by embedding")
    asked = parser.parse_args()
    for line in report(load_worlds(asked.folder), load_banks(), asked.data, neighbours=asked.neighbours):
        print(line)  # noqa: T201
