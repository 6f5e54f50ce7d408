// Word types: the four attributes of a form that the embedding looks at, as numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parse/characters.hpp"

namespace assay::parse {

// Norm, first character, last three characters, shape.
using Attributes = std::array<std::uint64_t, 4>;

struct Type {
    std::string form;
    std::uint32_t length = 0;  // characters
    bool is_space = false;
    std::int32_t split = -1;  // which word of split exceptions it is; -1: of none
    Attributes attributes{};
};

// How strings are numbered. spaCy numbers the names of its own symbols one by one, and hashes other strings.
class Lexicon {
public:
    Lexicon(Alphabet alphabet, std::unordered_map<std::string, std::uint64_t> symbols,
            std::unordered_map<std::string, std::string> norms)
        : alphabet_(std::move(alphabet)), symbols_(std::move(symbols)), norms_(std::move(norms)) {}

    const Alphabet& alphabet() const { return alphabet_; }

    // With the norm of a tokenizer's exception, or "" for the usual one.
    Type make_type(std::string_view form, std::string_view norm) const;

private:
    std::uint64_t number(std::string_view s) const;
    std::u32string shape(std::u32string_view word) const;

    Alphabet alphabet_;
    std::unordered_map<std::string, std::uint64_t> symbols_;
    std::unordered_map<std::string, std::string> norms_;
};

}  // namespace assay::parse
