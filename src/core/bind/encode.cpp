// Word pieces and the encoder: weights and numbers from Python, answers as arrays.
#include "bind/bind.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <cmath>
#include <memory>
#include <string>

#include "encode/network.hpp"
#include "encode/word_pieces.hpp"

namespace assay::bind {

using namespace nb::literals;
using namespace assay::encode;

namespace {

std::string to_utf8(char32_t c) {
    std::string out;
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 63));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 63));
        out += static_cast<char>(0x80 | (c & 63));
    } else {
        out += static_cast<char>(0xF0 | c >> 18);
        out += static_cast<char>(0x80 | (c >> 12 & 63));
        out += static_cast<char>(0x80 | (c >> 6 & 63));
        out += static_cast<char>(0x80 | (c & 63));
    }
    return out;
}

using Numbers = nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::ndarray<nb::numpy, T> own(std::vector<T>&& values, std::size_t rows, std::size_t width) {
    auto* held = new std::vector<T>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    if (width) return nb::ndarray<nb::numpy, T>(held->data(), {rows, width}, owner);
    return nb::ndarray<nb::numpy, T>(held->data(), {rows}, owner);
}

std::span<const std::int32_t> span(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }

// Arrays by name; those of two and more dimensions have whole numbers, and a scale for each row.
class PackedArrays {
public:
    explicit PackedArrays(const nb::dict& arrays) : arrays_(arrays) {}

    bool has(const std::string& name) const { return arrays_.contains(name.c_str()); }

    std::vector<float> floats(const std::string& name, std::size_t n) const {
        std::vector<float> values = read<float>(name);
        if (values.size() != n) wrong(name);
        for (const float v : values)
            if (!std::isfinite(v)) wrong(name);
        return values;
    }
    // Rows of `width` whole numbers; all of them if `rows` is 0.
    Table table(const std::string& name, std::size_t rows, std::size_t width) const {
        Table table{width, read<std::int8_t>(name), {}};
        const std::size_t n = width ? table.codes.size() / width : 0;
        if (!n || (rows && n != rows) || n * width != table.codes.size()) wrong(name);
        table.scales = floats(name + ".scale", n);
        return table;
    }
    Linear linear(const std::string& name, std::size_t outputs, std::size_t inputs) const {
        const Table rows = table(name + ".weight", outputs, inputs);
        return Linear(rows.codes.data(), rows.scales.data(), floats(name + ".bias", rows.size()).data(), rows.size(),
                      inputs);
    }
    Normal normal(const std::string& name, std::size_t width) const {
        return {floats(name + ".weight", width), floats(name + ".bias", width)};
    }
    // How many numbers an array has in its last dimension.
    std::size_t width(const std::string& name) const {
        const auto a = find<std::int8_t>(name);
        return a.shape(a.ndim() - 1);
    }
    std::size_t length(const std::string& name) const { return find<float>(name).size(); }
    [[noreturn]] static void wrong(const std::string& name) {
        throw std::invalid_argument("weights without a right " + name);
    }

private:
    template <class T>
    nb::ndarray<nb::numpy, const T, nb::c_contig, nb::device::cpu> find(const std::string& name) const {
        if (!has(name)) wrong(name);
        const auto a = nb::cast<nb::ndarray<nb::numpy, const T, nb::c_contig, nb::device::cpu>>(arrays_[name.c_str()]);
        if (a.ndim() < 1) wrong(name);
        return a;
    }
    template <class T>
    std::vector<T> read(const std::string& name) const {
        const auto a = find<T>(name);
        return {a.data(), a.data() + a.size()};
    }
    const nb::dict& arrays_;
};

Biaffine read_biaffine(const PackedArrays& arrays, const std::string& name, std::size_t width, std::size_t labels) {
    Biaffine biaffine;
    const std::size_t size = arrays.length(name + ".root"), rows = size + 1;
    biaffine.root = arrays.floats(name + ".root", size);
    biaffine.dependent = arrays.linear(name + ".dependent", size, width);
    biaffine.head = arrays.linear(name + ".head", size, width);
    const Table table = arrays.table(name + ".weight", labels * rows, rows);
    // Of each label as many rows as vectors of the machine hold, the last with zeros.
    const std::size_t each = labels > 1 ? biaffine.padded() : rows;
    std::vector<std::int8_t> codes(labels * each * rows, 0);
    std::vector<float> scales(labels * each, 0.0f);
    for (std::size_t label = 0; label < labels; ++label) {
        std::copy_n(table.codes.data() + label * rows * rows, rows * rows, codes.data() + label * each * rows);
        std::copy_n(table.scales.data() + label * rows, rows, scales.data() + label * each);
    }
    biaffine.weight = Linear(codes.data(), scales.data(), nullptr, labels * each, rows);
    return biaffine;
}

Weights read_weights(const nb::dict& dict, const nb::dict& sizes) {
    const PackedArrays arrays(dict);
    Weights w;
    const std::size_t width = arrays.width("encoder.piece.weight"), shape = arrays.width("mix_tags.shape.weight");
    if (width % kHead) PackedArrays::wrong("encoder.piece.weight");
    w.pieces = arrays.table("encoder.piece.weight", 0, width);
    w.positions = arrays.table("encoder.position.weight", 0, width);
    w.shapes = arrays.table("encoder.shape.weight", 0, width);
    if (w.pieces.size() < 103 || w.positions.size() < 3) PackedArrays::wrong("encoder.piece.weight");  // [CLS], [SEP]
    w.normal = arrays.normal("encoder.norm", width);
    for (std::size_t i = 0;; ++i) {
        const std::string at = "encoder.layers." + std::to_string(i);
        if (!arrays.has(at + ".qkv.weight")) break;
        const std::size_t inner = arrays.width(at + ".down.weight");
        if (inner % kPanel) PackedArrays::wrong(at + ".down.weight");
        w.layers.push_back({arrays.linear(at + ".qkv", 3 * width, width), arrays.linear(at + ".out", width, width),
                            arrays.linear(at + ".up", inner, width), arrays.linear(at + ".down", width, inner),
                            arrays.normal(at + ".norm1", width), arrays.normal(at + ".norm2", width)});
    }
    const char* mixes[kMixes] = {"mix_tags", "mix_trees", "mix_keep"};
    for (std::size_t m = 0; m < kMixes; ++m) {
        w.mixes[m].shares = arrays.floats(std::string(mixes[m]) + ".share", w.layers.size());
        w.mixes[m].shapes = arrays.table(std::string(mixes[m]) + ".shape.weight", w.shapes.size(), shape);
    }
    const char* columns[kColumns] = {"pos", "tag", "feats", "lemma"};
    for (std::size_t c = 0; c < kColumns; ++c)
        w.columns[c] = arrays.linear(std::string("columns.") + columns[c], nb::cast<std::size_t>(sizes[columns[c]]),
                                     width + shape);
    w.start = arrays.linear("start", 1, width + shape);
    w.keep_out = arrays.linear("keep_out", 1, arrays.width("keep_out.weight"));
    w.keep_in = arrays.linear("keep_in", w.keep_out.inputs, width + shape);
    w.relations = nb::cast<std::size_t>(sizes["dep"]);
    w.root_relation = nb::cast<std::size_t>(sizes["root"]);
    if (w.relations < 2 || w.root_relation >= w.relations) PackedArrays::wrong("number of relations");
    w.arc = read_biaffine(arrays, "arc", width + shape, 1);
    w.relation = read_biaffine(arrays, "relation", width + shape, w.relations);
    return w;
}

void check_ends(std::span<const std::int32_t> ends, std::size_t all, bool empty, const char* what) {
    std::int32_t before = 0;
    for (const std::int32_t end : ends) {
        if (end < before || (end == before && !empty)) throw std::invalid_argument(std::string(what) + " in order");
        before = end;
    }
    if (static_cast<std::size_t>(before) != all) throw std::invalid_argument(std::string("as many ") + what);
}

void check_texts(const Texts& texts, const Network& network) {
    const Weights& w = network.weights();
    check_ends(texts.piece_ends, texts.pieces.size(), false, "ends of words");
    check_ends(texts.word_ends, texts.piece_ends.size(), true, "ends of texts");
    if (texts.shapes.size() != texts.piece_ends.size()) throw std::invalid_argument("as many shapes as words");
    for (const std::int32_t id : texts.pieces)
        if (id < 0 || static_cast<std::size_t>(id) >= w.pieces.size()) throw std::invalid_argument("an unknown piece");
    for (const std::int32_t shape : texts.shapes)
        if (shape < 0 || static_cast<std::size_t>(shape) + 1 >= w.shapes.size())
            throw std::invalid_argument("an unknown shape");
    std::int32_t before = 0;
    for (const std::int32_t end : texts.piece_ends) {
        if (static_cast<std::size_t>(end - before) > network.most_pieces())
            throw std::invalid_argument("a word of more pieces than a window has");
        before = end;
    }
}

nb::tuple encode_texts(const Network& network, const Numbers& pieces, const Numbers& piece_ends, const Numbers& shapes,
                       const Numbers& word_ends, std::size_t threads) {
    const Texts texts{span(pieces), span(piece_ends), span(shapes), span(word_ends)};
    check_texts(texts, network);
    std::vector<EncodedText> answers;
    std::vector<std::int32_t> rows, ends;
    std::vector<float> keep;
    std::size_t words = 0;
    {
        nb::gil_scoped_release release;
        answers = network.encode(texts, threads);
        for (const EncodedText& answer : answers) {
            for (const EncodedWord& word : answer.words) {
                rows.insert(rows.end(), word.columns.begin(), word.columns.end());
                rows.push_back(word.head);
                rows.push_back(word.relation);
                keep.push_back(word.keep);
            }
            for (const std::uint32_t end : answer.sentence_ends) ends.push_back(static_cast<std::int32_t>(words + end));
            words += answer.words.size();
        }
    }
    const std::size_t sentences = ends.size();
    return nb::make_tuple(own(std::move(rows), words, kColumns + 2), own(std::move(ends), sentences, 0),
                          own(std::move(keep), words, 0));
}

}  // namespace

void bind_encode(nb::module_& m) {
    nb::class_<WordPieces>(m, "WordPieces", "Cuts texts into the word pieces of a vocabulary, as BERT does.")
        .def(
            "__init__",
            [](WordPieces* self, std::string vocabulary, nb::callable normalize) {
                new (self) WordPieces(std::move(vocabulary), [normalize = std::move(normalize)](char32_t c) {
                    return nb::cast<std::string>(normalize(to_utf8(c)));
                });
            },
            "vocabulary"_a, "normalize"_a,
            nb::sig("def __init__(self, vocabulary: str, normalize: collections.abc.Callable[[str], str]) -> None"),
            "`vocabulary`: a piece on each line. `normalize` says what a character becomes; spaces end words.")
        .def(
            "cut",
            [](WordPieces& self, std::string_view text) {
                std::vector<std::int32_t> pieces = self.cut(text);
                const std::size_t n = pieces.size();
                return own(std::move(pieces), n, 0);
            },
            "text"_a, nb::sig("def cut(self, text: str) -> numpy.typing.NDArray[numpy.int32]"),
            "The numbers of the pieces of a text.")
        .def("find", &WordPieces::find, "piece"_a, "The number of a piece, -1 for none.");
    nb::class_<Network>(m, "Encoder", "A transformer with heads for tags, trees, sentence starts and words to keep.")
        .def(
            "__init__",
            [](Network* self, const nb::dict& weights, const nb::dict& sizes, std::string_view code) {
                new (self) Network(read_weights(weights, sizes), code);
            },
            "weights"_a, "sizes"_a, "code"_a = "",
            nb::sig(
                "def __init__(self, weights: dict[str, typing.Any], sizes: dict[str, int], code: str = '') -> None"),
            "`sizes`: how many values pos, tag, feats, lemma and dep have, and which dep is the root's; `code`: the "
            "instructions to use, vnni, avx2 or plain, with the same answers.")
        .def("encode", &encode_texts, "pieces"_a, "piece_ends"_a, "shapes"_a, "word_ends"_a, "threads"_a = 1,
             nb::sig("def encode(self, pieces: numpy.typing.NDArray[numpy.int32], piece_ends: "
                     "numpy.typing.NDArray[numpy.int32], shapes: numpy.typing.NDArray[numpy.int32], word_ends: "
                     "numpy.typing.NDArray[numpy.int32], threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int32], "
                     "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]"),
             "For each word pos, tag, feats, lemma, head (-1: root) and dep; the ends of sentences; the probability "
             "that "
             "a compression keeps each word.");
}

}  // namespace assay::bind
