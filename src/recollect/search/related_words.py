"""Words in which people ask for what a text says in others: who is *allergic* to something must not *eat* it.

They only lower the cosine that an answer must reach; they neither find nor rank anything.
"""

from collections.abc import Collection, Mapping
from functools import cache

from recollect.search.content_words import content_stems

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
    """The stems of words by which a text may answer a question with these stems."""
    index = _answering_index()
    return frozenset[str]().union(*(index[stem] for stem in question_stems if stem in index))


@cache
def _answering_index() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for said, asked in _ASKED_AS.items():
        for stem in content_stems(asked):
            found[stem] = found.get(stem, frozenset()) | content_stems(said)
    return found
