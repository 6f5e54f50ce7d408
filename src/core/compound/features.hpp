// Features of the model that ranks splits: where each stands among the weights, and those of characters.
#pragma once

#include <algorithm>
#include <cstdint>

#include "compound/splitter.hpp"

namespace assay::compound {

constexpr int kUnknownTag = 7;

// Places of the dense features; the hashed ones follow.
enum SplitFeature : std::uint32_t {
    kSplit = 0,
    kGuessed = 1,
    kPart = 2,
    kEnding = 8,                    // + length, 8
    kLength = 16,                   // + 16 * last + length
    kFrequency = kLength + 32,      // + 16 * last + frequency
    kJoint = kFrequency + 32,       // + 256 * last + 16 * length + frequency
    kPair = kJoint + 512,           // + 8 * tag + tag
    kSource = kPair + 64,           // + 4 * last + stem + 2 * dictionary
    kLink = kSource + 8,            // + 8 * link + tag, 32 links
    kUnknown = kLink + 256,         // + 32 * last + length
    kWholeLength = kUnknown + 64,   // + length, 32
    kWhole = kWholeLength + 32,     // + frequency, 16
    kWholeJoint = kWhole + 16,      // + 32 * frequency + length
    kWholeTag = kWholeJoint + 512,  // + tag, 8
    kWholeSource = kWholeTag + 8,   // + kind, 4
    kWholeForm = kWholeSource + 4,  // + frequency, 16: known but for an ending
    kSmallest = kWholeForm + 16,    // + length, 16: shortest part, as in "many short parts"
    kDenseEnd = kSmallest + 16,
};
static_assert(kDenseEnd <= Splitter::kDense);

inline std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
    h = (h ^ x) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 32;
}

inline std::uint32_t hashed(std::uint64_t h) {
    return static_cast<std::uint32_t>(Splitter::kDense + (h >> 20 & (Splitter::kHash - 1)));
}

// Parts of speech beside each other, and before a linking element.
inline std::uint32_t pair_feature(int before, int tag) {
    return kPair + 8 * static_cast<std::uint32_t>(before) + static_cast<std::uint32_t>(tag);
}
inline std::uint32_t link_feature(std::size_t link, int tag) {
    return kLink + 8 * static_cast<std::uint32_t>(std::min<std::size_t>(link, 31)) + static_cast<std::uint32_t>(tag);
}
inline std::uint32_t ending_feature(int ending) { return kEnding + static_cast<std::uint32_t>(std::min(ending, 7)); }

// Character n-grams on both sides of a boundary.
template <class Word, class Use>
void boundary_features(const Word& text, int begin, int end, int place, Use use) {
    std::uint64_t left = 11, right = 13;
    std::uint64_t lefts[7], rights[7];
    lefts[0] = left;
    rights[0] = right;
    for (int k = 1; k <= 6; ++k) {
        left = mix(left, place - k >= begin ? text[place - k] : 1);
        right = mix(right, place + k - 1 < end ? text[place + k - 1] : 2);
        lefts[k] = left;
        rights[k] = right;
        use(hashed(mix(left, 100)));
        use(hashed(mix(right, 101)));
    }
    use(hashed(mix(mix(lefts[1], rights[1]), 102)));
    use(hashed(mix(mix(lefts[2], rights[1]), 103)));
    use(hashed(mix(mix(lefts[1], rights[2]), 104)));
    use(hashed(mix(mix(lefts[2], rights[2]), 105)));
    use(hashed(mix(mix(lefts[3], rights[3]), 106)));
}

}  // namespace assay::compound
