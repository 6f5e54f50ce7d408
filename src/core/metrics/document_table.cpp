#include "metrics/document_table.hpp"

#include <algorithm>

namespace assay {
namespace {

// Calls each(first word's place, key) for every n-gram of a text.
template <class Each>
void keys(const Tokens& tokens, std::size_t text, const Vocab& vocab, std::size_t n, Each each) {
    for (std::size_t i = tokens.texts[text]; i + n <= tokens.texts[text + 1]; ++i) {
        std::uint64_t key = n;
        for (std::size_t k = i; k < i + n; ++k) {
            const std::string_view w = vocab[tokens.ids[k]];
            key = mix(key, hash_bytes(w.data(), w.size()));
        }
        each(i, key);
    }
}

}  // namespace

void DocumentTable::add(const Tokens& tokens, const Vocab& vocab) {
    std::vector<std::uint64_t> distinct;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        distinct.clear();
        keys(tokens, t, vocab, n_, [&](std::size_t, std::uint64_t key) { distinct.push_back(key); });
        std::sort(distinct.begin(), distinct.end());
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        for (const std::uint64_t key : distinct) ++held_[key];
    }
    documents_ += static_cast<double>(tokens.size());
}

std::vector<double> DocumentTable::holding(const Tokens& tokens, const Vocab& vocab, const StopMap& stop) const {
    std::vector<double> result;
    result.reserve(tokens.ids.size());
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        keys(tokens, t, vocab, n_, [&](std::size_t i, std::uint64_t key) {
            if (!any_content_word(tokens.ids.data() + i, n_, stop)) return;
            const auto at = held_.find(key);
            result.push_back(at == held_.end() ? 0.0 : at->second);
        });
    }
    return result;
}

}  // namespace assay
