#include "read/text_column.hpp"

#include <cstdint>
#include <cstring>

#include "text/unicode.hpp"

namespace assay {
namespace {

template <class Wanted>
std::vector<std::size_t> places(const TextColumn& column, Wanted wanted) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (wanted(column.texts[i])) out.push_back(i);
    }
    return out;
}

bool is_blank(std::string_view s) {
    for (std::size_t i = 0; i < s.size();) {
        if (group_of(next_char(s, i)) != Group::Space) return false;
    }
    return true;
}

bool has(std::string_view s, char c) { return !s.empty() && std::memchr(s.data(), c, s.size()) != nullptr; }

}  // namespace

std::size_t count_blank(const TextColumn& column) {
    std::size_t n = 0;
    for (const std::string_view s : column.texts) n += is_blank(s);
    return n;
}

std::vector<std::size_t> places_with(const TextColumn& column, char one, char other) {
    return places(column, [&](std::string_view s) { return has(s, one) || has(s, other); });
}

std::vector<std::size_t> places_not_ascii(const TextColumn& column) {
    return places(column, [](std::string_view s) { return !is_ascii(s); });
}

bool is_ascii(std::string_view s) {
    std::size_t i = 0;
    std::uint64_t high = 0, word = 0;
    for (; i + 8 <= s.size(); i += 8) {
        std::memcpy(&word, s.data() + i, 8);
        high |= word;
    }
    for (; i < s.size(); ++i) high |= static_cast<unsigned char>(s[i]);
    return !(high & 0x8080808080808080ull);
}

bool is_utf8(std::string_view s) {
    for (std::size_t i = 0; i < s.size();) {
        const auto first = static_cast<unsigned char>(s[i]);
        if (first < 0x80) {
            ++i;
            continue;
        }
        const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
        if (first < 0xC2 || first > 0xF4 || i + size > s.size()) return false;
        for (std::size_t k = 1; k < size; ++k) {
            if ((static_cast<unsigned char>(s[i + k]) & 0xC0) != 0x80) return false;
        }
        const auto second = static_cast<unsigned char>(s[i + 1]);
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
            (first == 0xF4 && second > 0x8F))
            return false;
        i += size;
    }
    return true;
}

}  // namespace assay
