// Stop words as the core takes them.
#pragma once

#include <optional>
#include <stdexcept>

#include "match/ngrams.hpp"
#include "text/word_map.hpp"

namespace assay::bind {

// Word to itself, or to kNone for a stop word; no map: empty.
inline StopMap stop_map(const std::optional<WordMap>& map, std::uint32_t vocab_size) {
    if (!map) return {};
    if (map->to.size() < vocab_size) throw std::invalid_argument("extend the map to the vocabulary first");
    return map->to;
}

}  // namespace assay::bind
