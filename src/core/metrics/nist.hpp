// NIST: n-grams weighted by what they tell, counted over all references of a set.
#pragma once

#include <vector>

#include "match/overlap.hpp"

namespace assay {

// How often n-grams up to an order occur in the references of a whole set; only 64 bits of each are kept. An n-gram is
// stored once its first n - 1 words have been seen twice: before, it tells nothing, as it is all that follows them.
class NgramTable {
public:
    explicit NgramTable(int order) : slots_(1u << 12), order_(order) {}

    void add(const Tokens& tokens, const Vocab& vocab);
    // log2 (occurrences of the first n - 1 words / occurrences of all n): Doddington 2002, Eq. 2.
    double information(std::uint64_t ngram, std::uint64_t shorter) const;
    void prefetch(std::uint64_t ngram) const { __builtin_prefetch(&slots_[ngram & (slots_.size() - 1)]); }
    int order() const { return order_; }
    double words() const { return words_; }

private:
    // One flat table: millions of n-grams miss the cache, and a place can be asked for ahead of its turn.
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t count = 0, first = 0;
    };  // key 0: empty; where it was seen first
    std::size_t place(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = key & mask;
        while (slots_[i].key != key && slots_[i].key != 0) i = (i + 1) & mask;
        return i;
    }
    void grow();
    void count(std::size_t at);

    std::vector<Slot> slots_;
    std::vector<std::uint64_t> seen_;  // all words, as hashes, with 0 between texts
    std::size_t size_ = 0;
    int order_;
    double words_ = 0;
};

// Per output its length, the mean length of its references, then the information of matching n-grams and the number of
// n-grams, order by order; an n-gram matches as often as in the reference that has it most. NaN without references.
std::vector<double> nist(const Tokens& outputs, const Tokens& references, const Layout& layout, const Vocab& vocab,
                         const NgramTable& table);

}  // namespace assay
