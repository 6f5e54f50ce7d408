// A word as the splitter reads it: in lower case, with places in characters and in bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compound/splitter.hpp"
#include "text/unicode.hpp"

namespace assay {

// A word in lower case, with the byte offset of every character in the original and in the lower-cased bytes.
struct Splitter::Text {
    std::vector<char32_t> chars;
    std::vector<int> original, at;
    std::string bytes;

    Text() = default;
    explicit Text(std::string_view word) { read(word); }
    void read(std::string_view word) {
        chars.clear();
        original.clear();
        at.clear();
        bytes.clear();
        for (std::size_t i = 0; i < word.size();) {
            original.push_back(static_cast<int>(i));
            const char32_t c = lower(next_char(word, i));
            chars.push_back(c);
            at.push_back(static_cast<int>(bytes.size()));
            append(bytes, c);
        }
        original.push_back(static_cast<int>(word.size()));
        at.push_back(static_cast<int>(bytes.size()));
    }
    int size() const { return static_cast<int>(chars.size()); }
    std::string_view part(int begin, int end) const {
        const auto b = static_cast<std::size_t>(at[static_cast<std::size_t>(begin)]);
        const auto e = static_cast<std::size_t>(at[static_cast<std::size_t>(end)]);
        return std::string_view(bytes).substr(b, e - b);
    }
    bool follows(int place, std::string_view text) const {
        return std::string_view(bytes)
            .substr(static_cast<std::size_t>(at[static_cast<std::size_t>(place)]))
            .starts_with(text);
    }
    char32_t operator[](int i) const { return chars[static_cast<std::size_t>(i)]; }
    bool letter(int i) const {
        const Group group = group_of(chars[static_cast<std::size_t>(i)]);
        return group == Group::Letter || group == Group::Mark;
    }
};

}  // namespace assay
