#include "match/soft.hpp"

#include <algorithm>
#include <cmath>

#include "match/items.hpp"

namespace assay {
namespace {

struct Count {
    std::uint32_t unit;
    double n;
};

// Units in order of first occurrence, with how often each occurs.
class Counter {
public:
    explicit Counter(std::uint32_t vocab_size) : local_(vocab_size) {}

    void read(const Tokens& bags, std::size_t text, std::vector<Count>& out) {
        local_.start();
        out.clear();
        for (std::size_t i = bags.texts[text]; i < bags.texts[text + 1]; ++i) {
            const std::uint32_t place = local_.add(bags.ids[i]);
            if (place == out.size()) out.push_back({bags.ids[i], 0.0});
            ++out[place].n;
        }
    }

private:
    LocalIds local_;
};

// Columns that are worked on together: their sums stay in registers.
constexpr std::size_t kColumns = 64;

// Adds the products of a vector with each column. Each sum is made number after number, each product rounded before it
// is added: wide registers change nothing.
[[gnu::always_inline]] inline void multiply_columns(const float* vector, std::size_t width, const float* columns,
                                                    std::size_t n, float* out) {
    std::size_t v = 0;
    for (; v + kColumns <= n; v += kColumns) {
        float sums[kColumns] = {};
        for (std::size_t d = 0; d < width; ++d)
            for (std::size_t k = 0; k < kColumns; ++k) sums[k] += vector[d] * columns[d * n + v + k];
        std::copy(sums, sums + kColumns, out + v);
    }
    for (std::size_t d = 0; d < width; ++d)
        for (std::size_t k = v; k < n; ++k) out[k] += vector[d] * columns[d * n + k];
}

using Multiply = void (*)(const float*, std::size_t, const float*, std::size_t, float*);

void multiply_plainly(const float* vector, std::size_t width, const float* columns, std::size_t n, float* out) {
    multiply_columns(vector, width, columns, n, out);
}

#if defined(__x86_64__) && defined(__GNUC__)
// Without fma, which does not round the product.
[[gnu::target("avx2")]] void multiply_avx2(const float* vector, std::size_t width, const float* columns, std::size_t n,
                                           float* out) {
    multiply_columns(vector, width, columns, n, out);
}

Multiply choose() { return __builtin_cpu_supports("avx2") ? multiply_avx2 : multiply_plainly; }
#else
Multiply choose() { return multiply_plainly; }
#endif

void multiply(const float* vector, std::size_t width, const float* columns, std::size_t n, float* out) {
    static const Multiply best = choose();
    best(vector, width, columns, n, out);
}

// The cosines of the item's output units (rows) with its reference units (columns), each row worked out when first
// asked.
class Cosines {
public:
    Cosines(const UnitVectors& vectors, std::uint32_t vocab_size)
        : vectors_(vectors), rows_(vocab_size), columns_(vocab_size) {}

    void start(const Tokens& references, std::size_t from, std::size_t to) {
        rows_.start();
        columns_.start();
        units_.clear();
        for (std::size_t i = references.texts[from]; i < references.texts[to]; ++i) {
            if (columns_.add(references.ids[i]) == units_.size()) units_.push_back(references.ids[i]);
        }
        // One column after the other per number of the vectors: the loops below then run along memory.
        turned_.resize(vectors_.width * units_.size());
        vector_.resize(vectors_.width);
        for (std::size_t v = 0; v < units_.size(); ++v) {
            vectors_.vector(units_[v], vector_.data());
            for (std::size_t d = 0; d < vectors_.width; ++d) turned_[d * units_.size() + v] = vector_[d];
        }
        values_.clear();
    }
    std::uint32_t column(std::uint32_t unit) const { return columns_.find(unit); }
    const float* row(std::uint32_t unit) {
        const std::size_t n = units_.size(), at = rows_.add(unit) * n;
        if (at == values_.size()) {
            values_.resize(at + n, 0.0f);
            vectors_.vector(unit, vector_.data());
            multiply(vector_.data(), vectors_.width, turned_.data(), n, values_.data() + at);
        }
        return values_.data() + at;
    }

private:
    const UnitVectors& vectors_;
    LocalIds rows_, columns_;
    std::vector<std::uint32_t> units_;
    std::vector<float> turned_, values_, vector_;
};

struct Left {
    std::uint32_t unit, column;
    double n;
};

double match(const std::vector<Count>& mine, std::vector<Left>& left, Cosines& cosines, double threshold, bool whole) {
    double sum = 0;
    for (const Count& unit : mine) {
        if (left.empty()) break;
        const float* row = cosines.row(unit.unit);
        double best = -2;
        std::size_t at = 0;
        for (std::size_t k = 0; k < left.size(); ++k) {
            const bool same = left[k].unit == unit.unit;
            const double cosine = same ? 2.0 : static_cast<double>(row[left[k].column]);
            if (cosine > best) {
                best = cosine;
                at = k;
            }
            if (same) break;
        }
        best = std::min(best, 1.0);
        if (best < threshold) continue;
        const double n = std::min(unit.n, left[at].n);
        sum += whole ? n : n * best;
        left[at].n -= n;
        if (left[at].n == 0) left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return sum;
}

}  // namespace

void UnitVectors::vector(std::uint32_t unit, float* out) const {
    const std::int64_t* words = parts + unit * n;
    std::fill(out, out + width, 0.0f);
    if (!std::all_of(words, words + n, [this](std::int64_t w) { return known[w] != 0; })) return;
    for (std::size_t k = 0; k < n; ++k) {
        const float* row = rows + static_cast<std::size_t>(words[k]) * width;
        for (std::size_t d = 0; d < width; ++d) out[d] = k == 0 ? row[d] : product ? out[d] * row[d] : out[d] + row[d];
    }
    double length = 0;
    for (std::size_t d = 0; d < width; ++d) length += static_cast<double>(out[d]) * out[d];
    if (length == 0) return;
    const float scale = static_cast<float>(1 / std::sqrt(length));
    for (std::size_t d = 0; d < width; ++d) out[d] *= scale;
}

Counts soft_overlap(const Tokens& outputs, const Tokens& references, const Layout& layout, const UnitVectors& vectors,
                    double threshold, bool whole) {
    Counts counts;
    counts.match.assign(layout.pairs.back(), 0.0);
    counts.reference.assign(layout.pairs.back(), 0.0);
    counts.output.resize(outputs.size());
    for (std::size_t o = 0; o < outputs.size(); ++o) counts.output[o] = static_cast<double>(outputs.length(o));
    const std::uint32_t vocab = std::max(outputs.vocab_size, references.vocab_size);
    Counter counter(vocab);
    Cosines cosines(vectors, vocab);
    std::vector<std::vector<Count>> there;
    std::vector<Count> mine;
    std::vector<Left> left;
    for (std::size_t item = 0; item < layout.items(); ++item) {
        const std::size_t r0 = layout.references[item], k = layout.references_of(item);
        cosines.start(references, r0, r0 + k);
        there.resize(std::max(there.size(), k));
        for (std::size_t j = 0; j < k; ++j) counter.read(references, r0 + j, there[j]);
        for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) {
            counter.read(outputs, o, mine);
            for (std::size_t j = 0; j < k; ++j) {
                counts.reference[layout.pairs[o] + j] = static_cast<double>(references.length(r0 + j));
                if (static_cast<std::int32_t>(j) == layout.own[o]) continue;
                left.clear();
                for (const Count& c : there[j]) left.push_back({c.unit, cosines.column(c.unit), c.n});
                counts.match[layout.pairs[o] + j] = match(mine, left, cosines, threshold, whole);
            }
        }
    }
    return counts;
}

}  // namespace assay
