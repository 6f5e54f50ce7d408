// Exact search over trees.
#include "bind/bind.hpp"

#include <nanobind/stl/vector.h>

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
}

}  // namespace assay::bind
