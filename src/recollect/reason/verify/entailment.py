"""What the entailment model makes of sentences where rules find nothing that decides a claim.

It is asked only about sentences that assert plainly and name what the claim is about, and its answer counts only where
no explicit mark speaks against it: doubt, condition, question, hearsay, an end.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from recollect.reason.verify.evidence import EvidenceSentence
from recollect.reason.verify.fact_evidence import Judgement
from recollect.reason.verify.sentence_evidence import AskedClaim
from recollect.reason.verify.sentence_guards import is_not_stood_by, is_rebuttal
from recollect.reason.verify.stance import Sign, Stance
from recollect.reason.verify.statements import ClaimForm, extract_statements, is_stated_alike
from recollect.reason.verify.word_lists import ENDING_PHRASES, ENDINGS
from recollect.text.content_words import content_tokens, split_words
from recollect.text.negation import write_out_not
from recollect.text.verbs import words_before_verb
from recollect.text_models.entailment import ClaimVerdict, EntailmentModel

MAX_SENTENCES = 8
"""Of the sentences that name what the claim is about, those that share most words with it are read."""
_UNWITNESSED = re.compile(
    r"\b(?:nobody|no[ -]one|none|never|not|no)\b.{0,40}?\b"
    r"(?:s[ae]w|see[ns]?|heard?|hears|notic\w+|remember\w*|recall\w*|kn[eo]w\w*|sa(?:y|ys|id)|mention\w*|report\w*"
    r"|claim\w*|prov\w+|proof|evidence|signs?|traces?|records?|mentions?)\b",
    re.IGNORECASE,
)
"""Nobody having seen or told something does not say that it was not so."""
_SIGNS: dict[ClaimVerdict, Sign] = {"supports": 1, "refutes": -1, "neither": 0}


class EntailedSentence(NamedTuple):
    """A sentence that the model is sure of."""

    sentence: EvidenceSentence
    judgement: Judgement
    probability: float
    model: str


def entailed_sentences(
    model: EntailmentModel, claim: str, asked: AskedClaim, sentences: Iterable[EvidenceSentence]
) -> Iterator[EntailedSentence]:
    """The sentences that the model finds to support or refute a claim."""
    found = list(_candidates(claim, asked.form, sentences))
    readings = model.read(claim, [each.text for each, _ in found]) if found else []
    for (sentence, overlap), reading in zip(found, readings, strict=True):
        sign = _SIGNS[reading.verdict]
        if reading.is_sure and sign and not _is_outvoted(asked, sentence.text, sign):
            judged = Judgement(overlap, True, Stance(sign, "nli"))
            yield EntailedSentence(sentence, judged, reading.probability, reading.model)


def _candidates(
    claim: str, form: ClaimForm, sentences: Iterable[EvidenceSentence]
) -> Iterator[tuple[EvidenceSentence, float]]:
    """The sentences that may decide a claim, each with the share of the claim's words that it has."""
    subject, asked = set(content_tokens(words_before_verb(claim))), set(content_tokens(claim))
    if form.frames or not subject:
        return
    read = ((each, set(content_tokens(each.text))) for each in sentences)
    near = [(each, len(asked & tokens) / len(asked)) for each, tokens in read if subject & tokens]
    plain = (found for found in sorted(near, key=itemgetter(1), reverse=True) if _is_plain(found[0], claim, form))
    yield from islice(plain, MAX_SENTENCES)


def _is_outvoted(asked: AskedClaim, sentence: str, sign: Sign) -> bool:
    """Whether an explicit mark of the sentence speaks against a stance."""
    if sign < 0:
        return _UNWITNESSED.search(write_out_not(sentence)) is not None
    return asked.reading.tense == "present" and _is_over(sentence, asked.form)


def _is_over(sentence: str, form: ClaimForm) -> bool:
    """Whether a sentence tells the end of something: *used to*, *no longer*, *until*."""
    low = sentence.casefold()
    has_words = bool(ENDINGS.intersection(split_words(low))) or any(phrase in low for phrase in ENDING_PHRASES)
    return has_words or any(each.is_over for each in extract_statements(sentence, form).all)


def _is_plain(sentence: EvidenceSentence, claim: str, form: ClaimForm) -> bool:
    """Whether a sentence asserts all it says, and has the numbers of the claim."""
    if is_not_stood_by(sentence.text, claim) or is_rebuttal(sentence.following):
        return False
    return _numbers(claim) <= _numbers(sentence.text) and is_stated_alike(sentence.text, form)


def _numbers(text: str) -> set[str]:
    return {word for word in split_words(text) if word.isdigit()}
