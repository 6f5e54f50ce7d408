#include "parse/edit_trees.hpp"

#include <stdexcept>

namespace assay::parse {
namespace {

bool apply(const std::vector<EditTree>& trees, std::int32_t number, std::u32string_view form, std::u32string& out) {
    const EditTree& tree = trees[static_cast<std::size_t>(number)];
    if (!tree.is_match) {
        out += tree.replacement;
        return form == tree.form;
    }
    const auto front = static_cast<std::size_t>(tree.prefix_length), back = static_cast<std::size_t>(tree.suffix_length);
    if (front + back > form.size()) return false;
    if (tree.prefix_tree >= 0 && !apply(trees, tree.prefix_tree, form.substr(0, front), out)) return false;
    out += form.substr(front, form.size() - front - back);
    return tree.suffix_tree < 0 || apply(trees, tree.suffix_tree, form.substr(form.size() - back), out);
}

}  // namespace

void check_trees(const std::vector<EditTree>& trees) {
    const auto n = static_cast<std::int32_t>(trees.size());
    for (std::int32_t i = 0; i < n; ++i) {
        const EditTree& tree = trees[static_cast<std::size_t>(i)];
        // The trees of parts are made, and numbered, before the whole.
        if (tree.prefix_tree >= i || tree.suffix_tree >= i || tree.prefix_length < 0 || tree.suffix_length < 0)
            throw std::invalid_argument("an edit tree that leads nowhere");
    }
}

std::optional<std::u32string> apply_tree(const std::vector<EditTree>& trees, std::int32_t tree, std::u32string_view form) {
    std::u32string out;
    if (!apply(trees, tree, form, out)) return std::nullopt;
    return out;
}

}  // namespace assay::parse
