// A word-to-word map over a vocabulary: stems, stop words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/vocab.hpp"

namespace assay {

struct WordMap {
    std::vector<std::uint32_t> to;  // by the word's id; grows with the vocabulary
};

// Extends `map` over the words that `vocab` has gained: id of the word -> id of its stem.
template <class Stem>
void extend_stems(Vocab& vocab, std::vector<std::uint32_t>& map, Stem stem, std::size_t longer_than = 3) {
    for (std::uint32_t id = static_cast<std::uint32_t>(map.size()); id < vocab.size(); ++id) {
        const std::string word(vocab[id]);
        // rouge-score and ROUGE-1.5.5 stem only words of more than three letters.
        map.push_back(word.size() > longer_than ? vocab.intern(stem(word)) : id);
    }
}

}  // namespace assay
