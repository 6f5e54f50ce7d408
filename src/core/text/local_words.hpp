// Words of one item as small numbers from 1 on, without a vocabulary: a table that stays in the nearest cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/vocab.hpp"

namespace assay {

// The bytes behind the words must stay where they are until the next start(), which empties the table in constant time.
class LocalWords {
public:
    void start() {
        size_ = 0;
        if (++epoch_ == 0) {  // round the clock
            std::fill(slots_.begin(), slots_.end(), Slot{});
            epoch_ = 1;
        }
    }
    std::uint32_t add(std::string_view word) {
        const Key key = key_of(word.data(), word.size());
        Slot& slot = slots_[place(word, key)];
        if (slot.epoch == epoch_) return slot.number;
        slot = {key, word.data(), epoch_, ++size_};
        if (2 * size_ > slots_.size()) grow();
        return size_;
    }
    std::uint32_t size() const { return size_; }

private:
    struct Slot {
        Key key{};
        const char* bytes = nullptr;
        std::uint32_t epoch = 0, number = 0;
    };
    std::size_t place(std::string_view word, const Key& key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = key.hash() & mask;
        while (slots_[i].epoch == epoch_ && !(slots_[i].key == key && same_bytes(slots_[i], word))) i = (i + 1) & mask;
        return i;
    }
    static bool same_bytes(const Slot& slot, std::string_view word) {
        return word.size() <= Key::kMost || std::string_view(slot.bytes, word.size()) == word;
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        const std::size_t mask = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.epoch != epoch_) continue;
            std::size_t i = slot.key.hash() & mask;
            while (slots_[i].epoch == epoch_) i = (i + 1) & mask;
            slots_[i] = slot;
        }
    }

    std::vector<Slot> slots_ = std::vector<Slot>(256);
    std::uint32_t epoch_ = 0, size_ = 0;
};

}  // namespace assay
