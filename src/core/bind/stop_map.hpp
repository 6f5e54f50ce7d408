// Stop words as the core takes them.
#pragma once

#include <stdexcept>

#include "match/ngrams.hpp"
#include "text/word_map.hpp"

namespace assay::bind {

// Word to itself, or to kNone for a stop word; no map: empty.
inline StopMap stop_map(const WordMap* map, std::uint32_t vocab_size) {
    if (!map) return {};
    if (map->size() < vocab_size) throw std::invalid_argument("extend the map to the vocabulary first");
    return map->copy(vocab_size);
}

}  // namespace assay::bind
