// A batch of texts as integers: token ids, where each text and each sentence ends.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "text/word_map.hpp"

namespace assay {

struct Tokens {
    std::vector<std::uint32_t> ids;
    std::vector<std::size_t> texts{0};           // text t holds ids[texts[t] .. texts[t+1])
    std::vector<std::size_t> sentence_ends;      // token positions; empty sentences are not kept
    std::vector<std::size_t> text_sentences{0};  // text t holds sentence_ends[text_sentences[t] .. [t+1])
    std::uint32_t vocab_size = 0;                // every id is smaller

    std::size_t size() const { return texts.size() - 1; }
    std::size_t length(std::size_t t) const { return texts[t + 1] - texts[t]; }
    const std::uint32_t* begin(std::size_t t) const { return ids.data() + texts[t]; }

    void end_sentence() {
        const std::size_t start = sentence_ends.size() > text_sentences.back() ? sentence_ends.back() : texts.back();
        if (ids.size() > start) sentence_ends.push_back(ids.size());
    }
    void end_text() {
        end_sentence();
        texts.push_back(ids.size());
        text_sentences.push_back(sentence_ends.size());
    }
};

enum class Tokenizer { Rouge, Rouge155, Unicode, Mteval13a, Intl, Char, Space };

// Appends to `out` what `tokenizer` makes of each text. A newline ends a sentence (but see 13a, which joins lines).
Tokens tokenize(const std::vector<std::string_view>& texts, Tokenizer tokenizer, Vocab& vocab);

// ids[i] -> map[ids[i]], dropping kNone: how stop words go and stems come.
Tokens remap(const Tokens& tokens, const WordMap& map, std::uint32_t vocab_size);

// The first `most` tokens of each text.
Tokens clip(const Tokens& tokens, std::size_t most);

}  // namespace assay
