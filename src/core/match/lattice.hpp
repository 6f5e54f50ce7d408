// References whose words have alternatives: a lattice of paths, matched without listing them.
#pragma once

#include <cstdint>
#include <vector>

#include "match/overlap.hpp"

namespace assay {

// Reference r has arcs [ends[r], ends[r+1]): from word `from` to just before word `to` the words [first, last) of `ids`
// may stand instead. Arcs go forward, and a path takes any that do not overlap.
struct Lattices {
    struct Arc {
        std::uint32_t from, to;
        std::size_t first, last;
    };
    std::vector<std::size_t> ends{0};
    std::vector<Arc> arcs;
    std::vector<std::uint32_t> ids;
    std::uint32_t vocab_size = 0;  // every id is smaller
};

// From whole texts: variant v is reference of[v] (not decreasing) with one alternative in it, before[v] and after[v]
// what stands on both sides of it. Where the tokenizer reads a neighbour otherwise, the arc takes the neighbour in.
Lattices lattices(const Tokens& references, const Tokens& variants, const Tokens& before, const Tokens& after,
                  const std::vector<std::size_t>& of);

// Puts the alternatives into counts made without them: see units/lattice.py, which numbers the rules.
void add_alternatives(const Tokens& outputs, const Tokens& references, const Layout& layout, const Lattices& lattices,
                      const std::vector<Unit>& units, std::vector<Counts>& counts);

}  // namespace assay
