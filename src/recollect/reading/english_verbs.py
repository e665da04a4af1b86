"""English verbs of doing: what one promises, asks for and reports as done."""

import re
from functools import cache

from recollect.text.patterns import lazy_pattern
from recollect.text.verbs import irregular_forms, is_past_form

_DOING = (
    "add adjust advise announce answer apply approve arrange ask assemble assign attach attend back bake bin "
    "block book "
    "borrow bring build buy calculate call cancel change charge chase check choose circulate clean clear close collect "
    "come compare complete confirm contact convert cook copy correct count cover create cut decide decline "
    "delete deliver "
    "deploy describe design discuss document donate double download draft draw drive drop edit email empty enter "
    "estimate "
    "explain export extend feed fetch file fill finalise finalize find finish fix fly follow forward freeze gather get "
    "give go grab greet hand handle hang help hide hire hold host include inform insert install instruct invite "
    "invoice "
    "iron keep label land launch learn leave lend lift list load lock log look mail make mark measure meet mend "
    "mention "
    "merge mix monitor mount move mow negotiate note notify offer open order organise organize pack paint park "
    "pass paste "
    "pay phone photograph pick ping plan plant play polish post practise practice prepare present press print produce "
    "propose prune publish pull pump push put quote raise read rebuild recalculate record recycle redo reduce refund "
    "register rehearse release remind remove rename renew rent repair repeat replace reply report request rerun "
    "reschedule "
    "research reserve reset resend resize resolve respond rest restart restore return review rewrite ring run "
    "save scan "
    "schedule scrub search seat secure sell send serve set settle share sharpen ship shop shorten show sign sit "
    "skip slow solve "
    "sort sow speak split stack start stay stick stop store submit suggest supply support swap sweep switch take talk "
    "teach tell tend test text throw tidy tie time top track train transfer translate transport treat trim try "
    "tune turn "
    "type unload unlock unpack update upgrade upload use vacuum visit vote wait walk wash watch water wear weigh weld "
    "whatsapp wipe withdraw work wrap write "
    "audit bind bill boil bottle brew brief calibrate carry carve cast crop debug dig dye engrave "
    "escalate film fit fold frame glue graft grease grind grout harvest haul hem hook inspect knit lay "
    "migrate milk moor oil patch peel pitch plaster pour rake refill refuel rewire rig rinse roast sand "
    "screw sew shave shear shoot slice solder splice spray stamp stitch survey tag tile tow triage "
    "unblock varnish weed wind wire"
)
# What one may ask somebody else to do, but never reports or promises in this form.
_ONLY_ASKED = "be consider do enjoy forget have imagine let remember say see stand think treat trust"
# Words that begin a sentence as nouns or adjectives more often than as an order.
_RARELY_ORDERS = (
    "back contact pack block book change charge close clear copy cover cut draft design double empty estimate "
    "file fix freeze hand help "
    "host invoice iron label land launch leave lift list load lock log look mail mark mount note offer open "
    "order paint park "
    "pass paste phone photograph plan plant play polish post practice present press print produce propose prune "
    "pump quote "
    "refund release rent repair repeat report request research reserve rest return review ring run scan schedule "
    "search seat "
    "secure set share ship shop show sign slow sort split stack start stay stick stop store supply support swap sweep "
    "switch talk tend test text tie time top track train transfer transport treat trim try tune turn type update "
    "upgrade use visit vote "
    "walk wash watch water wear work wrap "
    "audit bill bottle brew brief cast charge crop dye film fit fold frame glue graft grease grind grout "
    "harvest haul hem hook milk oil patch pitch plaster rake rig roast sand screw shoot slice splice "
    "spray stamp stitch survey tag tile tow varnish weed wind wire"
)
_DOUBLING = frozenset(
    "drop plan transfer ship stop swap wrap trim rerun cut set let put run shop scan log fit tag rig hem dig".split()
)


def action_verbs() -> frozenset[str]:
    """Verbs of doing in their base form."""
    return _verbs()[0]


def order_verbs() -> frozenset[str]:
    """Base forms that may begin an order: verbs of doing, and what one only asks of others."""
    return _verbs()[1]


@cache
def _verbs() -> tuple[frozenset[str], frozenset[str]]:
    doing = frozenset(_DOING.split())
    return doing, doing | frozenset(_ONLY_ASKED.split())


@cache
def rarely_orders() -> frozenset[str]:
    """Base forms that are nouns or adjectives at the start of a sentence unless an object follows."""
    return frozenset(_RARELY_ORDERS.split())


_UNCHANGED_PAST = frozenset("put cut set shut hit let read cost spread".split())
"""Verbs whose past is spelt like an order."""
_DONE_THEN = lazy_pattern(r"\b(?:yesterday|this morning|last (?:night|week|month)|earlier|(?:and|&) [a-z]{2,}ed)\b")


_OBJECT_STARTS = frozenset(
    "the a an this that these those my our your their his her it them him me us all both every everything up out off "
    "back in down over away with for".split()
)
_PARTICLES = frozenset("up out off back in down over away with for".split())


_STATING = frozenset(
    "affect allow appear arrive belong block break cause consist contain cost crash depend differ drain exist expire "
    "fail fall grow happen leak live look matter mean need remain require rise rotate run rust seem stand vary".split()
)
"""Verbs that say what things do or are like; nobody is asked to do so."""
_PLURAL_VERBS = frozenset("are were have had do did will would can could should may might must".split())
_SINGULAR_VERBS = frozenset("is was has does needs costs lives requires contains expires seems".split())
_WITH_CLAUSE = frozenset("check confirm decide explain find forget mention remember say see suggest think".split())
"""What may be followed by a clause without `that`: `check payments are in`."""
_WITH_RECIPIENT = frozenset("ask call email give inform mail notify phone remind send show tell text whatsapp".split())
_WITH_STATE = frozenset("get have help hold keep leave let make see watch".split())
"""What may be followed by a thing and what it does: `help kids learn`."""
_ENDS_NOUN = frozenset(
    "the a an this that these those my our your their his her its it them him me us you i we he she they all both "
    "every everything some any no not and or but to for from in on at by with of about after before until till over "
    "under up out off back down away what which who whom whose when where why how if whether".split()
)
_AFTER_VERB = frozenset(
    "the a an this that these those my our your their its all some no not to for from in on at by with of about after "
    "before until till over under up out off down away every only again twice".split()
)
_LONGEST_COMPOUND = 3
_WORD_ENDS = ".,;:!?)"


def _is_subject(verb: str, behind: list[str]) -> bool:
    """Whether a word begins a noun phrase that a finite verb follows: `pull requests need two approvals`."""
    for at, word in enumerate(behind[:_LONGEST_COMPOUND]):
        if word in _ENDS_NOUN or not word.replace("-", "").isalpha():
            return False
        after = [each.rstrip(_WORD_ENDS) for each in behind[at + 1 : at + 3]]
        if after and word.endswith("s") and not word.endswith(("ss", "us", "is")):
            return _is_plural_verb(verb, after)
        if after and after[0] in _SINGULAR_VERBS:
            return verb not in _WITH_CLAUSE | _WITH_STATE and (at == 0 or verb not in _WITH_RECIPIENT)
    return False


def _is_plural_verb(order: str, after: list[str]) -> bool:
    """Whether the word after a plural noun is its verb, and not what an order says of the noun."""
    word, *rest = after
    if order in _WITH_STATE:
        return False
    if word in _PLURAL_VERBS or (is_past_form(word) and rest[:1] != ["by"]):
        return order not in _WITH_CLAUSE
    if word in _STATING:
        return True
    is_plain = not rest or rest[0] in _AFTER_VERB or rest[0].isdigit()
    return word in action_verbs() and word not in _ENDS_NOUN and (is_plain or word not in rarely_orders())


def is_order(low: str, match: re.Match[str]) -> bool:
    """Whether a verb at the start of a clause is an order and not a noun: something must follow that it acts on."""
    verb = match["verb"]
    after = [word for word in low[match.end("verb") :].split() if any(map(str.isalnum, word))]
    if not after:
        return False
    if verb in _UNCHANGED_PAST and _DONE_THEN.search(low, match.end("verb")):
        return False
    if verb not in rarely_orders():
        return not _is_subject(verb, after)
    return after[0] in _OBJECT_STARTS and (len(after) > 1 or after[0] not in _PARTICLES)


@cache
def past_forms() -> frozenset[str]:
    """Past forms of the verbs of doing."""
    irregular = {form for form, base in irregular_forms().items() if base in action_verbs()}
    others = frozenset("put cut set read sent paid redone done found rang wrote sold bought".split())
    return frozenset(irregular | others | {_regular_past(verb) for verb in action_verbs()})


def _regular_past(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1]}ed" if verb in _DOUBLING else f"{verb}ed"


@cache
def verb_fragments() -> dict[str, str]:
    """Alternatives of verb forms, as the tables of cues name them."""
    doing = action_verbs()
    forms = {
        "doing": doing,
        "order": order_verbs(),
        "done": past_forms(),
        "does": third_person_forms(),
        "doing_it": {ing_form(verb) for verb in doing},
        "past": past_forms() | irregular_forms().keys(),
    }
    found = {name: "|".join(sorted(verbs, key=lambda verb: (-len(verb), verb))) for name, verbs in forms.items()}
    found["past"] += "|[a-z]{2,}ed"
    return found


@cache
def third_person_forms() -> frozenset[str]:
    """The forms of the verbs of doing with he or she."""
    return frozenset(third_person(verb) for verb in action_verbs())


def third_person(verb: str) -> str:
    """The form of a verb with he or she."""
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"


def ing_form(verb: str) -> str:
    """The form of a verb in -ing."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye")):
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1]}ing" if verb in _DOUBLING else f"{verb}ing"
