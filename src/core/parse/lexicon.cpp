#include "parse/lexicon.hpp"

#include <algorithm>

#include "parse/hash.hpp"

namespace assay::parse {

std::uint64_t Lexicon::number(std::string_view s) const {
    const auto symbol = symbols_.find(std::string(s));
    return symbol == symbols_.end() ? hash_string(s) : symbol->second;
}

// X for a capital, x for another letter, d for a digit; no more than four alike in a row.
std::u32string Lexicon::shape(std::u32string_view word) const {
    if (word.size() >= 100) return U"LONG";
    std::u32string out;
    char32_t last = 0;
    bool first = true;
    int row = 0;
    for (const char32_t c : word) {
        char32_t sign = c;
        if (alphabet_.is_alpha(c)) sign = alphabet_.is_upper(c) ? U'X' : U'x';
        else if (alphabet_.is_digit(c)) sign = U'd';
        row = !first && sign == last ? row + 1 : 0;
        first = false;
        last = sign;
        if (row < 4) out.push_back(sign);
    }
    return out;
}

Type Lexicon::make_type(std::string_view form, std::string_view norm) const {
    const std::u32string word = decode(form);
    const std::u32string_view all(word);
    Type type;
    type.form = form;
    type.length = static_cast<std::uint32_t>(word.size());
    type.is_space = std::all_of(word.begin(), word.end(), [&](char32_t c) { return alphabet_.is_space(c); });
    std::string usual;
    if (norm.empty()) {
        const auto known = norms_.find(type.form);
        usual = known == norms_.end() ? encode(alphabet_.lower(word)) : known->second;
        norm = usual;
    }
    type.attributes = {number(norm), number(encode(all.substr(0, 1))),
                       number(encode(all.substr(word.size() - std::min<std::size_t>(3, word.size())))),
                       number(encode(shape(word)))};
    return type;
}

}  // namespace assay::parse
