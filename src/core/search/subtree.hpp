// The best part of a forest that holds the parent of each of its nodes, at a given cost: what a compression may keep.
#pragma once

#include <cstdint>
#include <vector>

namespace assay {

// parents[i] is a node or -1; forced: 1 must be in (and so must its ancestors), -1 must not (nor what is below it), 0
// free. With most < 0 costs do not matter. Otherwise the costs of the nodes add up to between least and most; if they
// cannot, it is the dearest below that costs something; if there is none, the cheapest, and `met` is false.
struct Subtree {
    std::vector<std::uint8_t> kept;
    double value = 0;
    bool met = true;
};

Subtree best_subtree(const std::vector<std::int64_t>& parents, const std::vector<double>& values,
                     const std::vector<std::int64_t>& costs, const std::vector<std::int64_t>& forced,
                     std::int64_t least, std::int64_t most);

}  // namespace assay
