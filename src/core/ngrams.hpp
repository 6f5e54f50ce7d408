// Bags of n-grams that share their numbers, and how many documents of a collection hold each.
#pragma once

#include <unordered_map>
#include <vector>

#include "tokens.hpp"

namespace assay {

// Word to itself or to kNone for a stop word; empty: there are none.
using StopMap = std::vector<std::uint32_t>;

// The n-grams of every batch of texts as numbers: the same n-gram has the same one in all of them. An n-gram all of whose
// words are stop words is left out.
std::vector<Tokens> ngrams(const std::vector<const Tokens*>& batches, std::size_t n, const StopMap& stop);

// How many documents hold an n-gram. Only 64 bits of each are kept.
class DocumentTable {
public:
    explicit DocumentTable(std::size_t n) : n_(n) {}

    // Every text is a document.
    void add(const Tokens& tokens, const Vocab& vocab);
    // Per n-gram of the texts, in order and without those that are all stop words: the documents that hold it.
    std::vector<double> holding(const Tokens& tokens, const Vocab& vocab, const StopMap& stop) const;
    double documents() const { return documents_; }
    std::size_t n() const { return n_; }

private:
    std::size_t n_;
    double documents_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> held_;
};

}  // namespace assay
