// Word alignment: of a bitext, and of two texts in one language.
#include "bind/bind.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nanobind/stl/wstring.h>

#include <algorithm>
#include <cmath>

#include "align/align.hpp"
#include "align/monoalign.hpp"

namespace assay::bind {

using namespace nb::literals;

void bind_align(nb::module_& m) {
    nb::class_<Links>(m, "Links", "Pairs of places in source and target, by sentence pair.")
        .def_prop_ro(
            "ends", [](const Links& l) { return integers(l.ends); }, nb::rv_policy::move)
        .def_prop_ro(
            "source", [](const Links& l) { return integers(l.source); }, nb::rv_policy::move)
        .def_prop_ro("target", [](const Links& l) { return integers(l.target); }, nb::rv_policy::move);

    nb::class_<Aligned>(m, "Aligned", "A word-aligned bitext.")
        .def_ro("links", &Aligned::links)
        .def_ro("forward", &Aligned::forward)
        .def_ro("backward", &Aligned::backward)
        .def_prop_ro(
            "table_source", [](const Aligned& a) { return integers(a.table_source); }, nb::rv_policy::move)
        .def_prop_ro(
            "table_target", [](const Aligned& a) { return integers(a.table_target); }, nb::rv_policy::move)
        .def_prop_ro("target_given_source", [](const Aligned& a) { return view(a.target_given_source); })
        .def_prop_ro("source_given_target", [](const Aligned& a) { return view(a.source_given_target); })
        .def_prop_ro("forward_likelihood", [](const Aligned& a) { return view(a.forward_likelihood); })
        .def_prop_ro("backward_likelihood", [](const Aligned& a) { return view(a.backward_likelihood); })
        .def_prop_ro("skipped", [](const Aligned& a) { return integers(a.skipped); }, nb::rv_policy::move);

    m.def(
        "align",
        [](const Tokens& sources, const Tokens& targets, int model1, int hmm, double null, double smooth, double prior,
           std::size_t longest, int symmetrize) {
            if (sources.size() != targets.size()) throw std::invalid_argument("sources and targets differ in number");
            if (model1 < 0 || hmm < 0 || model1 > 1000 || hmm > 1000 || model1 + hmm == 0 || !(null > 0 && null < 1) ||
                !(smooth >= 0 && smooth <= 1) || !(prior >= 0 && prior < 1e9) || longest < 1 || longest > 1000 ||
                symmetrize < 0 || symmetrize > 2) {
                throw std::invalid_argument("options of align out of range");
            }
            const AlignOptions options{model1, hmm, null, smooth, prior, longest, static_cast<Symmetrize>(symmetrize)};
            nb::gil_scoped_release release;
            return align(sources, targets, options);
        },
        "sources"_a, "targets"_a, "model1"_a, "hmm"_a, "null"_a, "smooth"_a, "prior"_a, "longest"_a, "symmetrize"_a);

    m.def(
        "united",
        [](const Tokens& sources, const Tokens& targets, const Ints& source_of, const Ints& target_of,
           std::size_t longest, int symmetrize) {
            if (sources.size() != targets.size()) throw std::invalid_argument("sources and targets differ in number");
            if (symmetrize < 0 || symmetrize > 2) throw std::invalid_argument("no such symmetrization");
            const auto places = [](const Ints& of, const Tokens& mine, const Tokens& theirs) {
                if (of.shape(0) != mine.ids.size()) throw std::invalid_argument("one place (or -1) per word");
                std::vector<std::uint32_t> out(of.shape(0), kNone);
                for (std::size_t p = 0; p < mine.size(); ++p) {
                    for (std::size_t i = mine.texts[p]; i < mine.texts[p + 1]; ++i) {
                        if (of(i) < 0) continue;
                        if (of(i) >= static_cast<std::int64_t>(theirs.length(p)))
                            throw std::invalid_argument("a link to no word");
                        out[i] = static_cast<std::uint32_t>(of(i));
                    }
                }
                return out;
            };
            const auto from = places(source_of, targets, sources), to = places(target_of, sources, targets);
            nb::gil_scoped_release release;
            return united(sources, targets, from, to, longest, static_cast<Symmetrize>(symmetrize));
        },
        "sources"_a, "targets"_a, "source_of"_a, "target_of"_a, "longest"_a, "symmetrize"_a);

    m.def(
        "phrase_pairs",
        [](const Tokens& sources, const Tokens& targets, const Links& links, std::size_t longest, bool extend) {
            if (sources.size() != targets.size() || links.ends.size() != sources.size() + 1) {
                throw std::invalid_argument("texts and links do not fit");
            }
            if (longest < 1 || longest > 1000) throw std::invalid_argument("phrases have 1 to 1000 words");
            for (std::size_t p = 0; p < sources.size(); ++p) {
                for (std::size_t k = links.ends[p]; k < links.ends[p + 1]; ++k) {
                    if (links.source[k] >= sources.length(p) || links.target[k] >= targets.length(p)) {
                        throw std::invalid_argument("texts and links do not fit");
                    }
                }
            }
            PhrasePairs found;
            {
                nb::gil_scoped_release release;
                found = phrase_pairs(sources, targets, links, longest, extend);
            }
            return nb::make_tuple(integers(found.pair), integers(found.source_start), integers(found.source_end),
                                  integers(found.target_start), integers(found.target_end));
        },
        nb::sig("def phrase_pairs(sources: Tokens, targets: Tokens, links: Links, longest: int, extend: bool) -> "
                "tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], "
                "NDArray[numpy.int64]]"),
        "sources"_a, "targets"_a, "links"_a, "longest"_a, "extend"_a);

    nb::class_<MonoText>(m, "MonoText", "The words of a text and what is known of each, for monoalign.")
        .def(
            "__init__",
            [](MonoText* self,
               const std::vector<std::tuple<std::wstring, std::string, std::string, std::vector<std::int64_t>, int>>&
                   words,
               const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::wstring, std::wstring, std::string,
                                            std::vector<std::int64_t>>>& spans) {
                MonoText text;
                for (const auto& [form, stem, number, senses, kind] : words) {
                    if (kind < 0 || kind > 2) throw std::invalid_argument("no such class of words");
                    text.words.push_back({form, stem, number, senses, static_cast<WordClass>(kind)});
                    std::sort(text.words.back().senses.begin(), text.words.back().senses.end());
                }
                for (const auto& [start, end, joined, initials, number, senses] : spans) {
                    if (start >= end || end > words.size()) throw std::invalid_argument("a span outside the text");
                    text.spans.push_back({start, end, joined, initials, number, senses});
                    std::sort(text.spans.back().senses.begin(), text.spans.back().senses.end());
                }
                new (self) MonoText(std::move(text));
            },
            "words"_a, "spans"_a)
        .def("__len__", [](const MonoText& t) { return t.words.size(); });

    m.def(
        "monoalign",
        [](const MonoText& a, const MonoText& b, const std::vector<double>& weights) {
            if (weights.size() != kMonoWeights) throw std::invalid_argument("not as many weights as there are");
            for (const double x : weights)
                if (!std::isfinite(x)) throw std::invalid_argument("weights must be finite");
            MonoWeights w;
            std::copy(weights.begin(), weights.end(), reinterpret_cast<double*>(&w));
            std::vector<MonoLink> links;
            {
                nb::gil_scoped_release release;
                links = monoalign(a, b, w);
            }
            nb::list out;
            for (const MonoLink& l : links) out.append(nb::make_tuple(l.a, l.b, static_cast<int>(l.kind), l.score));
            return out;
        },
        nb::sig(
            "def monoalign(a: MonoText, b: MonoText, weights: Sequence[float]) -> list[tuple[int, int, int, float]]"),
        "a"_a, "b"_a, "weights"_a, "Links of two texts: place in a, place in b, kind, score.");
}

}  // namespace assay::bind
