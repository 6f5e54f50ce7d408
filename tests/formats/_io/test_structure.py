"""A table or JSON in a file with a name that does not say so; lines of text stay lines."""

from __future__ import annotations

import pytest

from assay.formats import read
from assay.formats._io.structure import find_structure

ROWS = "1\tA dog barked.\tDogs bark.\n2\tIt rains.\tRain.\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id\toutput\treference\n" + ROWS, "csv"),
        ("id,output\n1,a b\n2,c\n", "csv"),
        ("id;output\n1;a b\n", "csv"),
        ("id|output\n1|a b\n", "csv"),
        ('id,output\n1,"a, b"\n2,"c\nd"\n', "csv"),
        ("id,output\n1,a, b\n2,c\n", None),
        ("id,output\n", None),
        (ROWS, None),
        ("Input, output.\nIt rained, all day.\n", None),
        ("The input, the output.\nIt rained, all day.\n", None),
        ('{"id": 1, "output": "a"}\n\n{"id": 2}\n', "jsonl"),
        ('{"id": 1, "output": "a"}\n{a}\n', "jsonl"),
        ('[{"id": 1, "output": "a"}]', "jsonl"),
        ('[\n  {\n    "id": 1\n  }\n]\n', "jsonl"),
        ("[laughs] No.\nYes.\n", None),
        ("{x}\n{y}\n", None),
        ("", None),
        ("One line.\n", None),
    ],
)
def test_structure(tmp_path, text, expected):
    path = tmp_path / "file.txt"
    path.write_text(text)
    assert find_structure(path) == expected


def test_a_long_table_is_known_by_its_first_lines(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("id\toutput\n" + f"1\t{'a ' * 4000}\n" * 40)
    assert find_structure(path) == "csv"
    path.write_text('{"id": 1, "output": "' + "a " * 4000 + '"}\n' + '{"id": 2, "output": "' + "a " * 80000)
    assert find_structure(path) == "jsonl"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-be", "utf-32-be"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path, encoding):
    mark = "" if encoding in ("utf-16", "utf-32") else "\ufeff"
    text = "id,output,reference\n" + "".join(f"{n},Öl {n} 𝄞,Œuvre {n}\n" for n in range(5000))
    (tmp_path / "wide.csv").write_bytes((mark + text).encode(encoding))
    (tmp_path / "plain.csv").write_text(text, "utf-8")
    items = [(item.id, item.references, *item.outputs.values()) for item in read(tmp_path / "wide.csv")]
    assert items == [(item.id, item.references, *item.outputs.values()) for item in read(tmp_path / "plain.csv")]
    assert len(items) == 5000
