"""The English words of negation: one list, and the parts of it that readers need, each with its reason.

Those of other languages are in the tables of `reading`; `reading.denial.is_negative` answers for all of them.
"""

import re
from collections.abc import Iterable

VERB_NEGATORS = frozenset("not never cannot nor hardly scarcely".split())
"""Words that deny the verb beside them. *Barely*, *rarely* and *seldom* are none: what is barely done is done."""
STATEMENT_NEGATORS = VERB_NEGATORS | {"no"}
"""Words that deny a whole statement; *nobody* and *nothing* only tell of whom or of what it does not hold."""
DEED_NEGATORS = VERB_NEGATORS | frozenset("nobody none nothing neither nowhere".split()) | {"no one"}
"""Words that deny a deed; *no* and *without* mostly stand beside one that was done: *sent, no reply yet*."""
CLAUSE_NEGATORS = DEED_NEGATORS | {"no"}
"""Words that deny a clause or a part of it; *without* only tells a circumstance: *ruled without mercy*."""
NEGATORS = CLAUSE_NEGATORS | {"without"}

AFFIRMING = (
    r"not (?:only|merely|just(?! yet)|(?:later|earlier|sooner) than)|(?<=, )not (?:before|until|till)"
    r"|no doubt|no sooner|nothing but|none other than"
    r"|without (?:an? |any )?(?:shadow of (?:a )?)?doubt"
)
"""Phrases that begin with a negator and yet affirm."""
EMPHASIS_PATTERN = r"\b(?:after all|at all|in fact|in the end|actually|really|it turns out(?: that)?|turns out)\b"
"""Words beside a negation that say nothing else."""
_VERB_OF_BARE_FORM = {
    f"{verb}nt": verb for verb in "does did is are was were has have had could should would".split()
} | {"cant": "can", "wont": "will"}
_DONT = r"dont(?! (?:l[ea]s?|une?|ils?|elles?|on|je|nous|vous)\b| l['’])"
"""Without an apostrophe it may be French: *la lettre dont le ton …*."""
_VERB_OF_ODD_FORM = {"ca": "can", "wo": "will", "sha": "shall"}
_CONTRACTED_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)


def negator_pattern(words: Iterable[str] = NEGATORS) -> str:
    """A regular expression of negators with *didn't* and *didnt*, without phrases that affirm."""
    found = "|".join([*sorted(words), r"\w*n['’]t", *_VERB_OF_BARE_FORM, _DONT])
    return rf"\b(?!(?:{AFFIRMING})\b)(?:{found})\b"


def contracted_verb(word: str) -> str | None:
    """The verb that a word in small letters joins with *not*: *can* of *can't*, *cant* and *cannot*."""
    if word == "cannot":
        return "can"
    base = _CONTRACTED_NOT.sub("", word)
    return _VERB_OF_BARE_FORM.get(word) if base == word else _VERB_OF_ODD_FORM.get(base, base)


def has_contracted_not(text: str) -> bool:
    return _CONTRACTED_NOT.search(text) is not None


def write_out_not(text: str) -> str:
    """A text in small letters with *not* as a word of its own."""
    return _CONTRACTED_NOT.sub(" not", text).replace("cannot", "can not")
