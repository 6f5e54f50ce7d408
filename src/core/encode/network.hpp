// The encoder with its heads: from word pieces to tags, features, lemmas, sentences, trees, and words to keep.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "encode/products.hpp"

namespace assay::encode {

constexpr std::size_t kColumns = 4;      // part of speech, tag, features, lemma
constexpr std::size_t kMixes = 3;        // tags, trees, keep
constexpr std::size_t kMostWords = 240;  // of a window: longer ones were not trained on

// Rows of 8 bits with a scale for each.
struct Table {
    std::size_t width = 0;
    std::vector<std::int8_t> codes;
    std::vector<float> scales;

    std::size_t size() const { return scales.size(); }
    void copy(std::size_t row, float* out) const {
        for (std::size_t i = 0; i < width; ++i) out[i] = static_cast<float>(codes[row * width + i]) * scales[row];
    }
    void add(std::size_t row, float* out) const {
        for (std::size_t i = 0; i < width; ++i) out[i] += static_cast<float>(codes[row * width + i]) * scales[row];
    }
};

struct Normal {
    std::vector<float> gain, shift;
};

struct Layer {
    Linear qkv, out, up, down;
    Normal middle, end;
};

// Each layer's share in what a group of heads reads, and its table of word shapes.
struct Mix {
    std::vector<float> shares;
    Table shapes;
};

// Dependents and heads, each with a 1 at the end; a row for the root.
struct Biaffine {
    Linear dependent, head, weight;
    std::vector<float> root;
    std::size_t size() const { return root.size() + 1; }
    std::size_t padded() const { return round_up(size(), kLanes); }
};

struct Weights {
    Table pieces, positions, shapes;
    Normal normal;
    std::vector<Layer> layers;
    std::array<Mix, kMixes> mixes;
    std::array<Linear, kColumns> columns;
    Linear start, keep_in, keep_out;
    Biaffine arc, relation;  // the weight of relations has relation.padded() outputs for each
    std::size_t relations = 0, root_relation = 0;
    std::size_t width() const { return pieces.width; }
    std::size_t word_width() const { return pieces.width + mixes[0].shapes.width; }
};

// Texts in a row, each one line: the pieces of each word and its shape.
struct Texts {
    std::span<const std::int32_t> pieces, piece_ends, shapes, word_ends;
};

struct EncodedWord {
    std::array<std::int32_t, kColumns> columns;
    std::int32_t head, relation;  // in the sentence; -1 for the root
    float keep;                   // the probability that a compression keeps the word
};

struct EncodedText {
    std::vector<EncodedWord> words;
    std::vector<std::uint32_t> sentence_ends;  // in words
};

class Network {
public:
    // `code`: of `kernels`.
    Network(Weights weights, std::string_view code) : w_(std::move(weights)), code_(kernels(code)) {}

    const Weights& weights() const { return w_; }

    // The same for any number of threads and any other texts. A long text is read in windows: the next begins with the
    // last sentence of the one before, which may go on.
    std::vector<EncodedText> encode(const Texts& texts, std::size_t threads) const;

    // The most pieces of a word.
    std::size_t most_pieces() const { return w_.positions.size() - 2; }

private:
    struct Window;
    struct Space;

    std::vector<Window> cut_windows(const Texts& texts,
                                    const std::vector<std::pair<std::size_t, std::size_t>>& waiting) const;
    void run(const Texts& texts, std::span<Window> windows, Space& space) const;
    void embed(const Texts& texts, std::span<const Window> windows, Space& space) const;
    void mix(std::span<const Window> windows, std::size_t layer, Space& space) const;
    void apply(const Linear& linear, const float* rows, std::size_t step, std::size_t n, Space& space,
               std::vector<float>& out) const;
    void project(const Biaffine& biaffine, const std::vector<float>& words, std::size_t n, Space& space,
                 std::vector<float>& dependents, std::vector<float>& heads) const;
    void find_trees(Window& window, Space& space) const;
    void find_relations(std::span<Window> windows, Space& space) const;

    Weights w_;
    const Kernels& code_;
};

}  // namespace assay::encode
