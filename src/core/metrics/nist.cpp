#include "metrics/nist.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace assay {
namespace {

struct Ngram {
    std::uint64_t key, shorter;  // itself, and without its last word (0: it has no other)
    std::size_t n;
};

// n words and one more; never 0.
std::uint64_t extended(std::uint64_t key, std::size_t n, std::uint64_t word) {
    return std::max<std::uint64_t>(mix(key + n + 1, word), 1);
}

// The n-grams of texts as 64 bits each, which are the same whatever the numbers of the words.
class Reader {
public:
    Reader(const Vocab& vocab, int order)
        : vocab_(vocab), order_(static_cast<std::size_t>(order)), hashes_(vocab.size(), 0) {}

    // The words of a text; none is 0.
    const std::vector<std::uint64_t>& hashed(const Tokens& tokens, std::size_t text) {
        words_.resize(tokens.length(text));
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = hash(tokens.ids[tokens.texts[text] + i]);
        return words_;
    }
    const std::vector<Ngram>& read(const Tokens& tokens, std::size_t text) {
        const std::size_t length = hashed(tokens, text).size();
        found_.clear();
        for (std::size_t i = 0; i < length; ++i) {
            std::uint64_t key = 0;
            for (std::size_t n = 0; n < order_ && i + n < length; ++n) {
                const std::uint64_t shorter = key;
                key = extended(key, n, words_[i + n]);
                found_.push_back({key, shorter, n + 1});
            }
        }
        return found_;
    }

private:
    std::uint64_t hash(std::uint32_t word) {
        std::uint64_t& known = hashes_[word];
        if (known == 0) known = std::max<std::uint64_t>(hash_bytes(vocab_[word].data(), vocab_[word].size()), 1);
        return known;
    }
    const Vocab& vocab_;
    std::size_t order_;
    std::vector<std::uint64_t> hashes_, words_;
    std::vector<Ngram> found_;
};

// How often n-grams occur in an item's references at most, and how often an output has used them.
class Most {
public:
    void start(std::size_t ngrams) {
        const std::size_t size = std::bit_ceil(2 * ngrams + 2);
        if (size > slots_.size()) {
            slots_.assign(size, {});
            epoch_ = 0;
        }
        ++epoch_;
        text_ = 0;
    }
    void add(const std::vector<Ngram>& text) {
        ++text_;
        for (const Ngram& g : text) {
            Slot& slot = slots_[place(g.key)];
            if (slot.epoch != epoch_) slot = {g.key, epoch_, text_, 0, 0, 0, 0};
            if (slot.text != text_) {
                slot.text = text_;
                slot.here = 0;
            }
            slot.most = std::max(slot.most, ++slot.here);
        }
    }
    // Whether one more of these may match; `output` tells the outputs apart.
    bool take(std::uint64_t key, std::uint32_t output) {
        Slot& slot = slots_[place(key)];
        if (slot.epoch != epoch_) return false;
        if (slot.output != output) {
            slot.output = output;
            slot.used = 0;
        }
        return slot.used < slot.most && ++slot.used;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t epoch = 0, text = 0, here = 0, most = 0, output = 0, used = 0;
    };
    std::size_t place(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = key & mask;
        while (slots_[i].epoch == epoch_ && slots_[i].key != key) i = (i + 1) & mask;
        return i;
    }
    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::uint32_t epoch_ = 0, text_ = 0;
};

}  // namespace

void NgramTable::add(const Tokens& tokens, const Vocab& vocab) {
    Reader reader(vocab, order_);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const auto& words = reader.hashed(tokens, t);
        const std::size_t start = seen_.size(), length = words.size();
        if (start + length >= std::numeric_limits<std::uint32_t>::max())
            throw std::length_error("more than four thousand million words");
        seen_.insert(seen_.end(), words.begin(), words.end());
        seen_.push_back(0);
        while (4 * (size_ + 2 * length * static_cast<std::size_t>(order_)) > 3 * slots_.size()) grow();
        // Words are few, but most places of bigrams and trigrams are far away in memory: all of a text are asked for.
        for (std::size_t i = start; i + 1 < start + length && order_ > 1; ++i) {
            const std::uint64_t two = extended(extended(0, 0, seen_[i]), 1, seen_[i + 1]);
            prefetch(two);
            if (order_ > 2 && seen_[i + 2] != 0) prefetch(extended(two, 2, seen_[i + 2]));
        }
        for (std::size_t i = start; i < start + length; ++i) count(i);
        words_ += static_cast<double>(length);
    }
}

// The n-grams that begin at a place.
void NgramTable::count(std::size_t at) {
    std::uint64_t key = 0;
    for (std::size_t n = 0; n < static_cast<std::size_t>(order_) && seen_[at + n] != 0; ++n) {
        key = extended(key, n, seen_[at + n]);
        Slot& slot = slots_[place(key)];
        if (slot.key == 0) {
            slot = {key, 1, static_cast<std::uint32_t>(at)};
            ++size_;
            return;
        }
        if (slot.count++ > 1 || n + 1 == static_cast<std::size_t>(order_)) continue;
        if (const std::uint64_t next = seen_[slot.first + n + 1]) {  // what followed the first time is one of two now
            const std::uint64_t longer = extended(key, n + 1, next);
            slots_[place(longer)] = {longer, 1, slot.first};
            ++size_;
        }
    }
}

void NgramTable::grow() {
    std::vector<Slot> old(slots_.size() * 4);
    old.swap(slots_);
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (i + kAhead < old.size()) prefetch(old[i + kAhead].key);
        if (old[i].key) slots_[place(old[i].key)] = old[i];
    }
}

double NgramTable::information(std::uint64_t ngram, std::uint64_t shorter) const {
    const std::uint32_t count = slots_[place(ngram)].count;
    if (count == 0) return 0;  // not of this set, or the only one to follow
    const std::uint32_t before = shorter == 0 ? 0 : slots_[place(shorter)].count;
    return std::log2((before == 0 ? words_ : static_cast<double>(before)) / static_cast<double>(count));
}

std::vector<double> nist(const Tokens& outputs, const Tokens& references, const Layout& layout, const Vocab& vocab,
                         const NgramTable& table) {
    const auto order = static_cast<std::size_t>(table.order()), width = 2 + 2 * order;
    std::vector<double> rows(outputs.size() * width, std::numeric_limits<double>::quiet_NaN());
    Reader reader(vocab, table.order());
    Most most;
    std::vector<Ngram> matched;
    for (std::size_t item = 0; item < layout.items(); ++item) {
        std::int32_t without = -2;  // the reference that `most` leaves out
        double length = 0, met = 0;
        const std::size_t first = layout.references[item];
        for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) {
            if (layout.own[o] != without) {
                without = layout.own[o];
                most.start((references.texts[first + layout.references_of(item)] - references.texts[first]) * order);
                length = met = 0;
                for (std::size_t k = 0; k < layout.references_of(item); ++k) {
                    if (static_cast<std::int32_t>(k) == without) continue;
                    most.add(reader.read(references, first + k));
                    length += static_cast<double>(references.length(first + k));
                    ++met;
                }
            }
            if (met == 0) continue;
            double* row = rows.data() + o * width;
            std::fill(row, row + width, 0.0);
            row[0] = static_cast<double>(outputs.length(o));
            row[1] = length / met;
            matched.clear();
            for (const Ngram& g : reader.read(outputs, o)) {
                ++row[1 + order + g.n];
                if (!most.take(g.key, static_cast<std::uint32_t>(o) + 1)) continue;
                matched.push_back(g);
                table.prefetch(g.key);
            }
            for (const Ngram& g : matched) row[1 + g.n] += table.information(g.key, g.shorter);
        }
    }
    return rows;
}

}  // namespace assay
