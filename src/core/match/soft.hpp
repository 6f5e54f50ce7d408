// Soft matching of n-grams by the cosine of their vectors.
#pragma once

#include <vector>

#include "match/overlap.hpp"

namespace assay {

// The vector of a unit is made of those of its words: unit u is of the words parts[u * n .. u * n + n), whose rows are
// added or multiplied number by number. A unit with a word that has no vector matches itself only.
struct UnitVectors {
    const float* rows = nullptr;
    std::size_t width = 0;
    const std::uint8_t* known = nullptr;  // by word
    const std::int64_t* parts = nullptr;
    std::size_t n = 1;
    bool product = false;

    // Writes a vector of length 1, or zeros.
    void vector(std::uint32_t unit, float* out) const;
};

// Counts as of `overlap`, where the units of an output, in order of first occurrence, each take the nearest unit that
// the reference has left: itself if it is there, else that of the highest cosine, the earlier of two as near. Below the
// threshold nothing is taken. With `whole` a match counts 1 for each occurrence, as often as both have; else its
// cosine.
Counts soft_overlap(const Tokens& outputs, const Tokens& references, const Layout& layout, const UnitVectors& vectors,
                    double threshold, bool whole);

}  // namespace assay
