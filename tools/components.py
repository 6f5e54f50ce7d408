"""Write src/assay/_component_table.py anew: which file of a folder holds which component.

    python tools/components.py

Naming a component then imports only its file. A test compares the table with the folders.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src" / "assay" / "_component_table.py"
# Module and name of every folder of components.
FOLDERS = (
    ("assay.formats", "FORMATS"),
    ("assay.learning.models", "MODELS"),
    ("assay.metrics", "METRICS"),
    ("assay.study.protocols", "PROTOCOLS"),
    ("assay.systems.compress", "COMPRESSORS"),
    ("assay.systems.fuse", "FUSERS"),
    ("assay.text.align.bitext", "ALIGNERS"),
)
HEAD = '''"""Which file holds which component, by folder; made by tools/components.py.

For each module: the names of its components, and whether any of them has aliases.
"""

from __future__ import annotations

'''


def build_table() -> dict[str, dict[str, tuple[tuple[str, ...], bool]]]:
    """Read the table from the folders."""
    folders = [getattr(importlib.import_module(module), name) for module, name in FOLDERS]
    return {folder.package: folder.list_declarations() for folder in folders}


def main() -> None:
    text = f"{HEAD}TABLE: dict[str, dict[str, tuple[tuple[str, ...], bool]]] = {build_table()!r}\n"
    ruff = [sys.executable, "-m", "ruff", "format", "-q", "--stdin-filename", str(TARGET)]
    TARGET.write_text(subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout, "utf-8")


if __name__ == "__main__":
    main()
