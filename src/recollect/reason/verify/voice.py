"""Whether the verb of a claim has the same voice, tense and aspect in a statement."""

from recollect.reason.verify.parsed_statement import ParsedStatement
from recollect.reason.verify.statement_verbs import DETERMINERS
from recollect.text.lexicon import AUXILIARIES, FORMS_OF_BE
from recollect.text.verbs import is_past_form

_IS, _WAS = frozenset({"is", "are", "am"}), frozenset({"was", "were"})
_BARE_FORM = frozenset("did to helped help helps".split())
_UNDER_WAY = frozenset("being getting becoming".split())


def is_voice_kept(claim: ParsedStatement, said: ParsedStatement, verb: int, at: int, *, is_passive_claim: bool) -> bool:
    """Whether the verb of the claim is active or passive, done or under way, in the statement too."""
    words, asked = [piece.word for piece in said.pieces], [piece.word for piece in claim.pieces]
    if not is_past_form(asked[verb]):
        return True
    before = words[max(0, at - 2) : at]
    if not _is_tense_kept(words, at, asked, verb, is_denied=bool(said.negators)):
        return False
    if _UNDER_WAY.intersection(before) - set(asked) or _is_progressive(words[at], before):
        return False
    if is_passive_claim:
        following = said.pieces[at + 1] if at + 1 < len(words) else None
        is_active = following is not None and (following.word in DETERMINERS or following.is_name)
        return not is_active or bool(FORMS_OF_BE.intersection(words[max(0, at - 3) : at]))
    is_passive = bool(FORMS_OF_BE.intersection(before)) and is_past_form(words[at])
    return asked[verb - 1] in AUXILIARIES or not is_passive


def _is_progressive(word: str, before: list[str]) -> bool:
    """Whether a deed is or was under way, which leaves open whether it was completed: *was crossing the road*."""
    return word.endswith("ing") and bool((_IS | _WAS).intersection(before))


def _is_tense_kept(words: list[str], at: int, asked: list[str], verb: int, *, is_denied: bool) -> bool:
    """Whether what is claimed as past is no bare form here, and what is claimed to last is not over."""
    word = words[at]
    is_bare = not is_past_form(word) and not word.endswith(("ing", "s")) and word != asked[verb] and not is_denied
    is_over = bool(_WAS.intersection(words[max(0, at - 2) : at])) and asked[verb - 1] in _IS
    return not is_over and (not is_bare or bool(_BARE_FORM.intersection(words[max(0, at - 3) : at])))
