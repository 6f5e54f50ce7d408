#include "parse/characters.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/unicode.hpp"

namespace assay::parse {

CharacterSet::CharacterSet(std::vector<char32_t> ends) : ends_(std::move(ends)) {
    if (ends_.size() % 2 || !std::is_sorted(ends_.begin(), ends_.end())) throw std::invalid_argument("no ranges");
    for (std::size_t i = 0; i < ends_.size(); i += 2)
        for (char32_t c = ends_[i]; c <= ends_[i + 1] && c < kSmall; ++c) small_[c] = true;
}

bool CharacterSet::has_large(char32_t c) const {
    const auto last = std::lower_bound(ends_.begin(), ends_.end(), c);
    if (last == ends_.end()) return false;
    return (last - ends_.begin()) % 2 == 1 || *last == c;  // inside a range, or its first
}

std::vector<CharacterSet> make_sets(const std::vector<std::int32_t>& ranges, const std::vector<std::int32_t>& starts) {
    std::vector<CharacterSet> sets;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        if (starts[i] < 0 || starts[i + 1] < starts[i] || static_cast<std::size_t>(starts[i + 1]) * 2 > ranges.size())
            throw std::invalid_argument("sets of characters that end before they begin");
        sets.emplace_back(std::vector<char32_t>(ranges.begin() + 2 * starts[i], ranges.begin() + 2 * starts[i + 1]));
    }
    return sets;
}

Alphabet::Alphabet(std::vector<CharacterSet> sets, const std::vector<std::int32_t>& lower) : sets_(std::move(sets)) {
    if (sets_.size() != 6 || lower.size() % 3) throw std::invalid_argument("an alphabet of other tables");
    for (std::size_t i = 0; i < lower.size(); i += 3) {
        std::u32string& to = lower_[static_cast<char32_t>(lower[i])];
        to.push_back(static_cast<char32_t>(lower[i + 1]));
        if (lower[i + 2]) to.push_back(static_cast<char32_t>(lower[i + 2]));
    }
}

std::u32string Alphabet::lower(std::u32string_view word) const {
    std::u32string out;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char32_t c = word[i];
        if (c < 0x80) out.push_back(c >= 'A' && c <= 'Z' ? c + 32 : c);
        else if (c == 0x3A3) out.push_back(is_final_sigma(word, i) ? 0x3C2 : 0x3C3);
        else if (const auto found = lower_.find(c); found != lower_.end()) out += found->second;
        else out.push_back(c);
    }
    return out;
}

// After a letter with case, and before none; characters that have nothing to do with case are not looked at.
bool Alphabet::is_final_sigma(std::u32string_view word, std::size_t i) const {
    const auto is_cased = [&](char32_t c) { return sets_[4].has(c); };
    const auto is_ignorable = [&](char32_t c) { return sets_[5].has(c); };
    std::size_t before = i;
    while (before > 0 && is_ignorable(word[before - 1])) --before;
    if (before == 0 || !is_cased(word[before - 1])) return false;
    std::size_t after = i + 1;
    while (after < word.size() && is_ignorable(word[after])) ++after;
    return after == word.size() || !is_cased(word[after]);
}

std::u32string decode(std::string_view utf8) {
    std::u32string out;
    out.reserve(utf8.size());
    for (std::size_t i = 0; i < utf8.size();) out.push_back(next_char(utf8, i));
    return out;
}

std::string encode(std::u32string_view text) {
    std::string out;
    for (const char32_t c : text) append(out, c);
    return out;
}

}  // namespace assay::parse
