// The network: from word types to vectors of words in their place, and to the scores of labels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parse/kernels.hpp"
#include "parse/lexicon.hpp"

namespace assay::parse {

constexpr std::size_t kWidth = 128, kLayers = 4, kPad = 4;  // of word vectors; layers, which see one word to each side
constexpr std::size_t kStateWidth = 64, kFeatures = 8;      // of the parser's states

struct Table {  // rows of embeddings
    std::vector<float> rows;
    std::uint32_t n = 0, seed = 0;
};

struct Normal {
    std::vector<float> gain, shift;
};

struct Network {
    std::array<Table, 4> embed;
    Panels mix;                            // 512 -> 3 x 128
    std::array<Normal, kLayers + 1> norms;  // of the mixer and of each layer
    Panels thirds;                         // of the first layer: what a type gives its neighbours and itself
    std::array<Panels, kLayers - 1> layers;  // 384 -> 2 x 128
    std::vector<float> first_bias;
    Panels labels;  // tag, features and lemma at once, each from a multiple of kPanel on
    std::size_t tags = 0, morphs = 0, lemmas = 0, first_morph = 0, first_lemma = 0;
    Panels narrow, lower, upper;  // of the parser: 128 -> 64, 64 -> 8 x 128, 64 -> moves
    std::vector<float> lower_bias, pad;
};

// What depends on a type alone: its vector, and its part of the first layer for the word after, itself, the word before.
class TypeVectors {
public:
    void extend(const Network& network, const Kernels& code, const std::vector<Type>& types);
    void clear() { vectors_.clear(); }
    const float* vector(std::uint32_t type) const { return vectors_.data() + type * kStride; }
    const float* third(std::uint32_t type, std::size_t k) const { return vector(type) + kWidth + k * 2 * kWidth; }

private:
    static constexpr std::size_t kStride = 7 * kWidth;
    std::vector<float> vectors_;
};

// Buffers that are used again.
struct Scratch {
    std::vector<float> rows, next, scores, narrow;
};

// Rows for texts of types, with kPad rows before, between and after: text t begins at row starts[t].
struct Encoded {
    std::vector<std::size_t> starts;
    std::vector<float> rows;
    const float* row(std::size_t i) const { return rows.data() + i * kWidth; }
};

void encode_texts(const Network& network, const Kernels& code, const TypeVectors& vectors,
                  const std::vector<std::vector<std::uint32_t>>& texts, Scratch& scratch, Encoded& encoded);

}  // namespace assay::parse
