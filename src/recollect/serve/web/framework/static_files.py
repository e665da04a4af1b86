"""Static files: our style sheet and scripts, and vendored libraries."""

import hashlib
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

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
