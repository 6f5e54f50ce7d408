// How many documents of a collection hold each n-gram.
#pragma once

#include <unordered_map>
#include <vector>

#include "match/ngrams.hpp"

namespace assay {

// Only 64 bits of each n-gram are kept.
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
