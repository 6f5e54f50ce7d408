#include "parse/tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::parse {
namespace {

constexpr const char* kLifted = "||";

// The first and last word below each word. Heads may lie outside of their sentences: spaCy repeats up to twelve times.
struct Edges {
    std::vector<std::int32_t> left, right;
};

std::vector<std::uint8_t> find_starts(const Tree& tree, const Edges& edges) {
    std::vector<std::uint8_t> starts(tree.heads.size());
    for (std::size_t i = 0; i < starts.size(); ++i)
        if (tree.heads[i] == static_cast<std::int32_t>(i)) starts[static_cast<std::size_t>(edges.left[i])] = 1;
    return starts;
}

bool heads_stay_inside(const Tree& tree, const Edges& edges) {
    const auto n = static_cast<std::int32_t>(tree.heads.size());
    const std::vector<std::uint8_t> starts = find_starts(tree, edges);
    std::int32_t begin = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        if (!(i > 0 && starts[i]) && i != n - 1) continue;
        for (std::int32_t k = begin; k < i; ++k)
            if (tree.heads[k] < begin || tree.heads[k] > i) return false;
        begin = i;
    }
    return true;
}

Edges find_edges(const Tree& tree) {
    const auto n = static_cast<std::int32_t>(tree.heads.size());
    Edges edges{std::vector<std::int32_t>(tree.heads.size()), std::vector<std::int32_t>(tree.heads.size())};
    for (std::int32_t i = 0; i < n; ++i) edges.left[i] = edges.right[i] = i;
    const auto widen = [&](std::int32_t i) {
        const std::int32_t head = tree.heads[i];
        edges.left[head] = std::min(edges.left[head], edges.left[i]);
        edges.right[head] = std::max(edges.right[head], edges.right[i]);
    };
    constexpr int kMost = 12;
    for (int times = 0; times < kMost; ++times) {
        for (std::int32_t i = 0; i < n; ++i) widen(i);
        for (std::int32_t i = n - 1; i >= 0; --i) widen(i);
        if (heads_stay_inside(tree, edges)) break;
    }
    return edges;
}

// The first word with the label below the head, level by level from left to right; the head itself without one.
std::int32_t find_new_head(const Tree& tree, const Edges& edges, std::int32_t word, std::uint16_t label,
                           const std::vector<bool>& is_space) {
    std::vector<std::int32_t> level = {tree.heads[word]}, below;
    const auto n = tree.heads.size();
    for (std::size_t depth = 0; !level.empty() && depth <= n; ++depth) {
        below.clear();
        for (const std::int32_t above : level) {
            for (std::int32_t child = edges.left[above]; child <= edges.right[above]; ++child) {
                if (child == above || tree.heads[child] != above || is_space[child] || child == word) continue;
                if (tree.labels[child] == label) return child;
                below.push_back(child);
            }
        }
        level.swap(below);
    }
    return tree.heads[word];
}

}  // namespace

Labels::Labels(std::vector<std::string> names) : names_(std::move(names)) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const std::string name = names_[i].substr(0, names_[i].find(kLifted));
        if (find(name) == kNone) names_.push_back(name);
        lowered_.push_back(find(name));
    }
    for (const std::string& name : names_) {
        const std::size_t bars = name.find(kLifted);
        heads_.push_back(bars == std::string::npos ? kNone : find(name.substr(bars + 2)));
    }
    if (names_.size() >= kNone) throw std::invalid_argument("too many labels");
}

std::uint16_t Labels::find(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? kNone : static_cast<std::uint16_t>(found - names_.begin());
}

Tree read_tree(const State& state, std::uint16_t root) {
    Tree tree;
    for (std::int32_t i = 0; i < state.length(); ++i) {
        const bool has_head = state.head(i) >= 0;
        tree.heads.push_back(has_head ? state.head(i) : i);
        tree.labels.push_back(has_head ? state.label(i) : root);
    }
    return tree;
}

void finish_tree(Tree& tree, const Labels& labels, const std::vector<bool>& is_space) {
    Edges edges = find_edges(tree);
    bool moved = false;
    for (std::size_t i = 0; i < tree.heads.size(); ++i) {
        const std::uint16_t label = tree.labels[i];
        if (!labels.is_lifted(label)) continue;
        tree.heads[i] = find_new_head(tree, edges, static_cast<std::int32_t>(i), labels.wanted_head(label), is_space);
        tree.labels[i] = labels.lowered(label);
        moved = true;
    }
    if (moved) edges = find_edges(tree);
    tree.starts = find_starts(tree, edges);
    if (!tree.starts.empty()) tree.starts[0] = 1;
}

}  // namespace assay::parse
