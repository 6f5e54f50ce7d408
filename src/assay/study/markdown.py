"""Instructions in Markdown as HTML that cannot do harm."""

from __future__ import annotations

from functools import lru_cache

from ..extras import import_extra

TAGS = {"h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "em", "strong", "del", "code", "pre", "blockquote", "hr", "br"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td", "a"}


@lru_cache(maxsize=8)
def render_markdown(text: str) -> str:
    """Return the HTML of a Markdown text, with harmless elements only; HTML in it is shown as text.

    >>> render_markdown("Rate **meaning**. <script>alert(1)</script>")
    '<p>Rate <strong>meaning</strong>. &lt;script&gt;alert(1)&lt;/script&gt;</p>\\n'
    """
    if not text.strip():
        return ""
    markdown = import_extra("markdown_it", "study", "the instructions of a study")
    cleaner = import_extra("nh3", "study", "the instructions of a study")
    html = markdown.MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough").render(text)
    attributes = {"a": {"href", "title"}}
    clean: str = cleaner.clean(html, tags=TAGS, attributes=attributes, url_schemes={"http", "https", "mailto"})
    return clean
