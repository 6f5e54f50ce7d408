// Word alignment of two texts in one language: an HMM in both directions over likeness of words and of their
// surroundings.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

enum class WordClass : std::uint8_t { Content, Function, Mark };
enum class LinkKind : std::uint8_t { Exact, Stem, Synonym, Spelling, Phrase, Context };

struct MonoWord {
    std::wstring form;                 // lower case
    std::string stem, number;          // number: its value in digits, or empty
    std::vector<std::int64_t> senses;  // sorted
    WordClass kind = WordClass::Content;
};

// Several words that could be one: start, end, written together, their initials, their value, their senses as one.
struct MonoSpan {
    std::uint32_t start = 0, end = 0;
    std::wstring joined, initials;
    std::string number;
    std::vector<std::int64_t> senses;
};

struct MonoText {
    std::vector<MonoWord> words;
    std::vector<MonoSpan> spans;
};

// Log weights; a word that goes nowhere weighs 0.
struct MonoWeights {
    double exact, exact_function, exact_mark, stem, synonym, spelling, phrase;  // how alike
    double unlike, unlike_function, mixed;   // not alike: two content words, two function words, one of each
    double beside, around, function_around;  // per alike neighbour; per alike content word nearby
    double position;                         // times the difference of relative places
    double stay, forward, back, back_more;   // jumps: 0; log of further than 1; any backward, and its log
    double least, least_phrase, gap;         // scores needed; score of what fills the same gap
};
constexpr std::size_t kMonoWeights = sizeof(MonoWeights) / sizeof(double);

struct MonoLink {
    std::uint32_t a, b;
    LinkKind kind;
    double score;
};

// The links, by a and then b. align(b, a) are the same links with the sides changed.
std::vector<MonoLink> monoalign(const MonoText& a, const MonoText& b, const MonoWeights& weights);

}  // namespace assay
