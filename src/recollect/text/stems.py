"""English stems by Porter's algorithm.

Databases hold these stems, so they must never change. They are those of Porter's own program, which departs from his
paper: "technology" becomes "technolog" and "possibly" "possibl". The `porter` algorithm of Snowball (PyStemmer,
snowballstemmer) follows the paper, turns "is" into "i" and stems words with digits; with those two cases set aside it
still gives other stems for 38 of 38,157 words of our evaluation texts, "technology" and "assembly" among them.
An existing index would not find them any more. See docs/decisions/search.md.
"""

_SHAPES = "".join("v" if chr(code) in "aeiou" else "c" for code in range(128))


def stem(word: str) -> str:
    """An English word without its endings, by Porter's steps."""
    if len(word) < 3 or not word.isalpha():
        return word
    for step in (_plural, _past, _final_y, _long_ending, _short_ending, _bare_ending, _final_cleanup):
        word = step(word)
    return word


def _shape(word: str) -> str:
    """Each letter as v or c; a y after a consonant is a vowel."""
    if "y" not in word and word.isascii():
        return word.translate(_SHAPES)
    shape = ""
    for at, letter in enumerate(word):
        is_vowel = letter in "aeiou" or (letter == "y" and at > 0 and shape[at - 1] == "c")
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    """How many times a vowel run is followed by a consonant run."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        root = word.removesuffix(ending)
        if root != word and "v" in _shape(root):
            return _restore_stem(root)
    return word


def _restore_stem(root: str) -> str:
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if len(root) > 1 and root[-1] == root[-2] and _shape(root)[-1] == "c" and root[-1] not in "lsz":
        return root[:-1]
    return root + "e" if _measure(root) == 1 and _ends_short(root) else root


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and "v" in _shape(word[:-1]) else word


# The longest endings stand first, since a word has the longest that fits.
_LONG = {
    "ational": "ate", "ization": "ize", "iveness": "ive", "fulness": "ful", "ousness": "ous", "tional": "tion",
    "biliti": "ble", "entli": "ent", "ousli": "ous", "ation": "ate", "alism": "al", "aliti": "al", "iviti": "ive",
    "enci": "ence", "anci": "ance", "izer": "ize", "alli": "al", "ator": "ate", "logi": "log", "bli": "ble", "eli": "e",
}  # fmt: skip
_SHORT = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ness": "", "ful": ""}
_BARE = (
    "ement", "ment", "ent", "ance", "ence", "able", "ible", "ant", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
    "al", "er", "ic", "ou",
)  # fmt: skip


def _replace_suffix(word: str, endings: dict[str, str]) -> str:
    for ending in endings if word.endswith(tuple(endings)) else ():
        if word.endswith(ending):
            root = word[: -len(ending)]
            return root + endings[ending] if _measure(root) else word
    return word


def _long_ending(word: str) -> str:
    return _replace_suffix(word, _LONG)


def _short_ending(word: str) -> str:
    return _replace_suffix(word, _SHORT)


def _bare_ending(word: str) -> str:
    for ending in _BARE if word.endswith(_BARE) else ():
        if word.endswith(ending):
            root = word[: -len(ending)]
            fits = _measure(root) > 1 and (ending != "ion" or root.endswith(("s", "t")))
            return root if fits else word
    return word


def _final_cleanup(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        if _measure(root) > 1 or (_measure(root) == 1 and not _ends_short(root)):
            word = root
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
