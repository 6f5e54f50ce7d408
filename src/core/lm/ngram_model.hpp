// An n-gram language model of at most three words: interpolated modified Kneser-Ney (Chen and Goodman 1998, eq. 26; the
// estimation of KenLM's lmplz, Heafield et al. 2013), kept as a trie in sorted arrays.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

constexpr std::uint32_t kUnknown = 0, kStart = 1, kEnd = 2;  // <unk>, <s>, </s>: the first words of every model
constexpr std::uint32_t kMostWords = 1u << 21;               // three words fit one 64-bit key

using Discounts = std::array<double, 4>;  // by count: none, 1, 2, 3 or more

// Natural logarithms throughout. Bigrams of word w lie at [begin2[w], begin2[w + 1]), sorted by their second word;
// trigrams of bigram b at [begin3[b], begin3[b + 1]).
struct NGrams {
    int order = 3;
    std::vector<float> prob1, back1;
    std::vector<std::uint64_t> begin2, begin3;
    std::vector<std::uint32_t> word2, word3;
    std::vector<float> prob2, back2, prob3;
    std::vector<Discounts> discounts;  // by order; empty for a model that was not estimated here
    std::vector<bool> fell_back;       // orders whose counts give no sensible discounts: .5, 1, 1.5 are used

    std::uint64_t bigram(std::uint32_t a, std::uint32_t b) const;  // its place, or kNoGram
    // log p(c | a, b); a context is cut by kNone at its far end. `matched` gets the length of the n-gram that was
    // found.
    float log_prob(std::uint32_t a, std::uint32_t b, std::uint32_t c, int* matched = nullptr) const;
    void check() const;  // throws std::invalid_argument unless the arrays fit together
};

constexpr std::uint64_t kNoGram = ~std::uint64_t{0};

// Collects sentences, then makes the model. Words are what stands between spaces; <s> and </s> are put around each
// line.
class NGramCounter {
public:
    void add(std::string_view lines);
    std::size_t tokens() const { return ids_.size(); }
    std::size_t sentences() const { return ends_.size(); }
    // Words seen less than `least` times become <unk>; n-grams of order k seen at most prune[k - 1] times are left out.
    NGrams finish(int order, std::size_t least, const std::vector<std::uint64_t>& prune,
                  std::vector<std::string>& vocabulary, std::vector<std::uint64_t>& counts) const;

private:
    std::uint32_t id(std::string_view word);
    std::unordered_map<std::string, std::uint32_t> known_;
    std::vector<const std::string*> words_;
    std::vector<std::uint64_t> counts_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::size_t> ends_;
};

// Word-based compression (Hori and Furui 2004): which words to keep, so that the sum of their own scores and of
// weight * log p(word | the two kept before), the end included, is largest. With `most` >= 0 the kept words' costs add
// up to between `least` and `most`; otherwise to anything. At least one word is kept; empty if no choice meets the
// costs.
std::vector<std::uint32_t> best_words(const NGrams& model, const std::vector<std::uint32_t>& words,
                                      const std::vector<double>& own, double weight,
                                      const std::vector<std::uint32_t>& costs, std::int64_t least, std::int64_t most,
                                      double* score);

}  // namespace assay
