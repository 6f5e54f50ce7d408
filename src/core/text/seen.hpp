// A compact set of strings that can only be asked whether one is new.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/vocab.hpp"

namespace assay {

// Whether a string was seen before. Only 64 bits of each are kept (8 to 21 bytes a string with the table's slack), so
// that ten million ids fit; two different strings are taken for one with a chance of 3 in a million at that size.
class Seen {
public:
    Seen() : slots_(1u << 12, 0) {}
    bool add(std::string_view s) {
        std::uint64_t h = mix(hash_bytes(s.data(), s.size()), s.size() + 1);
        if (h == 0) h = 1;  // 0 marks an empty slot
        if (!insert(h)) return false;
        if (++size_ * 4 > slots_.size() * 3) grow();
        return true;
    }

private:
    bool insert(std::uint64_t h) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = h & mask;
        for (; slots_[i] != 0; i = (i + 1) & mask)
            if (slots_[i] == h) return false;
        slots_[i] = h;
        return true;
    }
    void grow() {
        std::vector<std::uint64_t> old(slots_.size() * 2, 0);
        old.swap(slots_);
        for (std::uint64_t h : old)
            if (h) insert(h);
    }
    std::vector<std::uint64_t> slots_;
    std::size_t size_ = 0;
};

}  // namespace assay
