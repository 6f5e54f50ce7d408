// Texts: words as integers, tokenizers, stems, bags of units.
#include "bind/bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "read/text_column.hpp"
#include "text/porter.hpp"
#include "text/seen.hpp"
#include "text/word_map.hpp"

namespace assay::bind {

using namespace nb::literals;

namespace {

Tokenizer find_tokenizer(std::string_view name) {
    static const std::unordered_map<std::string_view, Tokenizer> names = {
        {"rouge", Tokenizer::Rouge},   {"rouge155", Tokenizer::Rouge155}, {"unicode", Tokenizer::Unicode},
        {"13a", Tokenizer::Mteval13a}, {"intl", Tokenizer::Intl},         {"char", Tokenizer::Char},
        {"space", Tokenizer::Space}};
    const auto it = names.find(name);
    if (it == names.end()) throw std::invalid_argument("no tokenizer of that name in the core");
    return it->second;
}

constexpr std::int64_t kMostUnits = std::int64_t{1} << 28;  // kernels keep eight bytes for each

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

}  // namespace

void bind_text(nb::module_& m) {
    nb::class_<Vocab>(m, "Vocab", "Words as dense integers.")
        .def(nb::init<>())
        .def("__len__", &Vocab::size)
        .def(
            "words",
            [](const Vocab& v, std::uint32_t start) {
                Words out;
                for (std::uint32_t i = start; i < v.size(); ++i) out.append(nb::str(v[i].data(), v[i].size()));
                return out;
            },
            "start"_a = 0, "The words from id `start` on.")
        .def(
            "__getitem__",
            [](const Vocab& v, std::uint32_t id) {
                if (id >= v.size()) throw nb::index_error("no such word");
                return nb::str(v[id].data(), v[id].size());
            },
            "id"_a)
        .def("intern", [](Vocab& v, std::string_view s) { return v.intern(s); }, "word"_a);

    nb::class_<WordMap>(m, "WordMap", "A word-to-word map over a Vocab; grows with it.")
        .def(nb::init<>())
        .def(
            "extend_porter",
            [](WordMap& map, Vocab& vocab, std::size_t longer_than) {
                const nb::gil_scoped_release release;
                extend_stems(vocab, map, porter_nltk, longer_than);
            },
            "vocab"_a, "longer_than"_a = 3)
        .def(
            "extend_porter155",
            [](WordMap& map, Vocab& vocab, const nb::typed<nb::dict, nb::str, nb::str>& exceptions) {
                extend_stems(vocab, map, [&](const std::string& w) {
                    const nb::str key(w.c_str(), w.size());
                    return exceptions.contains(key) ? nb::cast<std::string>(exceptions[key]) : porter_rouge155(w);
                });
            },
            "vocab"_a, "exceptions"_a, "The Perl stemmer; words among the exceptions go to their base form instead.")
        .def(
            "extend_words",
            [](WordMap& map, Vocab& vocab, const nb::typed<nb::list, std::optional<std::string>>& words) {
                for (nb::handle h : words) {
                    map.add(h.is_none() ? kNone : vocab.intern(nb::cast<std::string>(h)));
                }
            },
            "vocab"_a, "words"_a, "Maps the next words of the vocabulary to these; None drops a word.")
        .def("__len__", &WordMap::size);

    nb::class_<Tokens>(m, "Tokens", "A batch of texts as word ids.")
        .def("__len__", &Tokens::size)
        .def(
            "lengths",
            [](const Tokens& t) {
                std::vector<double> out(t.size());
                for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(t.length(i));
                return array(std::move(out));
            },
            "Words per text.")
        .def(
            "words",
            [](const Tokens& t, const Vocab& vocab, std::size_t text) {
                if (text >= t.size()) throw nb::index_error("no such text");
                if (t.vocab_size > vocab.size()) throw std::invalid_argument("tokens of another vocabulary");
                Words out;
                for (std::size_t i = t.texts[text]; i < t.texts[text + 1]; ++i) {
                    const std::string_view w = vocab[t.ids[i]];
                    out.append(nb::str(w.data(), w.size()));
                }
                return out;
            },
            "vocab"_a, "text"_a, "The words of one text.")
        .def(
            "distinct",
            [](const Tokens& t) {
                std::vector<std::uint32_t> ids = t.ids;
                std::sort(ids.begin(), ids.end());
                ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
                return ids;
            },
            "The ids of all words, each once.")
        .def_prop_ro(
            "ids", [](const Tokens& t) { return integers(t.ids); }, nb::rv_policy::move)
        .def_prop_ro(
            "starts", [](const Tokens& t) { return integers(t.texts); }, nb::rv_policy::move)
        .def_ro("vocab_size", &Tokens::vocab_size)
        .def(
            "mapped",
            [](const Tokens& t, const WordMap& map, const Vocab& vocab) {
                const nb::gil_scoped_release release;
                if (map.size() < t.vocab_size) throw std::invalid_argument("extend the map to the vocabulary first");
                const std::uint32_t bound = map.bound();
                if (bound > vocab.size()) throw std::invalid_argument("a map of another vocabulary");
                return remap(t, map, std::max(bound, t.vocab_size));
            },
            "map"_a, "vocab"_a)
        .def("first", &clip, "most"_a, nb::call_guard<nb::gil_scoped_release>(), "The first tokens of each text.");

    nb::class_<Seen>(m, "Seen", "A compact set of strings that can only be asked whether one is new.")
        .def(nb::init<>())
        .def("add", &Seen::add, "string"_a, "True if it was not there before.");

    m.def(
        "tokenize",
        [](const Words& texts, std::string_view tokenizer, Vocab& vocab) {
            const auto strings = views(texts);
            const auto kind = find_tokenizer(tokenizer);
            nb::gil_scoped_release release;
            return tokenize(strings, kind, vocab);
        },
        "texts"_a, "tokenizer"_a, "vocab"_a);

    m.def(
        "tokenize",
        [](const TextColumn& column, std::string_view tokenizer, Vocab& vocab) {
            const auto kind = find_tokenizer(tokenizer);
            nb::gil_scoped_release release;
            return tokenize(column.texts, kind, vocab);
        },
        "texts"_a, "tokenizer"_a, "vocab"_a);

    m.def("bags", &make_bags, "ids"_a, "texts"_a, "vocab_size"_a);

    m.def("porter", [](const std::string& w) { return porter_nltk(w); }, "word"_a);
    m.def("porter155", [](const std::string& w) { return porter_rouge155(w); }, "word"_a);
}

}  // namespace assay::bind
