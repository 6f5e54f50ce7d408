// Longest common subsequences: of whole texts, united over sentences (ROUGE-Lsum), and weighted (ROUGE-W).
#pragma once

#include "overlap.hpp"

namespace assay {

// match = LCS length, reference and output = text lengths.
Counts lcs(const Tokens& outputs, const Tokens& references, const Layout& layout);

// Sentence by sentence: the union of each reference sentence's LCS with every output sentence, each word of either
// side counted at most as often as it occurs (Lin 2004, section 3.2, and what ROUGE-1.5.5 and rouge-score add to it).
// weight = 1 is ROUGE-Lsum; weight > 1 is ROUGE-W of ROUGE-1.5.5, whose totals are f(sum of f(sentence length)) with
// f(x) = x^weight.
Counts union_lcs(const Tokens& outputs, const Tokens& references, const Layout& layout, double weight);

}  // namespace assay
