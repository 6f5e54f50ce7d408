"""The spaCy pipeline that the shipped weights were converted from: what the parser of the core is compared to."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[3] / "training" / "text" / "parse" / "en"
NAME = f"spacy:{FOLDER}"
