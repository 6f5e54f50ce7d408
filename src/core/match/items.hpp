// Inside one item a token is a small dense number: its references decide which numbers there are.
#pragma once

#include <algorithm>
#include <vector>

#include "match/overlap.hpp"

namespace assay {

// `first` or else `second`, by arithmetic: compilers make a branch of ?: here.
inline std::uint32_t choose(std::uint32_t condition, std::uint32_t first, std::uint32_t second) {
    return second ^ ((first ^ second) & (0u - condition));
}

// A cell holds a number of this item if it is at least `base_`, which moves on past all numbers given before: emptied
// in constant time, and four bytes a word. There is no branch on whether a word is new, which nobody can predict.
class LocalIds {
public:
    explicit LocalIds(std::uint32_t vocab_size = 0) : cells_(vocab_size) {}

    // Makes room for the words of a larger vocabulary.
    void reserve(std::uint32_t vocab_size) {
        if (vocab_size > cells_.size()) cells_.resize(vocab_size, 0);
    }
    void start() {
        base_ += size_;
        size_ = 0;
        if (base_ > kNone / 2) {
            std::fill(cells_.begin(), cells_.end(), 0);
            base_ = 1;
        }
    }
    std::uint32_t add(std::uint32_t id) {
        std::uint32_t& cell = cells_[id];
        const std::uint32_t fresh = cell < base_;
        cell = choose(fresh, base_ + size_, cell);
        size_ += fresh;
        return cell - base_;
    }
    std::uint32_t find(std::uint32_t id) const { return cells_[id] < base_ ? kNone : cells_[id] - base_; }
    std::uint32_t size() const { return size_; }

private:
    std::vector<std::uint32_t> cells_;
    std::uint32_t base_ = 1, size_ = 0;
};

// A bag per text of an item, references first, then outputs: unit numbers below `distinct`, or `distinct` itself for a
// unit that no reference holds. It can stand for a row of zeros in any table, so that nobody asks which it is.
struct Bags {
    std::vector<std::uint32_t> ids;  // may be longer than the texts: it only grows
    std::vector<std::size_t> starts;
    std::size_t references = 0;
    std::uint32_t distinct = 0;

    std::size_t size() const { return starts.size() - 1; }
    std::size_t length(std::size_t t) const { return starts[t + 1] - starts[t]; }
    const std::uint32_t* begin(std::size_t t) const { return ids.data() + starts[t]; }
    void clear(std::size_t n_references) {
        starts.assign(1, 0);
        references = n_references;
    }
    // Adds a text of so many units and returns where they go.
    std::uint32_t* add_text(std::size_t units) {
        const std::size_t at = starts.back(), end = at + units;
        if (end > ids.size()) ids.resize(std::max(end, 2 * ids.size()));
        starts.push_back(end);
        return ids.data() + at;
    }

    // The words of one item's texts.
    void fill(const Tokens& outputs, const Tokens& refs, const Layout& layout, std::size_t item, LocalIds& local) {
        local.start();
        clear(layout.references_of(item));
        for (std::size_t t = layout.references[item]; t < layout.references[item + 1]; ++t) {
            const std::uint32_t* words = refs.begin(t);
            const std::size_t n = refs.length(t);
            std::uint32_t* to = add_text(n);
            for (std::size_t i = 0; i < n; ++i) to[i] = local.add(words[i]);
        }
        distinct = local.size();
        for (std::size_t t = layout.outputs[item]; t < layout.outputs[item + 1]; ++t) {
            const std::uint32_t* words = outputs.begin(t);
            const std::size_t n = outputs.length(t);
            std::uint32_t* to = add_text(n);
            for (std::size_t i = 0; i < n; ++i) to[i] = std::min(local.find(words[i]), distinct);
        }
    }
};

}  // namespace assay
