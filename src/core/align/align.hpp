// Word alignment of a bitext: IBM model 1 (Brown et al. 1993), then the HMM of Vogel et al. (1996), both directions,
// made one by the refined method (Och and Ney 2003; Koehn et al. 2003); and the phrase pairs consistent with it.
#pragma once

#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace assay {

enum class Symmetrize { GrowDiagFinalAnd, Intersection, Union };

struct AlignOptions {
    int model1 = 5, hmm = 5;    // iterations of EM; no iterations of the HMM: model 1 alone
    double null = 0.2;          // chance of a word that nothing gave rise to (HMM; Och and Ney 2003, 2.1.1)
    double smooth = 0.2;        // share of the uniform distribution in the jumps
    double prior = 0.0;         // Dirichlet prior of the translation tables (variational Bayes); 0: plain EM
    std::size_t longest = 200;  // pairs with a longer side are left unaligned
    Symmetrize symmetrize = Symmetrize::GrowDiagFinalAnd;
};

// Links by pair: pair p has links [ends[p], ends[p+1]), each a place in the source and one in the target.
struct Links {
    std::vector<std::size_t> ends{0};
    std::vector<std::uint32_t> source, target;
};

struct Aligned {
    Links links, forward, backward;  // united; each target word by one source word at most; the other way round
    std::vector<std::uint32_t> table_source, table_target;  // words that met in some pair
    std::vector<double> target_given_source, source_given_target;
    std::vector<double> forward_likelihood, backward_likelihood;  // log, before each iteration of EM
    std::vector<std::size_t> skipped;                             // pairs left out: too long, or a side empty
};

Aligned align(const Tokens& sources, const Tokens& targets, const AlignOptions& options);

// The same from both directions of another aligner: source_of is by target word, over all pairs, and target_of by
// source word (kNone: none). The tables are shares of the links of a word.
Aligned united(const Tokens& sources, const Tokens& targets, const std::vector<std::uint32_t>& source_of,
               const std::vector<std::uint32_t>& target_of, std::size_t longest, Symmetrize how);

// Spans [source_start, source_end) x [target_start, target_end) of a pair, no word of which is linked to one outside.
struct PhrasePairs {
    std::vector<std::int64_t> pair, source_start, source_end, target_start, target_end;
};

// Sides of at most `longest` words, with linked words at both ends; `extend` lets unlinked neighbours of the target in.
PhrasePairs phrase_pairs(const Tokens& sources, const Tokens& targets, const Links& links, std::size_t longest,
                         bool extend);

}  // namespace assay
