// Compounds: the lexicon and the splitter.
#include "bind/bind.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "compound/splitter.hpp"

namespace assay::bind {

using namespace nb::literals;

namespace {

using Bytes = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

SplitLimits limits(const Numbers<double>& values) {
    if (values.shape(0) != 6) throw std::invalid_argument("six limits");
    const auto whole = [&](std::size_t i) { return static_cast<int>(std::min(std::max(values(i), 0.0), 60.0)); };
    return {whole(0), whole(1), whole(2), whole(3), whole(4), values(5)};
}

SplitRules rules(const std::vector<std::string>& links, const std::vector<std::string>& endings, const Bytes& pairs,
                 const Numbers<double>& lexical, const Numbers<double>& guesser) {
    if (pairs.shape(0) != 64) throw std::invalid_argument("a pair of parts of speech is one of 64");
    SplitRules out;
    out.links = links;
    for (const std::string& ending : endings)
        if (!ending.empty()) out.endings.push_back(ending);
    for (std::size_t i = 0; i < 64; ++i) out.pairs[i / 8][i % 8] = pairs(i);
    out.lexical = limits(lexical);
    out.guesser = limits(guesser);
    return out;
}

// All candidates of all words, as arrays: one row per candidate, one per part.
nb::tuple arrays(const std::vector<SplitWord>& words) {
    std::vector<std::int64_t> word, parts, guessed, begin, end, link, ending, entry, tag;
    std::vector<double> score;
    for (std::size_t w = 0; w < words.size(); ++w)
        for (const SplitCandidate& candidate : words[w].candidates) {
            word.push_back(static_cast<std::int64_t>(w));
            score.push_back(candidate.score);
            guessed.push_back(candidate.guessed);
            parts.push_back(static_cast<std::int64_t>(candidate.parts.size()));
            for (const SplitPart& part : candidate.parts) {
                begin.push_back(part.begin);
                end.push_back(part.end);
                link.push_back(part.link);
                ending.push_back(part.ending);
                entry.push_back(part.entry);
                tag.push_back(part.tag);
            }
        }
    return nb::make_tuple(to_array(word), to_array(score), to_array(guessed), to_array(parts), to_array(begin),
                          to_array(end), to_array(link), to_array(ending), to_array(entry), to_array(tag));
}

}  // namespace

void bind_compound(nb::module_& m) {
    m.def(
        "build_lexicon",
        [](const Words& words, const Numbers<std::uint32_t>& values, const Words& lemma_rules) {
            const std::vector<std::uint8_t> file = build_lexicon(views(words), to_vector(values), views(lemma_rules));
            return nb::bytes(reinterpret_cast<const char*>(file.data()), file.size());
        },
        nb::sig("def build_lexicon(words: list[str], values: NDArray[numpy.uint32], rules: list[str]) -> bytes"),
        "words"_a, "values"_a, "rules"_a, "The file of a lexicon: words in byte order, one value each.");

    nb::class_<Lexicon>(m, "Lexicon", "Words in a minimal acyclic automaton, read where they lie in memory.")
        .def(
            "__init__", [](Lexicon* self, const Bytes& file) { new (self) Lexicon({file.data(), file.shape(0)}); },
            "file"_a, nb::keep_alive<1, 2>(), nb::sig("def __init__(self, file: NDArray[numpy.uint8]) -> None"))
        .def_prop_ro("edges", &Lexicon::edges)
        .def("__len__", &Lexicon::size)
        .def("find", &Lexicon::find, "word"_a, "The number of a word, or -1.")
        .def(
            "bits",
            [](const Lexicon& l, std::size_t index) {
                if (index >= l.size()) throw std::invalid_argument("no such entry");
                return l.entry(index).bits;
            },
            "index"_a)
        .def(
            "lemma",
            [](const Lexicon& l, std::string_view form, std::size_t index) {
                if (index >= l.size()) throw std::invalid_argument("no such entry");
                return l.lemma(form, index);
            },
            "form"_a, "index"_a)
        .def("guess_lemma", &Lexicon::guess_lemma, "form"_a, "The lemma of a form that is not in the lexicon.")
        .def("words", [](const Lexicon& l) {
            std::vector<std::string> out;
            l.each([&](std::string_view word, std::size_t) { out.emplace_back(word); });
            return out;
        });

    nb::class_<Splitter>(m, "Splitter", "Splits words into entries of a lexicon.")
        .def(
            "__init__",
            [](Splitter* self, const Lexicon& lexicon, const std::vector<std::string>& links,
               const std::vector<std::string>& endings, const Bytes& pairs, const Numbers<double>& lexical,
               const Numbers<double>& guesser, const Numbers<float>& weights, bool guess, bool refuse, bool by_length,
               bool hyphens, int candidates, bool tagged) {
                SplitRules made = rules(links, endings, pairs, lexical, guesser);
                made.guess = guess;
                made.refuse = refuse;
                made.by_length = by_length;
                made.hyphens = hyphens;
                made.candidates = candidates;
                made.tagged = tagged;
                new (self) Splitter(lexicon, std::move(made), to_vector(weights));
            },
            "lexicon"_a, "links"_a, "endings"_a, "pairs"_a, "lexical"_a, "guesser"_a, "weights"_a, "guess"_a,
            "refuse"_a, "by_length"_a, "hyphens"_a, "candidates"_a, "tagged"_a = true, nb::keep_alive<1, 2>(),
            nb::sig("def __init__(self, lexicon: Lexicon, links: collections.abc.Sequence[str], endings: "
                    "collections.abc.Sequence[str], pairs: NDArray[numpy.uint8], lexical: NDArray[numpy.float64], "
                    "guesser: NDArray[numpy.float64], weights: NDArray[numpy.float32], guess: bool, refuse: bool, "
                    "by_length: bool, hyphens: bool, candidates: int, tagged: bool = True) -> None"))
        .def(
            "set_guesser", [](Splitter& s, const Numbers<double>& guesser) { s.set_guesser(limits(guesser)); },
            nb::sig("def set_guesser(self, guesser: NDArray[numpy.float64]) -> None"), "guesser"_a,
            "Changes the limits of the guesser.")
        .def("remove", &Splitter::remove, "lemmas"_a, "Takes the forms of these lemmas out; how many there were.")
        .def("covers", &Splitter::covers, "word"_a, "most"_a, "Boundaries of every cover by entries, unranked.")
        .def(
            "mark",
            [](const Splitter& s, const Words& words, std::string_view sign) {
                const std::vector<std::string_view> texts = views(words);
                nb::list out;
                std::string marked;
                for (std::string_view text : texts) {
                    marked.clear();
                    s.mark(text, sign, marked);
                    out.append(nb::str(marked.data(), marked.size()));
                }
                return out;
            },
            nb::sig("def mark(self, words: list[str], sign: str) -> list[str]"), "words"_a, "sign"_a,
            "Each word with the sign at the boundaries of its best split.")
        .def(
            "split",
            [](const Splitter& s, const Words& words) {
                const std::vector<std::string_view> texts = views(words);
                std::vector<SplitWord> out;
                out.reserve(texts.size());
                for (std::string_view text : texts) out.push_back(s.split(text));
                return arrays(out);
            },
            nb::sig("def split(self, words: list[str]) -> tuple[NDArray[typing.Any], ...]"), "words"_a,
            "Candidates of every word, best first: word, score, guessed and number of parts for each; begin, end, "
            "link, ending, entry and tag for each part.")
        .def(
            "features",
            [](const Splitter& s, const Words& words) {
                const std::vector<std::string_view> texts = views(words);
                std::vector<SplitWord> out;
                std::vector<std::int64_t> offsets{0};
                std::vector<std::uint32_t> features;
                for (std::string_view text : texts) {
                    out.push_back(s.split(text, true));
                    for (const SplitCandidate& candidate : out.back().candidates) {
                        features.insert(features.end(), candidate.features.begin(), candidate.features.end());
                        offsets.push_back(static_cast<std::int64_t>(features.size()));
                    }
                }
                return nb::make_tuple(arrays(out), to_array(offsets), to_array(features));
            },
            nb::sig("def features(self, words: list[str]) -> "
                    "tuple[tuple[NDArray[typing.Any], ...], NDArray[numpy.int64], NDArray[numpy.uint32]]"),
            "words"_a, "The same, and the features of every candidate: offsets and numbers.");
    m.def("split_weights", [] { return Splitter::kWeights; }, "How many weights the model of a splitter has.");
}

}  // namespace assay::bind
