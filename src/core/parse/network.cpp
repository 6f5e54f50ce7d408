#include "parse/network.hpp"

#include <algorithm>

#include "parse/hash.hpp"

namespace assay::parse {

void TypeVectors::extend(const Network& network, const Kernels& code, const std::vector<Type>& types) {
    constexpr std::size_t kAtOnce = 48;
    std::vector<float> joined, parts, thirds;
    for (std::size_t first = vectors_.size() / kStride; first < types.size(); first += kAtOnce) {
        const std::size_t last = std::min(types.size(), first + kAtOnce), n = last - first;
        joined.assign(n * 4 * kWidth, 0.0f);
        for (std::size_t t = first; t < last; ++t) {
            for (std::size_t a = 0; a < 4; ++a) {
                const Table& table = network.embed[a];
                float* to = joined.data() + ((t - first) * 4 + a) * kWidth;
                for (const std::uint32_t row : hash_rows(types[t].attributes[a], table.seed))
                    code.add(table.rows.data() + row % table.n * kWidth, kWidth, to);
            }
        }
        parts.resize(n * network.mix.stride());
        code.multiply(joined.data(), 4 * kWidth, n, network.mix, parts.data());
        vectors_.resize(last * kStride, 0.0f);
        const Normal& norm = network.norms[0];
        for (std::size_t t = 0; t < n; ++t)
            code.add_normal(parts.data() + t * network.mix.stride(), 3, kWidth, norm.gain.data(), norm.shift.data(),
                            vectors_.data() + (first + t) * kStride);
        thirds.resize(n * network.thirds.stride());
        code.multiply(vectors_.data() + first * kStride, kStride, n, network.thirds, thirds.data());
        for (std::size_t t = 0; t < n; ++t)
            std::copy_n(thirds.data() + t * 6 * kWidth, 6 * kWidth, vectors_.data() + (first + t) * kStride + kWidth);
    }
}

namespace {

// The first layer, from the parts of the types; rows that pad are zero before it.
void encode_first(const Network& network, const Kernels& code, const TypeVectors& vectors,
                  const std::vector<std::uint32_t>& types, float* rows) {
    const auto n = static_cast<std::ptrdiff_t>(types.size());
    const Normal& norm = network.norms[1];
    float parts[2 * kWidth];
    for (std::ptrdiff_t i = 1 - static_cast<std::ptrdiff_t>(kPad); i < n + static_cast<std::ptrdiff_t>(kPad) - 1; ++i) {
        std::copy(network.first_bias.begin(), network.first_bias.end(), parts);
        for (std::ptrdiff_t k = -1; k <= 1; ++k)
            if (i + k >= 0 && i + k < n) code.add(vectors.third(types[i + k], k + 1), 2 * kWidth, parts);
        float* row = rows + i * static_cast<std::ptrdiff_t>(kWidth);
        if (i >= 0 && i < n) std::copy_n(vectors.vector(types[i]), kWidth, row);
        else std::fill_n(row, kWidth, 0.0f);
        code.add_normal(parts, 2, kWidth, norm.gain.data(), norm.shift.data(), row);
    }
}

}  // namespace

void encode_texts(const Network& network, const Kernels& code, const TypeVectors& vectors,
                  const std::vector<std::vector<std::uint32_t>>& texts, Scratch& scratch, Encoded& encoded) {
    std::size_t n = kPad;
    encoded.starts.clear();
    for (const auto& text : texts) {
        encoded.starts.push_back(n);
        n += text.size() + kPad;
    }
    encoded.rows.assign(n * kWidth, 0.0f);
    for (std::size_t t = 0; t < texts.size(); ++t)
        if (!texts[t].empty())
            encode_first(network, code, vectors, texts[t], encoded.rows.data() + encoded.starts[t] * kWidth);
    // Each layer sees one row further, so that of the rows between two texts fewer matter to each. A row that two texts
    // share is the same for both: what it sees of either is too far away to come back.
    for (std::size_t layer = 0; layer + 1 < kLayers; ++layer) {
        const Panels& panels = network.layers[layer];
        const Normal& norm = network.norms[layer + 2];
        constexpr std::size_t kAtOnce = 96;
        scratch.scores.resize(kAtOnce * panels.stride());
        scratch.next.assign(encoded.rows.begin(), encoded.rows.end());
        for (std::size_t first = 1; first + 1 < n; first += kAtOnce) {
            const std::size_t some = std::min(kAtOnce, n - 1 - first);
            code.multiply(encoded.rows.data() + (first - 1) * kWidth, kWidth, some, panels, scratch.scores.data());
            for (std::size_t r = 0; r < some; ++r)
                code.add_normal(scratch.scores.data() + r * panels.stride(), 2, kWidth, norm.gain.data(),
                                norm.shift.data(), scratch.next.data() + (first + r) * kWidth);
        }
        encoded.rows.swap(scratch.next);
    }
}

}  // namespace assay::parse
