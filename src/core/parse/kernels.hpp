// The arithmetic of the parser's layers, for the processor that it runs on.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace assay::parse {

constexpr std::size_t kPanel = 32;  // columns that are worked on together

// Weights turned for multiplication: panels of kPanel outputs, input after input; the last is filled with zeros.
struct Panels {
    std::size_t inputs = 0, outputs = 0;
    std::vector<float> weights, bias;

    Panels() = default;
    // `weights` has a row of `inputs` numbers for each output.
    Panels(const float* weights, const float* bias, std::size_t outputs, std::size_t inputs);
    std::size_t stride() const { return bias.size(); }
};

// A row's products are added in the same order whatever the number of rows: a text's scores do not depend on its company.
struct Kernels {
    // n rows of `inputs` numbers, each `step` after the one before; they may overlap. A row of `out` has stride() numbers.
    void (*multiply)(const float* rows, std::size_t step, std::size_t n, const Panels& panels, float* out);
    // The greater of two halves of `width` (or of three thirds), standardized, times gain plus shift, added to `out`.
    void (*add_normal)(const float* parts, std::size_t pieces, std::size_t width, const float* gain,
                       const float* shift, float* out);
    void (*add)(const float* values, std::size_t n, float* sums);
    // The greater of the first and second half.
    void (*max_halves)(const float* halves, std::size_t width, float* out);
    float (*max)(const float* values, std::size_t n);  // n a multiple of kPanel
};

// By name: avx512, avx2, plain; "" for the fastest that the processor has. std::invalid_argument for one it does not have.
const Kernels& kernels(std::string_view name = "");

}  // namespace assay::parse
