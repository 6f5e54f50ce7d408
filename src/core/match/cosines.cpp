#include "match/cosines.hpp"

#include <algorithm>
#include <cstring>

namespace assay {
namespace {

constexpr std::size_t kPanel = 32;  // columns that are worked on together

// The references' vectors, turned: panels of kPanel columns, number after number. The last one is filled with zeros.
std::vector<float> make_panels(const TextVectors& references) {
    const std::size_t n = references.starts.back(), width = references.width;
    std::vector<float> panels((n + kPanel - 1) / kPanel * kPanel * width, 0.0f);
    for (std::size_t v = 0; v < n; ++v) {
        float* panel = panels.data() + v / kPanel * kPanel * width + v % kPanel;
        for (std::size_t d = 0; d < width; ++d) panel[d * kPanel] = references.rows[v * width + d];
    }
    return panels;
}

// Lanes of a vector of the machine; the sums of kRows rows with a panel's columns stay in registers, some at a time.
template <std::size_t kLanes, std::size_t kRows, std::size_t kVectors>
[[gnu::always_inline]] inline void multiply_tile(const float* rows, std::size_t width, const float* panel, float* out,
                                                 std::size_t stride) {
    typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float)), aligned(4)));
    for (std::size_t part = 0; part < kPanel; part += kVectors * kLanes) {
        Lanes sums[kRows][kVectors] = {};
        for (std::size_t d = 0; d < width; ++d) {
            Lanes column[kVectors];
            for (std::size_t k = 0; k < kVectors; ++k)
                std::memcpy(&column[k], panel + d * kPanel + part + k * kLanes, sizeof(Lanes));
            for (std::size_t r = 0; r < kRows; ++r)
                for (std::size_t k = 0; k < kVectors; ++k) sums[r][k] += rows[r * width + d] * column[k];
        }
        for (std::size_t r = 0; r < kRows; ++r)
            for (std::size_t k = 0; k < kVectors; ++k)
                std::memcpy(out + r * stride + part + k * kLanes, &sums[r][k], sizeof(Lanes));
    }
}

template <std::size_t kLanes, std::size_t kRows, std::size_t kVectors>
[[gnu::always_inline]] inline void multiply_rows(const float* rows, std::size_t n, std::size_t width,
                                                 const std::vector<float>& panels, std::size_t stride, float* out) {
    for (std::size_t column = 0; column < stride; column += kPanel) {
        const float* panel = panels.data() + column * width;
        std::size_t r = 0;
        for (; r + kRows <= n; r += kRows)
            multiply_tile<kLanes, kRows, kVectors>(rows + r * width, width, panel, out + r * stride + column, stride);
        for (; r < n; ++r)
            multiply_tile<kLanes, 1, kVectors>(rows + r * width, width, panel, out + r * stride + column, stride);
    }
}

using Multiply = void (*)(const float*, std::size_t, std::size_t, const std::vector<float>&, std::size_t, float*);

void multiply_plainly(const float* rows, std::size_t n, std::size_t width, const std::vector<float>& panels,
                      std::size_t stride, float* out) {
    multiply_rows<4, 4, 2>(rows, n, width, panels, stride, out);
}

#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::target("avx2,fma")]] void multiply_avx2(const float* rows, std::size_t n, std::size_t width,
                                               const std::vector<float>& panels, std::size_t stride, float* out) {
    multiply_rows<8, 4, 2>(rows, n, width, panels, stride, out);
}

[[gnu::target("avx512f")]] void multiply_avx512(const float* rows, std::size_t n, std::size_t width,
                                                const std::vector<float>& panels, std::size_t stride, float* out) {
    multiply_rows<16, 8, 2>(rows, n, width, panels, stride, out);
}

Multiply choose() {
    if (__builtin_cpu_supports("avx512f")) return multiply_avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? multiply_avx2 : multiply_plainly;
}
#else
Multiply choose() { return multiply_plainly; }
#endif

// Reads the cosines of one output, a row per vector of it, into both tables.
void keep_best(const float* cosines, std::size_t stride, std::size_t first, std::size_t last,
               const TextVectors& references, float* of_output, float* of_references) {
    const std::size_t columns = references.starts.back();
    if (first == last) return;
    std::fill(of_references, of_references + columns, -1.0f);
    for (std::size_t row = first; row < last; ++row, cosines += stride, of_output += references.size()) {
        for (std::size_t v = 0; v < columns; ++v) of_references[v] = std::max(of_references[v], cosines[v]);
        for (std::size_t t = 0; t < references.size(); ++t) {
            const auto from = cosines + references.starts[t], to = cosines + references.starts[t + 1];
            of_output[t] = from == to ? 0.0f : std::min(*std::max_element(from, to), 1.0f);
        }
    }
    for (std::size_t v = 0; v < columns; ++v) of_references[v] = std::min(of_references[v], 1.0f);
}

}  // namespace

BestCosines best_cosines(const TextVectors& outputs, const TextVectors& references) {
    static const Multiply multiply = choose();
    const std::size_t columns = references.starts.back(), stride = (columns + kPanel - 1) / kPanel * kPanel;
    BestCosines best;
    best.outputs.assign(outputs.starts.back() * references.size(), 0.0f);
    best.references.assign(outputs.size() * columns, 0.0f);
    const std::vector<float> panels = make_panels(references);
    std::vector<float> cosines;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const std::size_t first = outputs.starts[o], last = outputs.starts[o + 1];
        cosines.resize((last - first) * stride);
        multiply(outputs.rows + first * outputs.width, last - first, outputs.width, panels, stride, cosines.data());
        keep_best(cosines.data(), stride, first, last, references, best.outputs.data() + first * references.size(),
                  best.references.data() + o * columns);
    }
    return best;
}

}  // namespace assay
