"""The relevance floor: what is too far from a question to be an answer, also in words or languages of its own."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import log10

from recollect.embed.port import Embedder
from recollect.reading.language import common_words, detect_language
from recollect.search.index_terms import content_stems, question_forms, salient_tokens
from recollect.text.content_words import split_words
from recollect.text.unspaced_words import is_cut_into_parts
from recollect.when.gregorian import MONTH_NAMES, WEEKDAYS

COSINE_FLOOR = 0.30
"""Least cosine of a text that shares no salient word with the question; see docs/decisions/recall.md."""
SMALL_STORE = 100
FLOOR_PER_DECADE = 0.05
"""Added for each tenfold of texts: the more there are, the nearer one of them is to an unrelated question."""
FLOOR_DECIMALS = 2
"""In steps, so that one text more in a large store, where those that were taken back count, leaves the floor alone."""
HIGHEST_FLOOR = 0.45
SHARED_WORD_FLOOR = 0.2
"""Least cosine of a text with a salient word or a related one; below it the word means something else there."""
NEXT_NEAREST_MARGIN = 0.05
"""How far below the floor the next nearest may lie where something is above it."""
UNKNOWN_NAME_MARGIN = 0.1
"""A question with a name that nothing here mentions is hardly about anything here."""
FOREIGN_FLOOR = 0.6
"""Least cosine of a text that shares no word with a question in a language that the encoder was not made for."""
UNREAD_SCRIPT_FLOOR = 0.8
"""The same in a script whose words it does not know: there any two sentences of one language are near each other."""

IsKnown = Callable[[str], bool]
"""Whether any text or name holds a word."""
_ACRONYMS = frozenset(
    "API BIC CD CEO CFO CI COO CTO DB DNS DOB ETA FAQ GPS HR IBAN ID IP ISP IT OS PC PDF PIN PO PR QA SIM SLA SQL SSH "
    "SSID SSL TV UI URL USB UX VAT VPN".split()
)
"""Common nouns in capitals: such a word in a question is not a name."""
_WORD = re.compile(r"[^\W\d_]\w*(?:-\w+)*")


@dataclass(frozen=True, slots=True)
class RelevanceFloor:
    """The words of a question that tell what it is about, and what an answer must have in common with it."""

    salient: frozenset[str]
    meaning: float = COSINE_FLOOR
    shared_word: float = SHARED_WORD_FLOOR
    related: frozenset[str] = frozenset()
    """Words that let a text without any of the salient ones answer."""
    names: frozenset[str] = frozenset()
    """Names in the question that some text here has; a text with one of them may answer whatever its cosine."""

    @classmethod
    def of(cls, question: str, is_known: IsKnown, texts: int, *, is_foreign: bool = False) -> "RelevanceFloor":
        """The floor of a question, by the number of embedded texts; `is_foreign` if their cosines say little."""
        salient, meaning = salient_tokens(question_forms(question)), _cosine_floor(texts)
        related = answering_stems(salient)
        capitalised = _capitalised_words(question)
        known = [name for name in capitalised if is_known(name)]
        names = content_stems(" ".join(known))
        if is_foreign:
            floor = UNREAD_SCRIPT_FLOOR if is_cut_into_parts(question) else FOREIGN_FLOOR
            return cls(salient - foreign_function_words(), floor, names=names - foreign_function_words())
        if len(known) < len(capitalised):
            return cls(salient, meaning + UNKNOWN_NAME_MARGIN, meaning, related)
        return cls(salient, meaning, related=related, names=names)

    def admits(self, words: Collection[str], cosine: float | None) -> bool:
        """Whether a text with these content tokens and this cosine may be an answer."""
        shares = not self.salient.isdisjoint(words)
        if cosine is None or not self.names.isdisjoint(words):
            return shares
        if self.is_near(cosine) or (shares and cosine >= self.shared_word) or self._holds_all(words):
            return True
        return self.may_be_related(cosine) and not self.related.isdisjoint(words)

    def _holds_all(self, words: Collection[str]) -> bool:
        """Whether a text has every salient word of a question that has several, or a code: INV-2041 has no meaning."""
        tells_much = len(self.salient) > 1 or any(map(str.isdigit, self.salient))
        return tells_much and self.salient.issubset(words)

    def lowered(self) -> "RelevanceFloor":
        """The floor of what stands beside an answer: that the question is answered here is known by then."""
        return replace(self, meaning=self.meaning - NEXT_NEAREST_MARGIN)

    def is_near(self, cosine: float | None) -> bool:
        """Whether a text with this cosine may be an answer whatever its words."""
        return (cosine or 0.0) >= self.meaning

    def may_be_related(self, cosine: float | None) -> bool:
        """Whether a text with this cosine may be an answer if it has a related word."""
        return bool(self.related) and (cosine or 0.0) >= self.shared_word


def _cosine_floor(texts: int) -> float:
    """The least cosine of an answer that shares no salient word, by the number of texts."""
    decades = log10(max(texts, SMALL_STORE) / SMALL_STORE)
    return min(HIGHEST_FLOOR, round(COSINE_FLOOR + FLOOR_PER_DECADE * decades, FLOOR_DECIMALS))


def _capitalised_words(question: str) -> list[str]:
    """Words that are written as names; the first word of a sentence is capitalised anyway."""
    found = [
        each[0] for each in _WORD.finditer(question) if each[0][0].isupper() and not _starts_sentence(question, each)
    ]
    return [word for word in found if len(word) > 1 and word not in _calendar_words() and word not in _ACRONYMS]


def _starts_sentence(text: str, word: re.Match[str]) -> bool:
    before = text[: word.start()].rstrip(" \"'“‘([")
    return not before or before[-1] in ".!?:;\n"


@cache
def _calendar_words() -> frozenset[str]:
    return frozenset((*MONTH_NAMES, *WEEKDAYS))


_ASKED_AS: Mapping[str, str] = {
    "allergic allergy intolerant intolerance coeliac celiac": "eat food avoid ill sick react medicine",
    "vegetarian vegan eat meat fish": "diet food meal cook",
    "metformin tablet pill insulin dose medication medicine": "medicine medication pill drug",
    "asthma diabetes migraine illness diagnosed": "ill illness sick condition health disease",
    "doctor dentist gp physician therapist clinic": "doctor sick ill health appointment",
    "live lives flat house apartment resident moved move lane street road": (
        "home address residence city town village country place street house based parcel"
    ),
    "office desk headquarters": "workplace work address",
    "work works job engineer nurse teacher employed company joined": "job employer profession living company workplace",
    "head lead manages runs responsible": "charge responsible position role boss job",
    "manager supervisor": "boss report chief",
    "reports": "boss manager supervisor",
    "retired left resigned": "employer job former work",
    "track tracker issues tickets jira linear": "bug ticket issue tracker file",
    "editor neovim vim emacs": "ide editor code write",
    "written python rust java typescript": "language program code stack",
    "deploy hosted server": "host hosting platform run cloud",
    "database postgres postgresql mysql mariadb sqlite": "database store data record",
    "tests builds pipeline": "ci build integration pipeline",
    "chat chats slack messages": "messenger talk write chat",
    "wife husband spouse married wedding": "married spouse partner marry wedding",
    "partner girlfriend boyfriend": "partner couple together girlfriend boyfriend",
    "brother sister sibling": "sibling brother sister family",
    "son daughter child children kids": "child kid children niece nephew family",
    "mother father mum dad parents": "mum dad mother father parent family",
    "grandfather grandmother grandma grandpa": "granddad grandad grandmother grandma grandparent family",
    "cat dog rabbit hamster parrot": "pet animal",
    "birthday born": "born birthday birth old age",
    "lease contract warranty expires": "end valid until rental contract expire",
    "standup meeting sync retro": "meeting meet daily sync call",
    "due deadline": "due deadline until",
    "payroll salary wage": "paid pay salary money earn",
    "rent": "pay flat rent month",
    "prefer favourite favorite like love enjoy": "like prefer favourite favorite love taste please",
    "hate dislike annoyed": "hate dislike annoy stand mind",
    "going trip travel flight holiday vacation": "trip travel holiday vacation journey",
    "marathon run running cycling swim gym": "sport training train exercise goal fitness",
    "want plan planning intend hope": "plan goal intend wish",
    "learning learn studying study course": "learn study skill language course",
    "repaint paint renovate renovation build": "renovate renovation paint decorate",
    "car bike van drive drives": "car vehicle drive",
    "tabs spaces indent": "indent indentation style format",
    "commit branch merge": "git commit branch",
    "phone mobile email": "contact reach call phone email write",
    "license licence mit apache gpl": "term license licence published legal",
    "vat iban passport": "tax id number bank account identity",
    "babysitter sitter nanny childminder": "sitter babysitter nanny childcare",
    "costs fee rate price percent": "cost price charge fee cut share pay",
    "accompanist pianist guitarist drummer singer": "play piano music instrument band",
    "wear wears suit uniform": "dress clothes outfit wear",
    "cto ceo cfo director": "lead charge engineering boss chief company",
    "accountant lawyer solicitor": "tax legal books advice",
    "email": "mail address",
}
"""By words of a text, words of questions that it may answer."""


def answering_stems(question_stems: Collection[str]) -> frozenset[str]:
    """The stems of words with which a text may answer a question with these stems."""
    index = _answering_index()
    return frozenset[str]().union(*(index[stem] for stem in question_stems if stem in index))


@cache
def _answering_index() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for said, asked in _ASKED_AS.items():
        for stem in content_stems(asked):
            found[stem] = found.get(stem, frozenset()) | content_stems(said)
    return found


_QUESTION_WORDS = frozenset(
    "wer wem wen wann wo wohin woher wie warum wieso weshalb welche welcher welches wieviel "
    "quand où combien pourquoi comment quel quelle quels quelles "
    "quién quien quiénes qué cuándo cuando dónde donde cómo cuánto cuanto cuánta cuántos cuál "
    "quem quando onde quanto quanta qual quais dove chi perché quale quali "
    "wat wanneer waar hoe hoeveel waarom welk vem när hur varför vilken kto kiedy gdzie ile dlaczego".split()
)
"""Words with which questions begin, those left out that are English words too."""


_ENGLISH = frozenset(
    "how what which who whom whose where when why does did the my our your you are should would could there".split()
)
"""Words that no question in another language has; *do*, *a* and *ten* are Portuguese and Polish words as well."""


def is_unsupported_by_encoder(question: str, embedder: Embedder | None) -> bool:
    """Whether the bundled encoder, which is English, has to compare a question in another language."""
    from recollect.embed.local import MODEL

    return embedder is not None and embedder.model == MODEL and _is_foreign(question)


def _is_foreign(question: str) -> bool:
    words = split_words(question)
    if not _ENGLISH.isdisjoint(words):
        return False
    return detect_language(question) != "en" or not _QUESTION_WORDS.isdisjoint(words[:1])


@cache
def foreign_function_words() -> frozenset[str]:
    """The stems of words that tell nothing about the subject of a question in another language."""
    return content_stems(" ".join(common_words() | _QUESTION_WORDS))
