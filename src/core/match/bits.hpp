// Set bits of a word, inline: without an instruction for it compilers call a function that looks bytes up in a table.
#pragma once

#include <bit>
#include <cstdint>

namespace assay {

inline int count_bits(std::uint64_t b) {
#if defined(__POPCNT__) || defined(__aarch64__)
    return std::popcount(b);
#else
    b -= b >> 1 & 0x5555555555555555ull;  // sums of two bits, of four, of eight, of all
    b = (b & 0x3333333333333333ull) + (b >> 2 & 0x3333333333333333ull);
    b = (b + (b >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return static_cast<int>(b * 0x0101010101010101ull >> 56);
#endif
}

}  // namespace assay
