#include "encode/best_tree.hpp"

#include <algorithm>

namespace assay::encode {
namespace {

constexpr double kRootCost = 1e5;  // more than trees can differ by: the best one has no second root

// Scores of nodes (rows) below nodes (columns); node 0 is above all.
struct Arcs {
    std::size_t n;
    std::vector<double> scores;

    explicit Arcs(std::size_t nodes) : n(nodes), scores(nodes * nodes, 0.0) {}
    double& at(std::size_t node, std::size_t head) { return scores[node * n + head]; }
    std::size_t best_head(std::size_t node) const {
        std::size_t best = 0;  // never the node itself
        for (std::size_t head = 1; head < n; ++head)
            if (head != node && scores[node * n + head] > scores[node * n + best]) best = head;
        return best;
    }
};

// The nodes of some cycle; none if the heads are a tree.
std::vector<std::size_t> find_cycle(const std::vector<std::size_t>& heads) {
    std::vector<std::size_t> seen(heads.size(), 0), path;
    for (std::size_t start = 1; start < heads.size(); ++start) {
        path.clear();
        std::size_t node = start;
        for (; node && !seen[node]; node = heads[node]) {
            seen[node] = start;
            path.push_back(node);
        }
        if (node && seen[node] == start) return {std::find(path.begin(), path.end(), node), path.end()};
    }
    return {};
}

// The best head of each node, after every cycle was contracted to one node.
std::vector<std::size_t> find_heads(Arcs arcs) {
    std::vector<std::size_t> heads(arcs.n, 0);
    for (std::size_t node = 1; node < arcs.n; ++node) heads[node] = arcs.best_head(node);
    const std::vector<std::size_t> cycle = find_cycle(heads);
    if (cycle.empty()) return heads;
    std::vector<bool> inside(arcs.n, false);
    for (const std::size_t node : cycle) inside[node] = true;
    std::vector<std::size_t> outside;
    for (std::size_t node = 0; node < arcs.n; ++node)
        if (!inside[node]) outside.push_back(node);
    const std::size_t size = outside.size();  // the number of the cycle as a node
    Arcs small(size + 1);
    std::vector<std::size_t> from(size), into(size);  // the cycle's best node as head of a node, and as its dependent
    for (std::size_t k = 0; k < size; ++k) {
        const std::size_t node = outside[k];
        for (std::size_t j = 0; j < size && k; ++j)
            if (j != k) small.at(k, j) = arcs.at(node, outside[j]);
        const auto below = [&](std::size_t member) { return arcs.at(node, member); };
        const auto above = [&](std::size_t member) { return arcs.at(member, node) - arcs.at(member, heads[member]); };
        from[k] = *std::max_element(cycle.begin(), cycle.end(), [&](auto a, auto b) { return below(a) < below(b); });
        into[k] = *std::max_element(cycle.begin(), cycle.end(), [&](auto a, auto b) { return above(a) < above(b); });
        if (k) small.at(k, size) = below(from[k]);
        small.at(size, k) = above(into[k]);
    }
    const std::vector<std::size_t> reduced = find_heads(std::move(small));
    for (std::size_t k = 1; k < size; ++k) heads[outside[k]] = reduced[k] == size ? from[k] : outside[reduced[k]];
    heads[into[reduced[size]]] = outside[reduced[size]];
    return heads;
}

}  // namespace

std::vector<std::int32_t> find_best_tree(const std::vector<double>& scores, std::size_t n) {
    Arcs arcs(n + 1);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= n; ++j)
            if (j != i + 1) arcs.at(i + 1, j) = scores[i * (n + 1) + j] - (j ? 0.0 : kRootCost);
    const std::vector<std::size_t> nodes = find_heads(std::move(arcs));
    std::vector<std::int32_t> heads(n);
    for (std::size_t i = 0; i < n; ++i) heads[i] = static_cast<std::int32_t>(nodes[i + 1]) - 1;
    return heads;
}

}  // namespace assay::encode
