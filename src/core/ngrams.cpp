#include "ngrams.hpp"

#include <algorithm>

#include "pair_ids.hpp"

namespace assay {
namespace {

bool counts(const std::uint32_t* words, std::size_t n, const StopMap& stop) {
    if (stop.empty()) return true;
    return std::any_of(words, words + n, [&](std::uint32_t w) { return stop[w] != kNone; });
}

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

std::vector<Tokens> ngrams(const std::vector<const Tokens*>& batches, std::size_t n, const StopMap& stop) {
    std::vector<Tokens> result(batches.size());
    std::uint32_t distinct = 0;
    for (const Tokens* batch : batches) distinct = std::max(distinct, batch->vocab_size);
    const std::size_t words = distinct;
    // A number for each n-gram that starts at a word, order by order; at order 1 they are the words.
    std::vector<std::vector<std::uint32_t>> at(batches.size());
    for (std::size_t b = 0; b < batches.size(); ++b) at[b] = batches[b]->ids;
    PairIds pairs;
    for (std::size_t order = 2; order <= n; ++order) {
        pairs.start(distinct, words);
        for (std::size_t b = 0; b < batches.size(); ++b) {
            const Tokens& batch = *batches[b];
            for (std::size_t t = 0; t < batch.size(); ++t) {
                for (std::size_t i = batch.texts[t]; i + order <= batch.texts[t + 1]; ++i) {
                    at[b][i] = pairs.add(at[b][i], batch.ids[i + order - 1]);
                }
            }
        }
        distinct = pairs.size();
    }
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const Tokens& batch = *batches[b];
        result[b].ids.reserve(batch.ids.size());
        for (std::size_t t = 0; t < batch.size(); ++t) {
            for (std::size_t i = batch.texts[t]; i + n <= batch.texts[t + 1]; ++i) {
                if (counts(batch.ids.data() + i, n, stop)) result[b].ids.push_back(at[b][i]);
            }
            result[b].end_text();
        }
        result[b].vocab_size = distinct;
    }
    return result;
}

void DocumentTable::add(const Tokens& tokens, const Vocab& vocab) {
    std::vector<std::uint64_t> found;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        found.clear();
        keys(tokens, t, vocab, n_, [&](std::size_t, std::uint64_t key) { found.push_back(key); });
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        for (const std::uint64_t key : found) ++held_[key];
    }
    documents_ += static_cast<double>(tokens.size());
}

std::vector<double> DocumentTable::holding(const Tokens& tokens, const Vocab& vocab, const StopMap& stop) const {
    std::vector<double> result;
    result.reserve(tokens.ids.size());
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        keys(tokens, t, vocab, n_, [&](std::size_t i, std::uint64_t key) {
            if (!counts(tokens.ids.data() + i, n_, stop)) return;
            const auto at = held_.find(key);
            result.push_back(at == held_.end() ? 0.0 : at->second);
        });
    }
    return result;
}

}  // namespace assay
