// Pairs of small numbers to dense numbers: how an n-gram is built from a shorter one and a word, exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "text/vocab.hpp"

namespace assay {

// (a, b) -> dense number, emptied in constant time between items. Where the numbers are few, as in a sentence, a square
// table answers without hashing; a cell counts if it is at least `base_`, which moves on past all numbers given before.
class PairIds {
public:
    PairIds() : cells_(kCells, 0), slots_(256) {}

    // a < left and b < right from here on.
    void start(std::size_t left, std::size_t right) {
        base_ += size_;
        size_ = 0;
        ++epoch_;
        stride_ = std::bit_ceil(right);
        direct_ = left * stride_ <= kCells;
        if (base_ > kNone / 2) {
            std::fill(cells_.begin(), cells_.end(), 0);
            base_ = 1;
        }
    }
    std::uint32_t size() const { return size_; }

    std::uint32_t add(std::uint32_t a, std::uint32_t b) {
        if (direct_) {
            std::uint32_t& cell = cells_[a * stride_ + b];
            if (cell < base_) cell = base_ + size_++;
            return cell - base_;
        }
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = probe(key(a, b));
        if (slot.epoch != epoch_) slot = {key(a, b), epoch_, size_++};
        return slot.value;
    }
    std::uint32_t find(std::uint32_t a, std::uint32_t b) {
        if (direct_) {
            const std::uint32_t cell = cells_[a * stride_ + b];
            return cell < base_ ? kNone : cell - base_;
        }
        const Slot& slot = probe(key(a, b));
        return slot.epoch == epoch_ ? slot.value : kNone;
    }

private:
    static constexpr std::size_t kCells = 1 << 14;  // 64 KB
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t epoch = 0, value = 0;
    };
    static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return static_cast<std::uint64_t>(a) << 32 | b; }

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
