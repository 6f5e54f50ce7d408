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
    std::uint64_t h = n + 0x243F6A8885A308D3ull;  // not a multiple of mix's own constant, which it would cancel
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

// Up to 15 bytes, padded with zeros, and the length in the last byte: equal keys are equal strings, and no key lies on
// two lines of the cache. Of longer strings a hash and the length: the one case where a look at the bytes must follow.
struct Key {
    std::uint64_t a, b;

    static constexpr std::size_t kMost = 15;
    static Key of_long(std::uint64_t hash, std::size_t length) { return {hash, length | 0xFFull << 56}; }
    static std::uint64_t with_length(std::uint64_t bytes, std::size_t n) {
        return bytes | static_cast<std::uint64_t>(n) << 56;
    }
    bool operator==(const Key& other) const { return ((a ^ other.a) | (b ^ other.b)) == 0; }  // one branch, not two
    std::uint64_t hash() const { return mix(a, b); }
};

template <class T>
T load(const char* p) {
    T x;
    std::memcpy(&x, p, sizeof(T));
    return x;
}

static_assert(std::endian::native == std::endian::little, "keys are built for little-endian machines");

inline Key key_of(const char* p, std::size_t n) {
    if (n > Key::kMost) return Key::of_long(hash_bytes(p, n), n);
    if (n > 8) return {load<std::uint64_t>(p), Key::with_length(load<std::uint64_t>(p + n - 8) >> 8 * (16 - n), n)};
    if (n >= 4) {
        const std::uint64_t low = load<std::uint32_t>(p), high = load<std::uint32_t>(p + n - 4);
        return {low | high >> 8 * (8 - n) << 32, Key::with_length(0, n)};
    }
    std::uint64_t a = 0;
    for (std::size_t i = 0; i < n; ++i) a |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << 8 * i;
    return {a, Key::with_length(0, n)};
}

// The same where 16 bytes can be read whatever the length: no branch on a word's length, which nobody can predict.
inline Key key_of_padded(const char* p, std::size_t n) {
    if (n > Key::kMost) [[unlikely]]
        return Key::of_long(hash_bytes(p, n), n);
    const std::uint64_t low = n >= 8 ? ~0ull : (1ull << 8 * n) - 1;
    const std::uint64_t high = n > 8 ? (1ull << 8 * (n - 8)) - 1 : 0;
    return {load<std::uint64_t>(p) & low, Key::with_length(load<std::uint64_t>(p + 8) & high, n)};
}

class Vocab {
public:
    Vocab() : slots_(1u << 12) { starts_.push_back(0); }

    std::uint32_t intern(std::string_view s) {
        const Key key = key_of(s.data(), s.size());
        return intern(s, key, key.hash());
    }

    // Asks the memory for the place of a word that will be interned soon.
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

    std::uint32_t intern(std::string_view s, const Key& key, std::uint64_t hash) {
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
            const Slot slot = slots_[i];
            if (slot.id == kNone) {
                slots_[i] = Slot{tag, add(s, key)};
                if (size() * 4 > slots_.size() * 3) grow();
                return size() - 1;
            }
            if (slot.tag == tag && keys_[slot.id] == key && (s.size() <= Key::kMost || (*this)[slot.id] == s))
                return slot.id;
        }
    }

    std::string_view operator[](std::uint32_t id) const {
        return {bytes_.data() + starts_[id], starts_[id + 1] - starts_[id]};
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(starts_.size() - 1); }

private:
    struct Slot {
        std::uint32_t tag = 0, id = kNone;
    };

    std::uint32_t add(std::string_view s, const Key& key) {
        bytes_.insert(bytes_.end(), s.begin(), s.end());
        starts_.push_back(bytes_.size());
        keys_.push_back(key);
        return size() - 1;
    }
    void grow() {
        slots_.assign(slots_.size() * 2, Slot{});
        const std::size_t mask = slots_.size() - 1;
        for (std::uint32_t id = 0; id < size(); ++id) {
            const std::uint64_t hash = keys_[id].hash();
            std::size_t i = hash & mask;
            while (slots_[i].id != kNone) i = (i + 1) & mask;
            slots_[i] = Slot{static_cast<std::uint32_t>(hash >> 32), id};
        }
    }

    // Small slots, and keys in the order of first appearance: frequent words come early and stay in cache.
    std::vector<Slot> slots_;
    std::vector<Key> keys_;
    std::vector<char> bytes_;
    std::vector<std::size_t> starts_;
};

}  // namespace assay
