"""Texts that end in the middle, such as that of a mail that was not fetched to its end."""

from recollect.model.document import Document
from recollect.text.sentences import sentence_spans

CUT_OFF = "cut_off"
"""Property of a document: its text ends where it was cut."""
_ENDS = ".!?…。！？"
_BEHIND_END = "\"'”’»)]*_ \t\r\n"


def whole_sentences(document: Document, text: str) -> str:
    """The text of a document, if it was cut off without its last sentence: its last word may be half of another."""
    if CUT_OFF not in document.properties or text.rstrip(_BEHIND_END).endswith(tuple(_ENDS)):
        return text
    spans = sentence_spans(text)
    return text[: spans[-1].start] if spans else text
