#include "search/closure.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace assay {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
using Bits = std::vector<std::uint8_t>;

// Nodes in the order in which they are decided, and for each step which decided nodes still matter after it.
struct Sweep {
    std::vector<std::size_t> nodes;
    std::vector<std::vector<std::size_t>> open;
};

std::vector<std::vector<std::size_t>> neighbours(std::size_t n, const std::vector<Edge>& edges) {
    std::vector<std::vector<std::size_t>> near(n);
    for (const Edge& edge : edges) {
        near[edge.from].push_back(edge.to);
        near[edge.to].push_back(edge.from);
    }
    for (auto& row : near) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
    }
    return near;
}

// Greedy: next is the node after which the fewest decided nodes have undecided neighbours; ties by number.
Sweep plan(std::size_t n, const std::vector<std::vector<std::size_t>>& near) {
    Sweep sweep;
    std::vector<std::uint8_t> decided(n, 0);
    std::vector<std::size_t> left(n), open;
    for (std::size_t i = 0; i < n; ++i) left[i] = near[i].size();
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t next = n, fewest = n + 2;
        for (std::size_t i = 0; i < n; ++i) {
            if (decided[i]) continue;
            std::size_t size = left[i] > 0 ? 1 : 0;
            for (const std::size_t other : open) {
                const bool closes = left[other] == 1 && std::binary_search(near[i].begin(), near[i].end(), other);
                size += !closes;
            }
            if (size < fewest) {
                fewest = size;
                next = i;
            }
        }
        decided[next] = 1;
        for (const std::size_t other : near[next]) --left[other];
        open.push_back(next);
        std::erase_if(open, [&](std::size_t i) { return left[i] == 0; });
        sweep.nodes.push_back(next);
        sweep.open.push_back(open);
    }
    return sweep;
}

// The states after a step: of each the bits of the open nodes, and for each cost the best value and how it came about.
struct Layer {
    std::vector<Bits> bits;
    std::vector<double> best;         // state x level
    std::vector<std::uint32_t> from;  // state x level: twice the state before, plus whether the node is in
};

// What must be in because something forced needs it, and what cannot be because it needs something refused.
std::vector<std::int64_t> settle(const std::vector<std::int64_t>& forced, const std::vector<Edge>& edges) {
    std::vector<std::int64_t> state(forced.size(), 0);
    for (std::size_t i = 0; i < forced.size(); ++i) state[i] = forced[i] > 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Edge& edge : edges) {
            if (edge.need && state[edge.from] > 0 && state[edge.to] == 0) {
                state[edge.to] = 1;
                changed = true;
            }
        }
    }
    for (std::size_t i = 0; i < forced.size(); ++i) {
        if (state[i] == 0 && forced[i] < 0) state[i] = -1;
    }
    return state;
}

void narrow(Layer& layer, std::size_t levels, std::size_t widest) {
    std::vector<double> top(layer.bits.size());
    for (std::size_t s = 0; s < top.size(); ++s) {
        const auto begin = layer.best.begin() + static_cast<std::ptrdiff_t>(s * levels);
        top[s] = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(levels));
    }
    std::vector<std::size_t> order(top.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return top[a] > top[b]; });
    order.resize(widest);
    std::sort(order.begin(), order.end());
    Layer kept;
    for (const std::size_t s : order) {
        kept.bits.push_back(std::move(layer.bits[s]));
        for (std::size_t c = 0; c < levels; ++c) {
            kept.best.push_back(layer.best[s * levels + c]);
            kept.from.push_back(layer.from[s * levels + c]);
        }
    }
    layer = std::move(kept);
}

}  // namespace

Closure best_closure(const std::vector<double>& values, const std::vector<std::int64_t>& costs,
                     const std::vector<std::int64_t>& forced, const std::vector<Edge>& edges, std::int64_t least,
                     std::int64_t most, std::size_t widest) {
    const std::size_t n = values.size();
    Closure found;
    found.kept.assign(n, 0);
    const std::vector<std::int64_t> state = settle(forced, edges);
    const Sweep sweep = plan(n, neighbours(n, edges));
    std::vector<std::vector<Edge>> own(n);  // edges at the later of their two nodes
    std::vector<std::size_t> place(n);
    for (std::size_t step = 0; step < n; ++step) place[sweep.nodes[step]] = step;
    for (const Edge& edge : edges) own[std::max(place[edge.from], place[edge.to])].push_back(edge);
    const bool limited = most >= 0;
    std::size_t total = 0;
    for (const std::int64_t cost : costs) total += static_cast<std::size_t>(cost);
    const std::size_t levels = limited ? total + 1 : 1;

    std::vector<Layer> layers(n + 1);
    layers[0].bits.emplace_back();
    layers[0].best.assign(levels, kNever);
    layers[0].best[0] = 0;
    layers[0].from.assign(levels, 0);
    std::vector<std::size_t> open;  // before the step
    for (std::size_t step = 0; step < n; ++step) {
        const std::size_t node = sweep.nodes[step], cost = limited ? static_cast<std::size_t>(costs[node]) : 0;
        const Layer& before = layers[step];
        Layer& after = layers[step + 1];
        std::vector<std::size_t> where(n, n);
        for (std::size_t k = 0; k < open.size(); ++k) where[open[k]] = k;
        std::map<Bits, std::size_t> number;
        for (std::size_t s = 0; s < before.bits.size(); ++s) {
            for (std::uint8_t in = 0; in < 2; ++in) {
                if ((in && state[node] < 0) || (!in && state[node] > 0)) continue;
                const auto is_in = [&](std::size_t i) { return i == node ? in : before.bits[s][where[i]]; };
                double gain = in ? values[node] : 0;
                bool lawful = true;
                for (const Edge& edge : own[step]) {
                    const bool first = is_in(edge.from) != 0, second = is_in(edge.to) != 0;
                    if (edge.need && first && !second) lawful = false;
                    if (first && second) gain += edge.gain;
                }
                if (!lawful) continue;
                Bits bits;
                for (const std::size_t i : sweep.open[step]) bits.push_back(is_in(i));
                const auto [entry, fresh] = number.try_emplace(std::move(bits), number.size());
                const std::size_t at = entry->second;
                if (fresh) {
                    after.bits.push_back(entry->first);
                    after.best.resize((at + 1) * levels, kNever);
                    after.from.resize((at + 1) * levels, 0);
                }
                for (std::size_t c = in ? cost : 0; c < levels; ++c) {
                    const double value = before.best[s * levels + c - (in ? cost : 0)];
                    if (value != kNever && value + gain > after.best[at * levels + c]) {
                        after.best[at * levels + c] = value + gain;
                        after.from[at * levels + c] = static_cast<std::uint32_t>(2 * s + in);
                    }
                }
            }
        }
        if (after.bits.size() > widest) {
            narrow(after, levels, widest);
            found.exact = false;
        }
        open = sweep.open[step];
    }

    const std::vector<double>& best = layers[n].best;  // one state is left, or none where what is forced cannot be
    found.value = kNever;
    if (layers[n].bits.empty()) {
        found.met = false;
        return found;
    }
    std::size_t chosen = 0;
    if (limited) {
        for (std::size_t c = static_cast<std::size_t>(std::max<std::int64_t>(least, 0));
             c < levels && c <= static_cast<std::size_t>(most); ++c) {
            if (best[c] > found.value) {
                found.value = best[c];
                chosen = c;
            }
        }
        if (found.value == kNever) {
            found.met = false;
            const std::size_t from = static_cast<std::size_t>(std::max<std::int64_t>(std::min(least, most), 0));
            for (chosen = 1; chosen < levels && best[chosen] == kNever; ++chosen) {}
            if (chosen >= levels) chosen = 0;
            for (std::size_t c = std::min(from, levels - 1); c > 0; --c) {
                if (best[c] != kNever) {
                    chosen = c;
                    found.met = true;
                    break;
                }
            }
        }
    }
    found.value = best[chosen];
    if (found.value == kNever) return found;
    std::size_t s = 0, c = chosen;
    for (std::size_t step = n; step-- > 0;) {
        const std::uint32_t from = layers[step + 1].from[s * levels + c];
        const std::size_t node = sweep.nodes[step];
        found.kept[node] = from & 1U;
        if ((from & 1U) && limited) c -= static_cast<std::size_t>(costs[node]);
        s = from >> 1U;
    }
    return found;
}

}  // namespace assay
