#include "parse/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace assay::parse {

Panels::Panels(const float* w, const float* b, std::size_t n_outputs, std::size_t n_inputs)
    : inputs(n_inputs), outputs(n_outputs) {
    const std::size_t stride = (outputs + kPanel - 1) / kPanel * kPanel;
    weights.assign(stride * inputs, 0.0f);
    bias.assign(stride, 0.0f);
    for (std::size_t o = 0; o < outputs; ++o) {
        float* panel = weights.data() + o / kPanel * kPanel * inputs + o % kPanel;
        for (std::size_t i = 0; i < inputs; ++i) panel[i * kPanel] = w[o * inputs + i];
        if (b) bias[o] = b[o];
    }
}

namespace {

// Numbers in a vector of the machine, from any place. The type that says so is used by its name only: as an argument of a
// template it would lose that it may lie anywhere. A copy through memcpy would go by way of memory with some instructions.
template <std::size_t kLanes>
struct Vector {
    typedef float Type __attribute__((vector_size(kLanes * sizeof(float))));
    typedef float Anywhere __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
};

template <std::size_t kLanes>
[[gnu::always_inline]] inline void load(typename Vector<kLanes>::Type& to, const float* from) {
    to = *reinterpret_cast<const typename Vector<kLanes>::Anywhere*>(from);
}
template <std::size_t kLanes>
[[gnu::always_inline]] inline void store(float* to, const typename Vector<kLanes>::Type& from) {
    *reinterpret_cast<typename Vector<kLanes>::Anywhere*>(to) = from;
}
template <class V>
[[gnu::always_inline]] inline void take_greater(V& a, const V& b) {
    a = a > b ? a : b;
}

// kLanes numbers of a machine's vector; the sums of kRows rows with a panel's columns stay in registers, some at a time.
template <std::size_t kLanes, std::size_t kRows, std::size_t kVectors>
[[gnu::always_inline]] inline void multiply_tile(const float* rows, std::size_t step, const Panels& p, std::size_t column,
                                                 float* out) {
    using Lanes = typename Vector<kLanes>::Type;
    const std::size_t inputs = p.inputs, stride = p.stride();
    const float* panel = p.weights.data() + column * inputs;
    for (std::size_t part = 0; part < kPanel; part += kVectors * kLanes) {
        Lanes sums[kRows][kVectors];
        for (std::size_t k = 0; k < kVectors; ++k) {
            Lanes bias;
            load<kLanes>(bias, p.bias.data() + column + part + k * kLanes);
            for (std::size_t r = 0; r < kRows; ++r) sums[r][k] = bias;
        }
        for (std::size_t d = 0; d < inputs; ++d) {
            Lanes weights[kVectors];
            for (std::size_t k = 0; k < kVectors; ++k) load<kLanes>(weights[k], panel + d * kPanel + part + k * kLanes);
            for (std::size_t r = 0; r < kRows; ++r)
                for (std::size_t k = 0; k < kVectors; ++k) sums[r][k] += rows[r * step + d] * weights[k];
        }
        for (std::size_t r = 0; r < kRows; ++r)
            for (std::size_t k = 0; k < kVectors; ++k)
                store<kLanes>(out + r * stride + column + part + k * kLanes, sums[r][k]);
    }
}

template <std::size_t kLanes, std::size_t kRows, std::size_t kVectors>
[[gnu::always_inline]] inline void multiply_rows(const float* rows, std::size_t step, std::size_t n, const Panels& p,
                                                 float* out) {
    constexpr std::size_t kAtOnce = 96;  // rows that stay near the processor while every panel passes by
    for (std::size_t first = 0; first < n; first += kAtOnce) {
        const std::size_t last = std::min(n, first + kAtOnce);
        for (std::size_t column = 0; column < p.stride(); column += kPanel) {
            std::size_t r = first;
            for (; r + kRows <= last; r += kRows)
                multiply_tile<kLanes, kRows, kVectors>(rows + r * step, step, p, column, out + r * p.stride());
            for (; r + kRows / 3 <= last; r += kRows / 3)
                multiply_tile<kLanes, kRows / 3, kVectors>(rows + r * step, step, p, column, out + r * p.stride());
            for (; r < last; ++r)
                multiply_tile<kLanes, 1, kVectors>(rows + r * step, step, p, column, out + r * p.stride());
        }
    }
}

template <std::size_t kLanes>
[[gnu::always_inline]] inline float add_lanes(const typename Vector<kLanes>::Type& v) {
    float lanes[kLanes];
    store<kLanes>(lanes, v);
    for (std::size_t half = kLanes / 2; half; half /= 2)
        for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    return lanes[0];
}

template <std::size_t kLanes>
[[gnu::always_inline]] inline void add_normal(const float* parts, std::size_t pieces, std::size_t width,
                                              const float* gain, const float* shift, float* out) {
    using Lanes = typename Vector<kLanes>::Type;
    constexpr std::size_t kWidest = 128 / kLanes;
    Lanes best[kWidest], sum = {}, squares = {};
    const std::size_t n = width / kLanes;
    for (std::size_t k = 0; k < n; ++k) {
        load<kLanes>(best[k], parts + k * kLanes);
        for (std::size_t piece = 1; piece < pieces; ++piece) {
            Lanes other;
            load<kLanes>(other, parts + piece * width + k * kLanes);
            take_greater(best[k], other);
        }
        sum += best[k];
    }
    const float mean = add_lanes<kLanes>(sum) / static_cast<float>(width);
    for (std::size_t k = 0; k < n; ++k) {
        best[k] -= mean;
        squares += best[k] * best[k];
    }
    const float scale = 1.0f / std::sqrt(add_lanes<kLanes>(squares) / static_cast<float>(width) + 1e-8f);
    for (std::size_t k = 0; k < n; ++k) {
        Lanes g, s, o;
        load<kLanes>(g, gain + k * kLanes);
        load<kLanes>(s, shift + k * kLanes);
        load<kLanes>(o, out + k * kLanes);
        o += best[k] * scale * g + s;
        store<kLanes>(out + k * kLanes, o);
    }
}

template <std::size_t kLanes>
[[gnu::always_inline]] inline void add_values(const float* values, std::size_t n, float* sums) {
    using Lanes = typename Vector<kLanes>::Type;
    for (std::size_t i = 0; i < n; i += kLanes) {
        Lanes a, b;
        load<kLanes>(a, values + i);
        load<kLanes>(b, sums + i);
        b += a;
        store<kLanes>(sums + i, b);
    }
}

template <std::size_t kLanes>
[[gnu::always_inline]] inline void max_of_halves(const float* halves, std::size_t width, float* out) {
    using Lanes = typename Vector<kLanes>::Type;
    for (std::size_t i = 0; i < width; i += kLanes) {
        Lanes a, b;
        load<kLanes>(a, halves + i);
        load<kLanes>(b, halves + width + i);
        take_greater(a, b);
        store<kLanes>(out + i, a);
    }
}

template <std::size_t kLanes>
[[gnu::always_inline]] inline float max_value(const float* values, std::size_t n) {
    using Lanes = typename Vector<kLanes>::Type;
    Lanes best[2];
    load<kLanes>(best[0], values);
    load<kLanes>(best[1], values + kLanes);
    for (std::size_t i = 2 * kLanes; i < n; i += 2 * kLanes) {
        for (std::size_t k = 0; k < 2; ++k) {
            Lanes other;
            load<kLanes>(other, values + i + k * kLanes);
            take_greater(best[k], other);
        }
    }
    take_greater(best[0], best[1]);
    float lanes[kLanes];
    store<kLanes>(lanes, best[0]);
    return *std::max_element(lanes, lanes + kLanes);
}

// The same functions for each kind of processor; the macro repeats what the attribute must be repeated for.
#define ASSAY_KERNELS(name, target, lanes, rows, vectors)                                                              \
    target void multiply_##name(const float* a, std::size_t step, std::size_t n, const Panels& p, float* out) {        \
        multiply_rows<lanes, rows, vectors>(a, step, n, p, out);                                                       \
    }                                                                                                                  \
    target void add_normal_##name(const float* parts, std::size_t pieces, std::size_t width, const float* gain,        \
                                  const float* shift, float* out) {                                                    \
        add_normal<lanes>(parts, pieces, width, gain, shift, out);                                                     \
    }                                                                                                                  \
    target void add_##name(const float* values, std::size_t n, float* sums) { add_values<lanes>(values, n, sums); }    \
    target void max_halves_##name(const float* halves, std::size_t width, float* out) {                                \
        max_of_halves<lanes>(halves, width, out);                                                                      \
    }                                                                                                                  \
    target float max_##name(const float* values, std::size_t n) { return max_value<lanes>(values, n); }                \
    constexpr Kernels k_##name = {multiply_##name, add_normal_##name, add_##name, max_halves_##name, max_##name};

ASSAY_KERNELS(plain, , 4, 3, 2)
#if defined(__x86_64__) && defined(__GNUC__)
ASSAY_KERNELS(avx2, [[gnu::target("avx2,fma")]], 8, 6, 2)
ASSAY_KERNELS(avx512, [[gnu::target("avx512f")]], 16, 12, 2)
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() { return __builtin_cpu_supports("avx512f"); }
#else
constexpr Kernels k_avx2 = k_plain, k_avx512 = k_plain;
bool has_avx2() { return false; }
bool has_avx512() { return false; }
#endif

}  // namespace

const Kernels& kernels(std::string_view name) {
    if (name == "avx512" && has_avx512()) return k_avx512;
    if (name == "avx2" && has_avx2()) return k_avx2;
    if (name == "plain") return k_plain;
    if (name.empty()) return has_avx512() ? k_avx512 : has_avx2() ? k_avx2 : k_plain;
    throw std::invalid_argument("this processor has no " + std::string(name));
}

}  // namespace assay::parse
