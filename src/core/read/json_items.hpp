// Lines of JSON that are plain items: id, outputs by system, references, sources, a group and a cluster, all
// of them texts.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "read/text_column.hpp"

namespace assay {

struct JsonItems {
    TextColumn ids, outputs, references;            // the outputs of an item stand in the order of `systems`
    TextColumn clusters;                            // of every item, or of none
    std::vector<std::string_view> systems;          // which every item has
    std::vector<std::size_t> reference_ends{0};     // references of item i: [reference_ends[i], reference_ends[i + 1])
    std::vector<std::size_t> line_starts, numbers;  // of each item: where its line begins, and which line it is, from 0
    std::size_t end = 0;                            // where the last line ends
};

// Reads whole lines. Nothing comes back where a line is not that plain (judgments, other keys, references with ids,
// items with other systems, only some with a cluster, invalid JSON or UTF-8): whoever asked then reads the lines one by one, and says what is
// wrong.
std::optional<JsonItems> read_json_items(std::string_view lines);

}  // namespace assay
