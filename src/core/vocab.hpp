// Strings to dense integers and back; stems are remembered per string.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace assay {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    __uint128_t p = static_cast<__uint128_t>(a ^ 0x9E3779B97F4A7C15ull) * (b ^ 0xD6E8FEB86659FD93ull);
    return static_cast<std::uint64_t>(p) ^ static_cast<std::uint64_t>(p >> 64);
}

inline std::uint64_t hash_bytes(const char* p, std::size_t n) {
    std::uint64_t h = n * 0x9E3779B97F4A7C15ull;
    for (; n >= 8; p += 8, n -= 8) {
        std::uint64_t w;
        std::memcpy(&w, p, 8);
        h = mix(h, w);
    }
    if (n) {
        std::uint64_t w = 0;
        std::memcpy(&w, p, n);
        h = mix(h, w);
    }
    return h;
}

class Vocab {
public:
    Vocab() : slots_(1u << 12, Slot{0, kNone}) { starts_.push_back(0); }

    std::uint32_t intern(std::string_view s) {
        const std::uint64_t h = hash_bytes(s.data(), s.size());
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = h & mask;; i = (i + 1) & mask) {
            const Slot& slot = slots_[i];
            if (slot.id == kNone) {
                slots_[i] = Slot{h, add(s)};
                if (size() * 2 > slots_.size()) grow();
                return size() - 1;
            }
            if (slot.hash == h && (*this)[slot.id] == s) return slot.id;
        }
    }

    std::string_view operator[](std::uint32_t id) const {
        return {bytes_.data() + starts_[id], starts_[id + 1] - starts_[id]};
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(starts_.size() - 1); }

private:
    struct Slot { std::uint64_t hash; std::uint32_t id; };

    std::uint32_t add(std::string_view s) {
        bytes_.insert(bytes_.end(), s.begin(), s.end());
        starts_.push_back(bytes_.size());
        return size() - 1;
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2, Slot{0, kNone});
        old.swap(slots_);
        const std::size_t mask = slots_.size() - 1;
        for (const Slot& s : old) {
            if (s.id == kNone) continue;
            std::size_t i = s.hash & mask;
            while (slots_[i].id != kNone) i = (i + 1) & mask;
            slots_[i] = s;
        }
    }

    std::vector<Slot> slots_;
    std::vector<char> bytes_;
    std::vector<std::size_t> starts_;
};

}  // namespace assay
