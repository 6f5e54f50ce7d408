// The best set of nodes that holds what each of them needs and gains where two are both in, at a given cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay {

// An edge from one node to another: `need` says that `from` is in only if `to` is; `gain` is what both together add.
struct Edge {
    std::size_t from = 0, to = 0;
    bool need = false;
    double gain = 0;
};

// forced: 1 must be in (and so must all it needs), -1 must not (nor what needs it, unless that is forced in), 0 free.
// Costs, least and most are those of best_subtree. `exact` is false where more than `widest` states had to be kept.
struct Closure {
    std::vector<std::uint8_t> kept;
    double value = 0;
    bool met = true;
    bool exact = true;
};

Closure best_closure(const std::vector<double>& values, const std::vector<std::int64_t>& costs,
                     const std::vector<std::int64_t>& forced, const std::vector<Edge>& edges, std::int64_t least,
                     std::int64_t most, std::size_t widest);

}  // namespace assay
