// Regular expressions of the tokenizer: programs that training/text/parse/patterns.py compiles from Python's own parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "parse/characters.hpp"

namespace assay::parse {

// Matches as Python's `re`: by backtracking, the first alternative first. Sets are shared by several patterns.
class Pattern {
public:
    Pattern(std::vector<std::int32_t> program, const std::vector<CharacterSet>& sets);

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    // Where the match that begins at `start` ends, kNone without one.
    std::size_t match(std::u32string_view text, std::size_t start) const;

    // The first match from `start` on; {kNone, kNone} without one.
    std::pair<std::size_t, std::size_t> search(std::u32string_view text, std::size_t start = 0) const;

private:
    struct Choice {
        std::int32_t at;
        std::size_t place;
        std::size_t least;  // of a repeat, which gives back one character after the other: down to here
    };

    bool step(std::u32string_view text, std::int32_t& at, std::size_t& place, std::vector<Choice>& choices) const;
    bool look(std::u32string_view text, std::int32_t at, std::size_t place) const;
    std::size_t run(std::u32string_view text, std::int32_t at, std::size_t place, std::vector<Choice>& choices) const;

    std::vector<std::int32_t> program_;
    const std::vector<CharacterSet>* sets_;
};

}  // namespace assay::parse
