// Longest common subsequences: of whole texts, united over sentences (ROUGE-Lsum), and weighted (ROUGE-W).
#pragma once

#include <memory>

#include "match/items.hpp"

namespace assay {

class Rows;

// match = LCS length, reference = text length, for one item after the other.
class LcsKernel {
public:
    LcsKernel();
    ~LcsKernel();
    void run(const Bags& words, const Layout& layout, std::size_t item, Counts& counts);

private:
    std::unique_ptr<Rows> rows_;
    std::vector<std::uint64_t> masks_, row_;
};

// Sentence by sentence: the union of each reference sentence's LCS with every output sentence, each word of either
// side counted at most as often as it occurs (Lin 2004, section 3.2, and what ROUGE-1.5.5 and rouge-score add to it).
// weight = 1 is ROUGE-Lsum; weight > 1 is ROUGE-W of ROUGE-1.5.5, whose totals are f(sum of f(sentence length)) with
// f(x) = x^weight.
Counts union_lcs(const Tokens& outputs, const Tokens& references, const Layout& layout, double weight);

}  // namespace assay
