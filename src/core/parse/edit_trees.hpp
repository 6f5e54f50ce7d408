// Lemmas by edit trees: what is cut off, replaced and kept of a form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::parse {

// Either keeps what lies between a prefix and a suffix, for each of which another tree says what becomes of it, or stands
// for one form that is replaced whole.
struct EditTree {
    bool is_match = false;
    std::int32_t prefix_length = 0, suffix_length = 0, prefix_tree = -1, suffix_tree = -1;
    std::u32string form, replacement;
};

// std::invalid_argument for trees that lead nowhere or round in a circle.
void check_trees(const std::vector<EditTree>& trees);

// Nothing where the tree does not fit the form.
std::optional<std::u32string> apply_tree(const std::vector<EditTree>& trees, std::int32_t tree, std::u32string_view form);

}  // namespace assay::parse
