// Sixty-four bytes at a time: which are ASCII letters, digits or white space, and all of them in lower case.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace assay {

struct Block {
    std::uint64_t letters = 0, digits = 0;
};

#if defined(__SSE2__)
inline __m128i in_range(__m128i v, char low, int count) {  // low <= byte < low + count, unsigned
    const __m128i shifted = _mm_add_epi8(v, _mm_set1_epi8(static_cast<char>(-low - 128)));
    return _mm_cmplt_epi8(shifted, _mm_set1_epi8(static_cast<char>(-128 + count)));
}
#endif

// Reads 64 bytes and writes 64.
inline Block lower_cased(const char* from, char* to) {
    Block block;
#if defined(__SSE2__)
    for (int k = 0; k < 4; ++k) {
        const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16 * k));
        const __m128i lower = _mm_or_si128(v, _mm_and_si128(in_range(v, 'A', 26), _mm_set1_epi8(32)));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 16 * k), lower);
        block.letters |= static_cast<std::uint64_t>(_mm_movemask_epi8(in_range(lower, 'a', 26))) << 16 * k;
        block.digits |= static_cast<std::uint64_t>(_mm_movemask_epi8(in_range(lower, '0', 10))) << 16 * k;
    }
#else
    for (int i = 0; i < 64; ++i) {
        const char c = from[i] >= 'A' && from[i] <= 'Z' ? static_cast<char>(from[i] + 32) : from[i];
        to[i] = c;
        block.letters |= static_cast<std::uint64_t>(c >= 'a' && c <= 'z') << i;
        block.digits |= static_cast<std::uint64_t>(c >= '0' && c <= '9') << i;
    }
#endif
    return block;
}

// The bytes of a block at which Python's str.split() splits: space, 9 to 13 and 28 to 31.
inline std::uint64_t white_space(const char* block) {
    std::uint64_t bits = 0;
#if defined(__SSE2__)
    for (int k = 0; k < 4; ++k) {
        const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * k));
        const __m128i any = _mm_or_si128(in_range(v, 9, 5), in_range(v, 28, 5));
        bits |= static_cast<std::uint64_t>(_mm_movemask_epi8(any)) << 16 * k;
    }
#else
    for (int i = 0; i < 64; ++i) {
        const auto c = static_cast<unsigned char>(block[i]);
        bits |= static_cast<std::uint64_t>((c >= 9 && c <= 13) || (c >= 28 && c <= 32)) << i;
    }
#endif
    return bits;
}

// The bytes of a block that equal one of these.
template <class... Chars>
std::uint64_t equal_to(const char* block, Chars... chars) {
    std::uint64_t found = 0;
#if defined(__SSE2__)
    for (int k = 0; k < 4; ++k) {
        const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * k));
        __m128i any = _mm_setzero_si128();
        ((any = _mm_or_si128(any, _mm_cmpeq_epi8(v, _mm_set1_epi8(chars)))), ...);
        found |= static_cast<std::uint64_t>(_mm_movemask_epi8(any)) << 16 * k;
    }
#else
    for (int i = 0; i < 64; ++i) found |= static_cast<std::uint64_t>(((block[i] == chars) || ...)) << i;
#endif
    return found;
}

// Calls run(begin, end) for every run of set bits, across blocks, and newline() for every newline among them.
class Runs {
public:
    template <class Run, class Newline>
    void block(std::uint64_t bits, std::uint64_t newlines, std::size_t base, Run run, Newline newline) {
        for (; newlines; newlines &= newlines - 1) {
            const std::uint64_t up_to = newlines ^ (newlines - 1);
            changes(bits & up_to, base, run);  // a newline is in no run, so none is left open here
            newline();
            bits &= ~up_to;
        }
        changes(bits, base, run);
    }
    template <class Run>
    void finish(std::size_t end, Run run) {
        if (inside_) run(start_, end);
        inside_ = false;
    }

private:
    template <class Run>
    void changes(std::uint64_t bits, std::size_t base, Run run) {
        for (std::uint64_t at = bits ^ (bits << 1 | static_cast<std::uint64_t>(inside_)); at; at &= at - 1) {
            const std::size_t place = base + static_cast<std::size_t>(std::countr_zero(at));
            if (inside_) run(start_, place);
            else start_ = place;
            inside_ = !inside_;
        }
    }

    std::size_t start_ = 0;
    bool inside_ = false;
};

}  // namespace assay
