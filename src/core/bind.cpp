// The only file that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nanobind/stl/wstring.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "align.hpp"
#include "chrf.hpp"
#include "divergence.hpp"
#include "edit.hpp"
#include "gtm.hpp"
#include "lattice.hpp"
#include "lcs.hpp"
#include "meteor.hpp"
#include "ngram.hpp"
#include "ngrams.hpp"
#include "monoalign.hpp"
#include "nist.hpp"
#include "overlap.hpp"
#include "pool.hpp"
#include "porter.hpp"
#include "soft.hpp"
#include "subtree.hpp"
#include "tokens.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using assay::Counts;
using assay::Layout;
using assay::Tokens;
using assay::Vocab;

using Doubles = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Ints = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The array owns the vector's memory: nothing is copied.
Doubles array(std::vector<double>&& values) {
    auto* held = new std::vector<double>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return Doubles(held->data(), {held->size()}, owner);
}

// One row per output.
using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
Rows rows(std::vector<double>&& values, std::size_t width) {
    auto* held = new std::vector<double>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return Rows(held->data(), {held->size() / width, width}, owner);
}

// Read-only, alive as long as what it looks into (nanobind's default for properties).
nb::ndarray<nb::numpy, const double, nb::ndim<1>> view(const std::vector<double>& values) {
    return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(values.data(), {values.size()});
}

// Whole numbers as numpy's own, copied.
template <class T>
nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> integers(const std::vector<T>& values) {
    auto* held = new std::vector<std::int64_t>(values.begin(), values.end());
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
    return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(held->data(), {held->size()}, owner);
}

// Any numbers as numpy's own, copied; and back.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> copied(const std::vector<T>& values) {
    auto* held = new std::vector<T>(values);
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(held->data(), {held->size()}, owner);
}

template <class T>
using Given = nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> taken(const Given<T>& a) { return std::vector<T>(a.data(), a.data() + a.shape(0)); }

using Words = nb::typed<nb::list, nb::str>;

std::vector<std::string_view> views(const Words& texts) {
    // Strings lie scattered in memory; asking for some ahead of their turn hides most of the wait.
    constexpr std::size_t kAhead = 12;
    const std::size_t n = nb::len(nb::handle(texts));
    std::vector<PyObject*> objects(n);
    for (std::size_t i = 0; i < n; ++i) objects[i] = PyList_GetItem(texts.ptr(), static_cast<Py_ssize_t>(i));
    std::vector<std::string_view> out(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (i + kAhead < n) __builtin_prefetch(objects[i + kAhead]);
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(objects[i], &size);
        if (!data) throw nb::python_error();
        out[i] = {data, static_cast<std::size_t>(size)};
    }
    return out;
}

assay::Tokenizer tokenizer_named(std::string_view name) {
    static const std::unordered_map<std::string_view, assay::Tokenizer> names = {
        {"rouge", assay::Tokenizer::Rouge}, {"rouge155", assay::Tokenizer::Rouge155}, {"unicode", assay::Tokenizer::Unicode},
        {"13a", assay::Tokenizer::Mteval13a}, {"intl", assay::Tokenizer::Intl}, {"char", assay::Tokenizer::Char},
        {"space", assay::Tokenizer::Space}};
    const auto it = names.find(name);
    if (it == names.end()) throw std::invalid_argument("no tokenizer of that name in the core");
    return it->second;
}

std::vector<std::size_t> offsets(const Ints& a) {
    std::vector<std::size_t> out(a.shape(0));
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (a(i) < 0 || (i > 0 && a(i) < a(i - 1))) throw std::invalid_argument("offsets must not decrease");
        out[i] = static_cast<std::size_t>(a(i));
    }
    if (out.empty() || out[0] != 0) throw std::invalid_argument("offsets must start with 0");
    return out;
}

constexpr std::size_t kMostTexts = std::size_t{1} << 31;
constexpr std::int64_t kMostUnits = std::int64_t{1} << 28;  // kernels keep eight bytes for each

Layout make_layout(const Ints& outputs, const Ints& references, const Ints& own) {
    Layout layout;
    layout.outputs = offsets(outputs);
    layout.references = offsets(references);
    if (layout.outputs.size() != layout.references.size()) throw std::invalid_argument("outputs and references differ in items");
    if (own.shape(0) != layout.outputs.back()) throw std::invalid_argument("one own reference (or -1) per output");
    if (layout.references.back() > kMostTexts || layout.outputs.back() > kMostTexts) throw std::invalid_argument("too many texts");
    layout.own.resize(own.shape(0));
    layout.pairs.reserve(own.shape(0) + 1);
    for (std::size_t item = 0; item < layout.items(); ++item) {
        const auto k = static_cast<std::int64_t>(layout.references_of(item));
        for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) {
            if (own(o) < -1 || own(o) >= k) throw std::invalid_argument("own reference out of range");
            layout.own[o] = static_cast<std::int32_t>(own(o));
            layout.pairs.push_back(layout.pairs.back() + static_cast<std::size_t>(k));  // no overflow: both are below 2**31
        }
    }
    return layout;
}

void check(const Tokens& outputs, const Tokens& references, const Layout& layout) {
    if (outputs.size() != layout.outputs.back() || references.size() != layout.references.back()) {
        throw std::invalid_argument("texts and layout do not fit");
    }
}

// Counts are by pair: those of another layout may have as many outputs and still not fit.
void check(const Counts& counts, const Layout& layout) {
    const std::size_t pairs = layout.pairs.back();
    if (counts.output.size() != layout.outputs.back() || counts.match.size() != pairs || counts.reference.size() != pairs ||
        (!counts.nearest.empty() && counts.nearest.size() != pairs)) {
        throw std::invalid_argument("counts and layout do not fit");
    }
}

// Every arc of a lattice lies within its reference, every word in the vocabulary.
void check(const assay::Lattices& lattices, const Tokens& references, const std::vector<assay::Unit>& units) {
    bool fits = lattices.ends.size() == references.size() + 1;
    for (std::size_t r = 0; fits && r < references.size(); ++r) {
        for (std::size_t k = lattices.ends[r]; k < lattices.ends[r + 1]; ++k) fits = fits && lattices.arcs[k].to <= references.length(r);
    }
    if (!fits) throw std::invalid_argument("references and lattices do not fit");
    for (const assay::Unit& unit : units) {
        if (unit.skip && unit.gap > 62) throw std::invalid_argument("beside alternatives a gap is at most 62 words");
    }
}

// A bag made elsewhere: ids as they come, each text one sentence.
Tokens make_bags(const Ints& ids, const Ints& texts, std::int64_t vocab_size) {
    Tokens out;
    const std::vector<std::size_t> ends = offsets(texts);
    if (ends.back() != ids.shape(0)) throw std::invalid_argument("ids and offsets do not fit");
    if (vocab_size < 0 || vocab_size > kMostUnits) throw std::invalid_argument("the number of units is out of range");
    out.ids.resize(ids.shape(0));
    for (std::size_t i = 0; i < out.ids.size(); ++i) {
        if (ids(i) < 0 || ids(i) >= vocab_size) throw std::invalid_argument("id out of range");
        out.ids[i] = static_cast<std::uint32_t>(ids(i));
    }
    out.texts = ends;
    for (std::size_t t = 1; t < ends.size(); ++t) {
        if (ends[t] > ends[t - 1]) out.sentence_ends.push_back(ends[t]);
        out.text_sentences.push_back(out.sentence_ends.size());
    }
    out.vocab_size = static_cast<std::uint32_t>(vocab_size);
    return out;
}

// Extends `map` over the words that `vocab` has gained: id of the word -> id of its stem.
template <class Stem>
void extend_stems(Vocab& vocab, std::vector<std::uint32_t>& map, Stem stem, std::size_t longer_than = 3) {
    for (std::uint32_t id = static_cast<std::uint32_t>(map.size()); id < vocab.size(); ++id) {
        const std::string word(vocab[id]);
        // rouge-score and ROUGE-1.5.5 stem only words of more than three letters.
        map.push_back(word.size() > longer_than ? vocab.intern(stem(word)) : id);
    }
}

// A word-to-word map over a vocabulary (stems, stop words): grows with it.
struct WordMap {
    std::vector<std::uint32_t> to;
};

// Word to itself, or to kNone for a stop word; no map: empty.
assay::StopMap stop_map(const std::optional<WordMap>& map, std::uint32_t vocab_size) {
    if (!map) return {};
    if (map->to.size() < vocab_size) throw std::invalid_argument("extend the map to the vocabulary first");
    return map->to;
}

using Flags = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vectors = nb::ndarray<nb::numpy, const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Whether a string was seen before. Only 64 bits of each are kept (8 to 21 bytes a string with the table's slack), so
// that ten million ids fit; two different strings are taken for one with a chance of 3 in a million at that size.
class Seen {
public:
    Seen() : slots_(1u << 12, 0) {}
    bool add(std::string_view s) {
        std::uint64_t h = assay::mix(assay::hash_bytes(s.data(), s.size()), s.size() + 1);
        if (h == 0) h = 1;  // 0 marks an empty slot
        if (!insert(h)) return false;
        if (++size_ * 4 > slots_.size() * 3) grow();
        return true;
    }

private:
    bool insert(std::uint64_t h) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = h & mask;
        for (; slots_[i] != 0; i = (i + 1) & mask) if (slots_[i] == h) return false;
        slots_[i] = h;
        return true;
    }
    void grow() {
        std::vector<std::uint64_t> old(slots_.size() * 2, 0);
        old.swap(slots_);
        for (std::uint64_t h : old) if (h) insert(h);
    }
    std::vector<std::uint64_t> slots_;
    std::size_t size_ = 0;
};

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "Assay's compiled core: tokenizing, unit overlap, LCS, pooling.";

    nb::class_<Vocab>(m, "Vocab", "Words as dense integers.")
        .def(nb::init<>())
        .def("__len__", &Vocab::size)
        .def("words", [](const Vocab& v, std::uint32_t start) {
            Words out;
            for (std::uint32_t i = start; i < v.size(); ++i) out.append(nb::str(v[i].data(), v[i].size()));
            return out;
        }, "start"_a = 0, "The words from id `start` on.")
        .def("__getitem__", [](const Vocab& v, std::uint32_t id) {
            if (id >= v.size()) throw nb::index_error("no such word");
            return nb::str(v[id].data(), v[id].size());
        }, "id"_a)
        .def("intern", [](Vocab& v, std::string_view s) { return v.intern(s); }, "word"_a);

    nb::class_<WordMap>(m, "WordMap", "A word-to-word map over a Vocab; grows with it.")
        .def(nb::init<>())
        .def("extend_porter", [](WordMap& map, Vocab& vocab, std::size_t longer_than) {
            extend_stems(vocab, map.to, assay::porter_nltk, longer_than);
        }, "vocab"_a, "longer_than"_a = 3)
        .def("extend_porter155", [](WordMap& map, Vocab& vocab, const nb::typed<nb::dict, nb::str, nb::str>& exceptions) {
            extend_stems(vocab, map.to, [&](const std::string& w) {
                const nb::str key(w.c_str(), w.size());
                return exceptions.contains(key) ? nb::cast<std::string>(exceptions[key]) : assay::porter_rouge155(w);
            });
        }, "vocab"_a, "exceptions"_a, "The Perl stemmer; words among the exceptions go to their base form instead.")
        .def("extend_words", [](WordMap& map, Vocab& vocab, const nb::typed<nb::list, std::optional<std::string>>& words) {
            for (nb::handle h : words) {
                map.to.push_back(h.is_none() ? assay::kNone : vocab.intern(nb::cast<std::string>(h)));
            }
        }, "vocab"_a, "words"_a, "Maps the next words of the vocabulary to these; None drops a word.")
        .def("__len__", [](const WordMap& map) { return map.to.size(); });

    nb::class_<Tokens>(m, "Tokens", "A batch of texts as word ids.")
        .def("__len__", &Tokens::size)
        .def("lengths", [](const Tokens& t) {
            std::vector<double> out(t.size());
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(t.length(i));
            return array(std::move(out));
        }, "Words per text.")
        .def("words", [](const Tokens& t, const Vocab& vocab, std::size_t text) {
            if (text >= t.size()) throw nb::index_error("no such text");
            if (t.vocab_size > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
            Words out;
            for (std::size_t i = t.texts[text]; i < t.texts[text + 1]; ++i) {
                const std::string_view w = vocab[t.ids[i]];
                out.append(nb::str(w.data(), w.size()));
            }
            return out;
        }, "vocab"_a, "text"_a, "The words of one text.")
        .def("distinct", [](const Tokens& t) {
            std::vector<std::uint32_t> ids = t.ids;
            std::sort(ids.begin(), ids.end());
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
            return ids;
        }, "The ids of all words, each once.")
        .def_prop_ro("ids", [](const Tokens& t) { return integers(t.ids); }, nb::rv_policy::move)
        .def_prop_ro("starts", [](const Tokens& t) { return integers(t.texts); }, nb::rv_policy::move)
        .def_ro("vocab_size", &Tokens::vocab_size)
        .def("mapped", [](const Tokens& t, const WordMap& map, const Vocab& vocab) {
            if (map.to.size() < t.vocab_size) throw std::invalid_argument("extend the map to the vocabulary first");
            for (const std::uint32_t to : map.to) {
                if (to != assay::kNone && to >= vocab.size()) throw std::invalid_argument("a map of another vocabulary");
            }
            nb::gil_scoped_release release;
            return assay::remap(t, map.to, vocab.size());
        }, "map"_a, "vocab"_a);

    nb::class_<Layout>(m, "Layout", "Which outputs meet which references.")
        .def("__init__", [](Layout* self, const Ints& outputs, const Ints& references, const Ints& own) {
            new (self) Layout(make_layout(outputs, references, own));
        }, "outputs"_a, "references"_a, "own"_a);

    nb::class_<Counts>(m, "Counts", "Matches and totals, per pair and per output.")
        .def_prop_ro("match", [](const Counts& c) { return view(c.match); })
        .def_prop_ro("reference", [](const Counts& c) { return view(c.reference); })
        .def_prop_ro("nearest", [](const Counts& c) { return view(c.nearest); })
        .def_prop_ro("output", [](const Counts& c) { return view(c.output); })
        .def_prop_ro("union_match", [](const Counts& c) { return view(c.union_match); })
        .def_prop_ro("union_total", [](const Counts& c) { return view(c.union_total); });

    nb::class_<Seen>(m, "Seen", "A compact set of strings that can only be asked whether one is new.")
        .def(nb::init<>())
        .def("add", &Seen::add, "string"_a, "True if it was not there before.");

    nb::class_<assay::NgramTable>(m, "NgramTable", "How often n-grams occur in the references of a whole set.")
        .def("__init__", [](assay::NgramTable* self, int order) {
            if (order < 1 || order > 100) throw std::invalid_argument("no such order");
            new (self) assay::NgramTable(order);
        }, "order"_a)
        .def_prop_ro("words", &assay::NgramTable::words)
        .def("add", [](assay::NgramTable& table, const Tokens& tokens, const Vocab& vocab) {
            if (tokens.vocab_size > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
            table.add(tokens, vocab);
        }, "tokens"_a, "vocab"_a);

    nb::class_<assay::DocumentTable>(m, "DocumentTable", "How many documents hold each n-gram.")
        .def("__init__", [](assay::DocumentTable* self, std::size_t n) {
            if (n < 1 || n > 1000) throw std::invalid_argument("no such n-grams");
            new (self) assay::DocumentTable(n);
        }, "n"_a)
        .def_prop_ro("documents", &assay::DocumentTable::documents)
        .def("add", [](assay::DocumentTable& table, const Tokens& tokens, const Vocab& vocab) {
            if (tokens.vocab_size > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
            table.add(tokens, vocab);
        }, "tokens"_a, "vocab"_a)
        .def("holding", [](const assay::DocumentTable& table, const Tokens& tokens, const Vocab& vocab, const std::optional<WordMap>& stop) {
            if (tokens.vocab_size > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
            return array(table.holding(tokens, vocab, stop_map(stop, tokens.vocab_size)));
        }, "tokens"_a, "vocab"_a, "stop"_a.none(), "The documents that hold each n-gram of the texts, in order.");

    m.def("ngrams", [](const std::vector<const Tokens*>& batches, std::size_t n, const std::optional<WordMap>& stop) {
        if (n < 1 || n > 1000) throw std::invalid_argument("no such n-grams");
        std::uint32_t vocab = 0;
        for (const Tokens* batch : batches) {
            if (!batch) throw std::invalid_argument("no texts");
            vocab = std::max(vocab, batch->vocab_size);
        }
        const assay::StopMap map = stop_map(stop, vocab);
        nb::gil_scoped_release release;
        return assay::ngrams(batches, n, map);
    }, "batches"_a, "n"_a, "stop"_a.none(), "Bags of n-grams that share their numbers; one all of whose words are stop words is left out.");

    m.def("divergence", [](const Tokens& outputs, const Tokens& others, const Layout& layout, int kind, double delta) {
        check(outputs, others, layout);
        if (kind < 0 || kind > 2) throw std::invalid_argument("no such divergence");
        if (kind > 0 && !(delta > 0)) throw std::invalid_argument("delta is above 0");
        std::vector<double> values;
        {
            nb::gil_scoped_release release;
            values = assay::divergence(outputs, others, layout, static_cast<assay::Divergence>(kind), delta);
        }
        return array(std::move(values));
    }, "outputs"_a, "others"_a, "layout"_a, "kind"_a, "delta"_a, "Per output the mean divergence from the other texts of its item.");

    m.def("soft_overlap", [](const Tokens& outputs, const Tokens& references, const Layout& layout, const Vectors& vectors,
                             const Flags& known, const Table& parts, bool product, double threshold, bool whole) {
        check(outputs, references, layout);
        if (known.shape(0) != vectors.shape(0)) throw std::invalid_argument("one flag per word");
        if (parts.shape(0) < std::max(outputs.vocab_size, references.vocab_size)) throw std::invalid_argument("the words of every unit");
        const std::size_t n = parts.shape(1);
        for (std::size_t i = 0; i < parts.shape(0) * n; ++i) {
            const std::int64_t word = parts.data()[i];
            if (word < 0 || static_cast<std::size_t>(word) >= vectors.shape(0)) throw std::invalid_argument("no such word");
        }
        const assay::UnitVectors units{vectors.data(), vectors.shape(1), known.data(), parts.data(), n, product};
        nb::gil_scoped_release release;
        return assay::soft_overlap(outputs, references, layout, units, threshold, whole);
    }, "outputs"_a, "references"_a, "layout"_a, "vectors"_a, "known"_a, "parts"_a, "product"_a, "threshold"_a, "whole"_a);

    m.def("tokenize", [](const Words& texts, std::string_view tokenizer, Vocab& vocab) {
        const auto strings = views(texts);
        const auto kind = tokenizer_named(tokenizer);
        nb::gil_scoped_release release;
        return assay::tokenize(strings, kind, vocab);
    }, "texts"_a, "tokenizer"_a, "vocab"_a);

    m.def("bags", &make_bags, "ids"_a, "texts"_a, "vocab_size"_a);

    nb::class_<assay::Lattices>(m, "Lattices", "References whose words have alternatives.")
        .def("__init__", [](assay::Lattices* self, const Tokens& references, const Tokens& variants, const Tokens& before,
                            const Tokens& after, const Ints& of) {
            std::vector<std::size_t> whose(of.shape(0));
            for (std::size_t i = 0; i < whose.size(); ++i) {
                if (of(i) < (i ? of(i - 1) : 0) || of(i) >= static_cast<std::int64_t>(references.size())) {
                    throw std::invalid_argument("variants must be in the order of their references");
                }
                whose[i] = static_cast<std::size_t>(of(i));
            }
            if (whose.size() != variants.size() || before.size() != variants.size() || after.size() != variants.size()) {
                throw std::invalid_argument("variants and what stands around them differ in number");
            }
            new (self) assay::Lattices(assay::lattices(references, variants, before, after, whose));
        }, "references"_a, "variants"_a, "before"_a, "after"_a, "of"_a)
        .def("__len__", [](const assay::Lattices& l) { return l.arcs.size(); });

    m.def("overlap", [](const Tokens& outputs, const Tokens& references, const Layout& layout,
                        const std::vector<std::vector<int>>& units, const std::vector<double>& weights,
                        const assay::Lattices* lattices) {
        check(outputs, references, layout);
        std::vector<assay::Unit> specs;
        for (const auto& u : units) {
            if (u.size() != 4 || u[0] < 0 || u[0] > 1000) throw std::invalid_argument("a unit is (n, skip, gap, unigrams); n = 0 is the subsequence");
            specs.push_back({u[0], u[1] != 0, u[2], u[3] != 0});
        }
        const std::uint32_t vocab = std::max(outputs.vocab_size, references.vocab_size);
        if (!weights.empty() && weights.size() < vocab) throw std::invalid_argument("one weight per unit id");
        if (lattices && !weights.empty()) throw std::invalid_argument("no weights beside lattices");
        if (lattices) check(*lattices, references, specs);
        nb::gil_scoped_release release;
        std::vector<Counts> counts = assay::overlap(outputs, references, layout, specs, weights);
        if (lattices) assay::add_alternatives(outputs, references, layout, *lattices, specs, counts);
        return counts;
    }, "outputs"_a, "references"_a, "layout"_a, "units"_a, "weights"_a, "lattices"_a.none() = nb::none());

    m.def("union_lcs", [](const Tokens& outputs, const Tokens& references, const Layout& layout, double weight) {
        check(outputs, references, layout);
        nb::gil_scoped_release release;
        return assay::union_lcs(outputs, references, layout, weight);
    }, "outputs"_a, "references"_a, "layout"_a, "weight"_a);

    m.def("word_edits", [](const Tokens& outputs, const Tokens& references, const Layout& layout) {
        check(outputs, references, layout);
        assay::EditRows found;
        {
            nb::gil_scoped_release release;
            found = assay::word_edits(outputs, references, layout);
        }
        return rows(std::move(found.values), 2);
    }, "outputs"_a, "references"_a, "layout"_a, "Edits and reference length of each output, against its best reference.");

    m.def("translation_edits", [](const Tokens& outputs, const Tokens& references, const Layout& layout, std::size_t cap) {
        check(outputs, references, layout);
        assay::EditRows found;
        {
            nb::gil_scoped_release release;
            found = assay::translation_edits(outputs, references, layout, cap);
        }
        return nb::typed<nb::tuple, Rows, std::size_t>(nb::make_tuple(rows(std::move(found.values), 2), found.capped));
    }, "outputs"_a, "references"_a, "layout"_a, "cap"_a, "Edits with shifts and mean reference length of each output; how many met the cap.");

    m.def("maximum_match", [](const Tokens& outputs, const Tokens& references, const Layout& layout, double exponent) {
        check(outputs, references, layout);
        if (!(exponent >= 1)) throw std::invalid_argument("the exponent is 1 or more");
        std::vector<double> values;
        {
            nb::gil_scoped_release release;
            values = assay::maximum_match(outputs, references, layout, exponent);
        }
        return rows(std::move(values), 3);
    }, "outputs"_a, "references"_a, "layout"_a, "exponent"_a, "Match size, output length and reference length of each output.");

    m.def("meteor", [](const Tokens& outputs, const Tokens& references, const Layout& layout, const std::optional<WordMap>& stems,
                       const std::vector<std::pair<std::uint32_t, std::vector<std::int64_t>>>& senses, double alpha, double beta, double gamma) {
        check(outputs, references, layout);
        const std::uint32_t vocab = std::max(outputs.vocab_size, references.vocab_size);
        assay::Likeness alike;
        if (stems) {
            if (stems->to.size() < vocab) throw std::invalid_argument("extend the map to the vocabulary first");
            alike.stems = stems->to;
        }
        if (!senses.empty()) alike.row.assign(vocab, assay::kNone);
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
            values = assay::meteor(outputs, references, layout, alike, {alpha, beta, gamma});
        }
        return rows(std::move(values), 4);
    }, "outputs"_a, "references"_a, "layout"_a, "stems"_a.none(), "senses"_a, "alpha"_a, "beta"_a, "gamma"_a,
       "Matches, chunks, output length and reference length of each output, against its best reference.");

    m.def("nist", [](const Tokens& outputs, const Tokens& references, const Layout& layout, const Vocab& vocab, const assay::NgramTable& table) {
        check(outputs, references, layout);
        if (std::max(outputs.vocab_size, references.vocab_size) > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
        std::vector<double> values;
        {
            nb::gil_scoped_release release;
            values = assay::nist(outputs, references, layout, vocab, table);
        }
        return rows(std::move(values), 2 + 2 * static_cast<std::size_t>(table.order()));
    }, "outputs"_a, "references"_a, "layout"_a, "vocab"_a, "table"_a, "Lengths, information of matches and n-grams of each output.");

    m.def("chrf", [](const Words& outputs, const Words& references, const Layout& layout, int char_order, int word_order,
                     double beta, bool whitespace, bool eps) {
        const auto out = views(outputs), refs = views(references);
        if (out.size() != layout.outputs.back() || refs.size() != layout.references.back()) {
            throw std::invalid_argument("texts and layout do not fit");
        }
        if (char_order < 1 || word_order < 0 || char_order > 1000 || word_order > 1000) throw std::invalid_argument("no such order");
        const assay::ChrfOptions options{char_order, word_order, beta, whitespace, eps};
        std::vector<double> values;
        {
            nb::gil_scoped_release release;
            values = assay::chrf(out, refs, layout, options);
        }
        return rows(std::move(values), 3 * static_cast<std::size_t>(options.order()));
    }, "outputs"_a, "references"_a, "layout"_a, "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "eps"_a,
       "Per output and order: n-grams of the output, of the best reference, and matches.");

    m.def("pool", [](const Counts& counts, const Layout& layout, int measure, int pooling, double beta, int digits, double power) {
        if (measure < 0 || measure > 3 || pooling < 0 || pooling > 8) throw std::invalid_argument("no such measure or pooling");
        check(counts, layout);
        const auto how = static_cast<assay::Pooling>(pooling);
        if (how == assay::Pooling::All && counts.union_match.empty() && !counts.output.empty()) {
            throw std::invalid_argument("subsequences have no union over references");
        }
        const assay::Finish finish{static_cast<assay::Measure>(measure), how, beta, digits, power};
        std::vector<double> values;
        {
            nb::gil_scoped_release release;
            values = assay::pool(counts, layout, finish);
        }
        return array(std::move(values));
    }, "counts"_a, "layout"_a, "measure"_a, "pooling"_a, "beta"_a, "digits"_a, "power"_a);

    m.def("closest_length", [](const Counts& counts, const Layout& layout, bool first) {
        check(counts, layout);
        return array(assay::closest_length(counts, layout, first));
    }, "counts"_a, "layout"_a, "first"_a);

    m.def("first_match", [](const Counts& counts, const Layout& layout) {
        check(counts, layout);
        return array(assay::first_match(counts, layout));
    }, "counts"_a, "layout"_a);

    nb::class_<assay::Links>(m, "Links", "Pairs of places in source and target, by sentence pair.")
        .def_prop_ro("ends", [](const assay::Links& l) { return integers(l.ends); }, nb::rv_policy::move)
        .def_prop_ro("source", [](const assay::Links& l) { return integers(l.source); }, nb::rv_policy::move)
        .def_prop_ro("target", [](const assay::Links& l) { return integers(l.target); }, nb::rv_policy::move);

    nb::class_<assay::Aligned>(m, "Aligned", "A word-aligned bitext.")
        .def_ro("links", &assay::Aligned::links)
        .def_ro("forward", &assay::Aligned::forward)
        .def_ro("backward", &assay::Aligned::backward)
        .def_prop_ro("table_source", [](const assay::Aligned& a) { return integers(a.table_source); }, nb::rv_policy::move)
        .def_prop_ro("table_target", [](const assay::Aligned& a) { return integers(a.table_target); }, nb::rv_policy::move)
        .def_prop_ro("target_given_source", [](const assay::Aligned& a) { return view(a.target_given_source); })
        .def_prop_ro("source_given_target", [](const assay::Aligned& a) { return view(a.source_given_target); })
        .def_prop_ro("forward_likelihood", [](const assay::Aligned& a) { return view(a.forward_likelihood); })
        .def_prop_ro("backward_likelihood", [](const assay::Aligned& a) { return view(a.backward_likelihood); })
        .def_prop_ro("skipped", [](const assay::Aligned& a) { return integers(a.skipped); }, nb::rv_policy::move);

    m.def("align", [](const Tokens& sources, const Tokens& targets, int model1, int hmm, double null, double smooth,
                      double prior, std::size_t longest, int symmetrize) {
        if (sources.size() != targets.size()) throw std::invalid_argument("sources and targets differ in number");
        if (model1 < 0 || hmm < 0 || model1 > 1000 || hmm > 1000 || model1 + hmm == 0 || !(null > 0 && null < 1) || !(smooth >= 0 && smooth <= 1) ||
            !(prior >= 0 && prior < 1e9) || longest < 1 || longest > 1000 || symmetrize < 0 || symmetrize > 2) {
            throw std::invalid_argument("options of align out of range");
        }
        const assay::AlignOptions options{model1, hmm, null, smooth, prior, longest, static_cast<assay::Symmetrize>(symmetrize)};
        nb::gil_scoped_release release;
        return assay::align(sources, targets, options);
    }, "sources"_a, "targets"_a, "model1"_a, "hmm"_a, "null"_a, "smooth"_a, "prior"_a, "longest"_a, "symmetrize"_a);

    m.def("united", [](const Tokens& sources, const Tokens& targets, const Ints& source_of, const Ints& target_of,
                       std::size_t longest, int symmetrize) {
        if (sources.size() != targets.size()) throw std::invalid_argument("sources and targets differ in number");
        if (symmetrize < 0 || symmetrize > 2) throw std::invalid_argument("no such symmetrization");
        const auto places = [](const Ints& of, const Tokens& mine, const Tokens& theirs) {
            if (of.shape(0) != mine.ids.size()) throw std::invalid_argument("one place (or -1) per word");
            std::vector<std::uint32_t> out(of.shape(0), assay::kNone);
            for (std::size_t p = 0; p < mine.size(); ++p) {
                for (std::size_t i = mine.texts[p]; i < mine.texts[p + 1]; ++i) {
                    if (of(i) < 0) continue;
                    if (of(i) >= static_cast<std::int64_t>(theirs.length(p))) throw std::invalid_argument("a link to no word");
                    out[i] = static_cast<std::uint32_t>(of(i));
                }
            }
            return out;
        };
        const auto from = places(source_of, targets, sources), to = places(target_of, sources, targets);
        nb::gil_scoped_release release;
        return assay::united(sources, targets, from, to, longest, static_cast<assay::Symmetrize>(symmetrize));
    }, "sources"_a, "targets"_a, "source_of"_a, "target_of"_a, "longest"_a, "symmetrize"_a);

    m.def("phrase_pairs", [](const Tokens& sources, const Tokens& targets, const assay::Links& links, std::size_t longest, bool extend) {
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
        assay::PhrasePairs found;
        {
            nb::gil_scoped_release release;
            found = assay::phrase_pairs(sources, targets, links, longest, extend);
        }
        return nb::make_tuple(integers(found.pair), integers(found.source_start), integers(found.source_end),
                              integers(found.target_start), integers(found.target_end));
    }, nb::sig("def phrase_pairs(sources: Tokens, targets: Tokens, links: Links, longest: int, extend: bool) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64]]"),
       "sources"_a, "targets"_a, "links"_a, "longest"_a, "extend"_a);

    using assay::NGrams;
    nb::class_<NGrams>(m, "NGrams", "A language model of up to three words, as sorted arrays; natural logarithms.")
        .def("__init__", [](NGrams* self, int order, const Given<float>& prob1, const Given<float>& back1, const Given<std::uint64_t>& begin2,
                            const Given<std::uint32_t>& word2, const Given<float>& prob2, const Given<float>& back2,
                            const Given<std::uint64_t>& begin3, const Given<std::uint32_t>& word3, const Given<float>& prob3) {
            NGrams made{order, taken(prob1), taken(back1), taken(begin2), taken(begin3), taken(word2), taken(word3),
                        taken(prob2), taken(back2), taken(prob3), {}, {}};
            made.check();
            new (self) NGrams(std::move(made));
        }, "order"_a, "prob1"_a, "back1"_a, "begin2"_a, "word2"_a, "prob2"_a, "back2"_a, "begin3"_a, "word3"_a, "prob3"_a)
        .def_ro("order", &NGrams::order)
        .def_prop_ro("prob1", [](const NGrams& g) { return copied(g.prob1); }, nb::rv_policy::move)
        .def_prop_ro("back1", [](const NGrams& g) { return copied(g.back1); }, nb::rv_policy::move)
        .def_prop_ro("begin2", [](const NGrams& g) { return copied(g.begin2); }, nb::rv_policy::move)
        .def_prop_ro("word2", [](const NGrams& g) { return copied(g.word2); }, nb::rv_policy::move)
        .def_prop_ro("prob2", [](const NGrams& g) { return copied(g.prob2); }, nb::rv_policy::move)
        .def_prop_ro("back2", [](const NGrams& g) { return copied(g.back2); }, nb::rv_policy::move)
        .def_prop_ro("begin3", [](const NGrams& g) { return copied(g.begin3); }, nb::rv_policy::move)
        .def_prop_ro("word3", [](const NGrams& g) { return copied(g.word3); }, nb::rv_policy::move)
        .def_prop_ro("prob3", [](const NGrams& g) { return copied(g.prob3); }, nb::rv_policy::move)
        .def_prop_ro("discounts", [](const NGrams& g) {
            std::vector<std::vector<double>> out;
            for (const auto& d : g.discounts) out.emplace_back(d.begin() + 1, d.end());
            return out;
        })
        .def_prop_ro("fell_back", [](const NGrams& g) { return g.fell_back; })
        .def("log_probs", [](const NGrams& g, const Given<std::uint32_t>& a, const Given<std::uint32_t>& b, const Given<std::uint32_t>& c) {
            const std::size_t n = c.shape(0);
            if (a.shape(0) != n || b.shape(0) != n) throw std::invalid_argument("one context per word");
            const auto known = [&](std::uint32_t w, bool none) { return w < g.prob1.size() || (none && w == assay::kNone); };
            std::vector<double> out(n);
            for (std::size_t i = 0; i < n; ++i) {
                if (!known(a(i), true) || !known(b(i), true) || !known(c(i), false)) throw std::invalid_argument("a word that the model does not have");
                out[i] = g.log_prob(a(i), b(i), c(i));
            }
            return array(std::move(out));
        }, "a"_a, "b"_a, "c"_a, "log p(c | a, b); 2**32 - 1 stands for no word.")
        .def("sentence", [](const NGrams& g, const Given<std::uint32_t>& words) {
            std::vector<double> out;
            std::uint32_t a = assay::kNone, b = assay::kStart;
            for (std::size_t i = 0; i <= words.shape(0); ++i) {
                const std::uint32_t c = i < words.shape(0) ? words(i) : assay::kEnd;
                if (c >= g.prob1.size()) throw std::invalid_argument("a word that the model does not have");
                out.push_back(g.log_prob(a, b, c));
                a = b;
                b = c;
            }
            return array(std::move(out));
        }, "words"_a, "log p of each word of a sentence after the words before it, and of its end.")
        .def("best_words", [](const NGrams& g, const Given<std::uint32_t>& words, const Given<double>& own, double weight,
                              const Given<std::uint32_t>& costs, std::int64_t least, std::int64_t most) {
            const std::size_t n = words.shape(0);
            if (own.shape(0) != n || costs.shape(0) != n) throw std::invalid_argument("one score and one cost per word");
            if (n > 1000 || most > (1 << 28) || (most >= 0 && (n + 1) * (n + 1) * static_cast<std::size_t>(most + 1) > (std::size_t{1} << 28)))
                throw std::invalid_argument("too long for the exact search");
            for (std::size_t i = 0; i < n; ++i)
                if (words(i) >= g.prob1.size()) throw std::invalid_argument("a word that the model does not have");
            double score = 0;
            std::vector<std::uint32_t> kept;
            const auto w = taken(words);
            const auto o = taken(own);
            const auto c = taken(costs);
            {
                nb::gil_scoped_release release;
                kept = assay::best_words(g, w, o, weight, c, least, most, &score);
            }
            return nb::make_tuple(copied(kept), score);
        }, nb::sig("def best_words(self, words: NDArray[numpy.uint32], own: NDArray[numpy.float64], weight: float, costs: NDArray[numpy.uint32], least: int, most: int) -> tuple[NDArray[numpy.uint32], float]"),
           "words"_a, "own"_a, "weight"_a, "costs"_a, "least"_a, "most"_a);

    nb::class_<assay::NGramCounter>(m, "NGramCounter", "Counts n-grams of lines of space-separated words.")
        .def(nb::init<>())
        .def("add", [](assay::NGramCounter& c, std::string_view lines) {
            nb::gil_scoped_release release;
            c.add(lines);
        }, "lines"_a)
        .def_prop_ro("tokens", &assay::NGramCounter::tokens)
        .def_prop_ro("sentences", &assay::NGramCounter::sentences)
        .def("finish", [](const assay::NGramCounter& c, int order, std::size_t least, const std::vector<std::uint64_t>& prune) {
            std::vector<std::string> vocabulary;
            std::vector<std::uint64_t> counts;
            NGrams made;
            {
                nb::gil_scoped_release release;
                made = c.finish(order, least, prune, vocabulary, counts);
            }
            return nb::make_tuple(std::move(made), vocabulary, copied(counts));
        }, nb::sig("def finish(self, order: int, least: int, prune: collections.abc.Sequence[int]) -> tuple[NGrams, list[str], NDArray[numpy.uint64]]"),
           "order"_a, "least"_a, "prune"_a);

    m.def("best_subtree", [](const Ints& parents, const Given<double>& values, const Ints& costs, const Ints& forced,
                             std::int64_t least, std::int64_t most) {
        const std::size_t n = parents.shape(0);
        if (values.shape(0) != n || costs.shape(0) != n || forced.shape(0) != n) throw std::invalid_argument("one value, cost and state per node");
        std::int64_t total = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (parents(i) < -1 || parents(i) >= static_cast<std::int64_t>(n)) throw std::invalid_argument("a parent that is no node");
            if (costs(i) < 0 || costs(i) > (1 << 20)) throw std::invalid_argument("a cost out of range");
            total += costs(i);
        }
        if (most >= 0 && static_cast<std::size_t>(total + 1) * (n + 1) > (std::size_t{1} << 27)) throw std::invalid_argument("too much to search");
        const assay::Subtree found = assay::best_subtree(taken(parents), taken(values), taken(costs), taken(forced), least, most);
        return nb::make_tuple(copied(found.kept), found.value, found.met);
    }, nb::sig("def best_subtree(parents: NDArray[numpy.int64], values: NDArray[numpy.float64], costs: NDArray[numpy.int64], forced: NDArray[numpy.int64], least: int, most: int) -> tuple[NDArray[numpy.uint8], float, bool]"),
       "parents"_a, "values"_a, "costs"_a, "forced"_a, "least"_a, "most"_a);
    nb::class_<assay::MonoText>(m, "MonoText", "The words of a text and what is known of each, for monoalign.")
        .def("__init__", [](assay::MonoText* self, const std::vector<std::tuple<std::wstring, std::string, std::string, std::vector<std::int64_t>, int>>& words,
                            const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::wstring, std::wstring, std::string, std::vector<std::int64_t>>>& spans) {
            assay::MonoText text;
            for (const auto& [form, stem, number, senses, kind] : words) {
                if (kind < 0 || kind > 2) throw std::invalid_argument("no such class of words");
                text.words.push_back({form, stem, number, senses, static_cast<assay::WordClass>(kind)});
                std::sort(text.words.back().senses.begin(), text.words.back().senses.end());
            }
            for (const auto& [start, end, joined, initials, number, senses] : spans) {
                if (start >= end || end > words.size()) throw std::invalid_argument("a span outside the text");
                text.spans.push_back({start, end, joined, initials, number, senses});
                std::sort(text.spans.back().senses.begin(), text.spans.back().senses.end());
            }
            new (self) assay::MonoText(std::move(text));
        }, "words"_a, "spans"_a)
        .def("__len__", [](const assay::MonoText& t) { return t.words.size(); });

    m.def("monoalign", [](const assay::MonoText& a, const assay::MonoText& b, const std::vector<double>& weights) {
        if (weights.size() != assay::kMonoWeights) throw std::invalid_argument("not as many weights as there are");
        for (const double x : weights) if (!std::isfinite(x)) throw std::invalid_argument("weights must be finite");
        assay::MonoWeights w;
        std::copy(weights.begin(), weights.end(), reinterpret_cast<double*>(&w));
        std::vector<assay::MonoLink> links;
        {
            nb::gil_scoped_release release;
            links = assay::monoalign(a, b, w);
        }
        nb::list out;
        for (const assay::MonoLink& l : links) out.append(nb::make_tuple(l.a, l.b, static_cast<int>(l.kind), l.score));
        return out;
    }, nb::sig("def monoalign(a: MonoText, b: MonoText, weights: Sequence[float]) -> list[tuple[int, int, int, float]]"),
       "a"_a, "b"_a, "weights"_a, "Links of two texts: place in a, place in b, kind, score.");

    m.def("porter", [](const std::string& w) { return assay::porter_nltk(w); }, "word"_a);
    m.def("porter155", [](const std::string& w) { return assay::porter_rouge155(w); }, "word"_a);
}
