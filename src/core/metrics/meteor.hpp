// The word alignment of METEOR: stage by stage, with the fewest crossings.
#pragma once

#include "match/overlap.hpp"

namespace assay {

struct MeteorOptions {
    double alpha = 0.9, beta = 3, gamma = 0.5;
};

// What words are alike beyond being equal: stems by word id (empty: no such stage), and the sorted senses of words, of
// word w in senses[starts[row[w]] .. starts[row[w] + 1]) where row[w] is not kNone (empty: no such stage).
struct Likeness {
    std::vector<std::uint32_t> stems, row;
    std::vector<std::size_t> starts;
    std::vector<std::int64_t> senses;
};

// Four numbers per output, for the reference with the best score: matches, chunks, output length, reference length. NaN
// without references.
std::vector<double> meteor(const Tokens& outputs, const Tokens& references, const Layout& layout, const Likeness& alike,
                           const MeteorOptions& options);

}  // namespace assay
