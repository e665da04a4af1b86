"""Compare our stems with Snowball's `porter` for every word of some files; needs `pip install PyStemmer`.

Usage: python scripts/compare_stemmers.py FOLDER...
"""

import sys
from collections import Counter
from pathlib import Path

import Stemmer  # type: ignore[import-not-found]

from recollect.text.fold import fold_for_search
from recollect.text.stems import stem
from recollect.text.tokens import words

SUFFIXES = {".csv", ".ged", ".json", ".jsonl", ".md", ".tsv", ".txt"}


def main(folders: list[str]) -> None:
    """Write how many words differ, and each of them with both stems."""
    files = [path for folder in folders for path in sorted(Path(folder).rglob("*")) if path.suffix in SUFFIXES]
    found = Counter(word for path in files for word in words(fold_for_search(path.read_text("utf-8", "replace"))))
    counts = {word: count for word, count in found.items() if word.isascii() and word.isalpha()}
    snowball = Stemmer.Stemmer("porter")
    differing = [word for word in counts if len(word) > 2 and stem(word) != snowball.stemWord(word)]
    sys.stdout.write(f"{len(counts)} words, {len(differing)} of more than two letters differ\n")
    for word in sorted(differing, key=lambda each: -counts[each]):
        sys.stdout.write(f"{counts[word]:6} {word:20} {stem(word):20} {snowball.stemWord(word)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
