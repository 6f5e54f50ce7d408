// Outputs met by references one by one, words as small numbers: what needs places and not bags.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "match/items.hpp"

namespace assay {

using Bits = std::uint64_t;
using Word = std::uint32_t;  // a number below the reference's distinct words, or kNone
using Words = std::vector<Word>;

// Where each word stands in a reference: as bits, for distances, and as lists, for shifts.
class Reference {
public:
    void read(const Word* words, std::size_t n, Word distinct) {
        words_.assign(words, words + n);
        blocks_ = n / 64 + 1;
        bits_.assign(static_cast<std::size_t>(distinct) * (blocks_ + 1) + 1, 0);
        starts_.assign(distinct + 1, 0);
        for (std::size_t j = 0; j < n; ++j) {
            bits_[words_[j] * (blocks_ + 1) + j / 64] |= Bits{1} << j % 64;
            ++starts_[words_[j] + 1];
        }
        for (Word w = 0; w < distinct; ++w) starts_[w + 1] += starts_[w];
        places_.resize(n);
        for (std::size_t j = n; j-- > 0;) places_[--starts_[words_[j] + 1]] = static_cast<std::uint32_t>(j);
        for (Word w = 0; w < distinct; ++w) starts_[w] = starts_[w + 1];
        starts_[distinct] = static_cast<std::uint32_t>(n);
    }
    int size() const { return static_cast<int>(words_.size()); }
    std::size_t blocks() const { return blocks_; }
    Word operator[](int j) const { return words_[static_cast<std::size_t>(j)]; }
    Bits block(Word w, std::size_t b) const { return w == kNone ? 0 : bits_[w * (blocks_ + 1) + b]; }
    // 64 places from `from` on.
    Bits window(Word w, std::size_t from) const {
        if (w == kNone) return 0;
        const Bits* p = bits_.data() + w * (blocks_ + 1) + from / 64;
        return from % 64 == 0 ? p[0] : p[0] >> from % 64 | p[1] << (64 - from % 64);
    }
    const std::uint32_t* begin(Word w) const { return places_.data() + starts_[w]; }
    const std::uint32_t* end(Word w) const { return places_.data() + starts_[w + 1]; }

private:
    Words words_;
    std::size_t blocks_ = 1;
    std::vector<Bits> bits_;
    std::vector<std::uint32_t> starts_, places_;
};

// Calls each(output, words, reference) for every pair: words as the reference numbers them.
template <class Each>
void for_pairs(const Tokens& outputs, const Tokens& references, const Layout& layout, Each each) {
    LocalIds local(std::max(outputs.vocab_size, references.vocab_size));
    Reference reference;
    Words numbered, words;
    for (std::size_t item = 0; item < layout.items(); ++item) {
        const std::size_t first = layout.references[item];
        for (std::size_t r = first; r < layout.references[item + 1]; ++r) {
            local.start();
            numbered.clear();
            for (std::size_t i = references.texts[r]; i < references.texts[r + 1]; ++i)
                numbered.push_back(local.add(references.ids[i]));
            reference.read(numbered.data(), numbered.size(), local.size());
            for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) {
                if (layout.own[o] == static_cast<std::int32_t>(r - first)) continue;
                words.clear();
                for (std::size_t i = outputs.texts[o]; i < outputs.texts[o + 1]; ++i)
                    words.push_back(local.find(outputs.ids[i]));
                each(o, words, reference);
            }
        }
    }
}

}  // namespace assay
