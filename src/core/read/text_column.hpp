// Texts side by side in memory that somebody else filled: a file's bytes, a table's column.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace assay {

struct TextColumn {
    std::vector<std::string_view> texts;
    std::vector<std::shared_ptr<const void>> owners;  // what the texts lie in lives as long as they do

    std::size_t size() const { return texts.size(); }
    TextColumn slice(std::size_t start, std::size_t stop) const {
        return {{texts.begin() + static_cast<std::ptrdiff_t>(start), texts.begin() + static_cast<std::ptrdiff_t>(stop)},
                owners};
    }
};

// How many texts are empty or white space, as Python's str.isspace() tells it.
std::size_t count_blank(const TextColumn& column);

// The places of the texts that hold one of these two bytes.
std::vector<std::size_t> places_with(const TextColumn& column, char one, char other);

// The places of the texts that are not all ASCII.
std::vector<std::size_t> places_not_ascii(const TextColumn& column);

bool is_ascii(std::string_view s);

// Whether the bytes are UTF-8 as Python reads it: no overlong forms, no surrogates, nothing past U+10FFFF.
bool is_utf8(std::string_view s);

}  // namespace assay
