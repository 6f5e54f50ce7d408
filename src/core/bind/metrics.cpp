// Metrics with a kernel of their own.
#include "bind/bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bind/stop_map.hpp"
#include "metrics/chrf.hpp"
#include "metrics/divergence.hpp"
#include "metrics/document_table.hpp"
#include "metrics/edit.hpp"
#include "metrics/gtm.hpp"
#include "metrics/meteor.hpp"
#include "metrics/nist.hpp"

namespace assay::bind {

using namespace nb::literals;

void bind_metrics(nb::module_& m) {
    nb::class_<NgramTable>(m, "NgramTable", "How often n-grams occur in the references of a whole set.")
        .def(
            "__init__",
            [](NgramTable* self, int order) {
                if (order < 1 || order > 100) throw std::invalid_argument("no such order");
                new (self) NgramTable(order);
            },
            "order"_a)
        .def_prop_ro("words", &NgramTable::words)
        .def(
            "add",
            [](NgramTable& table, const Tokens& tokens, const Vocab& vocab) {
                if (tokens.vocab_size > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
                nb::gil_scoped_release release;
                table.add(tokens, vocab);
            },
            "tokens"_a, "vocab"_a);

    nb::class_<DocumentTable>(m, "DocumentTable", "How many documents hold each n-gram.")
        .def(
            "__init__",
            [](DocumentTable* self, std::size_t n) {
                if (n < 1 || n > 1000) throw std::invalid_argument("no such n-grams");
                new (self) DocumentTable(n);
            },
            "n"_a)
        .def_prop_ro("documents", &DocumentTable::documents)
        .def(
            "add",
            [](DocumentTable& table, const Tokens& tokens, const Vocab& vocab) {
                if (tokens.vocab_size > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
                nb::gil_scoped_release release;
                table.add(tokens, vocab);
            },
            "tokens"_a, "vocab"_a)
        .def(
            "holding",
            [](const DocumentTable& table, const Tokens& tokens, const Vocab& vocab,
               const WordMap* stop) {
                if (tokens.vocab_size > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
                const StopMap map = stop_map(stop, tokens.vocab_size);
                std::vector<double> documents;
                {
                    nb::gil_scoped_release release;
                    documents = table.holding(tokens, vocab, map);
                }
                return array(std::move(documents));
            },
            "tokens"_a, "vocab"_a, "stop"_a.none(), "The documents that hold each n-gram of the texts, in order.");

    m.def(
        "divergence",
        [](const Tokens& outputs, const Tokens& others, const Layout& layout, int kind, double delta) {
            check(outputs, others, layout);
            if (kind < 0 || kind > 2) throw std::invalid_argument("no such divergence");
            if (kind > 0 && !(delta > 0)) throw std::invalid_argument("delta is above 0");
            std::vector<double> values;
            {
                nb::gil_scoped_release release;
                values = divergence(outputs, others, layout, static_cast<Divergence>(kind), delta);
            }
            return array(std::move(values));
        },
        "outputs"_a, "others"_a, "layout"_a, "kind"_a, "delta"_a,
        "Per output the mean divergence from the other texts of its item.");

    m.def(
        "word_edits",
        [](const Tokens& outputs, const Tokens& references, const Layout& layout) {
            check(outputs, references, layout);
            EditRows found;
            {
                nb::gil_scoped_release release;
                found = word_edits(outputs, references, layout);
            }
            return rows(std::move(found.values), 2);
        },
        "outputs"_a, "references"_a, "layout"_a,
        "Edits and reference length of each output, against its best reference.");

    m.def(
        "translation_edits",
        [](const Tokens& outputs, const Tokens& references, const Layout& layout, std::size_t cap) {
            check(outputs, references, layout);
            EditRows found;
            {
                nb::gil_scoped_release release;
                found = translation_edits(outputs, references, layout, cap);
            }
            return nb::typed<nb::tuple, Rows, std::size_t>(
                nb::make_tuple(rows(std::move(found.values), 2), found.capped));
        },
        "outputs"_a, "references"_a, "layout"_a, "cap"_a,
        "Edits with shifts and mean reference length of each output; how many met the cap.");

    m.def(
        "maximum_match",
        [](const Tokens& outputs, const Tokens& references, const Layout& layout, double exponent) {
            check(outputs, references, layout);
            if (!(exponent >= 1)) throw std::invalid_argument("the exponent is 1 or more");
            std::vector<double> values;
            {
                nb::gil_scoped_release release;
                values = maximum_match(outputs, references, layout, exponent);
            }
            return rows(std::move(values), 3);
        },
        "outputs"_a, "references"_a, "layout"_a, "exponent"_a,
        "Match size, output length and reference length of each output.");

    m.def(
        "meteor",
        [](const Tokens& outputs, const Tokens& references, const Layout& layout, const WordMap* stems,
           const std::vector<std::pair<std::uint32_t, std::vector<std::int64_t>>>& senses, double alpha, double beta,
           double gamma) {
            check(outputs, references, layout);
            const std::uint32_t vocab = std::max(outputs.vocab_size, references.vocab_size);
            Likeness alike;
            if (stems) {
                if (stems->size() < vocab) throw std::invalid_argument("extend the map to the vocabulary first");
                alike.stems = stems->copy(vocab);
            }
            if (!senses.empty()) alike.row.assign(vocab, kNone);
            alike.starts.push_back(0);
            for (const auto& [word, of] : senses) {
                if (word >= vocab) throw std::invalid_argument("no such word");
                alike.row[word] = static_cast<std::uint32_t>(alike.starts.size() - 1);
                alike.senses.insert(alike.senses.end(), of.begin(), of.end());
                std::sort(alike.senses.begin() + static_cast<std::ptrdiff_t>(alike.starts.back()), alike.senses.end());
                alike.starts.push_back(alike.senses.size());
            }
            std::vector<double> values;
            {
                nb::gil_scoped_release release;
                values = meteor(outputs, references, layout, alike, {alpha, beta, gamma});
            }
            return rows(std::move(values), 4);
        },
        "outputs"_a, "references"_a, "layout"_a, "stems"_a.none(), "senses"_a, "alpha"_a, "beta"_a, "gamma"_a,
        "Matches, chunks, output length and reference length of each output, against its best reference.");

    m.def(
        "nist",
        [](const Tokens& outputs, const Tokens& references, const Layout& layout, const Vocab& vocab,
           const NgramTable& table) {
            check(outputs, references, layout);
            if (std::max(outputs.vocab_size, references.vocab_size) > vocab.size())
                throw std::invalid_argument("tokens of another vocabulary");
            std::vector<double> values;
            {
                nb::gil_scoped_release release;
                values = nist(outputs, references, layout, vocab, table);
            }
            return rows(std::move(values), 2 + 2 * static_cast<std::size_t>(table.order()));
        },
        "outputs"_a, "references"_a, "layout"_a, "vocab"_a, "table"_a,
        "Lengths, information of matches and n-grams of each output.");

    m.def(
        "chrf",
        [](const Words& outputs, const Words& references, const Layout& layout, int char_order, int word_order,
           double beta, bool whitespace, bool eps) {
            const auto out = views(outputs), refs = views(references);
            if (out.size() != layout.outputs.back() || refs.size() != layout.references.back()) {
                throw std::invalid_argument("texts and layout do not fit");
            }
            if (char_order < 1 || word_order < 0 || char_order > 1000 || word_order > 1000)
                throw std::invalid_argument("no such order");
            const ChrfOptions options{char_order, word_order, beta, whitespace, eps};
            std::vector<double> values;
            {
                nb::gil_scoped_release release;
                values = chrf(out, refs, layout, options);
            }
            return rows(std::move(values), 3 * static_cast<std::size_t>(options.order()));
        },
        "outputs"_a, "references"_a, "layout"_a, "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "eps"_a,
        "Per output and order: n-grams of the output, of the best reference, and matches.");
}

}  // namespace assay::bind
