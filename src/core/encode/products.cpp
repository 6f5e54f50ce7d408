#include "encode/products.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define ASSAY_X86 1
#endif

namespace assay::encode {

Linear::Linear(const std::int8_t* w, const float* s, const float* b, std::size_t n_outputs, std::size_t n_inputs)
    : inputs(n_inputs), outputs(n_outputs) {
    constexpr double kMost = std::numeric_limits<std::int32_t>::max();
    const double fits = std::floor(kMost / (127.0 * static_cast<double>(std::max<std::size_t>(1, inputs))));
    limit = static_cast<float>(std::min(fits, 32767.0));
    const std::size_t n = round_up(outputs, kPanel);
    weights.assign(n * step(), 0);
    scales.assign(n, 0.0f);
    bias.assign(n, 0.0f);
    std::copy_n(s, outputs, scales.data());
    if (b) std::copy_n(b, outputs, bias.data());
    for (std::size_t o = 0; o < outputs; ++o) {
        std::int8_t* panel = weights.data() + o / kPanel * kPanel * step() + o % kPanel * 2;
        for (std::size_t i = 0; i < inputs; ++i) {
            if (w[o * inputs + i] == -128) throw std::invalid_argument("a weight below -127");  // may not fit the sums
            panel[i / 2 * kPanel * 2 + i % 2] = w[o * inputs + i];
        }
    }
}

namespace {

// Sixteen numbers from any place. Where a machine's vectors are shorter, the compiler takes several.
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));
typedef std::uint32_t Bits __attribute__((vector_size(kLanes * sizeof(float))));
typedef float Anywhere __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

#define ASSAY_INLINE [[gnu::always_inline]] inline

ASSAY_INLINE void load(Lanes& to, const float* from) { to = *reinterpret_cast<const Anywhere*>(from); }
ASSAY_INLINE void store(float* to, const Lanes& from) { *reinterpret_cast<Anywhere*>(to) = from; }
ASSAY_INLINE void take_greater(Lanes& a, const Lanes& b) { a = a > b ? a : b; }

ASSAY_INLINE float add_lanes(const Lanes& v) {
    float lanes[kLanes];
    store(lanes, v);
    for (std::size_t half = kLanes / 2; half; half /= 2)
        for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    return lanes[0];
}

ASSAY_INLINE float max_lanes(const Lanes& v) {
    float lanes[kLanes];
    store(lanes, v);
    return *std::max_element(lanes, lanes + kLanes);
}

constexpr float kShift = 12582912.0f;  // 1.5 * 2^23: a small number added to it loses what is behind the point

// e^x by a polynomial (Cephes); below -87 as at -87.
ASSAY_INLINE void exponentiate(Lanes& x) {
    const Lanes lowest = Lanes{} - 87.0f, highest = Lanes{} + 88.0f;
    take_greater(x, lowest);
    x = x < highest ? x : highest;
    Lanes power = x * 1.44269504088896341f + kShift;
    const Bits exponent = (Bits)power << 23;
    power -= kShift;
    x = x - power * 0.693359375f;
    x = x + power * 2.12194440e-4f;
    Lanes y = x * 1.9875691500e-4f + 1.3981999507e-3f;
    y = y * x + 8.3334519073e-3f;
    y = y * x + 4.1665795894e-2f;
    y = y * x + 1.6666665459e-1f;
    y = y * x + 5.0000001201e-1f;
    y = y * (x * x) + x + 1.0f;
    x = (Lanes)((Bits)y + exponent);
}

// x times the normal distribution function at x (Abramowitz and Stegun, 7.1.26: off by at most 1.5e-7).
ASSAY_INLINE void gelu_lanes(Lanes& x) {
    const Lanes negative = -x, size = (x > 0 ? x : negative) * 0.70710678118654752f;
    const Lanes t = 1.0f / (size * 0.3275911f + 1.0f);
    Lanes tail = t * 1.061405429f - 1.453152027f;
    tail = tail * t + 1.421413741f;
    tail = tail * t - 0.284496736f;
    tail = tail * t + 0.254829592f;
    Lanes decay = -(size * size);
    exponentiate(decay);
    tail = tail * t * decay * 0.5f;
    const Lanes above = 1.0f - tail;
    x = x * (x > 0 ? above : tail);
}

ASSAY_INLINE void gelu_all(float* values, std::size_t n) {
    for (std::size_t i = 0; i < n; i += kLanes) {
        Lanes x;
        load(x, values + i);
        gelu_lanes(x);
        store(values + i, x);
    }
}

ASSAY_INLINE void sigmoid_all(float* values, std::size_t n) {
    for (std::size_t i = 0; i < n; i += kLanes) {
        Lanes x;
        load(x, values + i);
        x = -x;
        exponentiate(x);
        store(values + i, 1.0f / (x + 1.0f));
    }
}

ASSAY_INLINE float round_row(const float* row, std::size_t n, std::size_t step, float limit, std::int16_t* out) {
    Lanes most = {};
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        Lanes x;
        load(x, row + i);
        const Lanes negative = -x;
        take_greater(most, x);
        take_greater(most, negative);
    }
    float greatest = max_lanes(most);
    for (; i < n; ++i) greatest = std::max(greatest, std::abs(row[i]));
    const float times = greatest > 0 ? limit / greatest : 0.0f;
    for (i = 0; i + kLanes <= n; i += kLanes) {
        Lanes x;
        load(x, row + i);
        x = x * times + kShift;
        for (std::size_t k = 0; k < kLanes; ++k) {
            std::int32_t bits;
            std::memcpy(&bits, reinterpret_cast<const float*>(&x) + k, sizeof bits);
            out[i + k] = static_cast<std::int16_t>(bits);  // the low half: 1.5 * 2^23 leaves it as the number is
        }
    }
    for (; i < n; ++i) {
        const float x = row[i] * times + kShift;
        std::int32_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        out[i] = static_cast<std::int16_t>(bits);
    }
    for (; i < step; ++i) out[i] = 0;
    return greatest / limit;
}

ASSAY_INLINE void add_normal_rows(float* rows, const float* added, std::size_t n, std::size_t width, const float* gain,
                                  const float* shift) {
    for (std::size_t r = 0; r < n; ++r) {
        float* row = rows + r * width;
        const float* other = added + r * width;
        Lanes sum = {}, squares = {}, x, y, g, s;
        for (std::size_t i = 0; i < width; i += kLanes) {
            load(x, row + i);
            load(y, other + i);
            x += y;
            store(row + i, x);
            sum += x;
        }
        const float mean = add_lanes(sum) / static_cast<float>(width);
        for (std::size_t i = 0; i < width; i += kLanes) {
            load(x, row + i);
            x -= mean;
            store(row + i, x);
            squares += x * x;
        }
        const float scale = 1.0f / std::sqrt(add_lanes(squares) / static_cast<float>(width) + 1e-12f);
        for (std::size_t i = 0; i < width; i += kLanes) {
            load(x, row + i);
            load(g, gain + i);
            load(s, shift + i);
            store(row + i, x * scale * g + s);
        }
    }
}

ASSAY_INLINE float dot_rows(const float* a, const float* b, std::size_t n) {
    Lanes sum = {}, x, y;
    for (std::size_t i = 0; i < n; i += kLanes) {
        load(x, a + i);
        load(y, b + i);
        sum += x * y;
    }
    return add_lanes(sum);
}

// Shares from scores, in place: e^score, and the sum; what is beyond n becomes 0.
ASSAY_INLINE float soften(float* scores, std::size_t n, std::size_t padded) {
    const float most = *std::max_element(scores, scores + n);
    Lanes sum = {};
    for (std::size_t j = 0; j < padded; j += kLanes) {
        Lanes x;
        load(x, scores + j);
        x -= most;
        exponentiate(x);
        store(scores + j, x);
    }
    std::fill(scores + n, scores + padded, 0.0f);
    for (std::size_t j = 0; j < padded; j += kLanes) {
        Lanes x;
        load(x, scores + j);
        sum += x;
    }
    return add_lanes(sum);
}

ASSAY_INLINE void attend_rows(const float* qkv, std::size_t n, std::size_t width, float* space, float* out) {
    const std::size_t padded = round_up(n, kLanes), row = 3 * width;
    float *keys = space, *scores = space + padded * kHead;
    const float scale = 1.0f / std::sqrt(static_cast<float>(kHead));
    for (std::size_t at = 0; at < width; at += kHead) {
        for (std::size_t d = 0; d < kHead; ++d) {
            for (std::size_t j = 0; j < n; ++j) keys[d * padded + j] = qkv[j * row + width + at + d];
            std::fill(keys + d * padded + n, keys + (d + 1) * padded, 0.0f);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const float* query = qkv + i * row + at;
            for (std::size_t j = 0; j < padded; j += kLanes) {
                Lanes sum = {}, key;
                for (std::size_t d = 0; d < kHead; ++d) {
                    load(key, keys + d * padded + j);
                    sum += query[d] * key;
                }
                store(scores + j, sum * scale);
            }
            const float share = 1.0f / soften(scores, n, padded);
            Lanes first = {}, second = {}, x, y;
            static_assert(kHead == 2 * kLanes);
            for (std::size_t j = 0; j < n; ++j) {
                const float* value = qkv + j * row + 2 * width + at;
                load(x, value);
                load(y, value + kLanes);
                first += scores[j] * x;
                second += scores[j] * y;
            }
            store(out + i * width + at, first * share);
            store(out + i * width + at + kLanes, second * share);
        }
    }
}

// The sums of whole numbers of some rows with a panel, as the numbers that they stand for.
ASSAY_INLINE void finish(const std::int32_t* sums, const float* units, std::size_t rows, const Linear& linear,
                         std::size_t column, float* out) {
    for (std::size_t r = 0; r < rows; ++r, out += linear.stride(), sums += kPanel)
        for (std::size_t k = 0; k < kPanel; ++k)
            out[column + k] =
                static_cast<float>(sums[k]) * linear.scales[column + k] * units[r] + linear.bias[column + k];
}

struct Plain {
    static constexpr std::size_t kMost = 1;  // rows whose sums stay in registers
    template <std::size_t kRows>
    static void multiply(const std::int16_t* rows, const float* units, const Linear& linear, std::size_t column,
                         float* out) {
        const std::size_t step = linear.step();
        const std::int8_t* panel = linear.weights.data() + column * step;
        std::int32_t sums[kPanel] = {};
        for (std::size_t i = 0; i < step; i += 2, panel += 2 * kPanel) {
            const std::int32_t a = rows[i], b = rows[i + 1];
            for (std::size_t k = 0; k < kPanel; ++k) sums[k] += a * panel[2 * k] + b * panel[2 * k + 1];
        }
        finish(sums, units, kRows, linear, column, out);
    }
};

#ifdef ASSAY_X86
#define ASSAY_AVX2 [[gnu::target("avx2")]]
#define ASSAY_VNNI [[gnu::target("avx512f,avx512bw,avx512vnni")]]

inline std::int32_t read_two(const std::int16_t* from) {
    std::int32_t both;
    std::memcpy(&both, from, sizeof both);
    return both;
}

struct Avx2 {
    static constexpr std::size_t kMost = 4;
    template <std::size_t kRows>
    ASSAY_AVX2 static void multiply(const std::int16_t* rows, const float* units, const Linear& linear,
                                    std::size_t column, float* out) {
        const std::size_t step = linear.step();
        alignas(32) std::int32_t finished[kRows][kPanel];
        for (std::size_t half = 0; half < kPanel; half += kPanel / 2) {
            const std::int8_t* panel = linear.weights.data() + column * step + 2 * half;
            __m256i sums[kRows][2];
            for (auto& pair : sums) pair[0] = pair[1] = _mm256_setzero_si256();
            for (std::size_t i = 0; i < step; i += 2, panel += 2 * kPanel) {
                const auto* at = reinterpret_cast<const __m128i*>(panel);
                const __m256i w0 = _mm256_cvtepi8_epi16(_mm_loadu_si128(at));
                const __m256i w1 = _mm256_cvtepi8_epi16(_mm_loadu_si128(at + 1));
                for (std::size_t r = 0; r < kRows; ++r) {
                    const __m256i a = _mm256_set1_epi32(read_two(rows + r * step + i));
                    sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(a, w0));
                    sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(a, w1));
                }
            }
            for (std::size_t r = 0; r < kRows; ++r)
                for (std::size_t k = 0; k < 2; ++k)
                    _mm256_store_si256(reinterpret_cast<__m256i*>(finished[r] + half + 8 * k), sums[r][k]);
        }
        finish(finished[0], units, kRows, linear, column, out);
    }
};

struct Vnni {
    static constexpr std::size_t kMost = 12;
    template <std::size_t kRows>
    ASSAY_VNNI static void multiply(const std::int16_t* rows, const float* units, const Linear& linear,
                                    std::size_t column, float* out) {
        const std::size_t step = linear.step();
        const std::int8_t* panel = linear.weights.data() + column * step;
        __m512i sums[kRows][2];
        for (auto& pair : sums) pair[0] = pair[1] = _mm512_setzero_si512();
        for (std::size_t i = 0; i < step; i += 2, panel += 2 * kPanel) {
            const auto* at = reinterpret_cast<const __m256i*>(panel);
            const __m512i w0 = _mm512_cvtepi8_epi16(_mm256_loadu_si256(at));
            const __m512i w1 = _mm512_cvtepi8_epi16(_mm256_loadu_si256(at + 1));
            for (std::size_t r = 0; r < kRows; ++r) {
                const __m512i a = _mm512_set1_epi32(read_two(rows + r * step + i));
                sums[r][0] = _mm512_dpwssd_epi32(sums[r][0], a, w0);
                sums[r][1] = _mm512_dpwssd_epi32(sums[r][1], a, w1);
            }
        }
        alignas(64) std::int32_t finished[kRows][kPanel];
        for (std::size_t r = 0; r < kRows; ++r)
            for (std::size_t k = 0; k < 2; ++k) _mm512_store_si512(finished[r] + 16 * k, sums[r][k]);
        finish(finished[0], units, kRows, linear, column, out);
    }
};
#endif

using Tile = void (*)(const std::int16_t*, const float*, const Linear&, std::size_t, float*);

template <class Machine, std::size_t... kRows>
constexpr std::array<Tile, sizeof...(kRows)> list_tiles(std::index_sequence<kRows...>) {
    return {Machine::template multiply<kRows + 1>...};
}

template <class Machine>
void multiply_rows(const std::int16_t* rows, const float* units, std::size_t n, const Linear& linear, float* out) {
    static constexpr auto tiles = list_tiles<Machine>(std::make_index_sequence<Machine::kMost>());
    constexpr std::size_t kAtOnce = 96;  // rows that stay near the processor while every panel passes by
    for (std::size_t first = 0; first < n; first += kAtOnce) {
        const std::size_t count = std::min(n - first, kAtOnce), parts = (count + Machine::kMost - 1) / Machine::kMost;
        for (std::size_t column = 0; column < linear.stride(); column += kPanel)
            for (std::size_t part = 0; part < parts; ++part) {
                const std::size_t r = first + count * part / parts, end = first + count * (part + 1) / parts;
                tiles[end - r - 1](rows + r * linear.step(), units + r, linear, column, out + r * linear.stride());
            }
    }
}

// The same functions for each kind of processor; the macro repeats what the attribute must be repeated for.
#define ASSAY_KERNELS(name, target, machine)                                                                           \
    target float round_##name(const float* row, std::size_t n, std::size_t step, float limit, std::int16_t* out) {     \
        return round_row(row, n, step, limit, out);                                                                    \
    }                                                                                                                  \
    target void add_normal_##name(float* rows, const float* added, std::size_t n, std::size_t width,                   \
                                  const float* gain, const float* shift) {                                             \
        add_normal_rows(rows, added, n, width, gain, shift);                                                           \
    }                                                                                                                  \
    target void gelu_##name(float* values, std::size_t n) { gelu_all(values, n); }                                     \
    target void attend_##name(const float* qkv, std::size_t n, std::size_t width, float* space, float* out) {          \
        attend_rows(qkv, n, width, space, out);                                                                        \
    }                                                                                                                  \
    target float dot_##name(const float* a, const float* b, std::size_t n) { return dot_rows(a, b, n); }               \
    target void sigmoid_##name(float* values, std::size_t n) { sigmoid_all(values, n); }                               \
    constexpr Kernels k_##name = {round_##name, multiply_rows<machine>, add_normal_##name, gelu_##name, attend_##name, \
                                  dot_##name,   sigmoid_##name};

ASSAY_KERNELS(plain, , Plain)
#ifdef ASSAY_X86
ASSAY_KERNELS(avx2, ASSAY_AVX2, Avx2)
ASSAY_KERNELS(vnni, ASSAY_VNNI, Vnni)
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
bool has_vnni() { return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni"); }
#else
constexpr Kernels k_avx2 = k_plain, k_vnni = k_plain;
bool has_avx2() { return false; }
bool has_vnni() { return false; }
#endif

}  // namespace

const Kernels& kernels(std::string_view name) {
    if (name == "vnni" && has_vnni()) return k_vnni;
    if (name == "avx2" && has_avx2()) return k_avx2;
    if (name == "plain") return k_plain;
    if (name.empty()) return has_vnni() ? k_vnni : has_avx2() ? k_avx2 : k_plain;
    throw std::invalid_argument("this processor has no " + std::string(name));
}

}  // namespace assay::encode
