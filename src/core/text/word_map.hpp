// A word-to-word map over a vocabulary: stems, stop words.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "text/vocab.hpp"

namespace assay {

// By the word's number; grows with the vocabulary. One thread at a time may add; others may read meanwhile.
class WordMap {
public:
    std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
    const std::uint32_t* data() const { return to_.data(); }  // of as many words as size() said before

    // One more than the largest word that it leads to.
    std::uint32_t bound() const { return bound_.load(std::memory_order_acquire); }

    void add(std::uint32_t to) {
        const std::uint32_t word = size();
        to_.add(word, to);
        if (to != kNone) bound_.store(std::max(bound(), to + 1), std::memory_order_release);
        size_.store(word + 1, std::memory_order_release);
    }

    // The first `words` of it.
    std::vector<std::uint32_t> copy(std::uint32_t words) const {
        return {to_.data(), to_.data() + words};
    }

private:
    SharedArray<std::uint32_t> to_;
    std::atomic<std::uint32_t> size_ = 0, bound_ = 0;
};

// Extends `map` over the words that `vocab` has gained: number of the word -> number of its stem.
template <class Stem>
void extend_stems(Vocab& vocab, WordMap& map, Stem stem, std::size_t longer_than = 3) {
    for (std::uint32_t id = map.size(); id < vocab.size(); ++id) {
        const std::string word(vocab[id]);
        // rouge-score and ROUGE-1.5.5 stem only words of more than three letters.
        map.add(word.size() > longer_than ? vocab.intern(stem(word)) : id);
    }
}

}  // namespace assay
