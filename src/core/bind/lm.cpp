// Language models of n-grams.
#include "bind/bind.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "lm/ngram_model.hpp"

namespace assay::bind {

using namespace nb::literals;

void bind_lm(nb::module_& m) {
    nb::class_<NGrams>(m, "NGrams", "A language model of up to three words, as sorted arrays; natural logarithms.")
        .def(
            "__init__",
            [](NGrams* self, int order, const Numbers<float>& prob1, const Numbers<float>& back1,
               const Numbers<std::uint64_t>& begin2, const Numbers<std::uint32_t>& word2, const Numbers<float>& prob2,
               const Numbers<float>& back2, const Numbers<std::uint64_t>& begin3, const Numbers<std::uint32_t>& word3,
               const Numbers<float>& prob3) {
                NGrams made{order,
                            to_vector(prob1),
                            to_vector(back1),
                            to_vector(begin2),
                            to_vector(begin3),
                            to_vector(word2),
                            to_vector(word3),
                            to_vector(prob2),
                            to_vector(back2),
                            to_vector(prob3),
                            {},
                            {}};
                made.check();
                new (self) NGrams(std::move(made));
            },
            "order"_a, "prob1"_a, "back1"_a, "begin2"_a, "word2"_a, "prob2"_a, "back2"_a, "begin3"_a, "word3"_a,
            "prob3"_a)
        .def_ro("order", &NGrams::order)
        .def_prop_ro(
            "prob1", [](const NGrams& g) { return to_array(g.prob1); }, nb::rv_policy::move)
        .def_prop_ro(
            "back1", [](const NGrams& g) { return to_array(g.back1); }, nb::rv_policy::move)
        .def_prop_ro(
            "begin2", [](const NGrams& g) { return to_array(g.begin2); }, nb::rv_policy::move)
        .def_prop_ro(
            "word2", [](const NGrams& g) { return to_array(g.word2); }, nb::rv_policy::move)
        .def_prop_ro(
            "prob2", [](const NGrams& g) { return to_array(g.prob2); }, nb::rv_policy::move)
        .def_prop_ro(
            "back2", [](const NGrams& g) { return to_array(g.back2); }, nb::rv_policy::move)
        .def_prop_ro(
            "begin3", [](const NGrams& g) { return to_array(g.begin3); }, nb::rv_policy::move)
        .def_prop_ro(
            "word3", [](const NGrams& g) { return to_array(g.word3); }, nb::rv_policy::move)
        .def_prop_ro(
            "prob3", [](const NGrams& g) { return to_array(g.prob3); }, nb::rv_policy::move)
        .def_prop_ro("discounts",
                     [](const NGrams& g) {
                         std::vector<std::vector<double>> out;
                         for (const auto& d : g.discounts) out.emplace_back(d.begin() + 1, d.end());
                         return out;
                     })
        .def_prop_ro("fell_back", [](const NGrams& g) { return g.fell_back; })
        .def(
            "log_probs",
            [](const NGrams& g, const Numbers<std::uint32_t>& a, const Numbers<std::uint32_t>& b,
               const Numbers<std::uint32_t>& c) {
                const std::size_t n = c.shape(0);
                if (a.shape(0) != n || b.shape(0) != n) throw std::invalid_argument("one context per word");
                const auto known = [&](std::uint32_t w, bool none) {
                    return w < g.prob1.size() || (none && w == kNone);
                };
                std::vector<double> out(n);
                for (std::size_t i = 0; i < n; ++i) {
                    if (!known(a(i), true) || !known(b(i), true) || !known(c(i), false))
                        throw std::invalid_argument("a word that the model does not have");
                    out[i] = g.log_prob(a(i), b(i), c(i));
                }
                return array(std::move(out));
            },
            "a"_a, "b"_a, "c"_a, "log p(c | a, b); 2**32 - 1 stands for no word.")
        .def(
            "sentence",
            [](const NGrams& g, const Numbers<std::uint32_t>& words) {
                std::vector<double> out;
                std::uint32_t a = kNone, b = kStart;
                for (std::size_t i = 0; i <= words.shape(0); ++i) {
                    const std::uint32_t c = i < words.shape(0) ? words(i) : kEnd;
                    if (c >= g.prob1.size()) throw std::invalid_argument("a word that the model does not have");
                    out.push_back(g.log_prob(a, b, c));
                    a = b;
                    b = c;
                }
                return array(std::move(out));
            },
            "words"_a, "log p of each word of a sentence after the words before it, and of its end.")
        .def(
            "best_words",
            [](const NGrams& g, const Numbers<std::uint32_t>& words, const Numbers<double>& own, double weight,
               const Numbers<std::uint32_t>& costs, std::int64_t least, std::int64_t most) {
                const std::size_t n = words.shape(0);
                if (own.shape(0) != n || costs.shape(0) != n)
                    throw std::invalid_argument("one score and one cost per word");
                if (n > 1000 || most > (1 << 28) ||
                    (most >= 0 && (n + 1) * (n + 1) * static_cast<std::size_t>(most + 1) > (std::size_t{1} << 28)))
                    throw std::invalid_argument("too long for the exact search");
                for (std::size_t i = 0; i < n; ++i)
                    if (words(i) >= g.prob1.size()) throw std::invalid_argument("a word that the model does not have");
                double score = 0;
                std::vector<std::uint32_t> kept;
                const auto w = to_vector(words);
                const auto o = to_vector(own);
                const auto c = to_vector(costs);
                {
                    nb::gil_scoped_release release;
                    kept = best_words(g, w, o, weight, c, least, most, &score);
                }
                return nb::make_tuple(to_array(kept), score);
            },
            nb::sig("def best_words(self, words: NDArray[numpy.uint32], own: NDArray[numpy.float64], weight: float, "
                    "costs: NDArray[numpy.uint32], least: int, most: int) -> tuple[NDArray[numpy.uint32], float]"),
            "words"_a, "own"_a, "weight"_a, "costs"_a, "least"_a, "most"_a);

    nb::class_<NGramCounter>(m, "NGramCounter", "Counts n-grams of lines of space-separated words.")
        .def(nb::init<>())
        .def(
            "add",
            [](NGramCounter& c, std::string_view lines) {
                nb::gil_scoped_release release;
                c.add(lines);
            },
            "lines"_a)
        .def_prop_ro("tokens", &NGramCounter::tokens)
        .def_prop_ro("sentences", &NGramCounter::sentences)
        .def(
            "finish",
            [](const NGramCounter& c, int order, std::size_t least, const std::vector<std::uint64_t>& prune) {
                std::vector<std::string> vocabulary;
                std::vector<std::uint64_t> counts;
                NGrams made;
                {
                    nb::gil_scoped_release release;
                    made = c.finish(order, least, prune, vocabulary, counts);
                }
                return nb::make_tuple(std::move(made), vocabulary, to_array(counts));
            },
            nb::sig("def finish(self, order: int, least: int, prune: collections.abc.Sequence[int]) -> tuple[NGrams, "
                    "list[str], NDArray[numpy.uint64]]"),
            "order"_a, "least"_a, "prune"_a);
}

}  // namespace assay::bind
