#include "compound/splitter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_set>

#include "text/unicode.hpp"

namespace assay {

namespace {

constexpr int kLongest = 200;        // characters: longer runs of letters are no words
constexpr int kLongestUnknown = 24;  // characters of a part that the lexicon does not have
constexpr int kUnknownTag = 7;

// Places of the dense features; the hashed ones follow.
enum : std::uint32_t {
    kSplit = 0,
    kGuessed = 1,
    kPart = 2,
    kEnding = 8,                    // + length, 8
    kLength = 16,                   // + 16 * last + length
    kFrequency = kLength + 32,      // + 16 * last + frequency
    kJoint = kFrequency + 32,       // + 256 * last + 16 * length + frequency
    kPair = kJoint + 512,           // + 8 * tag + tag
    kSource = kPair + 64,           // + 4 * last + stem + 2 * dictionary
    kLink = kSource + 8,            // + 8 * link + tag, 32 links
    kUnknown = kLink + 256,         // + 32 * last + length
    kWholeLength = kUnknown + 64,   // + length, 32
    kWhole = kWholeLength + 32,     // + frequency, 16
    kWholeJoint = kWhole + 16,      // + 32 * frequency + length
    kWholeTag = kWholeJoint + 512,  // + tag, 8
    kWholeSource = kWholeTag + 8,   // + kind, 4
    kWholeForm = kWholeSource + 4,  // + frequency, 16: known but for an ending
    kSmallest = kWholeForm + 16,    // + length, 16: shortest part, as in "many short parts"
    kDenseEnd = kSmallest + 16,
};
static_assert(kDenseEnd <= Splitter::kDense);

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
    h = (h ^ x) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 32;
}

std::uint32_t hashed(std::uint64_t h) {
    return static_cast<std::uint32_t>(Splitter::kDense + (h >> 20 & (Splitter::kHash - 1)));
}

bool joins(char32_t c) { return c == '-' || c == 0x2010 || c == 0x2011 || c == 0x200C; }

}  // namespace

std::vector<int> SplitCandidate::boundaries() const {
    std::vector<int> out;
    for (std::size_t i = 1; i < parts.size(); ++i) out.push_back(parts[i].begin);
    return out;
}

// A word in lower case, with the byte offset of every character in the original and in the lower-cased bytes.
struct Splitter::Text {
    std::vector<char32_t> chars;
    std::vector<int> original, at;
    std::string bytes;

    Text() = default;
    explicit Text(std::string_view word) { read(word); }
    void read(std::string_view word) {
        chars.clear();
        original.clear();
        at.clear();
        bytes.clear();
        for (std::size_t i = 0; i < word.size();) {
            original.push_back(static_cast<int>(i));
            const char32_t c = lower(next_char(word, i));
            chars.push_back(c);
            at.push_back(static_cast<int>(bytes.size()));
            append(bytes, c);
        }
        original.push_back(static_cast<int>(word.size()));
        at.push_back(static_cast<int>(bytes.size()));
    }
    int size() const { return static_cast<int>(chars.size()); }
    std::string_view part(int begin, int end) const {
        const auto b = static_cast<std::size_t>(at[static_cast<std::size_t>(begin)]);
        const auto e = static_cast<std::size_t>(at[static_cast<std::size_t>(end)]);
        return std::string_view(bytes).substr(b, e - b);
    }
    bool follows(int place, std::string_view text) const {
        return std::string_view(bytes)
            .substr(static_cast<std::size_t>(at[static_cast<std::size_t>(place)]))
            .starts_with(text);
    }
    char32_t operator[](int i) const { return chars[static_cast<std::size_t>(i)]; }
    bool letter(int i) const {
        const Group group = group_of(chars[static_cast<std::size_t>(i)]);
        return group == Group::Letter || group == Group::Mark;
    }
};

namespace {

// One way to reach a place: the last part, and the way before it.
struct Step {
    double score;
    int back;  // step, -1 at the beginning
    int next;  // another step that reaches the same place, -1: none
    int count, known;
    SplitPart part;
    bool unknown;
};

struct Match {
    int end;
    std::int64_t entry;
};

// Memory that is used again for every word.
struct Scratch {
    std::vector<Step> steps;
    std::vector<int> heads, finals, ending_at;
    std::vector<std::uint32_t> links_at;
    std::vector<double> boundary;
    std::vector<Match> matches;
};

Scratch& scratch() {
    thread_local Scratch memory;
    return memory;
}

}  // namespace

struct Splitter::Search {
    const Splitter& s;
    const Text& text;
    const int begin, end;
    const bool guess;
    const SplitLimits& limits;
    std::vector<Step>& steps;
    std::vector<int>& heads;               // first step that reaches a place, by place - begin; -1: none
    std::vector<int>& finals;              // steps that reach the end
    std::vector<double>& boundary;         // scores of places, NaN: not computed
    std::vector<int>& ending_at;           // length of the inflection that begins at a place, -1: none
    std::vector<std::uint32_t>& links_at;  // linking elements that stand at a place, a bit each; 0: not looked
    std::vector<Match>& known;

    Search(const Splitter& splitter, const Text& t, int b, int e, bool g)
        : s(splitter), text(t), begin(b), end(e), guess(g), limits(g ? s.rules_.guesser : s.rules_.lexical),
          steps(scratch().steps), heads(scratch().heads), finals(scratch().finals), boundary(scratch().boundary),
          ending_at(scratch().ending_at), links_at(scratch().links_at), known(scratch().matches) {
        const auto n = static_cast<std::size_t>(e - b + 1);
        steps.clear();
        finals.clear();
        heads.assign(n, -1);
        boundary.assign(n, std::numeric_limits<double>::quiet_NaN());
        ending_at.assign(n, -1);
        links_at.assign(n, 0);
        const std::string_view word = text.part(b, e);
        for (const std::string& ending : s.rules_.endings) {
            if (word.back() != ending.back() || !word.ends_with(ending) || word.size() == ending.size()) continue;
            int place = e;
            while (text.at[static_cast<std::size_t>(e)] - text.at[static_cast<std::size_t>(place)] <
                   static_cast<int>(ending.size()))
                --place;
            ending_at[static_cast<std::size_t>(place - b)] = e - place;
        }
    }

    // Character n-grams on both sides of a boundary.
    template <class Use>
    void boundary_features(int place, Use use) const {
        std::uint64_t left = 11, right = 13;
        std::uint64_t lefts[7], rights[7];
        lefts[0] = left;
        rights[0] = right;
        for (int k = 1; k <= 6; ++k) {
            left = mix(left, place - k >= begin ? text[place - k] : 1);
            right = mix(right, place + k - 1 < end ? text[place + k - 1] : 2);
            lefts[k] = left;
            rights[k] = right;
            use(hashed(mix(left, 100)));
            use(hashed(mix(right, 101)));
        }
        use(hashed(mix(mix(lefts[1], rights[1]), 102)));
        use(hashed(mix(mix(lefts[2], rights[1]), 103)));
        use(hashed(mix(mix(lefts[1], rights[2]), 104)));
        use(hashed(mix(mix(lefts[2], rights[2]), 105)));
        use(hashed(mix(mix(lefts[3], rights[3]), 106)));
    }
    double boundary_score(int place) {
        double& score = boundary[static_cast<std::size_t>(place - begin)];
        if (std::isnan(score)) {
            score = 0;
            boundary_features(place, [&](std::uint32_t f) { score += s.weight(f); });
        }
        return score;
    }
    // What a part adds by itself, beside its boundary, its linking element and the part before it.
    template <class Use>
    void part_features(const SplitPart& part, bool last, Use use) const {
        const int length = std::min(part.end - part.begin, 15);
        const std::uint32_t side = last ? 1 : 0;
        use(kPart);
        if (part.entry < 0) {
            use(kUnknown + 32 * side + static_cast<std::uint32_t>(std::min(part.end - part.begin, 31)));
        } else {
            const Entry entry = s.lexicon_.entry(static_cast<std::size_t>(part.entry));
            const auto f = static_cast<std::uint32_t>(entry.frequency());
            use(kLength + 16 * side + static_cast<std::uint32_t>(length));
            use(kFrequency + 16 * side + f);
            use(kJoint + 256 * side + 16 * static_cast<std::uint32_t>(length) + f);
            use(kSource + 4 * side + (entry.stem() ? 1u : 0u) + (entry.dictionary() ? 2u : 0u));
            std::uint64_t h = 17 + side;
            for (char c : text.part(part.begin, part.end)) h = mix(h, static_cast<unsigned char>(c));
            use(hashed(h));
        }
        if (part.end - part.begin < 4) use(kSmallest + static_cast<std::uint32_t>(part.end - part.begin));
    }
    double part_score(const SplitPart& part, bool last) const {
        double score = 0;
        part_features(part, last, [&](std::uint32_t f) { score += s.weight(f); });
        return score;
    }
    static std::uint32_t pair_feature(int before, int tag) {
        return kPair + 8 * static_cast<std::uint32_t>(before) + static_cast<std::uint32_t>(tag);
    }
    static std::uint32_t link_feature(std::size_t link, int tag) {
        return kLink + 8 * static_cast<std::uint32_t>(std::min<std::size_t>(link, 31)) +
               static_cast<std::uint32_t>(tag);
    }
    static std::uint32_t ending_feature(int ending) {
        return kEnding + static_cast<std::uint32_t>(std::min(ending, 7));
    }

    void matches(int from, std::vector<Match>& out) const {
        out.clear();
        Lexicon::State state;
        for (int i = from; i < end; ++i) {
            bool alive = true;
            for (int b = text.at[static_cast<std::size_t>(i)]; alive && b < text.at[static_cast<std::size_t>(i) + 1];
                 ++b)
                alive = s.lexicon_.step(state, static_cast<std::uint8_t>(text.bytes[static_cast<std::size_t>(b)]));
            if (!alive) break;
            if (!state.ends || state.number >= s.lexicon_.size() || i + 1 - from < limits.shortest_part) continue;
            if (!s.removed_.empty() && s.removed_[state.number]) continue;
            if (s.lexicon_.entry(state.number).whole()) continue;
            out.push_back({i + 1, static_cast<std::int64_t>(state.number)});
        }
    }

    // Adds a step, unless enough better ones reach the same place with as many parts and the same part of speech.
    void add(int place, const Step& step) {
        int& head = heads[static_cast<std::size_t>(place - begin)];
        int same = 0, worst = -1;
        for (int i = head; i >= 0; i = steps[static_cast<std::size_t>(i)].next) {
            const Step& other = steps[static_cast<std::size_t>(i)];
            if (other.part.tag != step.part.tag || other.count != step.count || other.unknown != step.unknown) continue;
            ++same;
            if (worst < 0 || other.score < steps[static_cast<std::size_t>(worst)].score) worst = i;
        }
        if (same < s.rules_.candidates) {
            steps.push_back(step);
            steps.back().next = head;
            head = static_cast<int>(steps.size()) - 1;
        } else if (step.score > steps[static_cast<std::size_t>(worst)].score) {
            // No step further on can have been made from the worst one yet: places are taken from left to right.
            const int next = steps[static_cast<std::size_t>(worst)].next;
            steps[static_cast<std::size_t>(worst)] = step;
            steps[static_cast<std::size_t>(worst)].next = next;
        }
    }

    // Extends every step that reaches the beginning of a part by it.
    void extend(SplitPart part, std::uint8_t tags) {
        const bool unknown = part.entry < 0, first = part.begin == begin;
        const bool stem = !unknown && s.lexicon_.entry(static_cast<std::size_t>(part.entry)).stem();
        const int ending = part.end == end ? 0 : ending_at[static_cast<std::size_t>(part.end - begin)];
        const bool may_end = !first && !stem && ending >= 0 && !(unknown && ending > 0);
        const double last_score =
            may_end ? part_score(part, true) + (ending > 0 ? s.weight(ending_feature(ending)) : 0.0) : 0.0;
        const double inner_score = part.end < end ? part_score(part, false) : 0.0;
        for (int b = first ? -1 : heads[static_cast<std::size_t>(part.begin - begin)];;) {
            const bool none = b < 0;
            const Step before =
                none ? Step{s.weight(kSplit) + (guess ? s.weight(kGuessed) : 0.0f), -1, -1, 0, 0, {}, false}
                     : steps[static_cast<std::size_t>(b)];
            if (before.count < limits.most_parts && !(unknown && before.unknown)) {
                Step step{0,    b,      -1, before.count + 1, before.known + (unknown ? 0 : part.end - part.begin),
                          part, unknown};
                for (std::uint8_t rest = tags; rest; rest = static_cast<std::uint8_t>(rest & (rest - 1))) {
                    const int tag = std::countr_zero(rest);
                    double base = before.score;
                    if (!none) {
                        if (!s.rules_.pairs[static_cast<std::size_t>(before.part.tag)][static_cast<std::size_t>(tag)])
                            continue;
                        base += s.weight(pair_feature(before.part.tag, tag));
                    }
                    step.part.tag = tag;
                    if (may_end) finish(step, base + last_score, ending);
                    if (part.end < end && step.count < limits.most_parts) go_on(step, base + inner_score);
                }
            }
            if (none || (b = before.next) < 0) break;
        }
    }
    void finish(Step step, double score, int ending) {
        if (step.known + ending < limits.least_cover * (end - begin)) return;
        step.part.ending = ending;
        step.score = score;
        steps.push_back(step);
        finals.push_back(static_cast<int>(steps.size()) - 1);
    }
    std::uint32_t links(int place) {
        std::uint32_t& bits = links_at[static_cast<std::size_t>(place - begin)];
        if (bits) return bits;
        bits = 1;  // the empty one
        for (std::size_t l = 1; l < s.rules_.links.size(); ++l)
            if (place + s.link_length_[l] < end && text.follows(place, s.rules_.links[l])) bits |= 1u << l;
        return bits;
    }
    void go_on(Step step, double score) {
        const int tail = step.part.end;
        std::uint32_t bits = tail - step.part.begin < limits.shortest_linked_part ? 1u : links(tail);
        for (; bits; bits &= bits - 1) {
            const auto l = static_cast<std::size_t>(std::countr_zero(bits));
            step.part.link = s.link_length_[l];
            step.score = score + s.weight(link_feature(l, step.part.tag)) + boundary_score(tail + step.part.link);
            add(tail + step.part.link, step);
        }
    }

    void run() {
        for (int from = begin; from < end; ++from) {
            if (from > begin && heads[static_cast<std::size_t>(from - begin)] < 0) continue;
            matches(from, known);
            for (const Match& match : known) {
                if (match.end == end && from == begin) continue;
                extend(SplitPart{from, match.end, 0, 0, match.entry, 0},
                       s.lexicon_.entry(static_cast<std::size_t>(match.entry)).tags());
            }
            if (!guess) continue;
            for (int to = from + limits.shortest_unknown; to <= std::min(end, from + kLongestUnknown); ++to) {
                if (to == end && from == begin) continue;
                if (std::any_of(known.begin(), known.end(), [&](const Match& m) { return m.end == to; })) continue;
                extend(SplitPart{from, to, 0, 0, -1, kUnknownTag}, 1u << kUnknownTag);
            }
        }
    }

    SplitCandidate candidate(int final_step) const {
        SplitCandidate out;
        out.score = steps[static_cast<std::size_t>(final_step)].score;
        for (int i = final_step; i >= 0; i = steps[static_cast<std::size_t>(i)].back) {
            out.parts.push_back(steps[static_cast<std::size_t>(i)].part);
            out.guessed |= steps[static_cast<std::size_t>(i)].unknown;
        }
        std::reverse(out.parts.begin(), out.parts.end());
        return out;
    }
    std::vector<std::uint32_t> features_of(const SplitCandidate& candidate) const {
        std::vector<std::uint32_t> out{kSplit};
        if (guess) out.push_back(kGuessed);
        const auto use = [&](std::uint32_t f) { out.push_back(f); };
        for (std::size_t i = 0; i < candidate.parts.size(); ++i) {
            const SplitPart& part = candidate.parts[i];
            const bool last = i + 1 == candidate.parts.size();
            int link = 0;
            for (std::size_t l = 1; part.link > 0 && l < s.rules_.links.size(); ++l)
                if (s.link_length_[l] == part.link && text.follows(part.end, s.rules_.links[l]))
                    link = static_cast<int>(l);
            part_features(part, last, use);
            if (i > 0) use(pair_feature(candidate.parts[i - 1].tag, part.tag));
            if (!last) use(link_feature(static_cast<std::size_t>(link), part.tag));
            if (last && part.ending > 0) use(ending_feature(part.ending));
            if (!last) boundary_features(candidate.parts[i + 1].begin, use);
        }
        return out;
    }
};

Splitter::Splitter(const Lexicon& lexicon, SplitRules rules, std::vector<float> weights)
    : lexicon_(lexicon), rules_(std::move(rules)), weights_(std::move(weights)) {
    if (weights_.size() != kWeights) throw std::invalid_argument("a model of another size");
    if (rules_.links.empty() || !rules_.links[0].empty() || rules_.links.size() > 32)
        throw std::invalid_argument("up to 32 linking elements, the empty one first");
    for (SplitLimits* limits : {&rules_.lexical, &rules_.guesser}) {
        limits->shortest_unknown = std::max(limits->shortest_unknown, 1);
        limits->shortest_part = std::max(limits->shortest_part, 1);
    }
    rules_.candidates = std::clamp(rules_.candidates, 1, 64);
    for (const std::string& link : rules_.links)
        link_length_.push_back(static_cast<int>(std::count_if(
            link.begin(), link.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; })));
}

void Splitter::set_guesser(const SplitLimits& limits) {
    rules_.guesser = limits;
    rules_.guesser.shortest_unknown = std::max(limits.shortest_unknown, 1);
    rules_.guesser.shortest_part = std::max(limits.shortest_part, 1);
}

std::size_t Splitter::remove(const std::vector<std::string>& lemmas) {
    const std::unordered_set<std::string> set(lemmas.begin(), lemmas.end());
    removed_.assign(lexicon_.size(), 0);
    std::size_t count = 0;
    lexicon_.each([&](std::string_view form, std::size_t index) {
        if (index >= removed_.size()) return;
        std::string lemma;
        const std::string made = lexicon_.lemma(form, index);
        for (std::size_t i = 0; i < made.size();) append(lemma, lower(next_char(made, i)));
        if (set.contains(lemma) || set.contains(std::string(form))) count += removed_[index] = 1;
    });
    return count;
}

SplitCandidate Splitter::unsplit(const Text& text, int begin, int end, bool features) const {
    SplitCandidate out;
    const std::string_view word = text.part(begin, end);
    SplitPart whole{begin, end, 0, 0, lexicon_.find(word), kUnknownTag};
    if (whole.entry >= 0 && !removed_.empty() && removed_[static_cast<std::size_t>(whole.entry)]) whole.entry = -1;
    const auto use = [&](std::uint32_t f) {
        out.score += weight(f);
        if (features) out.features.push_back(f);
    };
    const auto length = static_cast<std::uint32_t>(std::min(end - begin, 31));
    use(kWholeLength + length);
    std::uint32_t frequency = 0;
    if (whole.entry >= 0) {
        const Entry entry = lexicon_.entry(static_cast<std::size_t>(whole.entry));
        frequency = static_cast<std::uint32_t>(entry.frequency());
        for (std::uint8_t rest = entry.tags(); rest; rest = static_cast<std::uint8_t>(rest & (rest - 1)))
            use(kWholeTag + static_cast<std::uint32_t>(std::countr_zero(rest)));
        use(kWholeSource + (entry.stem() ? 1u : 0u) + (entry.dictionary() ? 2u : 0u));
        whole.tag = entry.tags() ? std::countr_zero(entry.tags()) : kUnknownTag;
    } else {
        int best = -1;
        for (const std::string& ending : rules_.endings) {
            if (word.back() != ending.back() || !word.ends_with(ending) || word.size() < ending.size() + 3) continue;
            const std::int64_t stem = lexicon_.find(word.substr(0, word.size() - ending.size()));
            if (stem >= 0) best = std::max(best, lexicon_.entry(static_cast<std::size_t>(stem)).frequency());
        }
        if (best >= 0) use(kWholeForm + static_cast<std::uint32_t>(best));
    }
    use(kWhole + frequency);
    use(kWholeJoint + 32 * frequency + length);
    std::uint64_t head = 31, tail = 37;
    for (int k = 1; k <= 5 && k <= end - begin; ++k) {
        head = mix(head, text[begin + k - 1]);
        tail = mix(tail, text[end - k]);
        if (k > 1) use(hashed(head));
        if (k > 1) use(hashed(tail));
    }
    out.parts.push_back(whole);
    return out;
}

namespace {

void keep_best(std::vector<SplitCandidate>& candidates, std::size_t most) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const SplitCandidate& a, const SplitCandidate& b) { return a.score > b.score; });
    std::vector<SplitCandidate> kept;
    for (SplitCandidate& candidate : candidates) {
        if (kept.size() == most) break;
        const auto same = [&](const SplitCandidate& other) { return other.boundaries() == candidate.boundaries(); };
        if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(std::move(candidate));
    }
    candidates = std::move(kept);
}

}  // namespace

std::vector<SplitCandidate> Splitter::search(const Text& text, int begin, int end, bool guess, bool features) const {
    const SplitLimits& limits = guess ? rules_.guesser : rules_.lexical;
    if (end - begin < limits.shortest_word || end - begin > kLongest) return {};
    Search search(*this, text, begin, end, guess);
    search.run();
    const auto most = static_cast<std::size_t>(rules_.candidates);
    std::vector<int>& finals = search.finals;
    const auto better = [&](int a, int b) {
        return search.steps[static_cast<std::size_t>(a)].score > search.steps[static_cast<std::size_t>(b)].score;
    };
    if (most == 1 && !finals.empty()) finals = {*std::min_element(finals.begin(), finals.end(), better)};
    else std::stable_sort(finals.begin(), finals.end(), better);
    std::vector<SplitCandidate> out;
    for (int i : finals) {
        if (out.size() == most) break;
        SplitCandidate made = search.candidate(i);
        const std::vector<int> places = made.boundaries();
        if (std::any_of(out.begin(), out.end(), [&](const SplitCandidate& o) { return o.boundaries() == places; }))
            continue;
        if (features) made.features = search.features_of(made);
        out.push_back(std::move(made));
    }
    return out;
}

// The paper's order: longest first part, then longest second, ...; the first cover found within the limits.
std::vector<SplitCandidate> Splitter::longest(const Text& text, int begin, int end) const {
    std::vector<SplitCandidate> out;
    for (const bool guess : {false, true}) {
        const SplitLimits& limits = guess ? rules_.guesser : rules_.lexical;
        if ((guess && !rules_.guess) || end - begin < limits.shortest_word || end - begin > kLongest) continue;
        Search search(*this, text, begin, end, guess);
        std::vector<SplitPart> parts;
        // Dead ends by place, number of parts, part of speech before, and whether that was unknown.
        std::unordered_set<std::uint32_t> dead;
        auto walk = [&](auto&& self, int from, int known, bool unknown) -> bool {
            const int left = parts.empty() ? -1 : parts.back().tag;
            const auto count = static_cast<int>(parts.size());
            if (count >= limits.most_parts) return false;
            const auto state =
                static_cast<std::uint32_t>(((from * 64 + count) * 16 + left + 1) * 2 + (unknown ? 1 : 0));
            if (dead.contains(state)) return false;
            std::vector<Match> found;
            search.matches(from, found);
            auto attempt = [&](SplitPart part, std::uint8_t tags) -> bool {
                for (std::uint8_t rest = tags; rest; rest = static_cast<std::uint8_t>(rest & (rest - 1))) {
                    part.tag = std::countr_zero(rest);
                    if (left >= 0 && !rules_.pairs[static_cast<std::size_t>(left)][static_cast<std::size_t>(part.tag)])
                        continue;
                    const bool stem = part.entry >= 0 && lexicon_.entry(static_cast<std::size_t>(part.entry)).stem();
                    const int now = known + (part.entry >= 0 ? part.end - part.begin : 0);
                    const int tail = part.end == end ? 0 : search.ending_at[static_cast<std::size_t>(part.end - begin)];
                    if (count > 0 && !stem && tail >= 0 && !(part.entry < 0 && tail > 0) &&
                        now + tail >= limits.least_cover * (end - begin)) {
                        part.ending = tail;
                        parts.push_back(part);
                        return true;
                    }
                    for (std::size_t l = 0; l < rules_.links.size(); ++l) {
                        const int next = part.end + link_length_[l];
                        if (next >= end || (l > 0 && !text.follows(part.end, rules_.links[l]))) continue;
                        if (l > 0 && part.end - part.begin < limits.shortest_linked_part) continue;
                        part.link = link_length_[l];
                        part.ending = 0;
                        parts.push_back(part);
                        if (self(self, next, now, part.entry < 0)) return true;
                        parts.pop_back();
                    }
                }
                return false;
            };
            for (std::size_t m = found.size(); m-- > 0;) {
                if (found[m].end == end && from == begin) continue;
                const SplitPart part{from, found[m].end, 0, 0, found[m].entry, 0};
                if (attempt(part, lexicon_.entry(static_cast<std::size_t>(found[m].entry)).tags())) return true;
            }
            for (int to = std::min(end, from + kLongestUnknown);
                 guess && !unknown && to >= from + limits.shortest_unknown; --to) {
                if (to == end && from == begin) continue;
                if (attempt(SplitPart{from, to, 0, 0, -1, kUnknownTag}, 1u << kUnknownTag)) return true;
            }
            dead.insert(state);
            return false;
        };
        if (walk(walk, begin, 0, false)) {
            SplitCandidate made;
            made.parts = parts;
            made.guessed = std::any_of(parts.begin(), parts.end(), [](const SplitPart& p) { return p.entry < 0; });
            out.push_back(std::move(made));
            return out;
        }
    }
    return out;
}

// The candidates of one run of letters: splits and the run as it is, best first.
std::vector<SplitCandidate> Splitter::decide(const Text& text, int begin, int end, bool features) const {
    if (rules_.by_length) {
        std::vector<SplitCandidate> out = longest(text, begin, end);
        if (out.empty()) out.push_back(unsplit(text, begin, end, features));
        return out;
    }
    const auto most = static_cast<std::size_t>(rules_.candidates);
    // Short words are most of a text: too short for the guesser too, they need no score.
    if (most == 1 && !features && end - begin < std::min(rules_.lexical.shortest_word, rules_.guesser.shortest_word))
        return {SplitCandidate{{SplitPart{begin, end, 0, 0, -1, kUnknownTag}}, 0, false, {}}};
    std::vector<SplitCandidate> splits = search(text, begin, end, false, features);
    SplitCandidate whole = unsplit(text, begin, end, features);
    // The guesser is asked where the lexicon has no answer that the model accepts; where every word is a compound, and
    // to learn from, it always is.
    if (rules_.guess && (features || !rules_.refuse || splits.empty() || splits[0].score < whole.score)) {
        std::vector<SplitCandidate> more = search(text, begin, end, true, features);
        std::move(more.begin(), more.end(), std::back_inserter(splits));
        if (splits.size() > 1) keep_best(splits, most);
    }
    if (splits.empty() || (most == 1 && rules_.refuse && splits[0].score < whole.score)) {
        splits.assign(1, std::move(whole));
    } else if (rules_.refuse && most > 1) {
        splits.push_back(std::move(whole));
        keep_best(splits, most + 1);
    }
    return splits;
}

// The runs of letters of a word that the hyphens and other marks leave.
SplitWord Splitter::split(std::string_view word, bool features) const { return {candidates(Text(word), features)}; }

std::vector<SplitCandidate> Splitter::candidates(const Text& text, bool features) const {
    const auto most = static_cast<std::size_t>(rules_.candidates) + 1;
    const int n = text.size();
    std::vector<SplitCandidate> ways;
    for (int i = 0; i < n; ++i) {
        if (!text.letter(i)) continue;
        int end = i + 1;
        while (end < n && text.letter(end)) ++end;
        std::vector<SplitCandidate> runs = decide(text, i, end, features);
        ways = ways.empty() ? std::move(runs) : join(ways, runs, most);
        i = end;
    }
    for (SplitCandidate& way : ways)
        if (n > 0 && way.parts.size() > 1) merge(text, way);
    return ways;
}

// Every way of the runs before with every way of this one, best first.
std::vector<SplitCandidate> Splitter::join(const std::vector<SplitCandidate>& ways,
                                           const std::vector<SplitCandidate>& runs, std::size_t most) {
    std::vector<SplitCandidate> out;
    for (const SplitCandidate& way : ways)
        for (const SplitCandidate& run : runs) {
            SplitCandidate both = way;
            both.parts.insert(both.parts.end(), run.parts.begin(), run.parts.end());
            both.features.insert(both.features.end(), run.features.begin(), run.features.end());
            both.score += run.score;
            both.guessed |= run.guessed;
            out.push_back(std::move(both));
        }
    std::stable_sort(out.begin(), out.end(),
                     [](const SplitCandidate& a, const SplitCandidate& b) { return a.score > b.score; });
    if (out.size() > most) out.resize(most);
    return out;
}

// Parts that something else than letters divides are one, unless it is a hyphen that counts as a boundary.
void Splitter::merge(const Text& text, SplitCandidate& way) const {
    std::vector<SplitPart> parts;
    for (const SplitPart& part : way.parts) {
        if (!parts.empty()) {
            SplitPart& last = parts.back();
            const int gap = last.end + last.link + last.ending;
            const bool hyphen = rules_.hyphens && part.begin == gap + 1 && joins(text[gap]);
            if (hyphen) last.link += 1;
            else if (part.begin > gap) {
                last = {last.begin, part.end, part.link, part.ending, -1, kUnknownTag};
                continue;
            }
        }
        parts.push_back(part);
    }
    way.parts = std::move(parts);
}

void Splitter::mark(std::string_view word, std::string_view sign, std::string& out) const {
    thread_local Text text;  // its memory is used again for the next word
    text.read(word);
    const std::vector<SplitCandidate> ways = candidates(text, false);
    std::size_t done = 0;
    if (!ways.empty())
        for (std::size_t i = 1; i < ways[0].parts.size(); ++i) {
            const int place = ways[0].parts[i].begin;
            const auto to = static_cast<std::size_t>(text.original[static_cast<std::size_t>(place)]);
            out += word.substr(done, to - done);
            out += sign;
            done = to;
        }
    out += word.substr(done);
}

std::vector<std::vector<int>> Splitter::covers(std::string_view word, std::size_t most) const {
    const Text text(word);
    const int end = text.size();
    if (end < rules_.lexical.shortest_word || end > kLongest) return {};
    Search search(*this, text, 0, end, false);
    std::vector<std::vector<int>> out;
    std::vector<int> places;
    auto walk = [&](auto&& self, int from, int count, int left) -> void {
        if (out.size() >= most || count >= rules_.lexical.most_parts) return;
        std::vector<Match> found;
        search.matches(from, found);
        for (const Match& match : found) {
            const Entry entry = lexicon_.entry(static_cast<std::size_t>(match.entry));
            for (std::uint8_t rest = entry.tags(); rest; rest = static_cast<std::uint8_t>(rest & (rest - 1))) {
                const int tag = std::countr_zero(rest);
                if (left >= 0 && !rules_.pairs[static_cast<std::size_t>(left)][static_cast<std::size_t>(tag)]) continue;
                const int tail = match.end == end ? 0 : search.ending_at[static_cast<std::size_t>(match.end)];
                if (count > 0 && !entry.stem() && tail >= 0) out.push_back(places);
                for (std::size_t l = 0; l < rules_.links.size(); ++l) {
                    const int next = match.end + link_length_[l];
                    if (next >= end || (l > 0 && !text.follows(match.end, rules_.links[l]))) continue;
                    if (l > 0 && match.end - from < rules_.lexical.shortest_linked_part) continue;
                    places.push_back(next);
                    self(self, next, count + 1, tag);
                    places.pop_back();
                }
            }
        }
    };
    walk(walk, 0, 0, -1);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace assay
