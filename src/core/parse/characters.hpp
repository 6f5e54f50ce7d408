// Sets of characters, and what Python's strings know of them: the tables come with the weights.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::parse {

// Ranges of code points, both ends included.
class CharacterSet {
public:
    explicit CharacterSet(std::vector<char32_t> ends);
    bool has(char32_t c) const { return c < kSmall ? small_[c] : has_large(c); }

private:
    static constexpr char32_t kSmall = 0x180;
    bool has_large(char32_t c) const;
    std::vector<char32_t> ends_;  // first and last of each range, in order
    std::bitset<kSmall> small_;
};

// Sets one after the other: set i is the pairs from starts[i] to before starts[i + 1].
std::vector<CharacterSet> make_sets(const std::vector<std::int32_t>& ranges, const std::vector<std::int32_t>& starts);

// str.isspace and so on, by the Python that wrote the weights: the same everywhere.
class Alphabet {
public:
    Alphabet(std::vector<CharacterSet> sets, const std::vector<std::int32_t>& lower);
    bool is_space(char32_t c) const { return sets_[0].has(c); }
    bool is_alpha(char32_t c) const { return sets_[1].has(c); }
    bool is_upper(char32_t c) const { return sets_[2].has(c); }
    bool is_digit(char32_t c) const { return sets_[3].has(c); }
    std::u32string lower(std::u32string_view word) const;

private:
    bool is_final_sigma(std::u32string_view word, std::size_t i) const;
    std::vector<CharacterSet> sets_;
    std::unordered_map<char32_t, std::u32string> lower_;
};

std::u32string decode(std::string_view utf8);
std::string encode(std::u32string_view text);

}  // namespace assay::parse
