"""File formats that are recognised but not read, each with what its owner can do instead."""

import json
import re
from collections.abc import Mapping

from recollect.importers.document_files import chat_page_refusal
from recollect.importers.notes import decode_text, is_text, is_utf16

_AS_LINES = 'convert it to JSON lines of {"record": {…}} (docs/records.md) and ingest those'
_CODE = "is source code, which is not stored as a note: write down what is worth knowing of it, and ingest that"
_PATCH = "is a patch: ingest what was said about it, such as the pull request"
_ENCODED = "is encoded data (base64 or the like): decode it and ingest what is inside"
_CODE_SUFFIXES = tuple(
    f".{each}"
    for each in (
        "asm awk bas bat c cc cjs clj cljs cmd coffee cpp cs css cxx d dart el elm erl ex exs f90 fs go gradle graphql "
        "groovy h hh hpp hrl hs java jl js jsx kt kts less lisp lua m mjs mk ml mli mm nim nix pas php pl pm proto "
        "ps1 psm1 py pyi pyw r rb rkt rs sass scala scm scss sh sol sql svelte swift tcl tf ts tsx v vb vhd vue wat "
        "zig zsh fish bash"
    ).split()
)
JSON_LINES = (".jsonl", ".ndjson")
SAVE_AS_UTF8 = "save it as UTF-8 and ingest that"
_SETTINGS_SUFFIXES = (".toml", ".ini", ".cfg", ".conf", ".env", ".properties", ".lock", ".editorconfig", ".plist")
_SIGNATURES: Mapping[bytes, str] = {
    b"SQLite format 3\0": "is an SQLite database: export its content from the program it belongs to",
    b"PK\x03\x04": "is a ZIP or office file of no known export: unpack it, or save it as text or HTML, and ingest that",
    b"\x1f\x8b": "is a gzip file: unpack it and ingest what is inside",
    b"\x89PNG": "is a PNG image: images cannot be read",
    b"\xff\xd8\xff": "is a JPEG image: images cannot be read",
    b"GIF8": "is a GIF image: images cannot be read",
    b"{\\rtf": "is an RTF document: save it as text or HTML and ingest that",
    b"%!PS": "is a PostScript document: convert it to PDF or text and ingest that",
    b"#!/": _CODE,
}
_SUFFIXES: Mapping[str, str] = {
    **dict.fromkeys(_CODE_SUFFIXES, _CODE),
    **dict.fromkeys((".csv", ".tsv", ".psv"), f"is a table of values: {_AS_LINES}"),
    **dict.fromkeys(_SETTINGS_SUFFIXES, "is a file of settings, which are not stored as notes"),
    **dict.fromkeys((".yaml", ".yml"), f"is YAML of no known shape: {_AS_LINES}"),
    **dict.fromkeys((".patch", ".diff"), _PATCH),
    ".ps": "is a PostScript document: convert it to PDF or text and ingest that",
}
_WORKSPACE_EXPORT = re.compile(rb'\s*\{\s*"format"\s*:\s*"recollect-workspace"')
_XML = re.compile(r"\s*<(?:\?xml\b|svg\b|rss\b|feed\b)", re.IGNORECASE)
_JSON_START = re.compile(r'\s*(?:\[\s*(?:[\[{"\]\d-]|true|false|null)|\{\s*["}])')
_PATCH_START = re.compile(r"\s*(?:diff --git |Index: \S+\n=+\n|--- \S[^\n]*\n\+\+\+ \S[^\n]*\n@@ -\d)")
_ENCODED_LINE = re.compile(r"[A-Za-z0-9+/_-]+={0,2}|-----(?:BEGIN|END) [^\n]+-----")
_ENCODED_CHARS = 256
_SQLITE_HEADER = 100
_ENCODED_LINE_CHARS = 40
_GITHUB = re.compile(r'"(?:url|html_url|repository_url|diff_url)"\s*:\s*"https?://(?:api\.)?github\.com/')
_SLACK = re.compile(r'"ts"\s*:\s*"\d{9,}\.\d+"|"team_id"\s*:\s*"T|"is_channel"\s*:')
_GMAIL = re.compile(r'"threadId"\s*:\s*"')
_GRAPHITI = re.compile(r'"name_embedding"\s*:')


def is_workspace_export(head: bytes) -> bool:
    """Whether a file begins as `recollect export` writes it."""
    return _WORKSPACE_EXPORT.match(head) is not None


def refusal_of(head: bytes, suffix: str, *, is_whole: bool) -> str | None:
    """Why a file that begins so must not be stored as text; none if it may be. `head` may be all of the file."""
    for signature, reason in _SIGNATURES.items():
        if head.startswith(signature):
            return reason
    if not is_text(head):
        return "is empty" if not head.strip() else "is a binary file of no known kind and cannot be read"
    chat = chat_page_refusal(head)
    if chat is not None:
        return chat
    text = decode_text(head)
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if _PATCH_START.match(text):
        return _PATCH
    if _is_encoded(text):
        return _ENCODED
    if _XML.match(text):
        return "is an XML document: convert it to text, HTML or JSON lines and ingest that"
    if not looks_like_json(text, suffix, is_whole=is_whole):
        return None
    return (_broken_json(text) if is_whole and suffix not in JSON_LINES else None) or _json_refusal(text)


def _broken_json(text: str) -> str | None:
    """Why a JSON file cannot be read, if it is cut off or damaged."""
    try:
        json.loads(text.lstrip("\ufeff"))
    except RecursionError:
        return None
    except json.JSONDecodeError as problem:
        is_one_value = not problem.msg.startswith("Extra data")
        return f"is JSON that is cut off or damaged ({problem}): save it again as a whole" if is_one_value else None
    return None


def is_cut_database(head: bytes, size: int) -> bool:
    """Whether an SQLite database is shorter than its first page says."""
    if not head.startswith(b"SQLite format 3\0") or len(head) < _SQLITE_HEADER:
        return False
    page, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    is_counted = head[24:28] == head[92:96]
    return is_counted and size < (65_536 if page == 1 else page) * pages


def is_unmarked_utf16(head: bytes) -> bool:
    """Whether nearly every other byte is zero, as in European text, and no mark says so."""
    if is_utf16(head):
        return False
    zeros = max(head[::2].count(0), head[1::2].count(0))
    return zeros * 10 > len(head) * 4 and head.count(0) < zeros * 1.1


def looks_like_json(text: str, suffix: str, *, is_whole: bool) -> bool:
    """Whether a file that begins so is JSON or is named so."""
    return suffix in (".json", *JSON_LINES) or _is_json(text, is_whole=is_whole)


def _is_encoded(text: str) -> bool:
    """Whether a text has no words, only long lines of letters and digits."""
    lines = text.split()
    if len(text) < _ENCODED_CHARS or len(text) < len(lines) * _ENCODED_LINE_CHARS:
        return False
    return all(_ENCODED_LINE.fullmatch(each) for each in text.strip().splitlines())


def _is_json(text: str, *, is_whole: bool) -> bool:
    if not _JSON_START.match(text):
        return False
    if not is_whole:
        return True
    try:
        return isinstance(json.loads(text.lstrip("\ufeff")), dict | list)
    except (ValueError, RecursionError):
        return False


def _json_refusal(text: str) -> str:
    if "".join(text.lstrip("\ufeff").split()) in ("[]", "{}"):
        return "is an empty JSON list or object"
    if _GITHUB.search(text):
        return (
            "is JSON of the GitHub API without issues, pull requests, comments, reviews or events: "
            "fetch those, for example with gh api repos/OWNER/NAME/issues"
        )
    if _SLACK.search(text):
        return "is JSON of Slack without messages: ingest the export as a whole, its folder or ZIP"
    if _GMAIL.search(text):
        return "is a list of Gmail messages without their content: fetch each with messages.get, format=full"
    if _GRAPHITI.search(text):
        return 'has nodes of Graphiti alone: put them with their edges into one file, {"nodes": […], "edges": […]}'
    return f"is JSON of no known shape: {_AS_LINES}"
