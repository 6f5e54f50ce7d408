// Exact search over trees and other sets of nodes that need each other.
#include "bind/bind.hpp"

#include <nanobind/stl/vector.h>

#include <cmath>

#include "search/closure.hpp"
#include "search/subtree.hpp"

namespace assay::bind {

using namespace nb::literals;

void bind_search(nb::module_& m) {
    m.def(
        "best_subtree",
        [](const Ints& parents, const Numbers<double>& values, const Ints& costs, const Ints& forced,
           std::int64_t least, std::int64_t most) {
            const std::size_t n = parents.shape(0);
            if (values.shape(0) != n || costs.shape(0) != n || forced.shape(0) != n)
                throw std::invalid_argument("one value, cost and state per node");
            std::int64_t total = 0;
            for (std::size_t i = 0; i < n; ++i) {
                if (parents(i) < -1 || parents(i) >= static_cast<std::int64_t>(n))
                    throw std::invalid_argument("a parent that is no node");
                if (costs(i) < 0 || costs(i) > (1 << 20)) throw std::invalid_argument("a cost out of range");
                total += costs(i);
            }
            if (most >= 0 && static_cast<std::size_t>(total + 1) * (n + 1) > (std::size_t{1} << 27))
                throw std::invalid_argument("too much to search");
            const Subtree found =
                best_subtree(to_vector(parents), to_vector(values), to_vector(costs), to_vector(forced), least, most);
            return nb::make_tuple(to_array(found.kept), found.value, found.met);
        },
        nb::sig("def best_subtree(parents: NDArray[numpy.int64], values: NDArray[numpy.float64], costs: "
                "NDArray[numpy.int64], forced: NDArray[numpy.int64], least: int, most: int) -> "
                "tuple[NDArray[numpy.uint8], float, bool]"),
        "parents"_a, "values"_a, "costs"_a, "forced"_a, "least"_a, "most"_a);
    m.def(
        "best_closure",
        [](const Numbers<double>& values, const Ints& costs, const Ints& forced, const Ints& from, const Ints& to,
           const Numbers<double>& gains, std::int64_t least, std::int64_t most, std::int64_t widest) {
            const std::size_t n = values.shape(0), m = from.shape(0);
            if (costs.shape(0) != n || forced.shape(0) != n) throw std::invalid_argument("one cost and state per node");
            if (to.shape(0) != m || gains.shape(0) != m) throw std::invalid_argument("one end and gain per edge");
            if (widest < 1 || widest > (1 << 20)) throw std::invalid_argument("a number of states out of range");
            std::int64_t total = 0;
            for (std::size_t i = 0; i < n; ++i) {
                if (costs(i) < 0 || costs(i) > (1 << 20)) throw std::invalid_argument("a cost out of range");
                total += costs(i);
            }
            if (most >= 0 && static_cast<std::size_t>(total + 1) * (n + 1) > (std::size_t{1} << 24))
                throw std::invalid_argument("too much to search");
            std::vector<Edge> edges(m);
            for (std::size_t k = 0; k < m; ++k) {
                const auto limit = static_cast<std::int64_t>(n);
                if (from(k) < 0 || from(k) >= limit || to(k) < 0 || to(k) >= limit || from(k) == to(k))
                    throw std::invalid_argument("an edge needs two nodes");
                const bool need = std::isnan(gains(k));
                edges[k] = {static_cast<std::size_t>(from(k)), static_cast<std::size_t>(to(k)), need,
                            need ? 0.0 : gains(k)};
            }
            const Closure found = best_closure(to_vector(values), to_vector(costs), to_vector(forced), edges, least,
                                               most, static_cast<std::size_t>(widest));
            return nb::make_tuple(to_array(found.kept), found.value, found.met, found.exact);
        },
        nb::sig("def best_closure(values: NDArray[numpy.float64], costs: NDArray[numpy.int64], forced: "
                "NDArray[numpy.int64], sources: NDArray[numpy.int64], targets: NDArray[numpy.int64], gains: "
                "NDArray[numpy.float64], least: int, most: int, widest: int) -> "
                "tuple[NDArray[numpy.uint8], float, bool, bool]"),
        "values"_a, "costs"_a, "forced"_a, "sources"_a, "targets"_a, "gains"_a, "least"_a, "most"_a, "widest"_a,
        "The best set of nodes; an edge whose gain is NaN says that its source is in only if its target is.");
}

}  // namespace assay::bind
