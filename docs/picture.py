"""Writes docs/demo.svg: what `assay demo` prints, as a picture for the README.

python docs/picture.py
"""

from __future__ import annotations

import subprocess
import sys
from html import escape
from pathlib import Path

_WIDTH, _LINE, _CHAR = 104, 19, 8.43


def picture(text: str) -> str:
    """The text as an SVG terminal window."""
    lines = text.rstrip().splitlines()
    width, height = int(_WIDTH * _CHAR) + 40, len(lines) * _LINE + 60
    rows = "\n".join(
        f'<text x="20" y="{50 + i * _LINE}" xml:space="preserve">{escape(line)}</text>' for i, line in enumerate(lines)
    )
    colours = enumerate(("#e06c75", "#e5c07b", "#98c379"))
    dots = "".join(f'<circle cx="{22 + 18 * i}" cy="20" r="6" fill="{colour}"/>' for i, colour in colours)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#1e2127"/>\n{dots}\n'
        f'<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#dcdfe4">\n'
        f"{rows}\n</g>\n</svg>\n"
    )


if __name__ == "__main__":
    code = "import sys; from assay.cli.main import main; sys.exit(main(['demo']))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    Path(__file__).with_name("demo.svg").write_text(picture(shown), "utf-8")
