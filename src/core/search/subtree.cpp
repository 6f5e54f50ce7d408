#include "search/subtree.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace assay {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct Preorder {
    std::vector<std::size_t> nodes;  // parents before children, a subtree in one run
    std::vector<std::size_t> next;   // place after the subtree that begins at a place
};

Preorder preorder(const std::vector<std::int64_t>& parents) {
    const std::size_t n = parents.size();
    std::vector<std::vector<std::size_t>> below(n);
    std::vector<std::size_t> stack;
    for (std::size_t i = n; i-- > 0;) {
        if (parents[i] < 0) stack.push_back(i);
        else below[static_cast<std::size_t>(parents[i])].push_back(i);
    }
    Preorder order;
    while (!stack.empty()) {
        const std::size_t node = stack.back();
        stack.pop_back();
        order.nodes.push_back(node);
        stack.insert(stack.end(), below[node].begin(), below[node].end());
    }
    if (order.nodes.size() != n) throw std::invalid_argument("the parents form a circle");
    std::vector<std::size_t> size(n, 1);
    for (std::size_t p = n; p-- > 0;) {
        const std::size_t node = order.nodes[p];
        if (parents[node] >= 0) size[static_cast<std::size_t>(parents[node])] += size[node];
    }
    order.next.resize(n);
    for (std::size_t p = 0; p < n; ++p) order.next[p] = p + size[order.nodes[p]];
    return order;
}

}  // namespace

Subtree best_subtree(const std::vector<std::int64_t>& parents, const std::vector<double>& values,
                     const std::vector<std::int64_t>& costs, const std::vector<std::int64_t>& forced,
                     std::int64_t least, std::int64_t most) {
    const std::size_t n = parents.size();
    const Preorder order = preorder(parents);
    std::vector<std::uint8_t> must(n, 0);
    std::size_t total = 0;
    for (std::size_t p = n; p-- > 0;) {
        const std::size_t node = order.nodes[p];
        must[node] |= forced[node] > 0;
        if (must[node] && parents[node] >= 0) must[static_cast<std::size_t>(parents[node])] = 1;
        total += static_cast<std::size_t>(costs[node]);
    }
    const bool limited = most >= 0;
    // Beyond the limit only the cheapest matters, but which that is, is not known before: all costs are searched.
    const std::size_t levels = limited ? total + 1 : 1;
    // best[p, c]: the most that the nodes from place p on can give at cost c.
    std::vector<double> best((n + 1) * levels, kNever);
    std::vector<std::uint8_t> take(n * levels, 0);
    best[n * levels] = 0;
    for (std::size_t p = n; p-- > 0;) {
        const std::size_t node = order.nodes[p], cost = limited ? static_cast<std::size_t>(costs[node]) : 0;
        const bool may_skip = !must[node], may_take = must[node] || forced[node] >= 0;
        for (std::size_t c = 0; c < levels; ++c) {
            const double without = may_skip ? best[order.next[p] * levels + c] : kNever;
            const double with = may_take && c >= cost ? values[node] + best[(p + 1) * levels + c - cost] : kNever;
            const bool taken = with > without;
            best[p * levels + c] = taken ? with : without;
            take[p * levels + c] = taken;
        }
    }
    Subtree found;
    std::size_t chosen = 0;
    double top = kNever;
    if (!limited) {
        top = best[0];
    } else {
        for (std::size_t c = static_cast<std::size_t>(std::max<std::int64_t>(least, 0));
             c < levels && c <= static_cast<std::size_t>(most); ++c) {
            if (best[c] > top) {
                top = best[c];
                chosen = c;
            }
        }
        if (top == kNever) {
            found.met = false;
            const std::size_t from = static_cast<std::size_t>(std::max<std::int64_t>(std::min(least, most), 0));
            // Less than was asked, as near as it goes; else the cheapest there is. Nothing at all only if there is no
            // more.
            for (chosen = 1; chosen < levels && best[chosen] == kNever; ++chosen) {}
            if (chosen >= levels) chosen = 0;
            for (std::size_t c = std::min(from, levels - 1); c > 0; --c) {
                if (best[c] != kNever) {
                    chosen = c;
                    found.met = true;
                    break;
                }
            }
            top = chosen < levels ? best[chosen] : kNever;
        }
    }
    found.value = top;
    found.kept.assign(n, 0);
    if (top == kNever) return found;
    for (std::size_t p = 0, c = chosen; p < n;) {
        if (take[p * levels + c]) {
            const std::size_t node = order.nodes[p];
            found.kept[node] = 1;
            if (limited) c -= static_cast<std::size_t>(costs[node]);
            ++p;
        } else {
            p = order.next[p];
        }
    }
    return found;
}

}  // namespace assay
