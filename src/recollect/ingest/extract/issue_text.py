"""Texts of issues, pull requests and their comments: what their author asks for is not what the author promises."""

import re

from recollect.ingest.extract.note_structure import SILENT, BlockAct
from recollect.ingest.extract.passages import RecordPassage
from recollect.reading.english_verbs import order_verbs

_FIRST_PERSON = re.compile(r"\b(?:I|we)(?:['’](?:ll|d)| will| am going to| are going to| plan to)\b", re.IGNORECASE)
_ASSURANCE = re.compile(r"\W*(?:I|we|my|this (?:pull request|pr|change|issue))\b", re.IGNORECASE)
"""How the lines begin that a template has the author tick."""
_FIRST_WORD = re.compile(r"\W*(?P<word>[A-Za-z]+)")


def act_in_issue(act: BlockAct, passage: RecordPassage) -> BlockAct:
    """The act of a block in an issue: a task of nobody is asked for, and steps to follow are neither."""
    if act.act is None:
        return SILENT if passage.is_numbered and _is_order(passage.text) else act
    if act.act != "commitment" or act.owners or _FIRST_PERSON.search(passage.text):
        return act
    return SILENT if _ASSURANCE.match(passage.text) else BlockAct("request", due=act.due, due_text=act.due_text)


def _is_order(text: str) -> bool:
    found = _FIRST_WORD.match(text)
    return found is not None and found["word"].lower() in order_verbs()
