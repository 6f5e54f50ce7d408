// The one matching kernel: bags of units of outputs against bags of units of references.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "text/tokens.hpp"

namespace assay {

// Items in order; item i has outputs [outputs[i], outputs[i+1]) and references [references[i], references[i+1]).
// An output's own reference (the same person's text), if any, is left out: its place in the item, or -1.
struct Layout {
    std::vector<std::size_t> outputs{0}, references{0};
    std::vector<std::int32_t> own;
    std::vector<std::size_t> pairs{0};  // output o meets its item's references in pairs [pairs[o], pairs[o+1])

    std::size_t items() const { return outputs.size() - 1; }
    std::size_t references_of(std::size_t item) const { return references[item + 1] - references[item]; }
};

// What is counted: n-grams, or pairs of words with at most `gap` others between them (gap < 0: no limit),
// with unigrams besides if `unigrams` (the SU of ROUGE); or n = 0: the words of the longest common subsequence.
struct Unit {
    int n = 1;
    bool skip = false;
    int gap = 0;
    bool unigrams = false;

    bool subsequence() const { return n == 0; }
};

// Additive statistics: everything a precision, recall or F needs, under any pooling.
struct Counts {
    std::vector<double> match, reference;  // per pair
    std::vector<double> nearest;           // per pair, for references with alternatives: of the path nearest in length
    std::vector<double> output;            // per output
    std::vector<double> union_match, union_total;  // per output: against the union (largest count) of references
};

// How many units a text of so many words has.
double bag_size(std::size_t length, const Unit& unit);

// A unit with a weight counts so much; `weights` is by token id and only for unigrams (bags made elsewhere).
std::vector<Counts> overlap(const Tokens& outputs, const Tokens& references, const Layout& layout,
                            const std::vector<Unit>& units, const std::vector<double>& weights);

}  // namespace assay
