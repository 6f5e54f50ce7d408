// Matching: what outputs and references share, and the scores made of it.
#include "bind/bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bind/stop_map.hpp"
#include "match/cosines.hpp"
#include "match/lattice.hpp"
#include "match/lcs.hpp"
#include "match/ngrams.hpp"
#include "match/pool.hpp"
#include "match/soft.hpp"

namespace assay::bind {

using namespace nb::literals;

namespace {

using Flags = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vectors = nb::ndarray<nb::numpy, const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using FloatRows = nb::ndarray<nb::numpy, float, nb::ndim<2>>;

FloatRows float_rows(std::vector<float>&& values, std::size_t rows, std::size_t columns) {
    auto* held = new std::vector<float>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
    return FloatRows(held->data(), {rows, columns}, owner);
}

constexpr std::size_t kMostTexts = std::size_t{1} << 31;

Layout make_layout(const Ints& outputs, const Ints& references, const Ints& own) {
    Layout layout;
    layout.outputs = offsets(outputs);
    layout.references = offsets(references);
    if (layout.outputs.size() != layout.references.size())
        throw std::invalid_argument("outputs and references differ in items");
    if (own.shape(0) != layout.outputs.back()) throw std::invalid_argument("one own reference (or -1) per output");
    if (layout.references.back() > kMostTexts || layout.outputs.back() > kMostTexts)
        throw std::invalid_argument("too many texts");
    layout.own.resize(own.shape(0));
    layout.pairs.reserve(own.shape(0) + 1);
    for (std::size_t item = 0; item < layout.items(); ++item) {
        const auto k = static_cast<std::int64_t>(layout.references_of(item));
        for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) {
            if (own(o) < -1 || own(o) >= k) throw std::invalid_argument("own reference out of range");
            layout.own[o] = static_cast<std::int32_t>(own(o));
            layout.pairs.push_back(layout.pairs.back() +
                                   static_cast<std::size_t>(k));  // no overflow: both are below 2**31
        }
    }
    return layout;
}

// Counts are by pair: those of another layout may have as many outputs and still not fit.
void check(const Counts& counts, const Layout& layout) {
    const std::size_t pairs = layout.pairs.back();
    if (counts.output.size() != layout.outputs.back() || counts.match.size() != pairs ||
        counts.reference.size() != pairs || (!counts.nearest.empty() && counts.nearest.size() != pairs)) {
        throw std::invalid_argument("counts and layout do not fit");
    }
}

// Every arc of a lattice lies within its reference, every word in the vocabulary.
void check(const Lattices& lattices, const Tokens& references, const std::vector<Unit>& units) {
    bool fits = lattices.ends.size() == references.size() + 1;
    for (std::size_t r = 0; fits && r < references.size(); ++r) {
        for (std::size_t k = lattices.ends[r]; k < lattices.ends[r + 1]; ++k)
            fits = fits && lattices.arcs[k].to <= references.length(r);
    }
    if (!fits) throw std::invalid_argument("references and lattices do not fit");
    for (const Unit& unit : units) {
        if (unit.skip && unit.gap > 62) throw std::invalid_argument("beside alternatives a gap is at most 62 words");
    }
}

}  // namespace

void bind_match(nb::module_& m) {
    nb::class_<Layout>(m, "Layout", "Which outputs meet which references.")
        .def(
            "__init__",
            [](Layout* self, const Ints& outputs, const Ints& references, const Ints& own) {
                new (self) Layout(make_layout(outputs, references, own));
            },
            "outputs"_a, "references"_a, "own"_a);

    nb::class_<Counts>(m, "Counts", "Matches and totals, per pair and per output.")
        .def_prop_ro("match", [](const Counts& c) { return view(c.match); })
        .def_prop_ro("reference", [](const Counts& c) { return view(c.reference); })
        .def_prop_ro("nearest", [](const Counts& c) { return view(c.nearest); })
        .def_prop_ro("output", [](const Counts& c) { return view(c.output); })
        .def_prop_ro("union_match", [](const Counts& c) { return view(c.union_match); })
        .def_prop_ro("union_total", [](const Counts& c) { return view(c.union_total); });

    nb::class_<Lattices>(m, "Lattices", "References whose words have alternatives.")
        .def(
            "__init__",
            [](Lattices* self, const Tokens& references, const Tokens& variants, const Tokens& before,
               const Tokens& after, const Ints& of) {
                std::vector<std::size_t> whose(of.shape(0));
                for (std::size_t i = 0; i < whose.size(); ++i) {
                    if (of(i) < (i ? of(i - 1) : 0) || of(i) >= static_cast<std::int64_t>(references.size())) {
                        throw std::invalid_argument("variants must be in the order of their references");
                    }
                    whose[i] = static_cast<std::size_t>(of(i));
                }
                if (whose.size() != variants.size() || before.size() != variants.size() ||
                    after.size() != variants.size()) {
                    throw std::invalid_argument("variants and what stands around them differ in number");
                }
                new (self) Lattices(lattices(references, variants, before, after, whose));
            },
            "references"_a, "variants"_a, "before"_a, "after"_a, "of"_a)
        .def("__len__", [](const Lattices& l) { return l.arcs.size(); });

    m.def(
        "overlap",
        [](const Tokens& outputs, const Tokens& references, const Layout& layout,
           const std::vector<std::vector<int>>& units, const std::vector<double>& weights, const Lattices* lattices) {
            check(outputs, references, layout);
            std::vector<Unit> specs;
            for (const auto& u : units) {
                if (u.size() != 4 || u[0] < 0 || u[0] > 1000)
                    throw std::invalid_argument("a unit is (n, skip, gap, unigrams); n = 0 is the subsequence");
                specs.push_back({u[0], u[1] != 0, u[2], u[3] != 0});
            }
            const std::uint32_t vocab = std::max(outputs.vocab_size, references.vocab_size);
            if (!weights.empty() && weights.size() < vocab) throw std::invalid_argument("one weight per unit id");
            if (lattices && !weights.empty()) throw std::invalid_argument("no weights beside lattices");
            if (lattices) check(*lattices, references, specs);
            nb::gil_scoped_release release;
            std::vector<Counts> counts = overlap(outputs, references, layout, specs, weights);
            if (lattices) add_alternatives(outputs, references, layout, *lattices, specs, counts);
            return counts;
        },
        "outputs"_a, "references"_a, "layout"_a, "units"_a, "weights"_a, "lattices"_a.none() = nb::none());

    m.def(
        "union_lcs",
        [](const Tokens& outputs, const Tokens& references, const Layout& layout, double weight) {
            check(outputs, references, layout);
            nb::gil_scoped_release release;
            return union_lcs(outputs, references, layout, weight);
        },
        "outputs"_a, "references"_a, "layout"_a, "weight"_a);

    m.def(
        "soft_overlap",
        [](const Tokens& outputs, const Tokens& references, const Layout& layout, const Vectors& vectors,
           const Flags& known, const Table& parts, bool product, double threshold, bool whole) {
            check(outputs, references, layout);
            if (known.shape(0) != vectors.shape(0)) throw std::invalid_argument("one flag per word");
            if (parts.shape(0) < std::max(outputs.vocab_size, references.vocab_size))
                throw std::invalid_argument("the words of every unit");
            const std::size_t n = parts.shape(1);
            nb::gil_scoped_release release;  // from here on, because a vocabulary takes a while to look through
            for (std::size_t i = 0; i < parts.shape(0) * n; ++i) {
                const std::int64_t word = parts.data()[i];
                if (word < 0 || static_cast<std::size_t>(word) >= vectors.shape(0))
                    throw std::invalid_argument("no such word");
            }
            const UnitVectors units{vectors.data(), vectors.shape(1), known.data(), parts.data(), n, product};
            return soft_overlap(outputs, references, layout, units, threshold, whole);
        },
        "outputs"_a, "references"_a, "layout"_a, "vectors"_a, "known"_a, "parts"_a, "product"_a, "threshold"_a,
        "whole"_a);

    m.def(
        "best_cosines",
        [](const Vectors& outputs, const Ints& output_starts, const Vectors& references, const Ints& reference_starts) {
            const TextVectors ours{outputs.data(), outputs.shape(1), offsets(output_starts)};
            const TextVectors theirs{references.data(), references.shape(1), offsets(reference_starts)};
            if (ours.starts.back() != outputs.shape(0) || theirs.starts.back() != references.shape(0))
                throw std::invalid_argument("vectors and offsets do not fit");
            if (ours.width != theirs.width) throw std::invalid_argument("vectors of outputs and references differ");
            BestCosines best;
            {
                nb::gil_scoped_release release;
                best = best_cosines(ours, theirs);
            }
            return nb::make_tuple(float_rows(std::move(best.outputs), outputs.shape(0), theirs.size()),
                                  float_rows(std::move(best.references), ours.size(), references.shape(0)));
        },
        "outputs"_a, "output_starts"_a, "references"_a, "reference_starts"_a,
        nb::sig("def best_cosines(outputs: NDArray[numpy.float32], output_starts: "
                "NDArray[numpy.int64], references: NDArray[numpy.float32], reference_starts: "
                "NDArray[numpy.int64]) -> tuple[NDArray[numpy.float32], "
                "NDArray[numpy.float32]]"),
        "The highest cosine of each output's vector with each reference, and of each reference's with each output.");

    m.def(
        "ngrams",
        [](const std::vector<const Tokens*>& batches, std::size_t n, const WordMap* stop) {
            if (n < 1 || n > 1000) throw std::invalid_argument("no such n-grams");
            std::uint32_t vocab = 0;
            for (const Tokens* batch : batches) {
                if (!batch) throw std::invalid_argument("no texts");
                vocab = std::max(vocab, batch->vocab_size);
            }
            const StopMap map = stop_map(stop, vocab);
            nb::gil_scoped_release release;
            return ngrams(batches, n, map);
        },
        "batches"_a, "n"_a, "stop"_a.none(),
        "Bags of n-grams that share their numbers; one all of whose words are stop words is left out.");

    m.def(
        "pool",
        [](const Counts& counts, const Layout& layout, int measure, int pooling, double beta, int digits,
           double power) {
            if (measure < 0 || measure > 3 || pooling < 0 || pooling > 9)
                throw std::invalid_argument("no such measure or pooling");
            check(counts, layout);
            const auto how = static_cast<Pooling>(pooling);
            if (how == Pooling::All && counts.union_match.empty() && !counts.output.empty()) {
                throw std::invalid_argument("subsequences have no union over references");
            }
            const Finish finish{static_cast<Measure>(measure), how, beta, digits, power};
            std::vector<double> values;
            {
                nb::gil_scoped_release release;
                values = pool(counts, layout, finish);
            }
            return array(std::move(values));
        },
        "counts"_a, "layout"_a, "measure"_a, "pooling"_a, "beta"_a, "digits"_a, "power"_a);

    m.def(
        "closest_length",
        [](const Counts& counts, const Layout& layout, bool first) {
            check(counts, layout);
            std::vector<double> lengths;
            {
                nb::gil_scoped_release release;
                lengths = closest_length(counts, layout, first);
            }
            return array(std::move(lengths));
        },
        "counts"_a, "layout"_a, "first"_a);

    m.def(
        "first_match",
        [](const Counts& counts, const Layout& layout) {
            check(counts, layout);
            std::vector<double> matches;
            {
                nb::gil_scoped_release release;
                matches = first_match(counts, layout);
            }
            return array(std::move(matches));
        },
        "counts"_a, "layout"_a);
}

}  // namespace assay::bind
