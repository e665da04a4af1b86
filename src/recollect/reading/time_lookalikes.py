"""Words that only look like times: the verb *may*, a price of 3.10, the Monday list."""

import re

from recollect.reading.time_grammar import TimeGrammar, time_grammar
from recollect.reading.time_words import Lead
from recollect.text.patterns import lazy_pattern

_ENDS_PHRASE = re.compile(r"\s*(?:$|[.,;!)]|instead\b|already\b|at the latest\b)")
_NOT_DATES = {("24", "7"), ("1", "2"), ("1", "3"), ("1", "4"), ("3", "4"), ("2", "3"), ("50", "50")}
_CHANGES = lazy_pattern(
    r"\b(?:reduc|cut|increas|grow|grew|rise|rose|risen|shr[aiu]nk|drop|fall|fell|rais|lower|shorten|up\b|down\b)\w*"
    r"[^.,;:!?]*$"
)
_DETERMINER = lazy_pattern(r"\b(?:the|my|our|your|his|her|their)\s+$")
_NOUN_AFTER = lazy_pattern(r"\s(?!(?:at|on|by|in|to|and|or|with|if|so|for|from|before|after|is|was|will|we|i)\b)[a-z]")
_SETTING_OFF = (",", "–", "—", " -", "(")
"""What stands before a time that is told by itself at the end: *lanyards, 21st*."""
_GENITIVE = lazy_pattern(r"['’]s\b")
_DAYS_AFTER = lazy_pattern(r" ?\+ ?[a-z]")
_EVENT_LEADS = ("on", "at", "for")
"""Words before a day whose event is meant: *for Monday's rehearsal*."""
_BARE_SUBJECT = lazy_pattern(r" (?:was|were)\b")
_DECIMAL = re.compile(r"(?<![\d.])\d+\.(?:0\d|[4-9]\d|\d{3,}|1[3-9]|[23]\d)(?![\d.])|\bv(?:ersion)?\.? ?\d")
"""A number with a point that can be no day and month; the others of its clause are then none either."""
_TOPIC = lazy_pattern(
    r"\b(?:tell|told|ask|asked|talk|talked|speak|spoke|write|wrote|e?mail|e?mailed|text|texted|message|messaged|remind"
    r"|reminded|inform|informed|call|called|ring|rang|phone|phoned|know|hear|heard|think|thought|worry|worried|news"
    r"|questions?|word|chat)\b(?:(?! to )[^.,;:!?])*$"
)
"""What makes a day behind *about* the thing talked of: *tell Ida about the 15th*."""
_FIRST_YEAR = re.compile(
    r"(?:\b(?:from|between|since|von|zwischen|de|entre|desde|dal|tra|van|tussen|från|mellan|od|między) (?:the year )?"
    r"(?:19|20)\d\d (?:to|and|until|till|through|bis|und|à|et|a|y|e|al|tot|en|till|och|do|i))\s+$"
)


def lead_of(words: str | None, grammar: TimeGrammar) -> Lead | None:
    if words is None:
        return None
    return next((lead for lead, pattern in grammar.leads if pattern.fullmatch(words.strip())), None)


def is_time(match: re.Match[str], low: str, grammar: TimeGrammar) -> bool:
    """Whether the words are a time and not a name or a verb of the same form."""
    name = match["weekday"] or match["lone_month"]
    if match["num_a"] is not None and _is_number(match, low, grammar):
        return False
    if match["lone_year_only"] is not None:
        return match["lead"] is not None or match["year_part"] is not None or _ends_range_of_years(low, match.start())
    if match["lead"] is not None and match["lead"].strip() == "about" and _TOPIC.search(low, 0, match.start()):
        return False
    is_set_off = low[: match.start()].rstrip().endswith(_SETTING_OFF)
    ends_phrase = _ENDS_PHRASE.match(low, match.end()) is not None
    if match["bare"] is not None and match["lead"] is None:
        return (match[0].startswith("the ") or is_set_off) and ends_phrase
    if match["clock"] is not None:
        return lead_of(match["lead"], grammar) in ("by", "before", "until")
    if match["weekday"] is not None and (_is_list_of_days(match, low) or _is_modifier(match, low)):
        return False
    if match["weekday"] is not None and low[: match.start()].endswith("+"):
        return False
    if (match["quarter"] or match["lone_month"]) and _is_part_of_name(match, low):
        return False
    if name is None or name not in grammar.words.doubtful:
        return True
    marks = ("lead", "step", "part", "weekday_dom", "weekday_number", "lone_year")
    is_alone = match["weekday"] is not None and (is_set_off or name == "mon") and ends_phrase
    return is_alone or any(match[mark] for mark in marks)


def _is_number(match: re.Match[str], low: str, grammar: TimeGrammar) -> bool:
    """Whether two numbers with a sign between them are a ratio, a decimal, a version or a price, and no day."""
    if (match["num_a"], match["num_b"]) in _NOT_DATES and not _is_led_as_day(match, low, grammar):
        return True
    is_told = match["lead"] or match["num_from"] or match["num_c"] or not match[0][:1].isdigit()
    if match["num_sign"] != "." or is_told:
        return False
    return grammar is time_grammar("en") or _DECIMAL.search(low) is not None


def _is_led_as_day(match: re.Match[str], low: str, grammar: TimeGrammar) -> bool:
    """Whether what looks like a fraction is told as a day: *by 1/3*, *Tues 2/3*; not *cut by 1/3*."""
    is_bound = lead_of(match["lead"], grammar) in ("by", "before", "until")
    return match["weekday_of_number"] is not None or (is_bound and not _CHANGES.search(low, 0, match.start()))


def _ends_range_of_years(low: str, start: int) -> bool:
    """Whether a year is the second of *from 2001 to 2004* or *between 2001 and 2004*."""
    return _FIRST_YEAR.search(low, 0, start) is not None


def _is_list_of_days(match: re.Match[str], low: str) -> bool:
    """Whether a weekday tells of every week, or which list is meant: *thu+fri*, *Friday's list*."""
    if _DAYS_AFTER.match(low, match.end()) and match["weekday_number"] is None:
        return True
    return _GENITIVE.match(low, match.end()) is not None and match["lead"] not in _EVENT_LEADS


def _is_modifier(match: re.Match[str], low: str) -> bool:
    """Whether a weekday tells one thing from another or is spoken of itself: the Monday list, Friday was fine."""
    if match["lead"] is not None or match["weekday_dom"] is not None or match["week_later"] is not None:
        return False
    return match[0].startswith("the ") or _BARE_SUBJECT.match(low, match.end()) is not None


def _is_part_of_name(match: re.Match[str], low: str) -> bool:
    """Whether a quarter or month tells one thing from another: the Q3 report, our June figures."""
    if match["lead"] is not None and not match["lead"].strip().startswith("the"):
        return False
    has_determiner = match[0].startswith("the ") or _DETERMINER.search(low, 0, match.start()) is not None
    return has_determiner and _NOUN_AFTER.match(low, match.end()) is not None
