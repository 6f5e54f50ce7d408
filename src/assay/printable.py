"""Characters that a screen would obey or hide instead of show: found in names and texts, escaped before printing."""

from __future__ import annotations

import re

# Controls (C0 but tab and newline, DEL, C1), soft hyphen, direction marks, zero-width and other invisible characters,
# line and paragraph separators, Hangul fillers, lone surrogates, tags: Unicode's Cc, Cf, Cs, Zl and Zp without the
# signs of Arabic, Syriac, Kaithi and Egyptian that are Cf, but are seen.
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
HIDDEN = re.compile(f"[{_HIDDEN}]")
_HIDDEN_OR_BREAK = re.compile(f"[{_HIDDEN}\t\n]")
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def escape_hidden(text: str, *, breaks: bool = False) -> str:
    r"""Write hidden characters as JSON does; with `breaks` also tab and newline, for what must stay on one line.

    >>> escape_hidden("a\x1b[2J\u202eb\n", breaks=True)
    'a\\u001b[2J\\u202eb\\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return (_HIDDEN_OR_BREAK if breaks else HIDDEN).sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
