// Strings to dense integers and back; stems are remembered per string.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "text/shared_array.hpp"

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

// Threads may share it: a word that is there is found without a lock. Numbers are in the order of first appearance, which
// depends on the threads; what is computed from them must not.
class Vocab {
public:
    Vocab() { grow(std::size_t{1} << 12); }

    std::uint32_t intern(std::string_view s) {
        const Key key = key_of(s.data(), s.size());
        return intern(s, key, key.hash());
    }

    // Asks the memory for the place of a word that will be interned soon.
    void prefetch(std::uint64_t hash) const {
        const Table& table = *table_.load(std::memory_order_acquire);
        __builtin_prefetch(&table.slots[hash & table.mask]);
    }

    std::uint32_t intern(std::string_view s, const Key& key, std::uint64_t hash) {
        const std::uint32_t before = placed_.load(std::memory_order_acquire);
        const std::uint32_t id = find(*table_.load(std::memory_order_acquire), s, key, hash);
        return id != kNone ? id : add(s, key, hash, before);
    }

    std::string_view operator[](std::uint32_t id) const { return words_[id]; }
    std::uint32_t size() const { return size_.load(std::memory_order_acquire); }

private:
    // A slot holds the upper half of a word's hash, and its number + 1 below; 0 is empty.
    using Slot = std::atomic<std::uint64_t>;
    struct Table {
        std::size_t mask;
        std::unique_ptr<Slot[]> slots;
    };
    static constexpr std::uint64_t kUpper = 0xFFFFFFFF00000000ull;

    std::uint32_t find(const Table& table, std::string_view s, const Key& key, std::uint64_t hash) const {
        for (std::size_t i = hash & table.mask;; i = (i + 1) & table.mask) {
            const std::uint64_t slot = table.slots[i].load(std::memory_order_acquire);
            if (!slot) return kNone;
            const std::uint32_t id = static_cast<std::uint32_t>(slot) - 1;
            if (((slot ^ hash) & kUpper) == 0 && keys_[id] == key && (s.size() <= Key::kMost || words_[id] == s))
                return id;
        }
    }

    // Adds a word that is not among the first `known` that have a slot.
    std::uint32_t add(std::string_view s, const Key& key, std::uint64_t hash, std::uint32_t known) {
        const std::lock_guard lock(adding_);
        const Table* table = tables_.back().get();
        if (size() != known) {  // another thread added words, this one perhaps
            if (const std::uint32_t id = find(*table, s, key, hash); id != kNone) return id;
        }
        if (std::size_t{size()} * 4 > table->mask * 3) table = grow((table->mask + 1) * 2);
        const std::uint32_t id = size();
        keys_.add(id, key);
        words_.add(id, copy(s));
        size_.store(id + 1, std::memory_order_release);  // first: whoever finds a number must find it below the size
        put(*table, hash, id);
        placed_.store(id + 1, std::memory_order_release);
        return id;
    }

    static void put(const Table& table, std::uint64_t hash, std::uint32_t id) {
        std::size_t i = hash & table.mask;
        while (table.slots[i].load(std::memory_order_relaxed)) i = (i + 1) & table.mask;
        table.slots[i].store((hash & kUpper) | (id + 1), std::memory_order_release);
    }

    // Older tables stay: another thread may be reading one, and finds there what it held, or nothing, and comes to add().
    const Table* grow(std::size_t slots) {
        auto table = std::make_unique<Table>(Table{slots - 1, std::make_unique<Slot[]>(slots)});
        for (std::uint32_t id = 0; id < size(); ++id) put(*table, keys_[id].hash(), id);
        tables_.push_back(std::move(table));
        table_.store(tables_.back().get(), std::memory_order_release);
        return tables_.back().get();
    }

    std::string_view copy(std::string_view s) {
        if (s.size() > room_) {
            room_ = std::max(s.size(), kChunk);
            chunks_.push_back(std::make_unique_for_overwrite<char[]>(room_));
            next_ = chunks_.back().get();
        }
        char* const place = next_;
        std::copy(s.begin(), s.end(), place);
        next_ += s.size();
        room_ -= s.size();
        return {place, s.size()};
    }

    // Small slots, and keys in the order of first appearance: frequent words come early and stay in cache.
    std::atomic<const Table*> table_ = nullptr;
    SharedArray<Key> keys_;
    SharedArray<std::string_view> words_;
    std::atomic<std::uint32_t> size_ = 0, placed_ = 0;  // words, and those that have a slot
    std::mutex adding_;  // and what only the thread that holds it touches
    std::vector<std::unique_ptr<Table>> tables_;
    static constexpr std::size_t kChunk = std::size_t{1} << 16;
    std::vector<std::unique_ptr<char[]>> chunks_;
    char* next_ = nullptr;
    std::size_t room_ = 0;
};

}  // namespace assay
