// The parser: from texts to sentences of words with lemma, tag, features, head and relation.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse/arc_eager.hpp"
#include "parse/edit_trees.hpp"
#include "parse/network.hpp"
#include "parse/tokenizer.hpp"
#include "parse/tree.hpp"

namespace assay::parse {

struct ParsedWord {
    std::uint32_t form, lemma;  // of the strings of the answer
    std::uint16_t tag, morph, label;
    bool is_root;
    std::int32_t head;    // in the sentence; -1 for a root
    std::uint32_t start;  // of the form in the text, in characters
};

// Of some texts: their words in a row. Sentences and texts are given by where they end.
struct Parsed {
    std::vector<std::string> strings;
    std::vector<ParsedWord> words;
    std::vector<std::uint32_t> sentence_ends;  // in words
    std::vector<std::uint32_t> text_ends;      // in sentences
};

struct ScoredTree {
    double score = 0;  // logarithm of its share of the beam
    Tree tree;
};

struct Model {
    std::unique_ptr<Tokenizer> tokenizer;
    Network network;
    std::vector<EditTree> trees;
    std::vector<std::int32_t> lemma_trees;  // of each label
    std::vector<Transition> transitions;
    Labels labels;
    std::uint16_t root;
};

// What a thread keeps from call to call.
struct Workspace {
    Memory memory;
    TypeVectors vectors;
    Scratch scratch;
    Encoded encoded;
    std::vector<float> lower, hidden, scores;
    State state;
    std::unordered_map<std::uint64_t, std::int32_t> lemma_ids;  // type and label -> lemma; -1: the tree does not fit
    std::vector<std::string> lemmas;
};

class Parser {
public:
    // `code`: of `kernels`.
    Parser(Model model, std::string_view code);

    const Model& model() const { return model_; }

    // The answers of groups of texts, in order; the same for any number of threads.
    std::vector<Parsed> parse(const std::vector<std::string_view>& texts, std::size_t threads) const;

    // The sentences of a text, and of each up to n trees, best first.
    std::pair<Parsed, std::vector<std::vector<ScoredTree>>> parse_best(std::string_view text, std::size_t n) const;

    static constexpr std::size_t kGroup = 32;  // texts that pass through the network together

private:
    struct Tagged {  // of a word
        std::uint16_t tag, morph;
        std::int32_t lemma;  // -1: the form
    };
    class Answer;

    Parsed parse_group(const std::string_view* texts, std::size_t n, Workspace& space) const;
    void tag(std::size_t rows, const std::vector<std::uint32_t>& types, const float* vectors, Workspace& space,
             std::vector<Tagged>& tagged) const;
    std::int32_t find_lemma(std::uint32_t type, float* scores, Workspace& space) const;
    void prepare(const float* vectors, std::size_t words, Workspace& space) const;
    void score(const State* const* states, std::size_t n, Workspace& space) const;
    void run_greedily(State& state, Workspace& space) const;
    std::vector<ScoredTree> run_beam(const std::vector<std::uint32_t>& types, std::size_t n, Workspace& space) const;
    std::vector<bool> find_spaces(const std::vector<std::uint32_t>& types, const Workspace& space) const;
    std::unique_ptr<Workspace> take() const;
    void give_back(std::unique_ptr<Workspace> space) const;

    Model model_;
    const Kernels& code_;
    mutable std::mutex turn_;
    mutable std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace assay::parse
