"""From the bytes of a text file to its text."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE


def is_wide(content: bytes) -> bool:
    """Whether a byte order mark says that this is UTF-16, as some editors and shells write it."""
    return content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def text_of(content: bytes) -> str:
    """The text, in UTF-8 unless a mark says otherwise; what cannot be read is U+FFFD."""
    return content.decode("utf-16" if is_wide(content) else "utf-8-sig", "replace")


def is_text(content: bytes) -> bool:
    """Whether a file that begins so is text of any kind, and not blank."""
    text = text_of(content)
    return "\0" not in text and bool(text.strip())
