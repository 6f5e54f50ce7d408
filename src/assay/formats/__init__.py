"""Reading and writing files: one file per format of evaluation sets, and the folder is the list of them.

Files of scores, content units, documents, pairs of texts and plain lines have readers of their own, which are imported
from here as well: every input comes in through this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from ._aspects import read_scheme as read_scheme
    from ._check import check as check
    from ._check import list_questions as list_questions
    from ._check import save_reading as save_reading
    from ._content_units import ItemUnits as ItemUnits
    from ._content_units import read_units as read_units
    from ._documents import Document as Document
    from ._documents import documents as documents
    from ._io.chunks import Stream as Stream
    from ._io.format import Format as Format
    from ._io.json_file import read_json_lines as read_json_lines
    from ._io.json_items import item_to_json as item_to_json
    from ._io.judgment_rows import JudgmentRow as JudgmentRow
    from ._io.layout import parse_columns as parse_columns
    from ._io.losses import PARTS as PARTS
    from ._io.losses import drop_parts as drop_parts
    from ._io.losses import drop_spellings as drop_spellings
    from ._io.losses import find_losses as find_losses
    from ._io.table_read import open_table as open_table
    from ._io.text_file import ReadProgress as ReadProgress
    from ._io.text_file import read_whole as read_whole
    from ._join import stream_joined as stream_joined
    from ._known import FORMATS as FORMATS
    from ._known import format_of as format_of
    from ._known import names as names
    from ._pairs import TextPair as TextPair
    from ._pairs import strip_pair as strip_pair
    from ._pairs import text_pairs as text_pairs
    from ._parts import holds_lines as holds_lines
    from ._parts import joins_on_disk as joins_on_disk
    from ._reading import Readable as Readable
    from ._reading import read as read
    from ._reading import read_judged as read_judged
    from ._reading import stream as stream
    from ._reading import with_judgments as with_judgments
    from ._scores import ScoreRecord as ScoreRecord
    from ._scores import ScoreWriter as ScoreWriter
    from ._scores import join_scores as join_scores
    from ._scores import read_scores as read_scores
    from ._scores import score_records as score_records
    from ._sources import names_items as names_items
    from ._sources import source_chunks as source_chunks
    from ._sources import text_lines as text_lines
    from ._writing import write as write
    from .lines import from_lines as from_lines
    from .lines import name_systems as name_systems
    from .lines import stream_lines as stream_lines
    from .parquet import cut_row_groups as cut_row_groups
    from .parquet import stream_row_groups as stream_row_groups

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "._aspects": "read_scheme",
            "._check": "check list_questions save_reading",
            "._content_units": "ItemUnits read_units",
            "._documents": "Document documents",
            "._io.chunks": "Stream",
            "._io.format": "Format",
            "._io.json_file": "read_json_lines",
            "._io.json_items": "item_to_json",
            "._io.judgment_rows": "JudgmentRow",
            "._io.layout": "parse_columns",
            "._io.losses": "PARTS drop_parts drop_spellings find_losses",
            "._io.table_read": "open_table",
            "._io.text_file": "ReadProgress read_whole",
            "._join": "stream_joined",
            "._known": "FORMATS format_of names",
            "._pairs": "TextPair strip_pair text_pairs",
            "._parts": "holds_lines joins_on_disk",
            "._reading": "Readable read read_judged stream with_judgments",
            "._scores": "ScoreRecord ScoreWriter join_scores read_scores score_records",
            "._sources": "names_items source_chunks text_lines",
            "._writing": "write",
            ".lines": "from_lines name_systems stream_lines",
            ".parquet": "cut_row_groups stream_row_groups",
        },
    )
