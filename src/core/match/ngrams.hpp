// Bags of n-grams that share their numbers.
#pragma once

#include <algorithm>
#include <vector>

#include "text/tokens.hpp"

namespace assay {

// Word to itself or to kNone for a stop word; empty: there are none.
using StopMap = std::vector<std::uint32_t>;

// The n-grams of every batch of texts as numbers: the same n-gram has the same one in all of them. An n-gram all of
// whose words are stop words is left out.
std::vector<Tokens> ngrams(const std::vector<const Tokens*>& batches, std::size_t n, const StopMap& stop);

// Whether one of these words is no stop word.
inline bool any_content_word(const std::uint32_t* words, std::size_t n, const StopMap& stop) {
    return stop.empty() || std::any_of(words, words + n, [&](std::uint32_t w) { return stop[w] != kNone; });
}

}  // namespace assay
