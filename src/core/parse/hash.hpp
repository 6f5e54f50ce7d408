// The hashes that spaCy and thinc number strings and rows with: MurmurHash64A, and a MurmurHash3 of one number.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay::parse {

// Of the bytes of a string (Appleby's MurmurHash64A, seed 1), as spaCy's StringStore.
inline std::uint64_t hash_string(std::string_view s) {
    constexpr std::uint64_t m = 0xc6a4a7935bd1e995ull;
    std::uint64_t h = 1 ^ (s.size() * m);
    std::size_t i = 0;
    for (; i + 8 <= s.size(); i += 8) {
        std::uint64_t k = 0;
        for (std::size_t b = 0; b < 8; ++b)
            k |= static_cast<std::uint64_t>(static_cast<unsigned char>(s[i + b])) << 8 * b;
        k *= m;
        k ^= k >> 47;
        k *= m;
        h ^= k;
        h *= m;
    }
    if (i < s.size()) {
        for (std::size_t b = 0; i + b < s.size(); ++b)
            h ^= static_cast<std::uint64_t>(static_cast<unsigned char>(s[i + b])) << 8 * b;
        h *= m;
    }
    h ^= h >> 47;
    h *= m;
    h ^= h >> 47;
    return h;
}

// Four rows for one key, as thinc's HashEmbed: a finished MurmurHash3 x64 of 8 bytes, cut into four.
inline std::array<std::uint32_t, 4> hash_rows(std::uint64_t key, std::uint32_t seed) {
    const auto finish = [](std::uint64_t h) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdull;
        h ^= h >> 33;
        h *= 0xc4ceb9fe1a85ec53ull;
        return h ^ h >> 33;
    };
    std::uint64_t h1 = key * 0x87c37b91114253d5ull;
    h1 = (h1 << 31 | h1 >> 33) * 0x4cf5ad432745937full;
    h1 ^= seed;
    h1 ^= 8;
    std::uint64_t h2 = seed ^ 8u;
    h1 += h2;
    h2 += h1;
    h1 = finish(h1);
    h2 = finish(h2);
    h1 += h2;
    h2 += h1;
    return {static_cast<std::uint32_t>(h1), static_cast<std::uint32_t>(h1 >> 32), static_cast<std::uint32_t>(h2),
            static_cast<std::uint32_t>(h2 >> 32)};
}

}  // namespace assay::parse
