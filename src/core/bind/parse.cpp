// The parser: weights and tables from Python, and parses as Python's tuples.
#include "bind/bind.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "parse/parser.hpp"

namespace assay::bind {

using namespace nb::literals;
using namespace assay::parse;

namespace {

constexpr std::size_t kMostTrees = 10000;
constexpr float kNever = -1e30f;  // the score of a label that is only there to fill a panel

// Arrays by name, with the shape that they must have; 0 stands for any length.
class Arrays {
public:
    explicit Arrays(const nb::dict& arrays) : arrays_(arrays) {}

    std::vector<float> floats(const char* name, std::size_t n) const {
        std::vector<float> values = read<float>(name);
        if (n && values.size() != n) wrong(name);
        for (const float v : values)
            if (!std::isfinite(v)) wrong(name);
        return values;
    }
    std::vector<std::int32_t> integers(const char* name) const { return read<std::int32_t>(name); }

private:
    template <class T>
    std::vector<T> read(const char* name) const {
        if (!arrays_.contains(name)) wrong(name);
        const auto a = nb::cast<nb::ndarray<nb::numpy, const T, nb::c_contig, nb::device::cpu>>(arrays_[name]);
        return {a.data(), a.data() + a.size()};
    }
    [[noreturn]] static void wrong(const char* name) {
        throw std::invalid_argument(std::string("weights without a right ") + name);
    }
    const nb::dict& arrays_;
};

// Outputs that alternate between the pieces of a maxout, piece after piece instead.
std::vector<float> by_piece(const std::vector<float>& rows, std::size_t outputs, std::size_t pieces) {
    std::vector<float> out;
    const std::size_t width = rows.size() / (outputs * pieces);
    for (std::size_t p = 0; p < pieces; ++p)
        for (std::size_t o = 0; o < outputs; ++o) {
            const auto row = rows.begin() + static_cast<std::ptrdiff_t>((o * pieces + p) * width);
            out.insert(out.end(), row, row + static_cast<std::ptrdiff_t>(width));
        }
    return out;
}

Normal read_normal(const Arrays& arrays, const std::string& stage) {
    return {arrays.floats((stage + ".gain").c_str(), kWidth), arrays.floats((stage + ".shift").c_str(), kWidth)};
}

// The part of the first layer's weights that meets the word before, the word itself, or the word after, as a layer of
// its own: what a type gives to the word after it, to itself, and to the word before it.
Panels make_thirds(const std::vector<float>& weights) {
    std::vector<float> thirds;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t o = 0; o < 2 * kWidth; ++o) {
            const auto row = weights.begin() + static_cast<std::ptrdiff_t>((3 * o + k) * kWidth);
            thirds.insert(thirds.end(), row, row + kWidth);
        }
    return Panels(thirds.data(), nullptr, 6 * kWidth, kWidth);
}

// The three classifiers as one layer, each from a multiple of kPanel on.
void make_labels(const Arrays& arrays, Network& network) {
    std::vector<float> weights, bias;
    const auto add = [&](const std::string& stage, std::size_t& n) {
        const std::vector<float> b = arrays.floats((stage + ".bias").c_str(), 0);
        n = b.size();
        if (!n) throw std::invalid_argument("a classifier without labels");
        const std::vector<float> w = arrays.floats((stage + ".weights").c_str(), n * kWidth);
        weights.insert(weights.end(), w.begin(), w.end());
        bias.insert(bias.end(), b.begin(), b.end());
        bias.resize((bias.size() + kPanel - 1) / kPanel * kPanel, kNever);
        weights.resize(bias.size() * kWidth, 0.0f);
    };
    add("tag", network.tags);
    network.first_morph = bias.size();
    add("morph", network.morphs);
    network.first_lemma = bias.size();
    add("lemma", network.lemmas);
    // max() looks at two vectors at a time
    if (bias.size() - network.first_lemma < kPanel) throw std::invalid_argument("too few lemmas");
    network.labels = Panels(weights.data(), bias.data(), bias.size(), kWidth);
}

Network read_network(const Arrays& arrays, const std::vector<std::uint32_t>& seeds) {
    Network network;
    if (seeds.size() != network.embed.size()) throw std::invalid_argument("four tables of embeddings have four seeds");
    for (std::size_t i = 0; i < network.embed.size(); ++i) {
        Table& table = network.embed[i];
        table.rows = arrays.floats(("embed" + std::to_string(i)).c_str(), 0);
        table.n = static_cast<std::uint32_t>(table.rows.size() / kWidth);
        table.seed = seeds[i];
        if (!table.n || table.rows.size() % kWidth) throw std::invalid_argument("an embedding of another width");
    }
    const auto maxout = [&](const std::string& stage, std::size_t pieces, std::size_t inputs) {
        return std::pair(by_piece(arrays.floats((stage + ".weights").c_str(), kWidth * pieces * inputs), kWidth, pieces),
                         by_piece(arrays.floats((stage + ".bias").c_str(), kWidth * pieces), kWidth, pieces));
    };
    const auto mix = maxout("mix", 3, 4 * kWidth);
    network.mix = Panels(mix.first.data(), mix.second.data(), 3 * kWidth, 4 * kWidth);
    network.norms[0] = read_normal(arrays, "mix");
    for (std::size_t layer = 1; layer <= kLayers; ++layer) {
        const std::string stage = "layer" + std::to_string(layer);
        auto [weights, bias] = maxout(stage, 2, 3 * kWidth);
        network.norms[layer] = read_normal(arrays, stage);
        if (layer > 1) {
            network.layers[layer - 2] = Panels(weights.data(), bias.data(), 2 * kWidth, 3 * kWidth);
            continue;
        }
        network.thirds = make_thirds(weights);
        network.first_bias = std::move(bias);
    }
    make_labels(arrays, network);
    const std::vector<float> narrow = arrays.floats("narrow.weights", kStateWidth * kWidth);
    network.narrow = Panels(narrow.data(), arrays.floats("narrow.bias", kStateWidth).data(), kStateWidth, kWidth);
    // For each place of a state, the two pieces of the maxout one after the other.
    const auto by_place = [&](const std::vector<float>& rows) {
        std::vector<float> out;
        const std::size_t part = rows.size() / kFeatures;
        for (std::size_t f = 0; f < kFeatures; ++f) {
            const auto at = rows.begin() + static_cast<std::ptrdiff_t>(f * part);
            const auto turned = by_piece({at, at + static_cast<std::ptrdiff_t>(part)}, kStateWidth, 2);
            out.insert(out.end(), turned.begin(), turned.end());
        }
        return out;
    };
    const std::size_t outputs = kFeatures * kStateWidth * 2;
    const std::vector<float> lower = by_place(arrays.floats("lower.weights", outputs * kStateWidth));
    network.lower = Panels(lower.data(), nullptr, outputs, kStateWidth);
    network.pad = by_place(arrays.floats("lower.pad", outputs));
    network.lower_bias = by_piece(arrays.floats("lower.bias", 2 * kStateWidth), kStateWidth, 2);
    const std::vector<float> bias = arrays.floats("upper.bias", 0);
    const std::vector<float> upper = arrays.floats("upper.weights", bias.size() * kStateWidth);
    network.upper = Panels(upper.data(), bias.data(), bias.size(), kStateWidth);
    return network;
}

std::unique_ptr<parse::Tokenizer> read_tokenizer(const Arrays& arrays, const nb::dict& tables) {
    Alphabet alphabet(make_sets(arrays.integers("alphabet.ranges"), arrays.integers("alphabet.starts")),
                      arrays.integers("alphabet.lower"));
    Lexicon lexicon(std::move(alphabet), nb::cast<std::unordered_map<std::string, std::uint64_t>>(tables["symbols"]),
                    nb::cast<std::unordered_map<std::string, std::string>>(tables["norms"]));
    using Row = std::tuple<std::string, std::vector<std::pair<std::string, std::string>>, std::vector<std::string>>;
    std::vector<Exception> exceptions;
    for (auto& [text, words, split] : nb::cast<std::vector<Row>>(tables["exceptions"])) {
        Exception& exception = exceptions.emplace_back();
        exception.text = std::move(text);
        exception.split = std::move(split);
        for (auto& [form, norm] : words) {
            if (form.empty()) throw std::invalid_argument("an exception with an empty word");
            exception.words.push_back({std::move(form), std::move(norm)});
        }
        if (exception.words.empty()) throw std::invalid_argument("an exception without words");
    }
    return std::make_unique<parse::Tokenizer>(
        std::move(lexicon), make_sets(arrays.integers("set.ranges"), arrays.integers("set.starts")),
        [&](const std::vector<CharacterSet>& sets) {
            const auto pattern = [&](const char* name) { return Pattern(arrays.integers(name), sets); };
            return parse::Tokenizer::Patterns{pattern("pattern.prefix"), pattern("pattern.suffix"), pattern("pattern.infix"),
                                       pattern("pattern.whole"), pattern("pattern.url")};
        },
        std::move(exceptions));
}

std::vector<EditTree> read_trees(const nb::object& rows) {
    std::vector<EditTree> trees;
    for (const nb::handle row : nb::cast<nb::list>(rows)) {
        EditTree& tree = trees.emplace_back();
        if (nb::len(row) == 2) {
            const auto [form, replacement] = nb::cast<std::pair<std::string, std::string>>(row);
            tree.form = decode(form);
            tree.replacement = decode(replacement);
            continue;
        }
        tree.is_match = true;
        std::tie(tree.prefix_length, tree.suffix_length, tree.prefix_tree, tree.suffix_tree) =
            nb::cast<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t>>(row);
    }
    check_trees(trees);
    return trees;
}

Model read_model(const nb::dict& weights, const nb::dict& tables) {
    const Arrays arrays(weights);
    std::vector<std::string> names;
    std::vector<Transition> transitions;
    for (auto& [move, label] : nb::cast<std::vector<std::pair<int, std::string>>>(tables["moves"])) {
        if (move < 0 || move >= static_cast<int>(kMoves)) throw std::invalid_argument("an unknown move");
        auto place = std::find(names.begin(), names.end(), label);
        if (place == names.end()) place = names.insert(names.end(), label);
        transitions.push_back({static_cast<Move>(move), static_cast<std::uint16_t>(place - names.begin())});
    }
    if (std::find(names.begin(), names.end(), "ROOT") == names.end()) names.emplace_back("ROOT");
    Labels labels(std::move(names));
    const std::uint16_t root = labels.find("ROOT");
    Model model{read_tokenizer(arrays, tables),
                read_network(arrays, nb::cast<std::vector<std::uint32_t>>(tables["seeds"])),
                read_trees(tables["trees"]),
                nb::cast<std::vector<std::int32_t>>(tables["lemmas"]),
                std::move(transitions),
                std::move(labels),
                root};
    for (const std::int32_t tree : model.lemma_trees)
        if (tree < 0 || static_cast<std::size_t>(tree) >= model.trees.size())
            throw std::invalid_argument("a lemma without a tree");
    const Network& network = model.network;
    if (nb::len(nb::handle(tables["tags"])) != network.tags || nb::len(nb::handle(tables["morphs"])) != network.morphs ||
        model.lemma_trees.size() != network.lemmas || model.transitions.size() != network.upper.outputs)
        throw std::invalid_argument("as many labels as the layers score are needed");
    return model;
}

PyObject* new_string(const std::string& s) {
    PyObject* string = PyUnicode_DecodeUTF8(s.data(), static_cast<Py_ssize_t>(s.size()), nullptr);
    if (!string) throw nb::python_error();
    return string;
}

PyObject* share(PyObject* object) {
    Py_INCREF(object);
    return object;
}

// A parser, and the strings of its labels as Python's.
class BoundParser {
public:
    BoundParser(const nb::dict& weights, const nb::dict& tables, const nb::object& word, std::string_view code)
        : parser_(read_model(weights, tables), code), word_(word) {
        if (!PyType_Check(word.ptr()) ||
            !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(word.ptr()), &PyTuple_Type))
            throw std::invalid_argument("the class of a word is a kind of tuple");
        for (const nb::handle tag : nb::cast<nb::list>(tables["tags"])) tags_.push_back(nb::borrow(tag));
        for (const nb::handle row : nb::cast<nb::list>(tables["morphs"])) {
            features_.push_back(nb::borrow(row[0]));
            parts_.push_back(nb::borrow(row[1]));
        }
        const Labels& labels = parser_.model().labels;
        for (std::size_t i = 0; i < labels.size(); ++i)
            labels_.push_back(nb::steal(new_string(labels.name(static_cast<std::uint16_t>(i)))));
        root_ = nb::str("root");
        allocate_ = reinterpret_cast<allocfunc>(PyType_GetSlot(reinterpret_cast<PyTypeObject*>(word.ptr()), Py_tp_alloc));
    }

    nb::list parse(const Words& texts, std::size_t threads) const {
        const std::vector<std::string_view> all = views(texts);
        std::vector<Parsed> answers;
        {
            nb::gil_scoped_release release;
            answers = parser_.parse(all, threads);
        }
        nb::list blocks;
        for (const Parsed& parsed : answers) {
            const std::vector<nb::object> strings = make_strings(parsed);
            std::size_t sentence = 0, word = 0;
            for (const std::uint32_t end : parsed.text_ends) {
                const nb::object block = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(end - sentence)));
                for (Py_ssize_t i = 0; sentence < end; ++i, ++sentence) {
                    const std::size_t last = parsed.sentence_ends[sentence];
                    PyTuple_SetItem(block.ptr(), i, make_sentence(parsed, strings, word, last, nullptr));
                    word = last;
                }
                blocks.append(block);
            }
        }
        return blocks;
    }

    // For each sentence its trees, best first, with their scores.
    nb::list parse_best(std::string_view text, std::size_t n) const {
        if (n < 1 || n > kMostTrees) throw std::invalid_argument("from 1 to 10,000 trees of a sentence");
        std::pair<Parsed, std::vector<std::vector<ScoredTree>>> best;
        {
            nb::gil_scoped_release release;
            best = parser_.parse_best(text, n);
        }
        const std::vector<nb::object> strings = make_strings(best.first);
        nb::list sentences;
        std::size_t word = 0;
        for (std::size_t s = 0; s < best.second.size(); ++s) {
            nb::list trees;
            const std::size_t last = best.first.sentence_ends[s];
            for (const ScoredTree& scored : best.second[s])
                trees.append(nb::make_tuple(
                    scored.score, nb::steal(make_sentence(best.first, strings, word, last, &scored.tree))));
            sentences.append(trees);
            word = last;
        }
        return sentences;
    }

    nb::list tokenize(std::string_view text) const {
        Memory memory;
        nb::list tokens;
        for (const Token& token : parser_.model().tokenizer->tokenize(text, memory)) {
            const Type& type = memory.types[token.type];
            tokens.append(nb::make_tuple(nb::steal(new_string(type.form)), token.start, token.space,
                                         nb::make_tuple(type.attributes[0], type.attributes[1], type.attributes[2],
                                                        type.attributes[3])));
        }
        return tokens;
    }

private:
    static std::vector<nb::object> make_strings(const Parsed& parsed) {
        std::vector<nb::object> strings;
        strings.reserve(parsed.strings.size());
        for (const std::string& s : parsed.strings) strings.push_back(nb::steal(new_string(s)));
        return strings;
    }

    // With the tree that is given, or its own.
    PyObject* make_sentence(const Parsed& parsed, const std::vector<nb::object>& strings, std::size_t first,
                            std::size_t last, const Tree* tree) const {
        nb::object sentence = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(last - first)));
        for (std::size_t i = first; i < last; ++i) {
            const ParsedWord& word = parsed.words[i];
            std::int32_t head = word.head;
            std::uint16_t label = word.label;
            if (tree) {
                head = tree->heads[i - first];
                label = tree->labels[i - first];
                if (head == static_cast<std::int32_t>(i - first)) head = -1;
            }
            const bool is_root = tree ? head == -1 : word.is_root;
            PyObject* made = allocate_(reinterpret_cast<PyTypeObject*>(word_.ptr()), 7);
            if (!made) throw nb::python_error();
            PyTuple_SetItem(made, 0, share(strings[word.form].ptr()));
            PyTuple_SetItem(made, 1, share(strings[word.lemma].ptr()));
            PyTuple_SetItem(made, 2, share(parts_[word.morph].ptr()));
            PyTuple_SetItem(made, 3, share(tags_[word.tag].ptr()));
            PyTuple_SetItem(made, 4, share(features_[word.morph].ptr()));
            PyTuple_SetItem(made, 5, PyLong_FromLong(head));
            PyTuple_SetItem(made, 6, share(is_root ? root_.ptr() : labels_[label].ptr()));
            PyTuple_SetItem(sentence.ptr(), static_cast<Py_ssize_t>(i - first), made);
        }
        return sentence.release().ptr();
    }

    Parser parser_;
    nb::object word_, root_;
    allocfunc allocate_;
    std::vector<nb::object> tags_, features_, parts_, labels_;
};

}  // namespace

void bind_parse(nb::module_& m) {
    nb::class_<BoundParser>(m, "Parser", "A tokenizer, tagger, lemmatizer and dependency parser.")
        .def(nb::init<const nb::dict&, const nb::dict&, const nb::object&, std::string_view>(), "weights"_a, "tables"_a,
             "word"_a, "code"_a = "",
             nb::sig("def __init__(self, weights: dict[str, typing.Any], tables: dict[str, typing.Any], word: type, code: "
                     "str = '') -> None"),
             "`word` is the class of a word, a named tuple of seven; `code` the instructions to use: avx512, avx2, plain.")
        .def("parse", &BoundParser::parse, "texts"_a, "threads"_a = 1,
             nb::sig("def parse(self, texts: list[str], threads: int = 1) -> list[tuple[tuple[typing.Any, ...], ...]]"),
             "The sentences of each text, as tuples of words.")
        .def("parse_best", &BoundParser::parse_best, "text"_a, "n"_a,
             nb::sig("def parse_best(self, text: str, n: int) -> list[list[tuple[float, tuple[typing.Any, ...]]]]"),
             "For each sentence up to n trees from the beam, with the logarithm of their share.")
        .def("tokenize", &BoundParser::tokenize, "text"_a,
             nb::sig("def tokenize(self, text: str) -> list[tuple[str, int, bool, tuple[int, int, int, int]]]"),
             "Each token: its form, where it begins, whether a space follows, and what its embedding is looked up by.");
}

}  // namespace assay::bind
