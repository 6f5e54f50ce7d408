"""Writes unicode_tables.inc: word-break class, category group and lower case of every code point.

Run by hand when Unicode moves on (needs the `regex` package, whose property tables are the source):
    python src/core/text/make_unicode_tables.py > src/core/text/unicode_tables.inc
"""

import sys

import regex

BLOCK = 128
# The order is the value of enum class Break in unicode.hpp.
_BREAKS = (
    "Other CR LF Newline Extend ZWJ Format Katakana Hebrew_Letter ALetter Single_Quote Double_Quote MidNumLet "
    "MidLetter MidNum Numeric ExtendNumLet Regional_Indicator WSegSpace Pictographic"
)
BREAKS = _BREAKS.split()
# The order is the value of enum class Group in unicode.hpp.
GROUPS = ["Other", "Number", "Punctuation", "Symbol", "Letter", "Mark", "Space"]


def all_chars() -> list[str]:
    return [chr(cp) for cp in range(sys.maxunicode + 1)]


def members(pattern: str, text: str) -> set[str]:
    return set(regex.findall(pattern, text))


def property_bytes() -> list[int]:
    text = "".join(all_chars())
    value = dict.fromkeys(all_chars(), 0)
    for i, name in enumerate(BREAKS[1:-1], start=1):
        for char in members(rf"\p{{WB={name}}}", text):
            value[char] = i
    for char in members(r"\p{Extended_Pictographic}", text):
        if value[char] == 0:
            value[char] = BREAKS.index("Pictographic")
    for i, pattern in enumerate([r"\p{N}", r"\p{P}", r"\p{S}", r"\p{L}", r"\p{M}"], start=1):
        for char in members(pattern, text):
            value[char] |= i << 5
    for char in all_chars():  # what str.split() splits at
        if char.isspace():
            value[char] = value[char] & 31 | GROUPS.index("Space") << 5
    return [value[char] for char in all_chars()]


def lower_deltas() -> list[int]:
    """Only one-to-one mappings: U+0130 alone has two, and the tokenizers treat it themselves."""
    return [ord(c.lower()) - ord(c) if len(c.lower()) == 1 else 0 for c in all_chars()]


def two_stage(values: list[int]) -> tuple[list[int], list[tuple[int, ...]]]:
    blocks: dict[tuple[int, ...], int] = {}
    index = [blocks.setdefault(tuple(values[i : i + BLOCK]), len(blocks)) for i in range(0, len(values), BLOCK)]
    return index, list(blocks)


def emit(name: str, ctype: str, values: list[int]) -> None:
    index, blocks = two_stage(values)
    kind = "std::uint8_t" if len(blocks) < 256 else "std::uint16_t"
    print(f"inline constexpr {kind} {name}_index[{len(index)}] = {{{','.join(map(str, index))}}};")
    rows = ",\n".join("{" + ",".join(map(str, block)) + "}" for block in blocks)
    print(f"inline constexpr {ctype} {name}_block[{len(blocks)}][{BLOCK}] = {{\n{rows}}};")


if __name__ == "__main__":
    print("// Made by make_unicode_tables.py from the property tables of regex", regex.__version__)
    emit("property", "std::uint8_t", property_bytes())
    emit("lower", "std::int32_t", lower_deltas())
