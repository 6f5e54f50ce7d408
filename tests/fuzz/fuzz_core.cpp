// The C++ core under AddressSanitizer and UBSan: random bytes through every tokenizer, kernel and pooling.
// All of src/core but the binding, which fuzz_binding.py calls with arguments of every wrong kind.
#include <cmath>
#include <iostream>
#include <random>
#include <set>
#include <stdexcept>

#include "align/align.hpp"
#include "align/monoalign.hpp"
#include "compound/lexicon.hpp"
#include "compound/splitter.hpp"
#include "encode/best_tree.hpp"
#include "encode/products.hpp"
#include "encode/word_pieces.hpp"
#include "lm/ngram_model.hpp"
#include "match/cosines.hpp"
#include "match/lattice.hpp"
#include "match/lcs.hpp"
#include "match/ngrams.hpp"
#include "match/overlap.hpp"
#include "match/pool.hpp"
#include "match/soft.hpp"
#include "metrics/chrf.hpp"
#include "metrics/divergence.hpp"
#include "metrics/document_table.hpp"
#include "metrics/edit.hpp"
#include "metrics/gtm.hpp"
#include "metrics/meteor.hpp"
#include "metrics/nist.hpp"
#include "read/json_items.hpp"
#include "read/text_column.hpp"
#include "search/closure.hpp"
#include "search/subtree.hpp"
#include "sums/exact_sums.hpp"
#include "text/porter.hpp"
#include "text/tokens.hpp"

using namespace assay;

namespace {

std::mt19937 rng(7);
std::size_t below(std::size_t n) { return rng() % n; }

// Half the texts are random bytes (not even UTF-8), half are made of pieces that the rules look at.
std::string random_text() {
    static const char* pieces[] = {"a",
                                   "B",
                                   "the ",
                                   "3",
                                   ".",
                                   ",",
                                   "-",
                                   "'",
                                   "\n",
                                   "&quot;",
                                   "<skipped>",
                                   "\xC3\xA9",
                                   "\xE2\x84\xAA",
                                   "\xC4\xB0",
                                   "\xF0\x9F\x91\x8D",
                                   "\xE0\xB8\xAA",
                                   "\xCC\x81",
                                   " ",
                                   "\xC2\xA0",
                                   "_",
                                   ":",
                                   "ational",
                                   "yyy"};
    std::string s;
    const std::size_t n = below(4) == 0 ? below(400) : below(20);
    const bool bytes = below(2) == 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (bytes) s += static_cast<char>(below(256));
        else s += pieces[below(std::size(pieces))];
    }
    return s;
}

Tokens read(std::size_t n, Tokenizer tokenizer, Vocab& vocab, std::vector<std::string>& held) {
    held.clear();
    for (std::size_t i = 0; i < n; ++i) held.push_back(random_text());
    std::vector<std::string_view> views(held.begin(), held.end());
    return tokenize(views, tokenizer, vocab);
}

Layout random_layout(std::size_t items) {
    Layout layout;
    for (std::size_t i = 0; i < items; ++i) {
        const std::size_t outputs = below(4), references = below(4);
        layout.outputs.push_back(layout.outputs.back() + outputs);
        layout.references.push_back(layout.references.back() + references);
        for (std::size_t o = 0; o < outputs; ++o) {
            layout.own.push_back(references ? static_cast<std::int32_t>(below(references + 1)) - 1 : -1);
            layout.pairs.push_back(layout.pairs.back() + references);
        }
    }
    return layout;
}

double total(const std::vector<double>& values) {
    double sum = 0;
    for (double v : values) sum += v == v ? v : 0;
    return sum;
}

// What compares an output with each reference in turn.
double translation(const Tokens& outputs, const Tokens& references, const Layout& layout, const Vocab& vocab) {
    double sum = total(word_edits(outputs, references, layout).values);
    sum += total(translation_edits(outputs, references, layout, below(4) ? 5000 : below(30)).values);
    sum += total(maximum_match(outputs, references, layout, 1.0 + static_cast<double>(below(3)) / 2));
    Likeness alike;
    for (std::uint32_t id = 0; id < vocab.size(); ++id) {
        alike.stems.push_back(below(3) == 0 ? static_cast<std::uint32_t>(below(vocab.size())) : id);
        alike.row.push_back(below(2) ? kNone : static_cast<std::uint32_t>(alike.starts.size()));
        if (alike.row.back() == kNone) continue;
        alike.starts.push_back(alike.senses.size());
        for (std::int64_t s = 0; s < 9; ++s)
            if (below(4) == 0) alike.senses.push_back(s);
    }
    alike.starts.push_back(alike.senses.size());
    sum += total(meteor(outputs, references, layout, alike, {}));
    NgramTable table(1 + static_cast<int>(below(5)));
    table.add(references, vocab);
    return sum + total(nist(outputs, references, layout, vocab, table));
}

// A bitext of texts that have nothing to do with each other, some empty, some longer than allowed.
double bitext(Tokenizer tokenizer) {
    Vocab vocab, other;
    std::vector<std::string> held, held_targets;
    const std::size_t n = below(6);
    const Tokens sources = read(n, tokenizer, vocab, held), targets = read(n, tokenizer, other, held_targets);
    const auto how = static_cast<Symmetrize>(below(3));
    const AlignOptions options{static_cast<int>(1 + below(2)),
                               static_cast<int>(below(3)),
                               0.2,
                               below(2) ? 0.2 : 0.0,
                               below(2) ? 0.01 : 0.0,
                               1 + below(60),
                               how};
    const Aligned found = align(sources, targets, options);
    double sum = total(found.target_given_source) + static_cast<double>(found.links.source.size());
    sum += static_cast<double>(phrase_pairs(sources, targets, found.links, 1 + below(5), below(2) == 0).pair.size());
    std::vector<std::uint32_t> source_of, target_of;
    for (std::size_t p = 0; p < n; ++p) {
        const std::size_t s = sources.length(p), t = targets.length(p);
        for (std::size_t i = 0; i < t; ++i)
            source_of.push_back(s && below(3) ? static_cast<std::uint32_t>(below(s)) : kNone);
        for (std::size_t i = 0; i < s; ++i)
            target_of.push_back(t && below(3) ? static_cast<std::uint32_t>(below(t)) : kNone);
    }
    const Aligned given = united(sources, targets, source_of, target_of, 1 + below(60), how);
    return sum + total(given.source_given_target) + static_cast<double>(given.links.source.size());
}

// References with alternatives that fit them badly: what stands before and after is anything.
double alternatives(const Tokens& outputs, const Tokens& references, const Layout& layout, Tokenizer tokenizer,
                    Vocab& vocab) {
    std::vector<std::size_t> of;
    for (std::size_t r = 0; r < references.size(); ++r) of.insert(of.end(), below(4), r);
    std::vector<std::string> held;
    const Tokens variants = read(of.size(), tokenizer, vocab, held), before = read(of.size(), tokenizer, vocab, held);
    const Lattices found = lattices(references, variants, before, before, of);
    const std::vector<Unit> units = {{0}, {1}, {2}, {4}, {2, true, 4}, {2, true, -1, true}, {2, true, 0}};
    std::vector<Counts> counts = overlap(outputs, references, layout, units, {});
    add_alternatives(outputs, references, layout, found, units, counts);
    double sum = 0;
    for (const Counts& c : counts)
        sum += total(c.match) + total(c.nearest) + total(c.union_match) + total(c.union_total);
    return sum;
}

// Bags of n-grams, how far they lie apart, and how alike they are by made-up vectors.
double bags(const Tokens& outputs, const Tokens& references, const Layout& layout, const Vocab& vocab) {
    StopMap stop;
    if (below(2))
        for (std::uint32_t id = 0; id < vocab.size(); ++id) stop.push_back(below(4) ? id : kNone);
    const std::size_t n = 1 + below(4);
    const std::vector<Tokens> both = ngrams({&outputs, &references}, n, stop);
    double sum = 0;
    for (int kind = 0; kind < 3; ++kind) {
        sum += total(divergence(both[0], both[1], layout, static_cast<Divergence>(kind), below(2) ? 0.1 : 1e-300));
    }
    DocumentTable table(n);
    table.add(references, vocab);
    sum += total(table.holding(outputs, vocab, stop));
    const std::size_t words = 1 + below(5), width = below(4);
    std::vector<float> rows(words * width);
    for (float& x : rows) x = below(9) == 0 ? NAN : below(9) == 0 ? INFINITY : static_cast<float>(below(7)) - 3;
    std::vector<std::uint8_t> known(words);
    for (std::uint8_t& k : known) k = below(4) != 0;
    std::vector<std::int64_t> parts(std::max(both[0].vocab_size, both[1].vocab_size) * n);
    for (std::int64_t& word : parts) word = static_cast<std::int64_t>(below(words));
    const UnitVectors vectors{rows.data(), width, known.data(), parts.data(), n, below(2) == 0};
    const double thresholds[] = {-5, 0, 0.5, 1, 2, NAN};
    const Counts counts = soft_overlap(both[0], both[1], layout, vectors, thresholds[below(6)], below(2) == 0);
    return sum + total(counts.match) + total(counts.reference);
}

// Texts of made-up vectors: both tables have their size, and no cosine is above 1.
double cosines() {
    const std::size_t width = below(40);
    std::vector<float> rows[2];
    TextVectors texts[2];
    for (int side = 0; side < 2; ++side) {
        texts[side].width = width;
        texts[side].starts = {0};
        for (std::size_t t = below(4); t-- > 0;) texts[side].starts.push_back(texts[side].starts.back() + below(50));
        rows[side].resize(texts[side].starts.back() * width);
        for (float& x : rows[side]) x = below(99) == 0 ? INFINITY : static_cast<float>(below(7)) - 3;
        texts[side].rows = rows[side].data();
    }
    const BestCosines best = best_cosines(texts[0], texts[1]);
    if (best.outputs.size() != texts[0].starts.back() * texts[1].size()) std::abort();
    if (best.references.size() != texts[0].size() * texts[1].starts.back()) std::abort();
    for (const float x : best.outputs)
        if (x > 1) std::abort();
    for (const float x : best.references)
        if (x > 1) std::abort();
    return static_cast<double>(best.outputs.size());
}

// A language model of random lines; its arrays fit together, every probability is one, and the search keeps to its
// costs.
double language() {
    NGramCounter counter;
    for (std::size_t i = below(6); i-- > 0;) counter.add(random_text() + "\n" + random_text());
    const int order = 1 + static_cast<int>(below(3));
    std::vector<std::uint64_t> prune(static_cast<std::size_t>(order), below(2));
    std::vector<std::string> words;
    std::vector<std::uint64_t> counts;
    const NGrams model = counter.finish(order, below(3), prune, words, counts);
    model.check();
    double sum = 0;
    std::vector<std::uint32_t> text, costs;
    std::vector<double> own;
    for (std::size_t n = below(12); n-- > 0;) {
        text.push_back(static_cast<std::uint32_t>(below(words.size())));
        costs.push_back(below(9) ? static_cast<std::uint32_t>(below(4)) : 4000000000u);
        own.push_back(below(9) ? static_cast<double>(below(9)) - 4 : below(2) ? NAN : -INFINITY);
    }
    for (const std::uint32_t a : text)
        for (const std::uint32_t b : text) {
            const double p = model.log_prob(below(3) ? a : kNone, a, b);
            if (!(p <= 1e-3)) std::abort();
            sum += p;
        }
    const std::int64_t least = static_cast<std::int64_t>(below(6)) - 2, most = static_cast<std::int64_t>(below(12)) - 2;
    double score = 0;
    std::int64_t spent = 0;
    for (const std::uint32_t i : best_words(model, text, own, 0.3, costs, least, most, &score)) spent += costs.at(i);
    if (most >= 0 && spent > most) std::abort();
    return sum + static_cast<double>(spent);
}

// A random forest, sometimes with a circle, which must be refused; what is kept holds the parents of all that it holds.
double forest() {
    const std::size_t n = below(12);
    std::vector<std::int64_t> parents, costs, forced;
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
        parents.push_back(static_cast<std::int64_t>(below(30) ? below(i + 1) : below(n)) - (below(30) ? 1 : 0));
        costs.push_back(static_cast<std::int64_t>(below(5)));
        forced.push_back(static_cast<std::int64_t>(below(3)) - 1);
        values.push_back(below(20) ? static_cast<double>(below(9)) - 4 : below(2) ? NAN : INFINITY);
    }
    try {
        const Subtree found = best_subtree(parents, values, costs, forced, static_cast<std::int64_t>(below(20)) - 3,
                                           static_cast<std::int64_t>(below(20)) - 3);
        for (std::size_t i = 0; i < n; ++i) {
            if (found.kept[i] && parents[i] >= 0 && !found.kept[static_cast<std::size_t>(parents[i])]) std::abort();
        }
        return found.value == found.value && std::isfinite(found.value) ? found.value : 0;
    } catch (const std::invalid_argument&) { return 1; }
}

// Random needs and gains between nodes: what is kept holds all that it needs.
double closure() {
    const std::size_t n = below(10);
    std::vector<std::int64_t> costs, forced;
    std::vector<double> values;
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < n; ++i) {
        costs.push_back(static_cast<std::int64_t>(below(5)));
        forced.push_back(static_cast<std::int64_t>(below(3)) - 1);
        values.push_back(below(20) ? static_cast<double>(below(9)) - 4 : below(2) ? NAN : INFINITY);
    }
    for (std::size_t k = 0; n > 1 && k < below(20); ++k) {
        const std::size_t from = below(n), to = below(n);
        if (from != to) edges.push_back({from, to, below(2) > 0, static_cast<double>(below(5)) - 2});
    }
    const Closure found = best_closure(values, costs, forced, edges, static_cast<std::int64_t>(below(20)) - 3,
                                       static_cast<std::int64_t>(below(20)) - 3, 1 + below(9));
    for (const Edge& edge : edges) {
        if (edge.need && found.kept[edge.from] && !found.kept[edge.to]) std::abort();
    }
    return found.value == found.value && std::isfinite(found.value) ? found.value : 0;
}

}  // namespace

// Words and spans of two random texts through the monolingual aligner; turned over it must say the same.
double monolingual() {
    const MonoWeights weights{5,   2.5, 1,   4.5, 3,   4,   4,   -1.25, -1.5, -4.25, 1,
                              0.3, 0.4, 0.9, -1,  0.6, 1.5, 0.5, 0.4,   0.4,  0.3};
    static const wchar_t* forms[] = {L"", L"a", L"the", L"house", L"houses", L"hosue", L",", L"\u6771", L"5000"};
    MonoText texts[2];
    for (MonoText& text : texts) {
        for (std::size_t n = below(14); n-- > 0;) {
            const std::size_t k = below(std::size(forms));
            text.words.push_back({forms[k],
                                  below(3) ? "s" + std::to_string(k) : "s",
                                  below(5) ? "" : "5",
                                  {},
                                  static_cast<WordClass>(below(3))});
            if (below(3) == 0) text.words.back().senses = {static_cast<std::int64_t>(below(3)), 7};
        }
        for (std::uint32_t at = 0; at + 1 < text.words.size(); ++at) {
            if (below(3)) continue;
            const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(text.words.size(), at + 2 + below(3)));
            text.spans.push_back({at, end, below(2) ? L"house" : L"", below(4) ? L"" : L"a", below(4) ? "" : "5", {7}});
        }
    }
    const auto links = monoalign(texts[0], texts[1], weights), turned = monoalign(texts[1], texts[0], weights);
    if (links.size() != turned.size()) std::abort();
    double sum = 0;
    for (const MonoLink& link : links) {
        if (link.a >= texts[0].words.size() || link.b >= texts[1].words.size() || !(link.score >= 0 && link.score <= 1))
            std::abort();
        sum += link.score;
    }
    return sum;
}

// A lexicon of random words, whole and damaged, and splits of words made of them and of anything.
// Trees of any scores, pieces of any bytes, products of any numbers: each kind of code gives the same.
double encoder() {
    const std::size_t n = below(12);
    std::vector<double> scores(n * (n + 1));
    for (double& score : scores) score = below(9) ? static_cast<double>(below(1000)) / 100 - 5 : -1e300;
    double sum = 0;
    for (const std::int32_t head : encode::find_best_tree(scores, n)) {
        if (head < -1 || head >= static_cast<std::int32_t>(n)) throw std::logic_error("a head that is no word");
        sum += head;
    }
    encode::WordPieces pieces("[UNK]\na\n##a\nthe\n##\xC3\xA9\n" + random_text(), [](char32_t c) {
        return c == U' ' ? std::string(" ") : c < 128 ? std::string(1, static_cast<char>(c)) : std::string("\xC3\xA9");
    });
    for (const std::int32_t id : pieces.cut(random_text())) sum += id;
    sum += pieces.find(random_text());
    const std::size_t inputs = 1 + below(70), outputs = 1 + below(70), rows = below(6);
    std::vector<std::int8_t> codes(inputs * outputs);
    for (std::int8_t& code : codes) code = static_cast<std::int8_t>(static_cast<int>(below(255)) - 127);
    const encode::Linear linear(codes.data(), std::vector<float>(outputs, 0.01f).data(), nullptr, outputs, inputs);
    std::vector<float> row(inputs);
    std::vector<std::int16_t> whole(rows * linear.step());
    std::vector<float> units(rows), expected;
    for (const char* name : {"plain", "avx2", "vnni"}) {
        const encode::Kernels* kernels = nullptr;
        try {
            kernels = &encode::kernels(name);
        } catch (const std::invalid_argument&) {
            continue;  // this processor does not have it
        }
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t i = 0; i < inputs; ++i) row[i] = static_cast<float>((r + 1) * (i + 3) % 17) - 8;
            units[r] = kernels->round(row.data(), inputs, linear.step(), linear.limit, whole.data() + r * linear.step());
        }
        std::vector<float> out(rows * linear.stride());
        kernels->multiply(whole.data(), units.data(), rows, linear, out.data());
        if (expected.empty()) expected = out;
        if (out != expected) throw std::logic_error("another product");
        for (const float value : out) sum += value;
    }
    return sum;
}

double compounds() {
    std::set<std::string> words;
    for (std::size_t n = 1 + below(20); n > 0; --n) words.insert(random_text().substr(0, 40));
    words.erase("");
    words.insert("a");
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < words.size(); ++i) values.push_back(static_cast<std::uint32_t>(rng()) & 0x1FFFF);
    std::vector<std::uint8_t> file = build_lexicon({words.begin(), words.end()}, values, {"0|", "1|en"});
    const Lexicon lexicon(file);
    SplitRules rules;
    rules.links = {"", "s", random_text()};
    rules.endings = {"", "en", random_text()};
    for (auto& row : rules.pairs) row.fill(static_cast<std::uint8_t>(below(2)));
    rules.guess = below(2) == 0;
    rules.refuse = below(2) == 0;
    rules.by_length = below(2) == 0;
    rules.hyphens = below(2) == 0;
    rules.candidates = 1 + static_cast<int>(below(4));
    static const std::vector<float> weights(Splitter::kWeights, 0.01f);
    Splitter splitter(lexicon, rules, weights);
    double sum = 0;
    std::string joined;
    for (const std::string& word : words) {
        if (lexicon.find(word) < 0) std::abort();
        sum += static_cast<double>(lexicon.lemma(word, static_cast<std::size_t>(lexicon.find(word))).size());
        joined += word;
    }
    for (const std::string& text : {joined.substr(0, 200), random_text(), std::string(below(3000), 'a')}) {
        for (const SplitCandidate& candidate : splitter.split(text, below(2) == 0).candidates) sum += candidate.score;
        std::string marked;
        splitter.mark(text, "|", marked);
        if (marked.size() < text.size()) std::abort();
        sum += static_cast<double>(lexicon.guess_lemma(text).size() + splitter.covers(text.substr(0, 12), 50).size());
    }
    splitter.remove({random_text(), "a"});
    splitter.set_guesser({});
    if (below(2)) file[below(file.size())] ^= static_cast<std::uint8_t>(1 + below(255));
    else file.resize(below(file.size()));
    try {
        const Lexicon damaged(file);
        std::abort();
    } catch (const std::invalid_argument&) {}
    return sum;
}

// Lines of JSON, plain ones and ones with a byte changed: what comes back lies within them.
double json_lines() {
    auto quoted = [] {
        static const char* const kTexts[] = {
            "a", "caf\xC3\xA9", "\\u00e9\\n", "\\ud83d\\ude00", "<b>", "", "x y z 0123456789 abcdefgh"};
        return '"' + std::string(kTexts[below(7)]) + '"';
    };
    std::string lines;
    for (std::size_t n = below(5); n-- > 0;) {
        lines += "{\"id\": " + (below(2) ? quoted() : std::to_string(below(100))) +
                 ", \"outputs\": {\"A\": " + quoted() + "}";
        if (below(2)) lines += ", \"references\": [" + quoted() + ", " + quoted() + "]";
        if (below(4) == 0) lines += ", \"sources\": [" + quoted() + ", " + quoted() + "]";
        lines += below(5) ? "}\n" : "}\r\n \n";
    }
    for (std::size_t n = below(3); n-- > 0 && !lines.empty();)
        lines[below(lines.size())] = static_cast<char>(below(256));
    if (below(4) == 0) lines.resize(below(lines.size() + 1));
    lines.shrink_to_fit();
    double sum = 0;
    if (const auto items = read_json_items(lines)) {
        for (const TextColumn* column : {&items->ids, &items->outputs, &items->references}) {
            for (const std::string_view s : column->texts) {
                if (!is_utf8(s)) std::abort();
                for (const char c : s) sum += c;
            }
        }
        const TextColumn part = items->outputs.slice(0, items->outputs.size() / 2);
        sum +=
            static_cast<double>(count_blank(part) + places_with(part, '<', '&').size() + places_not_ascii(part).size());
    }
    const std::string bytes = random_text();
    return sum + is_ascii(bytes) + is_utf8(bytes);
}

double exact_sums() {
    ExactSums sums;
    sums.grow(1 + below(3));
    for (std::size_t n = below(20); n-- > 0;) {
        const auto cell = static_cast<std::int64_t>(below(sums.sums.size()));
        const double value = std::ldexp(static_cast<double>(below(1000)) - 500.0, static_cast<int>(below(2200)) - 1150);
        sums.add(&cell, &value, 1);
        const std::vector<std::uint8_t> digits(below(270), static_cast<std::uint8_t>(below(256)));
        sums.sums[0].add(digits.data(), digits.size(), below(2) == 0);
    }
    return static_cast<double>(sums.sums[0].bytes()[0]);
}

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 2000;
    std::vector<std::string> held, held_references;
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto tokenizer = static_cast<Tokenizer>(below(7));
        const Layout layout = random_layout(below(5));
        Vocab vocab;
        Tokens outputs = read(layout.outputs.back(), tokenizer, vocab, held);
        Tokens references = read(layout.references.back(), tokenizer, vocab, held_references);
        const ChrfOptions chrf_options{1 + static_cast<int>(below(8)), static_cast<int>(below(3)), 2.0, below(2) == 0,
                                       below(2) == 0};
        sum += total(
            chrf({held.begin(), held.end()}, {held_references.begin(), held_references.end()}, layout, chrf_options));
        sum += translation(outputs, references, layout, vocab);
        sum += bitext(tokenizer);
        sum += alternatives(outputs, references, layout, tokenizer, vocab);
        sum += monolingual();
        sum += bags(outputs, references, layout, vocab);
        sum += cosines();
        sum += language();
        sum += forest() + closure();
        sum += compounds() + encoder();
        sum += json_lines() + exact_sums();
        WordMap map;
        for (std::uint32_t id = 0; id < vocab.size(); ++id) {
            const std::string word(vocab[id]);
            sum += static_cast<double>(porter_rouge155(word).size());
            map.add(below(10) == 0 ? kNone : vocab.intern(porter_nltk(word)));
        }
        if (below(2)) {
            outputs = remap(outputs, map, vocab.size());
            references = remap(references, map, vocab.size());
        }
        if (below(4) == 0) outputs = clip(outputs, below(12));
        const std::vector<Unit> units = {{0}, {1}, {2}, {3}, {4}, {2, true, 4}, {2, true, -1, true}, {2, true, 0}};
        std::vector<double> weights;
        std::vector<Counts> counts = overlap(outputs, references, layout, units, weights);
        counts.push_back(union_lcs(outputs, references, layout, 1.0));
        counts.push_back(union_lcs(outputs, references, layout, 1.2));
        for (const Counts& c : counts) {
            sum += total(closest_length(c, layout, below(2) == 0)) + total(first_match(c, layout));
            for (int m = 0; m < 4; ++m) {
                for (int p = 0; p < 9; ++p) {
                    if (static_cast<Pooling>(p) == Pooling::All && c.union_match.empty()) continue;
                    const Finish finish{static_cast<Measure>(m), static_cast<Pooling>(p), 1.0, m % 2 ? 5 : -1,
                                        m == 2 ? 1.2 : 1.0};
                    for (double v : pool(c, layout, finish)) sum += v == v ? v : 0;
                }
            }
        }
    }
    std::cout << rounds << " rounds, no complaint (" << sum << ")\n";
}
