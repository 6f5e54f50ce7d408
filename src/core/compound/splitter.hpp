// Compound splitting: the ways to cover a word with entries of a lexicon, ranked by a linear model or as in the paper.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compound/lexicon.hpp"

namespace assay {

// The limits of Owczarzak et al. 2014, Tables 1 and 4; lengths in characters.
struct SplitLimits {
    int most_parts = 8;
    int shortest_word = 4;
    int shortest_part = 2;
    int shortest_linked_part = 3;  // beside a linking element
    int shortest_unknown = 3;
    double least_cover = 0;  // share of the word that known parts must cover, for the guesser
};

struct SplitRules {
    std::vector<std::string> links;                      // linking elements, the empty one first
    std::vector<std::string> endings;                    // inflections that may follow the last part
    std::array<std::array<std::uint8_t, 8>, 8> pairs{};  // which part of speech may follow which
    SplitLimits lexical, guesser;
    bool guess = true;
    bool refuse = true;      // false: the best split, if there is any
    bool by_length = false;  // the paper's order, longest first part and fewest parts, and no model
    bool hyphens = true;     // a hyphen between letters is a boundary
    bool tagged = true;      // the model was fitted with parts of speech
    int candidates = 1;      // how many splits are kept
};

struct SplitPart {
    int begin = 0, end = 0;   // code points of the word; the linking element and the ending are not in it
    int link = 0;             // characters of the linking element after it
    int ending = 0;           // characters of the inflection after it
    std::int64_t entry = -1;  // -1: not in the lexicon
    int tag = 7;
};

struct SplitCandidate {
    std::vector<SplitPart> parts;
    double score = 0;
    bool guessed = false;
    std::vector<std::uint32_t> features;  // only when asked for
    std::vector<int> boundaries() const;
};

// The best candidates of one word, best first; the word unsplit is one of them, where it is.
struct SplitWord {
    std::vector<SplitCandidate> candidates;
};

class Splitter {
public:
    static constexpr std::size_t kDense = 4096, kHash = std::size_t{1} << 17;
    static constexpr std::size_t kWeights = kDense + kHash;

    Splitter(const Lexicon& lexicon, SplitRules rules, std::vector<float> weights);

    SplitWord split(std::string_view word, bool features = false) const;
    // The word with a mark at each boundary of its best candidate.
    void mark(std::string_view word, std::string_view sign, std::string& out) const;
    // Every cover of a word by entries, as boundaries, without model or guesser: for tests.
    std::vector<std::vector<int>> covers(std::string_view word, std::size_t most) const;
    // Takes every form of these lemmas out of the lexicon.
    std::size_t remove(const std::vector<std::string>& lemmas);
    void set_guesser(const SplitLimits& limits);

private:
    struct Text;
    struct Search;
    SplitCandidate unsplit(const Text& text, int begin, int end, bool features) const;
    std::vector<SplitCandidate> search(const Text& text, int begin, int end, bool guess, bool features) const;
    std::vector<SplitCandidate> longest(const Text& text, int begin, int end) const;
    std::vector<SplitCandidate> decide(const Text& text, int begin, int end, bool features) const;
    std::vector<SplitCandidate> candidates(const Text& text, bool features) const;
    static std::vector<SplitCandidate> join(const std::vector<SplitCandidate>& ways,
                                            const std::vector<SplitCandidate>& runs, std::size_t most);
    void merge(const Text& text, SplitCandidate& way) const;
    float weight(std::size_t feature) const { return weights_[feature]; }

    const Lexicon& lexicon_;
    SplitRules rules_;
    std::vector<float> weights_;
    std::vector<int> link_length_;  // characters
    std::vector<std::uint8_t> removed_;
};

}  // namespace assay
