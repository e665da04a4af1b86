"""Markdown as HTML: raw HTML off, no images, links that tell nobody where they were followed."""

from collections.abc import MutableMapping, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape


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
    """The text as HTML, under so many levels of headings."""
    return Markup(_parser().render(text, {"levels": levels}))
