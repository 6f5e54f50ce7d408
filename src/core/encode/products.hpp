// The encoder's arithmetic: the same answers on every processor. Products are of whole numbers, which have no rounding;
// floating-point sums have a fixed order, in sixteen lanes, and no product is fused with a sum (see CMakeLists.txt).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::encode {

constexpr std::size_t kPanel = 32;  // outputs that are worked on together
constexpr std::size_t kLanes = 16;
constexpr std::size_t kHead = 32;  // numbers of an attention head

constexpr std::size_t round_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

// Weights of 8 bits with a scale for each output, turned for multiplication: panels of kPanel outputs; two inputs of
// each output, then the next two.
struct Linear {
    std::size_t inputs = 0, outputs = 0;
    float limit = 0;  // an input's greatest whole number: sums of products must fit into 32 bits
    std::vector<std::int8_t> weights;
    std::vector<float> scales, bias;

    Linear() = default;
    // `weights` has a row of `inputs` numbers for each output; `bias` may be null.
    Linear(const std::int8_t* weights, const float* scales, const float* bias, std::size_t outputs, std::size_t inputs);
    std::size_t step() const { return round_up(inputs, 2); }  // from row to row of what is multiplied
    std::size_t stride() const { return scales.size(); }      // from row to row of the results
};

struct Kernels {
    // Rounds a row to whole numbers up to `limit`, zeros up to `step`; returns what they count in.
    float (*round)(const float* row, std::size_t n, std::size_t step, float limit, std::int16_t* out);
    // n rows of whole numbers, with what each counts in, times the weights, plus the bias.
    void (*multiply)(const std::int16_t* rows, const float* units, std::size_t n, const Linear& linear, float* out);
    // Each row plus `added`, standardized, times gain plus shift.
    void (*add_normal)(float* rows, const float* added, std::size_t n, std::size_t width, const float* gain,
                       const float* shift);
    void (*gelu)(float* values, std::size_t n);  // n: a multiple of kLanes
    // Attention within a text of n rows of queries, keys and values, each `width` numbers.
    void (*attend)(const float* qkv, std::size_t n, std::size_t width, float* space, float* out);
    float (*dot)(const float* a, const float* b, std::size_t n);  // n: a multiple of kLanes
    void (*sigmoid)(float* values, std::size_t n);                // n: a multiple of kLanes
};

// Numbers that `attend` works in.
constexpr std::size_t attention_space(std::size_t n) { return round_up(n, kLanes) * (kHead + 1); }

// By name: vnni, avx2, plain; "" for the fastest that the processor has. std::invalid_argument for one it does not
// have.
const Kernels& kernels(std::string_view name = "");

}  // namespace assay::encode
