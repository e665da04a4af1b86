"""Sentences with what they leave out because they said it before: every part as a clause of its own."""

import re

from recollect.reason.verify.word_lists import NUMBER_WORDS

NUMBER = rf"(?:\d[\d,.]*|one|{'|'.join(NUMBER_WORDS)})"
_WITHIN = r"(?:[^,;:]|(?<=\d)[,:](?=\d))+?"
_NAMED = r"(?:(?:the|a|an|my|our|his|her|its|their) [\w'’-]+|[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*)"
_COMPARISON = rf"(?:(?:more|less) \w+|\w+er) than {_WITHIN}"
_AT = r"(?:at|in|on|from|to)"
# *Ada is older than Bo and younger than Cy*.
_TWO_COMPARISONS = re.compile(
    rf"^(?P<head>{_WITHIN}) (?P<one>{_COMPARISON}),? (?:and|but|yet|though) (?P<two>{_COMPARISON})(?P<end>[.!]?)$"
)
# *The shop opens at 8 and closes at 6*; as well *The shop sells plums in May and pears in June*.
_TWO_DEEDS = re.compile(
    rf"^(?P<head>{_WITHIN}) (?P<one>[a-z]+s {_AT} {_WITHIN}) and (?P<two>[a-z]+s {_AT} {_WITHIN})(?P<end>[.!]?)$"
)
_NEITHER = re.compile(rf"^Neither (?P<one>{_NAMED}) nor (?P<two>{_NAMED}) (?P<rest>{_WITHIN})(?P<end>[.!]?)$")
_ALL_BUT = re.compile(rf"\ball but {NUMBER} (?:of )?", re.IGNORECASE)


def write_out(sentence: str) -> str:
    """The sentence with two comparisons, deeds or doers that share words as two clauses."""
    plain = _ALL_BUT.sub("almost all ", sentence)
    if found := _NEITHER.match(plain):
        return f"{found['one']} never {found['rest']}; {found['two']} never {found['rest']}{found['end']}"
    found = _TWO_COMPARISONS.match(plain) or _TWO_DEEDS.match(plain)
    if found is None:
        return plain
    return f"{found['head']} {found['one']}; {found['head']} {found['two']}{found['end']}"
