// The highest cosine of every vector of a text with a vector of another.
#pragma once

#include <cstddef>
#include <vector>

namespace assay {

// Texts one after the other: the vectors of text t are the rows starts[t] .. starts[t + 1), each of length 1.
struct TextVectors {
    const float* rows = nullptr;
    std::size_t width = 0;
    std::vector<std::size_t> starts;

    std::size_t size() const { return starts.size() - 1; }
};

struct BestCosines {
    std::vector<float> outputs;     // row of an output x reference
    std::vector<float> references;  // output x row of a reference
};

// A cosine is at most 1, and 0 with a text without rows. What it is does not depend on what other texts there are: the
// products are added in the same order, whatever the shapes.
BestCosines best_cosines(const TextVectors& outputs, const TextVectors& references);

}  // namespace assay
