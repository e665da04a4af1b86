"""The closed word classes of English, and words that belong to names; who needs fewer takes them away."""

ARTICLES = frozenset("the a an".split())
POSSESSIVES = frozenset("my your our his her its their".split())
ARTICLE_PATTERN = rf"(?:{'|'.join(sorted(ARTICLES | POSSESSIVES))})"
"""An article, or what stands in its place."""
DEMONSTRATIVES = frozenset("this that these those".split())
DETERMINERS = ARTICLES | POSSESSIVES | DEMONSTRATIVES | frozenset("some all both each".split())

TIME_PREPOSITIONS = frozenset("after before during since throughout till until".split())
PREPOSITIONS = TIME_PREPOSITIONS | frozenset(
    "about above across against along among around as at behind below beneath beside besides between beyond by despite "
    "for from in inside into like near of off on onto outside over past through to toward towards under up upon via "
    "with within without".split()
)

FORMS_OF_BE = frozenset("am is are was were be been being".split())
FORMS_OF_HAVE = frozenset("has have had".split())
FORMS_OF_DO = frozenset("do does did".split())
AUXILIARIES = (
    FORMS_OF_BE | FORMS_OF_HAVE | FORMS_OF_DO | frozenset("will would can could shall should may might must".split())
)

HONORIFICS = frozenset("mr mrs ms dr prof".split())
"""Titles that are abbreviations, without their full stop."""
HONORIFIC_PATTERN = rf"(?:{'|'.join(sorted(each.title() for each in HONORIFICS))})\.?"
NAME_PARTICLES = frozenset("af al av bin da das de del della den der di do dos du el ibn la le van von y zu".split())
"""Small words within names of people."""
GREETINGS = frozenset("hi hey hello dear".split())
GREETING_PATTERN = rf"(?i:{'|'.join(sorted(GREETINGS))})"
