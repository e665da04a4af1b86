"""Templates, how values are written for people, and static files."""

import re
from collections.abc import Iterator, MutableMapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from recollect import __version__ as version
from recollect.serve.web.framework.cards import source_name
from recollect.serve.web.framework.marked_text import TextRun
from recollect.when.format import readable_text
from recollect.when.gregorian import MONTH_NAMES
from recollect.when.instant import Instant, format_instant

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from recollect.when.timeline import Timeline
import hashlib

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
_RIGHT_TO_LEFT_SPAN = re.compile(rf"[{_RIGHT_TO_LEFT}](?:[\W\d_]*[{_RIGHT_TO_LEFT}])*")
_LOWER_CASE_WORD = re.compile(r"(?<![A-Za-z])[a-z]+(?![A-Za-z])")
"""What makes a sentence an English one: the words between the names of a fact are in lower case."""


def isolated(text: str) -> Markup:
    """A sentence for a line of its own direction, in which each name from right to left keeps its place."""
    return isolated_runs([TextRun(text)])


def isolated_runs(runs: Sequence[TextRun]) -> Markup:
    """The same with marks."""
    text = "".join(run.text for run in runs)
    spans = [match.span() for match in _RIGHT_TO_LEFT_SPAN.finditer(text)]
    if not spans or not _LOWER_CASE_WORD.search(text):
        return Markup("<bdi>{}</bdi>").format(Markup("").join(_print(run) for run in runs))
    return Markup('<bdi dir="ltr">{}</bdi>').format(Markup("").join(_with_isolates(runs, spans, len(text))))


def _with_isolates(runs: Sequence[TextRun], spans: Sequence[tuple[int, int]], length: int) -> Iterator[Markup]:
    at = 0
    for start, stop in [*spans, (length, length)]:
        yield _slice(runs, at, start)
        if start < stop:
            yield Markup("<bdi>{}</bdi>").format(_slice(runs, start, stop))
        at = stop


def _slice(runs: Sequence[TextRun], start: int, stop: int) -> Markup:
    """The part of a text between two places, with its marks."""
    parts, begin = [], 0
    for run in runs:
        piece = run.text[max(0, start - begin) : max(0, stop - begin)]
        if piece:
            parts.append(_print(TextRun(piece, run.is_marked)))
        begin += len(run.text)
    return Markup("").join(parts)


def _print(run: TextRun) -> Markup:
    return Markup("<mark>{}</mark>").format(run.text) if run.is_marked else escape(run.text)


TEMPLATES = Path(__file__).parents[1] / "templates"
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_MONTH = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
_INSTANT = re.compile(r"(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2})", re.ASCII)
_BEFORE_OUR_ERA = re.compile(r"bce\.year_(\d+)(?:\.month_(\d+))?(?:\.day_(\d+))?", re.ASCII)
_WEEK = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)
_TIME_IN_TEXT = re.compile(r"\b[a-z][a-z0-9_]*(?:\.(?:year|month|day)_-?\d+)+", re.ASCII)
_CODE = re.compile(r"`([^`<\n]{1,200})`")
_NUMBERED_UNIT = re.compile(r"\b(year|month|day)_(-?\d+)")
_DIRECTIONS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Characters that change the direction of what follows them, beyond the name or text that holds them."""
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Characters that have no place in HTML."""


@cache
def templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=printable,
    )
    environment.globals.update(static=static_address, version=version)
    environment.filters.update(
        when=_when,
        number=number,
        words=predicate_words,
        human=_human,
        source=source_name,
        sentence=_sentence,
        verbatim=Verbatim,
        isolated=isolated,
        with_code=with_code,
        isolated_runs=isolated_runs,
    )
    return environment


def render(name: str, context: dict[str, Any]) -> str:
    return templates().get_template(name).render(context)


class Verbatim(Markup):
    """A text for a field that is sent back: every character stays."""

    def __new__(cls, text: str) -> "Verbatim":
        return super().__new__(cls, escape(text))


def printable(value: Any) -> Any:
    """What a template prints, without control characters and those that would turn the words around it."""
    if not isinstance(value, str) or isinstance(value, Verbatim):
        return value
    if value.isascii() and not _CONTROLS.search(value):
        return value
    plain = _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", value.translate(_DIRECTIONS))
    return Markup(plain) if isinstance(value, Markup) else plain


def number(value: int) -> str:
    """A number with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def predicate_words(predicate: str) -> str:
    """A predicate as words: `works_at` is `works at`."""
    return predicate.replace("_", " ")


def local_instant(instant: "Instant", zone: "ZoneInfo") -> str:
    """An instant as ISO 8601 in a zone, to the second; as it is if no date of ours can hold it."""
    try:
        return datetime.fromtimestamp(instant / 1_000_000, zone).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return format_instant(instant)


@pass_context
def _when(context: Context, text: str | None) -> Markup:
    return time_element(text, context.get("timeline"))


@pass_context
def _human(context: Context, text: str) -> str:
    return human_time(text, context.get("timeline"))


@pass_context
def _sentence(context: Context, text: str) -> str:
    return human_sentence(text, context.get("timeline"))


def human_time(text: str, timeline: "Timeline | None" = None) -> str:
    """A time as people write it: `3 March 2026`, `about 44 BCE`, `1 Thaw, year 3 of Age of Lamps`."""
    if text.endswith("~"):
        return f"about {human_time(text[:-1], timeline)}"
    if timeline is not None and timeline.is_fictional:
        text = readable_text(text, timeline)
    if match := _INSTANT.match(text):
        return f"{_day(*match.group(1, 2, 3))}, {match[4]}"
    if match := _BEFORE_OUR_ERA.fullmatch(text):
        year, month, day = match.groups()
        return " ".join(filter(None, (day, month and MONTH_NAMES[int(month) - 1], year, "BCE")))
    if match := _WEEK.fullmatch(text):
        return f"week {int(match[2])} of {match[1]}"
    if match := _DAY.fullmatch(text):
        return _day(*match.groups())
    if (match := _MONTH.fullmatch(text)) and 1 <= int(match[2]) <= 12:
        return f"{MONTH_NAMES[int(match[2]) - 1]} {match[1]}"
    return _NUMBERED_UNIT.sub(r"\1 \2", text).replace("_", " ").replace(".", ", ") if "year_" in text else text


def human_sentence(text: str, timeline: "Timeline | None" = None) -> str:
    """A sentence whose times of invented calendars read as people write them."""
    return _TIME_IN_TEXT.sub(lambda found: human_time(found[0], timeline), text)


def _day(year: str, month: str, day: str) -> str:
    return f"{int(day)} {MONTH_NAMES[int(month) - 1]} {year.lstrip('0') or '0'}" if 1 <= int(month) <= 12 else year


def time_element(text: str | None, timeline: "Timeline | None" = None) -> Markup:
    """A time for people, with its exact form in the title."""
    if not text:
        return Markup("")
    shown = human_time(text, timeline)
    is_iso = bool(_DAY.match(text) or _MONTH.fullmatch(text))
    stamp = Markup(' datetime="{}"').format(text) if is_iso else ""
    return Markup('<time{} title="{}">{}</time>').format(stamp, escape(text), shown)


def with_code(text: str) -> Markup:
    """A message with what stands between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(printable(text)))))


class _Renderer(RendererHTML):
    """Links open without a referrer; an image is its description, since nothing remote may be loaded."""

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]) -> str:
        tokens[idx].attrSet("rel", "noopener noreferrer")
        return self.renderToken(tokens, idx, options, env)

    def heading_open(self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]) -> str:
        """A level below those that the page has."""
        tokens[idx].tag = f"h{min(6, int(tokens[idx].tag[1]) + env['levels'])}"
        return self.renderToken(tokens, idx, options, env)

    heading_close = heading_open

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]) -> str:
        token = tokens[idx]
        words = self.renderInlineAsText(token.children or [], options, env) or "image"
        return str(escape(f"[{words}]"))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer)
    return parser.enable(["table", "strikethrough"])


def render_markdown(text: str, levels: int = 1) -> Markup:
    """The text as HTML, with its headings that many levels deeper."""
    return Markup(_parser().render(text, {"levels": levels}))


FOLDER = Path(__file__).parents[1] / "static"
STYLES = FOLDER / "styles"
STYLE_SHEET = "app.css"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".LICENSE": "text/plain; charset=utf-8",
}
FOREVER = "public, max-age=31536000, immutable"


@cache
def _files() -> dict[str, Path]:
    """By name, the files that may be served."""
    paths = (path for path in FOLDER.rglob("*") if path.suffix in KINDS and path.parent != STYLES)
    return {path.relative_to(FOLDER).as_posix(): path for path in paths}


@cache
def _style_sheet() -> bytes:
    """All of `styles/`, in the order of the names, without comments and optional white space."""
    text = "\n".join(path.read_text("utf-8") for path in sorted(STYLES.glob("*.css")))
    joined = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    return re.sub(r";? *([{}>]) *|([;:,]) ", r"\1\2", joined).strip().encode()


def content_of(name: str) -> bytes | None:
    """The bytes of a file, or None if there is none."""
    if name == STYLE_SHEET:
        return _style_sheet()
    return _files()[name].read_bytes() if name in _files() else None


@cache
def static_address(name: str) -> str:
    """The address of a file, which changes with its content."""
    content = content_of(name)
    assert content is not None, f"there is no static file {name}"
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"


async def serve_static(request: Request) -> Response:
    name = request.path_params["name"]
    content = content_of(name)
    if content is None:
        return PlainTextResponse("not found", 404)
    caching = FOREVER if "v" in request.query_params else "no-cache"
    headers = {"Cache-Control": caching, "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type=KINDS[Path(name).suffix], headers=headers)
