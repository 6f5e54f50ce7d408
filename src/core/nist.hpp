// NIST: n-grams weighted by what they tell, counted over all references of a set.
#pragma once

#include <unordered_map>

#include "overlap.hpp"

namespace assay {

// How often n-grams up to an order occur in the references of a whole set. Only 64 bits of each are kept.
class NgramTable {
public:
    explicit NgramTable(int order) : order_(order) {}

    void add(const Tokens& tokens, const Vocab& vocab);
    // log2 (occurrences of the first n - 1 words / occurrences of all n): Doddington 2002, Eq. 2.
    double information(std::uint64_t ngram, std::uint64_t shorter) const;
    int order() const { return order_; }
    double words() const { return words_; }

private:
    int order_;
    double words_ = 0;
    std::unordered_map<std::uint64_t, double> counts_;
};

// Per output its length, the mean length of its references, then the information of matching n-grams and the number of
// n-grams, order by order; an n-gram matches as often as in the reference that has it most. NaN without references.
std::vector<double> nist(const Tokens& outputs, const Tokens& references, const Layout& layout, const Vocab& vocab, const NgramTable& table);

}  // namespace assay
