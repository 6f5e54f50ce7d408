#include "parse/parser.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <thread>

#include "parse/beam.hpp"

namespace assay::parse {
namespace {

constexpr std::size_t kMostTypes = 20000;     // that a thread remembers, 4 KB each; then it begins anew
constexpr std::size_t kMostStretches = 60000;
constexpr std::size_t kMostLemmas = 200000;
constexpr std::size_t kNarrowest = 16;  // states; a narrower beam finds too few different trees
constexpr std::size_t kLong = 150;      // words; the work grows with the square, so longer sentences get the narrowest
constexpr float kLowest = std::numeric_limits<float>::lowest();

// The first of n values that is the greatest.
std::size_t find_max(const Kernels& code, const float* values, std::size_t n) {
    const float most = code.max(values, n);
    return static_cast<std::size_t>(std::find(values, values + n - 1, most) - values);
}

void forget_much(Workspace& space) {
    if (space.memory.types.size() > kMostTypes || space.memory.stretches.size() > kMostStretches ||
        space.lemmas.size() > kMostLemmas || space.lemma_ids.size() > kMostLemmas) {
        space.memory = {};
        space.vectors.clear();
        space.lemma_ids.clear();
        space.lemmas.clear();
    }
}

}  // namespace

// Collects what is said of texts; a string is written once.
class Parser::Answer {
public:
    Answer(const Model& model, const Workspace& space) : model_(model), space_(space) {}

    void add(const std::vector<Token>& tokens, const Tagged* tagged, const Tree& tree) {
        std::int32_t sentence = 0;
        const auto n = static_cast<std::int32_t>(tokens.size());
        for (std::int32_t i = 0; i < n; ++i) {
            if (i > 0 && tree.starts[i]) {
                parsed_.sentence_ends.push_back(static_cast<std::uint32_t>(parsed_.words.size()));
                sentence = i;
            }
            const std::int32_t head = tree.heads[i];
            parsed_.words.push_back({form(tokens[i].type), lemma(tokens[i].type, tagged[i].lemma), tagged[i].tag,
                                     tagged[i].morph, tree.labels[i], head == i, head == i ? -1 : head - sentence,
                                     tokens[i].start});
        }
        if (n) parsed_.sentence_ends.push_back(static_cast<std::uint32_t>(parsed_.words.size()));
        parsed_.text_ends.push_back(static_cast<std::uint32_t>(parsed_.sentence_ends.size()));
    }

    Parsed finish() { return std::move(parsed_); }

private:
    static constexpr std::uint32_t kNew = 0xffffffff;

    std::uint32_t write(std::string string) {
        parsed_.strings.push_back(std::move(string));
        return static_cast<std::uint32_t>(parsed_.strings.size() - 1);
    }

    std::uint32_t form(std::uint32_t type) {
        if (type >= forms_.size()) forms_.resize(space_.memory.types.size(), kNew);
        if (forms_[type] == kNew) forms_[type] = write(space_.memory.types[type].form);
        return forms_[type];
    }

    std::uint32_t lemma(std::uint32_t type, std::int32_t number) {
        if (number < 0) return form(type);
        if (static_cast<std::size_t>(number) >= lemmas_.size()) lemmas_.resize(space_.lemmas.size(), kNew);
        std::uint32_t& place = lemmas_[static_cast<std::size_t>(number)];
        if (place == kNew) {
            const std::string& text = space_.lemmas[static_cast<std::size_t>(number)];
            const Lexicon& lexicon = model_.tokenizer->lexicon();
            place = write(text.empty() ? encode(lexicon.alphabet().lower(decode(space_.memory.types[type].form))) : text);
        }
        return place;
    }

    const Model& model_;
    const Workspace& space_;
    Parsed parsed_;
    std::vector<std::uint32_t> forms_, lemmas_;
};

Parser::Parser(Model model, std::string_view code) : model_(std::move(model)), code_(kernels(code)) {}

std::unique_ptr<Workspace> Parser::take() const {
    const std::lock_guard lock(turn_);
    if (idle_.empty()) return std::make_unique<Workspace>();
    auto space = std::move(idle_.back());
    idle_.pop_back();
    return space;
}

void Parser::give_back(std::unique_ptr<Workspace> space) const {
    const std::lock_guard lock(turn_);
    idle_.push_back(std::move(space));
}

std::vector<Parsed> Parser::parse(const std::vector<std::string_view>& texts, std::size_t threads) const {
    const std::size_t groups = (texts.size() + kGroup - 1) / kGroup;
    std::vector<Parsed> answers(groups);
    std::atomic<std::size_t> next = 0;
    std::vector<std::exception_ptr> errors(std::max<std::size_t>(1, std::min(threads, groups)));
    const auto work = [&](std::size_t worker) {
        try {
            auto space = take();
            for (std::size_t g; (g = next++) < groups;) {
                const std::size_t first = g * kGroup, n = std::min(kGroup, texts.size() - first);
                answers[g] = parse_group(texts.data() + first, n, *space);
            }
            give_back(std::move(space));
        } catch (...) {
            errors[worker] = std::current_exception();
            next = groups;
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t worker = 1; worker < errors.size(); ++worker) others.emplace_back(work, worker);
        work(0);
    }
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
    return answers;
}

Parsed Parser::parse_group(const std::string_view* texts, std::size_t n, Workspace& space) const {
    forget_much(space);
    std::vector<std::vector<Token>> tokens(n);
    std::vector<std::vector<std::uint32_t>> types(n);
    for (std::size_t t = 0; t < n; ++t) {
        tokens[t] = model_.tokenizer->tokenize(texts[t], space.memory);
        for (const Token& token : tokens[t]) types[t].push_back(token.type);
    }
    space.vectors.extend(model_.network, code_, space.memory.types);
    encode_texts(model_.network, code_, space.vectors, types, space.scratch, space.encoded);
    Answer answer(model_, space);
    std::vector<Tagged> tagged;
    for (std::size_t t = 0; t < n; ++t) {
        const float* vectors = space.encoded.row(space.encoded.starts[t]);
        tag(types[t].size(), types[t], vectors, space, tagged);
        prepare(vectors, types[t].size(), space);
        space.state.start(static_cast<std::int32_t>(types[t].size()), false);
        run_greedily(space.state, space);
        Tree tree = read_tree(space.state, model_.root);
        finish_tree(tree, model_.labels, find_spaces(types[t], space));
        answer.add(tokens[t], tagged.data(), tree);
    }
    return answer.finish();
}

std::vector<bool> Parser::find_spaces(const std::vector<std::uint32_t>& types, const Workspace& space) const {
    std::vector<bool> spaces(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) spaces[i] = space.memory.types[types[i]].is_space;
    return spaces;
}

void Parser::tag(std::size_t rows, const std::vector<std::uint32_t>& types, const float* vectors, Workspace& space,
                 std::vector<Tagged>& tagged) const {
    const Network& network = model_.network;
    const std::size_t stride = network.labels.stride();
    constexpr std::size_t kAtOnce = 48;
    std::vector<float>& scores = space.scratch.scores;
    scores.resize(std::max(scores.size(), kAtOnce * stride));
    tagged.resize(rows);
    for (std::size_t first = 0; first < rows; first += kAtOnce) {
        const std::size_t some = std::min(kAtOnce, rows - first);
        code_.multiply(vectors + first * kWidth, kWidth, some, network.labels, scores.data());
        for (std::size_t r = 0; r < some; ++r) {
            float* row = scores.data() + r * stride;
            const float* morphs = row + network.first_morph;
            const std::size_t tag = find_max(code_, row, network.first_morph);
            const std::size_t morph = find_max(code_, morphs, network.first_lemma - network.first_morph);
            tagged[first + r] = {static_cast<std::uint16_t>(std::min(tag, network.tags - 1)),
                                 static_cast<std::uint16_t>(std::min(morph, network.morphs - 1)),
                                 find_lemma(types[first + r], row + network.first_lemma, space)};
        }
    }
}

// The first of the three best trees that fits the form.
std::int32_t Parser::find_lemma(std::uint32_t type, float* scores, Workspace& space) const {
    const std::size_t n = model_.network.labels.stride() - model_.network.first_lemma;
    for (int choice = 0; choice < 3; ++choice) {
        const std::size_t label = std::min(find_max(code_, scores, n), model_.lemma_trees.size() - 1);
        const auto [place, fresh] = space.lemma_ids.try_emplace(static_cast<std::uint64_t>(type) << 32 | label, -1);
        if (fresh) {
            const std::u32string form = decode(space.memory.types[type].form);
            if (const auto lemma = apply_tree(model_.trees, model_.lemma_trees[label], form)) {
                place->second = static_cast<std::int32_t>(space.lemmas.size());
                space.lemmas.push_back(encode(*lemma));
            }
        }
        if (place->second >= 0) return place->second;
        scores[label] = kLowest;
    }
    return -1;
}

// What each word gives to each place of a state.
void Parser::prepare(const float* vectors, std::size_t words, Workspace& space) const {
    const Network& network = model_.network;
    std::vector<float>& narrow = space.scratch.narrow;
    narrow.resize(std::max(narrow.size(), words * network.narrow.stride()));
    space.lower.resize(std::max(space.lower.size(), words * network.lower.stride()));
    code_.multiply(vectors, kWidth, words, network.narrow, narrow.data());
    code_.multiply(narrow.data(), network.narrow.stride(), words, network.lower, space.lower.data());
}

// The scores of the transitions of some states, a row for each.
void Parser::score(const State* const* states, std::size_t n, Workspace& space) const {
    const Network& network = model_.network;
    space.hidden.resize(std::max(space.hidden.size(), n * kStateWidth));
    space.scores.resize(std::max(space.scores.size(), n * network.upper.stride()));
    for (std::size_t s = 0; s < n; ++s) {
        std::int32_t words[kFeatures];
        states[s]->features(words);
        float sums[2 * kStateWidth];
        std::copy(network.lower_bias.begin(), network.lower_bias.end(), sums);
        for (std::size_t f = 0; f < kFeatures; ++f) {
            const float* row = words[f] < 0 ? network.pad.data()
                                            : space.lower.data() + static_cast<std::size_t>(words[f]) * network.lower.stride();
            code_.add(row + f * 2 * kStateWidth, 2 * kStateWidth, sums);
        }
        code_.max_halves(sums, kStateWidth, space.hidden.data() + s * kStateWidth);
    }
    code_.multiply(space.hidden.data(), kStateWidth, n, network.upper, space.scores.data());
}

void Parser::run_greedily(State& state, Workspace& space) const {
    const std::vector<Transition>& transitions = model_.transitions;
    const State* states[] = {&state};
    while (!state.is_final()) {
        score(states, 1, space);
        bool allowed[kMoves];
        state.allow(allowed);
        std::size_t best = transitions.size();
        for (std::size_t k = 0; k < transitions.size(); ++k)
            if (allowed[transitions[k].move] && (best == transitions.size() || space.scores[k] > space.scores[best]))
                best = k;
        if (best == transitions.size()) state.force_final();
        else state.apply(transitions[best]);
    }
}

std::pair<Parsed, std::vector<std::vector<ScoredTree>>> Parser::parse_best(std::string_view text, std::size_t n) const {
    auto space = take();
    std::pair<Parsed, std::vector<std::vector<ScoredTree>>> best;
    best.first = parse_group(&text, 1, *space);
    const std::vector<Token> tokens = model_.tokenizer->tokenize(text, space->memory);
    std::size_t start = 0;
    for (const std::uint32_t end : best.first.sentence_ends) {
        std::vector<std::uint32_t> types;
        for (; start < end; ++start) types.push_back(tokens[start].type);
        best.second.push_back(run_beam(types, n, *space));
    }
    give_back(std::move(space));
    return best;
}

std::vector<ScoredTree> Parser::run_beam(const std::vector<std::uint32_t>& types, std::size_t n,
                                         Workspace& space) const {
    encode_texts(model_.network, code_, space.vectors, {types}, space.scratch, space.encoded);
    prepare(space.encoded.row(space.encoded.starts[0]), types.size(), space);
    const std::size_t width = types.size() > kLong ? kNarrowest : std::max(kNarrowest, n + n / 2);
    const std::size_t stride = model_.network.upper.stride(), moves = model_.transitions.size();
    Beam beam(static_cast<std::int32_t>(types.size()), width);
    std::vector<const State*> states;
    std::vector<const float*> rows;
    while (!beam.is_done()) {
        states.clear();
        rows.assign(beam.size(), nullptr);
        for (std::size_t i = 0; i < beam.size(); ++i)
            if (!beam.state(i).is_final()) states.push_back(&beam.state(i));
        score(states.data(), states.size(), space);
        for (std::size_t i = 0, row = 0; i < beam.size(); ++i) {
            if (beam.state(i).is_final()) continue;
            float* scores = space.scores.data() + row++ * stride;
            const float most = *std::max_element(scores, scores + moves);
            float sum = 0;
            for (std::size_t k = 0; k < moves; ++k) sum += std::exp(scores[k] - most);
            const float norm = std::log(sum);
            for (std::size_t k = 0; k < moves; ++k) scores[k] = scores[k] - most - norm;
            rows[i] = scores;
        }
        beam.advance(rows, model_.transitions);
    }
    // The shares of the states; several may have built the same tree.
    double most = beam.score(0), sum = 0;
    for (std::size_t i = 0; i < beam.size(); ++i) most = std::max(most, beam.score(i));
    for (std::size_t i = 0; i < beam.size(); ++i) sum += std::exp(beam.score(i) - most);
    std::vector<ScoredTree> trees;
    for (std::size_t i = 0; i < beam.size(); ++i) {
        if (!beam.state(i).is_final() || !beam.state(i).has_arcs()) continue;
        Tree tree = read_tree(beam.state(i), model_.root);
        const double share = std::exp(beam.score(i) - most) / sum;
        const auto same = std::find_if(trees.begin(), trees.end(), [&](const ScoredTree& t) { return t.tree == tree; });
        if (same == trees.end()) trees.push_back({share, std::move(tree)});
        else same->score += share;
    }
    if (trees.empty()) {  // a single word
        State state;
        state.start(static_cast<std::int32_t>(types.size()), true);
        trees.push_back({1.0, read_tree(state, model_.root)});
    }
    std::stable_sort(trees.begin(), trees.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    trees.resize(std::min(trees.size(), n));
    const std::vector<bool> spaces = find_spaces(types, space);
    for (ScoredTree& scored : trees) {
        scored.score = std::log(std::max(scored.score, 1e-300));
        finish_tree(scored.tree, model_.labels, spaces);
    }
    return trees;
}

}  // namespace assay::parse
