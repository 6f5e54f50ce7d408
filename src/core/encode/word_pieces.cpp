#include "encode/word_pieces.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/unicode.hpp"

namespace assay::encode {
namespace {

constexpr std::size_t kLongestWord = 100;  // characters; BERT does not cut longer ones
constexpr std::string_view kInner = "##", kUnknown = "[UNK]";

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

}  // namespace

WordPieces::WordPieces(std::string vocabulary, Normalize normalize)
    : vocabulary_(std::move(vocabulary)), normalize_(std::move(normalize)) {
    std::string_view rest = vocabulary_;
    if (rest.ends_with('\n')) rest.remove_suffix(1);
    for (std::int32_t number = 0;; ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view piece = rest.substr(0, end);
        first_.emplace(piece, number);
        if (piece.starts_with(kInner)) inner_.emplace(piece.substr(kInner.size()), number);
        longest_ = std::max(longest_, piece.size());
        if (end == rest.size()) break;
        rest.remove_prefix(end + 1);
    }
    unknown_ = find(kUnknown);
    if (unknown_ < 0) throw std::invalid_argument("a vocabulary of word pieces has the piece [UNK]");
    for (char32_t c = 0; c < 128; ++c) ascii_.push_back(normalize_(c));
}

std::int32_t WordPieces::find(std::string_view piece) const {
    const auto place = first_.find(piece);
    return place == first_.end() ? -1 : place->second;
}

const std::string& WordPieces::normal(char32_t c) {
    if (c < 128) return ascii_[c];
    const auto place = others_.find(c);
    return place != others_.end() ? place->second : others_.emplace(c, normalize_(c)).first->second;
}

std::vector<std::int32_t> WordPieces::cut(std::string_view text) {
    plain_.clear();
    for (std::size_t i = 0; i < text.size();) plain_ += normal(next_char(text, i));
    std::vector<std::int32_t> pieces;
    for (std::size_t i = 0; i < plain_.size();) {
        const std::size_t end = std::min(plain_.find(' ', i), plain_.size());
        if (end > i) cut_word(std::string_view(plain_).substr(i, end - i), pieces);
        i = end + 1;
    }
    return pieces;
}

void WordPieces::cut_word(std::string_view word, std::vector<std::int32_t>& pieces) const {
    const std::size_t before = pieces.size();
    const bool is_long = word.size() > kLongestWord && static_cast<std::size_t>(std::count_if(
                                                           word.begin(), word.end(), begins_character)) > kLongestWord;
    for (std::size_t start = 0; start < word.size() && !is_long;) {
        const auto& known = start ? inner_ : first_;
        std::size_t end = std::min(word.size(), start + longest_);
        auto place = known.end();
        for (; end > start; --end) {
            if (end < word.size() && !begins_character(word[end])) continue;
            place = known.find(word.substr(start, end - start));
            if (place != known.end()) break;
        }
        if (end == start) {
            pieces.resize(before);
            break;
        }
        pieces.push_back(place->second);
        start = end;
    }
    if (pieces.size() == before) pieces.push_back(unknown_);
}

}  // namespace assay::encode
