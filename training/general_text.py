"""General English that keeps a fine-tuned encoder near the stock one away from conversations.

Made from what every Python has: its own documentation, and the encoder's vocabulary put into plain encyclopaedic
sentences and loose lists of words. Only the vectors of the stock model for these texts are learned from.
"""

import re
from collections.abc import Sequence
from random import Random

_SENTENCE = re.compile(r"[A-Z][^.\n`*|=<>{}]{25,200}\.")
_TEMPLATES = (
    "{A} {B} ({year} – {later}) was a {c} {d} from {E}.",
    "{A} is a {c} {d} in the {e} of {B}, {E}.",
    "{A} {d} is a {year} {c} film directed by {B} {E}.",
    "The {c} {d} of {A} was founded in {year} by {B} {E}.",
    "Who is the {d} of the {c} {A} {B}?",
    "When was the {d} of {A} {c}?",
    "What is the {c} {d} in {A}?",
    "{A} {c} the {d} with {B} in {year}, after the {e} had been {c}.",
    "{c} {d} {e}",
    "It is the {c} {d} of the {e}; its {d} is {c}.",
)


def documentation_sentences() -> list[str]:
    """Sentences of Python's reference manual."""
    from pydoc_data.topics import topics

    text = re.sub(r"\s+", " ", " ".join(topics.values()))
    return sorted(set(_SENTENCE.findall(text)))


def general_texts(vocabulary: Sequence[str], count: int, seed: int) -> list[str]:
    """So many sentences: one in eight from the manual, one in eight a list of words, the others encyclopaedic."""
    random = Random(seed)
    words = [word for word in vocabulary if word.isalpha() and word.isascii() and len(word) > 2]
    manual = documentation_sentences()
    return [_draw(at, words, manual, random) for at in range(count)]


def _draw(at: int, words: Sequence[str], manual: Sequence[str], random: Random) -> str:
    if at % 8 == 0:
        return random.choice(manual)
    if at % 8 == 1:
        return " ".join(random.choices(words, k=random.randint(1, 12)))
    lower = dict(zip("cde", random.choices(words, k=3), strict=True))
    upper = {key: word.title() for key, word in zip("ABE", random.choices(words, k=3), strict=True)}
    year = random.randint(1500, 2020)
    return random.choice(_TEMPLATES).format(**lower, **upper, year=year, later=year + random.randint(1, 80))
