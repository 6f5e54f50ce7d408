#include "encode/network.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "encode/best_tree.hpp"

namespace assay::encode {
namespace {

constexpr std::int32_t kFirst = 101, kLast = 102;  // [CLS] and [SEP]
constexpr std::size_t kGroup = 400;                // pieces that pass through the network together

}  // namespace

// Words of a text that are read together, and where they are among the rows of a group.
struct Network::Window {
    std::size_t text, begin, end;  // words, counted over all texts
    std::size_t piece = 0, pieces = 0;
    std::size_t word = 0;
    bool goes_on = false;  // the text does not end here
    EncodedText answer;

    std::size_t words() const { return end - begin; }
};

// What a thread works in.
struct Network::Space {
    std::vector<std::int16_t> whole;
    std::vector<float> units;
    std::vector<float> x, a, b, attention;
    std::vector<std::size_t> first, last;  // rows of each word
    std::array<std::vector<float>, kMixes> mixed;
    std::array<std::vector<float>, kColumns> columns;
    std::vector<float> start, keep;
    std::vector<float> dependents, heads, arcs;  // the root's row is the last
    std::vector<float> relation_dependents, relation_heads;
};

void Network::apply(const Linear& linear, const float* rows, std::size_t step, std::size_t n, Space& s,
                    std::vector<float>& out) const {
    s.whole.resize(n * linear.step());
    s.units.resize(n);
    out.resize(n * linear.stride());
    for (std::size_t r = 0; r < n; ++r)
        s.units[r] = code_.round(rows + r * step, linear.inputs, linear.step(), linear.limit,
                                 s.whole.data() + r * linear.step());
    code_.multiply(s.whole.data(), s.units.data(), n, linear, out.data());
}

void Network::embed(const Texts& texts, std::span<const Window> windows, Space& s) const {
    const std::size_t width = w_.width(), pieces = windows.back().piece + windows.back().pieces;
    s.x.resize(pieces * width);
    s.a.assign(pieces * width, 0.0f);
    s.first.clear();
    s.last.clear();
    for (const Window& window : windows) {
        std::size_t row = window.piece;
        const auto add = [&](std::int32_t id, std::size_t shape) {
            w_.pieces.copy(static_cast<std::size_t>(id), s.x.data() + row * width);
            w_.positions.add(row - window.piece, s.x.data() + row * width);
            w_.shapes.copy(shape, s.a.data() + row * width);
            ++row;
        };
        add(kFirst, 0);
        for (std::size_t word = window.begin; word < window.end; ++word) {
            s.first.push_back(row);
            const std::size_t begin = word ? static_cast<std::size_t>(texts.piece_ends[word - 1]) : 0;
            for (std::size_t p = begin; p < static_cast<std::size_t>(texts.piece_ends[word]); ++p)
                add(texts.pieces[p], static_cast<std::size_t>(texts.shapes[word]) + 1);
            s.last.push_back(row - 1);
        }
        add(kLast, 0);
    }
    code_.add_normal(s.x.data(), s.a.data(), pieces, width, w_.normal.gain.data(), w_.normal.shift.data());
}

// Adds a layer's share, the mean of what it gives for a word's first and last piece.
void Network::mix(std::span<const Window> windows, std::size_t layer, Space& s) const {
    const std::size_t width = w_.width(), words = windows.back().word + windows.back().words();
    for (std::size_t m = 0; m < kMixes; ++m) {
        const float share = w_.mixes[m].shares[layer];
        for (std::size_t word = 0; word < words; ++word) {
            const float *first = s.x.data() + s.first[word] * width, *last = s.x.data() + s.last[word] * width;
            float* out = s.mixed[m].data() + word * w_.word_width();
            for (std::size_t i = 0; i < width; ++i) out[i] += share * ((first[i] + last[i]) * 0.5f);
        }
    }
}

void Network::project(const Biaffine& biaffine, const std::vector<float>& words, std::size_t n, Space& s,
                      std::vector<float>& dependents, std::vector<float>& heads) const {
    const std::size_t size = biaffine.root.size(), step = biaffine.padded();
    for (auto [linear, out] : {std::pair{&biaffine.dependent, &dependents}, {&biaffine.head, &heads}}) {
        apply(*linear, words.data(), w_.word_width(), n, s, s.b);
        out->assign((n + 1) * step, 0.0f);
        for (std::size_t r = 0; r < n; ++r) {
            const float* row = s.b.data() + r * linear->stride();
            for (std::size_t i = 0; i < size; ++i) (*out)[r * step + i] = row[i] > 0 ? row[i] : 0.1f * row[i];
        }
        std::copy(biaffine.root.begin(), biaffine.root.end(), out->begin() + static_cast<std::ptrdiff_t>(n * step));
        for (std::size_t r = 0; r <= n; ++r) (*out)[r * step + size] = 1.0f;
    }
}

void Network::run(const Texts& texts, std::span<Window> windows, Space& s) const {
    std::size_t pieces = 0, words = 0;
    for (Window& window : windows) {
        window.piece = pieces;
        window.word = words;
        pieces += window.pieces;
        words += window.words();
    }
    const std::size_t width = w_.width();
    embed(texts, windows, s);
    for (std::size_t m = 0; m < kMixes; ++m) {
        s.mixed[m].assign(words * w_.word_width(), 0.0f);
        std::size_t row = 0;
        for (const Window& window : windows)
            for (std::size_t word = window.begin; word < window.end; ++word, ++row)
                w_.mixes[m].shapes.copy(static_cast<std::size_t>(texts.shapes[word]) + 1,
                                        s.mixed[m].data() + row * w_.word_width() + width);
    }
    for (std::size_t l = 0; l < w_.layers.size(); ++l) {
        const Layer& layer = w_.layers[l];
        apply(layer.qkv, s.x.data(), width, pieces, s, s.a);
        s.b.resize(pieces * width);
        for (const Window& window : windows) {
            s.attention.resize(std::max(s.attention.size(), attention_space(window.pieces)));
            code_.attend(s.a.data() + window.piece * 3 * width, window.pieces, width, s.attention.data(),
                         s.b.data() + window.piece * width);
        }
        apply(layer.out, s.b.data(), width, pieces, s, s.a);
        code_.add_normal(s.x.data(), s.a.data(), pieces, width, layer.middle.gain.data(), layer.middle.shift.data());
        apply(layer.up, s.x.data(), width, pieces, s, s.b);
        code_.gelu(s.b.data(), s.b.size());
        apply(layer.down, s.b.data(), layer.up.stride(), pieces, s, s.a);
        code_.add_normal(s.x.data(), s.a.data(), pieces, width, layer.end.gain.data(), layer.end.shift.data());
        mix(windows, l, s);
    }
    const std::size_t step = w_.word_width();
    for (std::size_t c = 0; c < kColumns; ++c) apply(w_.columns[c], s.mixed[0].data(), step, words, s, s.columns[c]);
    apply(w_.start, s.mixed[1].data(), step, words, s, s.start);
    project(w_.arc, s.mixed[1], words, s, s.dependents, s.heads);
    apply(w_.arc.weight, s.heads.data(), w_.arc.padded(), words + 1, s, s.arcs);
    project(w_.relation, s.mixed[1], words, s, s.relation_dependents, s.relation_heads);
    apply(w_.keep_in, s.mixed[2].data(), step, words, s, s.a);
    code_.gelu(s.a.data(), s.a.size());
    apply(w_.keep_out, s.a.data(), w_.keep_in.stride(), words, s, s.keep);
    code_.sigmoid(s.keep.data(), s.keep.size());
    for (Window& window : windows) find_trees(window, s);
    find_relations(windows, s);
}

void Network::find_trees(Window& window, Space& s) const {
    const std::size_t n = window.words(), at = window.word, root = s.heads.size() / w_.arc.padded() - 1;
    std::vector<std::size_t> bounds = {0};
    for (std::size_t i = 1; i < n; ++i)
        if (s.start[(at + i) * w_.start.stride()] > 0) bounds.push_back(i);
    if (!window.goes_on || bounds.size() < 2) bounds.push_back(n);  // else the last sentence is read with what follows
    const std::size_t dependent_step = w_.arc.padded(), head_step = w_.arc.weight.stride();
    std::vector<double> scores;
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
        const std::size_t begin = bounds[k], size = bounds[k + 1] - begin;
        scores.resize(size * (size + 1));
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j <= size; ++j) {
                const std::size_t head = j ? at + begin + j - 1 : root;
                scores[i * (size + 1) + j] = code_.dot(s.dependents.data() + (at + begin + i) * dependent_step,
                                                       s.arcs.data() + head * head_step, dependent_step);
            }
        const std::vector<std::int32_t> heads = find_best_tree(scores, size);
        for (std::size_t i = 0; i < size; ++i) {
            EncodedWord& word = window.answer.words.emplace_back();
            const std::size_t row = at + begin + i;
            for (std::size_t c = 0; c < kColumns; ++c) {
                const float* column = s.columns[c].data() + row * w_.columns[c].stride();
                word.columns[c] =
                    static_cast<std::int32_t>(std::max_element(column, column + w_.columns[c].outputs) - column);
            }
            word.head = heads[i];
            word.relation = static_cast<std::int32_t>(w_.root_relation);
            word.keep = s.keep[row * w_.keep_out.stride()];
        }
        window.answer.sentence_ends.push_back(static_cast<std::uint32_t>(window.answer.words.size()));
    }
}

void Network::find_relations(std::span<Window> windows, Space& s) const {
    const std::size_t step = w_.relation.padded();
    for (Window& window : windows) {
        std::vector<EncodedWord>& words = window.answer.words;
        std::vector<std::size_t> dependents, heads;  // words of the window
        std::size_t begin = 0;
        for (const std::uint32_t end : window.answer.sentence_ends) {
            for (std::size_t i = begin; i < end; ++i) {
                if (words[i].head < 0) continue;
                dependents.push_back(i);
                heads.push_back(begin + static_cast<std::size_t>(words[i].head));
            }
            begin = end;
        }
        s.a.resize(heads.size() * step);
        for (std::size_t k = 0; k < heads.size(); ++k)
            std::copy_n(s.relation_heads.data() + (window.word + heads[k]) * step, step, s.a.data() + k * step);
        apply(w_.relation.weight, s.a.data(), step, heads.size(), s, s.b);
        for (std::size_t k = 0; k < dependents.size(); ++k) {
            const float* dependent = s.relation_dependents.data() + (window.word + dependents[k]) * step;
            const float* row = s.b.data() + k * w_.relation.weight.stride();
            float best = 0;
            std::int32_t relation = -1;
            for (std::size_t label = 0; label < w_.relations; ++label) {
                if (label == w_.root_relation) continue;
                const float score = code_.dot(dependent, row + label * step, step);
                if (relation >= 0 && !(score > best)) continue;
                best = score;
                relation = static_cast<std::int32_t>(label);
            }
            words[dependents[k]].relation = relation;
        }
    }
}

std::vector<Network::Window> Network::cut_windows(
    const Texts& texts, const std::vector<std::pair<std::size_t, std::size_t>>& waiting) const {
    std::vector<Window> windows;
    for (const auto& [text, begin] : waiting) {
        Window& window = windows.emplace_back();
        window.text = text;
        window.begin = window.end = begin;
        window.pieces = 2;
        const auto last = static_cast<std::size_t>(texts.word_ends[text]);
        while (window.end < last && window.words() < kMostWords) {
            const std::int32_t before = window.end ? texts.piece_ends[window.end - 1] : 0;
            const auto more = static_cast<std::size_t>(texts.piece_ends[window.end] - before);
            if (window.pieces + more > w_.positions.size()) break;
            window.pieces += more;
            ++window.end;
        }
        window.goes_on = window.end < last;
    }
    return windows;
}

std::vector<EncodedText> Network::encode(const Texts& texts, std::size_t threads) const {
    std::vector<EncodedText> answers(texts.word_ends.size());
    std::vector<std::pair<std::size_t, std::size_t>> waiting;  // texts, and the words where they go on
    for (std::size_t t = 0; t < answers.size(); ++t) {
        const auto begin = static_cast<std::size_t>(t ? texts.word_ends[t - 1] : 0);
        if (begin < static_cast<std::size_t>(texts.word_ends[t])) waiting.emplace_back(t, begin);
    }
    while (!waiting.empty()) {
        std::vector<Window> windows = cut_windows(texts, waiting);
        std::vector<std::span<Window>> groups;
        for (std::size_t first = 0, end = 0; first < windows.size(); first = end) {
            for (std::size_t pieces = 0;
                 end < windows.size() && (end == first || pieces + windows[end].pieces <= kGroup);)
                pieces += windows[end++].pieces;
            groups.push_back(std::span(windows).subspan(first, end - first));
        }
        std::atomic<std::size_t> next = 0;
        std::vector<std::exception_ptr> errors(std::max<std::size_t>(1, std::min(threads, groups.size())));
        const auto work = [&](std::size_t worker) {
            try {
                Space space;
                for (std::size_t g; (g = next++) < groups.size();) run(texts, groups[g], space);
            } catch (...) {
                errors[worker] = std::current_exception();
                next = groups.size();
            }
        };
        {
            std::vector<std::jthread> others;
            for (std::size_t worker = 1; worker < errors.size(); ++worker) others.emplace_back(work, worker);
            work(0);
        }
        for (const std::exception_ptr& error : errors)
            if (error) std::rethrow_exception(error);
        waiting.clear();
        for (const Window& window : windows) {
            EncodedText& answer = answers[window.text];
            const auto before = static_cast<std::uint32_t>(answer.words.size());
            for (const std::uint32_t end : window.answer.sentence_ends) answer.sentence_ends.push_back(before + end);
            answer.words.insert(answer.words.end(), window.answer.words.begin(), window.answer.words.end());
            if (window.goes_on) waiting.emplace_back(window.text, window.begin + window.answer.words.size());
        }
    }
    return answers;
}

}  // namespace assay::encode
