// Pairs of small numbers to dense numbers: how an n-gram is built from a shorter one and a word, exactly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "match/items.hpp"
#include "text/vocab.hpp"

namespace assay {

// (a, b) -> dense number, emptied in constant time between items. Where the numbers are few, as in a sentence, a square
// table answers without hashing; a cell counts if it is at least `base`, which moves on past all numbers given before.
class PairIds {
public:
    // The square table. A copy of its own state, so that a loop keeps it in registers; and no branch on whether a pair
    // is new, which nobody can predict.
    struct Direct {
        std::uint32_t* cells;
        std::size_t stride;
        std::uint32_t base, next;

        std::uint32_t add(std::uint32_t a, std::uint32_t b) {
            std::uint32_t& cell = cells[a * stride + b];
            const std::uint32_t fresh = cell < base;
            cell = choose(fresh, next, cell);
            next += fresh;
            return cell - base;
        }
        // Its number, or how many numbers there are.
        std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
            const std::uint32_t cell = cells[a * stride + b];
            return choose(cell < base, next, cell) - base;
        }
    };
    struct Hashed {
        PairIds& pairs;
        std::uint32_t add(std::uint32_t a, std::uint32_t b) { return pairs.add_hashed(a, b); }
        std::uint32_t find(std::uint32_t a, std::uint32_t b) const { return pairs.find_hashed(a, b); }
    };

    PairIds() : cells_(kCells, 0), slots_(256) {}

    // a < left and b < right from here on.
    void start(std::size_t left, std::size_t right) {
        base_ += size_;
        size_ = 0;
        ++epoch_;
        stride_ = right;
        direct_ = left <= kCells && left * stride_ <= kCells;
        if (base_ > kNone / 2) {
            std::fill(cells_.begin(), cells_.end(), 0);
            base_ = 1;
        }
        if (epoch_ == 0) {  // round the clock
            std::fill(slots_.begin(), slots_.end(), Slot{});
            epoch_ = 1;
        }
    }
    std::uint32_t size() const { return size_; }

    // Calls work(numbers), which has add(a, b) and find(a, b).
    template <class Work>
    void number(Work work) {
        if (direct_) {
            Direct numbers{cells_.data(), stride_, base_, base_ + size_};
            work(numbers);
            size_ = numbers.next - base_;
        } else {
            Hashed numbers{*this};
            work(numbers);
        }
    }

private:
    static constexpr std::size_t kCells = 1 << 14;  // 64 KB
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t epoch = 0, value = 0;
    };
    static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return static_cast<std::uint64_t>(a) << 32 | b; }

    std::uint32_t add_hashed(std::uint32_t a, std::uint32_t b) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = probe(key(a, b));
        if (slot.epoch != epoch_) slot = {key(a, b), epoch_, size_++};
        return slot.value;
    }
    std::uint32_t find_hashed(std::uint32_t a, std::uint32_t b) {
        const Slot& slot = probe(key(a, b));
        return slot.epoch == epoch_ ? slot.value : size_;
    }
    Slot& probe(std::uint64_t k) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = (k * 0x9E3779B97F4A7C15ull) >> 32 & mask;
        while (slots_[i].epoch == epoch_ && slots_[i].key != k) i = (i + 1) & mask;
        return slots_[i];
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& s : old)
            if (s.epoch == epoch_) probe(s.key) = s;
    }
    std::vector<std::uint32_t> cells_;
    std::vector<Slot> slots_;
    std::size_t stride_ = 1;
    bool direct_ = true;
    std::uint32_t base_ = 1, epoch_ = 0, size_ = 0;
};

}  // namespace assay
