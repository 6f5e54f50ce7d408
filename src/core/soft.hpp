// Soft matching of n-grams by the cosine of their vectors.
#pragma once

#include <vector>

#include "overlap.hpp"

namespace assay {

// A row of length 1 (or 0: the unit has no vector, and matches itself only) for every unit number.
struct UnitVectors {
    const float* rows = nullptr;
    std::size_t width = 0;

    const float* row(std::uint32_t unit) const { return rows + unit * width; }
};

// Counts as of `overlap`, where the units of an output, in order of first occurrence, each take the nearest unit that the
// reference has left: itself if it is there, else that of the highest cosine, the earlier of two as near. Below the
// threshold nothing is taken. With `whole` a match counts 1 for each occurrence, as often as both have; else its cosine.
Counts soft_overlap(const Tokens& outputs, const Tokens& references, const Layout& layout, const UnitVectors& vectors,
                    double threshold, bool whole);

}  // namespace assay
