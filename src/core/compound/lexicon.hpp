// A lexicon as a minimal acyclic automaton over UTF-8 bytes, read where it lies in memory (a mapped file).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

// What an entry says of a word, in one number.
struct Entry {
    std::uint32_t bits;

    std::uint8_t tags() const { return static_cast<std::uint8_t>(bits & 255); }  // one bit for each part of speech
    int frequency() const { return static_cast<int>(bits >> 8 & 15); }           // 0: not counted; else half Zipf units
    bool stem() const { return bits >> 12 & 1; }                                 // occurs only before another part
    bool dictionary() const { return bits >> 13 & 1; }  // a dictionary has it, not only a corpus
    bool whole() const { return bits >> 14 & 1; }       // a word by itself, never a part
    std::uint32_t rule() const { return bits >> 16; }   // how the lemma is made from the form
};

// An edge: the byte, whether a word ends after it, whether it is the last of its node, and the first edge of its
// target.
class Lexicon {
public:
    static constexpr std::uint32_t kNone = 0;  // no edge leads to the root, so 0 also means "no target"

    // Throws std::invalid_argument if the bytes are not a whole and unchanged lexicon.
    explicit Lexicon(std::span<const std::uint8_t> file);

    std::size_t size() const { return entries_.size(); }
    std::size_t edges() const { return edges_.size(); }
    const std::vector<std::string>& rules() const { return rules_; }
    Entry entry(std::size_t index) const { return {entries_[index]}; }

    // One step along a word. `number` becomes the index of the entry if a word ends here.
    struct State {
        std::uint32_t node = 1;  // edge index of the first edge; kNone when there is none
        std::uint32_t number = 0;
        bool ends = false;
    };
    bool step(State& state, std::uint8_t byte) const {
        if (state.node == kNone || state.node >= edges_.size()) return false;
        if (state.ends) ++state.number;
        for (std::size_t e = state.node;; ++e) {
            const std::uint32_t edge = edges_[e];
            if ((edge & 255) == byte) {
                state.number += numbers_[e];
                state.ends = edge >> 8 & 1;
                state.node = edge >> 10;
                return true;
            }
            if (edge >> 9 & 1) return false;
        }
    }
    // The index of a word, or -1.
    std::int64_t find(std::string_view word) const;
    // The form with its rule applied: "4|en" takes four characters off the end and adds "en"; "^" makes a capital.
    std::string lemma(std::string_view form, std::size_t index) const;
    // The lemma of a form that is not here: by the rule that most words with the longest known end have.
    std::string guess_lemma(std::string_view form) const;
    // Every word in order, given to `visit(word, index)`.
    template <class Visit>
    void each(Visit visit) const {
        std::string word;
        each(1, 0, word, visit);
    }

private:
    static std::string apply(std::string_view rule, std::string_view form);
    void learn_ends() const;
    template <class Visit>
    void each(std::uint32_t node, std::uint32_t number, std::string& word, Visit& visit) const {
        if (node == kNone || node >= edges_.size()) return;
        for (std::size_t e = node;; ++e) {
            const std::uint32_t edge = edges_[e];
            std::uint32_t at = number + numbers_[e];
            word.push_back(static_cast<char>(edge & 255));
            if (edge >> 8 & 1) visit(std::string_view(word), static_cast<std::size_t>(at++));
            each(edge >> 10, at, word, visit);
            word.pop_back();
            if (edge >> 9 & 1) break;
        }
    }

    std::span<const std::uint32_t> edges_, numbers_, entries_;
    std::vector<std::string> rules_;
    mutable std::unordered_map<std::string, std::uint32_t>
        ends_;  // end of a word -> its commonest rule, made when asked
};

// The file of a lexicon. The words are in byte order and different, as many as the values; throws otherwise.
std::vector<std::uint8_t> build_lexicon(const std::vector<std::string_view>& words,
                                        const std::vector<std::uint32_t>& values,
                                        const std::vector<std::string_view>& rules);

}  // namespace assay
