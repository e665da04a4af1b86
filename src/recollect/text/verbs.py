"""English verb forms that can be recognised without a dictionary of verbs."""

import re
from collections.abc import Mapping
from functools import cache

from recollect.text.lexicon import AUXILIARIES

# Forms that are also common words of another meaning (found, lay, wound, born) are left out.
_FORMS = (
    "left→leave led→lead ran→run wrote/written→write paid→pay sold→sell bought→buy chose/chosen→choose "
    "froze/frozen→freeze began/begun→begin kept→keep won→win lost→lose made→make said→say sent→send told→tell met→meet "
    "took/taken→take gave/given→give grew/grown→grow fell/fallen→fall rose/risen→rise built→build held→hold "
    "went/gone→go became→become got→get knew/known→know spoke/spoken→speak shrank/shrunk→shrink "
    "came→come stole/stolen→steal broke/broken→break drove/driven→drive taught→teach caught→catch brought→bring "
    "thought→think fought→fight sought→seek swam/swum→swim sang/sung→sing drank→drink ate/eaten→eat flew/flown→fly "
    "threw/thrown→throw drew/drawn→draw wore/worn→wear tore/torn→tear stood→stand understood→understand slept→sleep "
    "spent→spend lent→lend felt→feel heard→hear hid/hidden→hide rode/ridden→ride forgot/forgotten→forget "
    "rang/rung→ring sank/sunk→sink shook/shaken→shake seen→see dug→dig hung→hang struck→strike swore/sworn→swear "
    "woke/woken→wake blew/blown→blow bent→bend burnt→burn dealt→deal bitten→bite withdrew/withdrawn→withdraw "
    "overtook/overtaken→overtake undertook/undertaken→undertake fled→flee bled→bleed bred→breed crept→creep "
    "swept→sweep wept→weep clung→cling flung→fling slid→slide spun→spin stuck→stick stung→sting swung→swing"
)


@cache
def irregular_forms() -> Mapping[str, str]:
    """Irregular past forms and the verbs they belong to."""
    pairs = (each.split("→") for each in _FORMS.split())
    return {form: base for forms, base in pairs for form in forms.split("/")}


def is_past_form(word: str) -> bool:
    """Whether a lower-case word by itself is a past form."""
    return word in irregular_forms() or (word.endswith("ed") and len(word) > 3)


def is_finite_verb(word: str) -> bool:
    """Whether a lower-case word can be the finite verb of a clause, as far as its form shows."""
    return word in AUXILIARIES or is_past_form(word)


def words_before_verb(text: str) -> str:
    """The words of a clause before its first finite verb; empty if none is recognised."""
    for match in re.finditer(r"[A-Za-z]+", text):
        if is_finite_verb(match[0].lower()) and match.start() > 0:
            return text[: match.start()].strip()
    return ""
