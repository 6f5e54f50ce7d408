// The best tree with one root for scores of arcs: Chu and Liu (1965), Edmonds (1967).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::encode {

// The head of each of n words, -1 for the root. `scores` has n + 1 numbers for each word: as root, then below each
// word.
std::vector<std::int32_t> find_best_tree(const std::vector<double>& scores, std::size_t n);

}  // namespace assay::encode
