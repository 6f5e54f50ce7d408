// Code points: UTF-8 stepping, word-break class, category group, lower case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

#include "text/unicode_tables.inc"

// Word_Break values (UAX #29), in the order of make_unicode_tables.py.
enum class Break : std::uint8_t {
    Other,
    CR,
    LF,
    Newline,
    Extend,
    ZWJ,
    Format,
    Katakana,
    HebrewLetter,
    ALetter,
    SingleQuote,
    DoubleQuote,
    MidNumLet,
    MidLetter,
    MidNum,
    Numeric,
    ExtendNumLet,
    RegionalIndicator,
    WSegSpace,
    Pictographic
};

enum class Group : std::uint8_t { Other, Number, Punctuation, Symbol, Letter, Mark, Space };

inline std::uint8_t property(char32_t c) { return c > 0x10FFFF ? 0 : property_block[property_index[c >> 7]][c & 127]; }
inline Break break_of(char32_t c) { return static_cast<Break>(property(c) & 31); }
inline Group group_of(char32_t c) { return static_cast<Group>(property(c) >> 5); }
inline char32_t lower(char32_t c) {
    return c > 0x10FFFF ? c : c + static_cast<char32_t>(lower_block[lower_index[c >> 7]][c & 127]);
}

// The code point at `i`, which moves past it. Texts are valid UTF-8 (they come from Python strings);
// the bounds are still checked, so that a bug elsewhere reads a wrong character and not wrong memory.
inline char32_t next_char(std::string_view s, std::size_t& i) {
    auto byte = [&](std::size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u; };
    unsigned char b = static_cast<unsigned char>(s[i]);
    if (b < 0x80) {
        i += 1;
        return b;
    }
    if (b < 0xE0) {
        char32_t c = (b & 31u) << 6 | (byte(i + 1) & 63u);
        i += 2;
        return c;
    }
    if (b < 0xF0) {
        char32_t c = (b & 15u) << 12 | (byte(i + 1) & 63u) << 6 | (byte(i + 2) & 63u);
        i += 3;
        return c;
    }
    char32_t c = (b & 7u) << 18 | (byte(i + 1) & 63u) << 12 | (byte(i + 2) & 63u) << 6 | (byte(i + 3) & 63u);
    i += 4;
    return c;
}

inline void append(std::string& out, char32_t c) {
    if (c < 0x80) out.push_back(static_cast<char>(c));
    else if (c < 0x800) {
        out.push_back(static_cast<char>(0xC0 | c >> 6));
        out.push_back(static_cast<char>(0x80 | (c & 63)));
    } else if (c < 0x10000) {
        out.push_back(static_cast<char>(0xE0 | c >> 12));
        out.push_back(static_cast<char>(0x80 | (c >> 6 & 63)));
        out.push_back(static_cast<char>(0x80 | (c & 63)));
    } else {
        out.push_back(static_cast<char>(0xF0 | c >> 18));
        out.push_back(static_cast<char>(0x80 | (c >> 12 & 63)));
        out.push_back(static_cast<char>(0x80 | (c >> 6 & 63)));
        out.push_back(static_cast<char>(0x80 | (c & 63)));
    }
}

}  // namespace assay
