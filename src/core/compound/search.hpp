// The search for covers of a word: steps from place to place, by the entries of the lexicon and by guesses.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "compound/features.hpp"
#include "compound/text.hpp"

namespace assay {

namespace compound {

constexpr int kLongest = 200;        // characters: longer runs of letters are no words
constexpr int kLongestUnknown = 24;  // characters of a part that the lexicon does not have

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

inline Scratch& scratch() {
    thread_local Scratch memory;
    return memory;
}

}  // namespace compound

struct Splitter::Search {
    const Splitter& s;
    const Text& text;
    const int begin, end;
    const bool guess;
    const SplitLimits& limits;
    std::vector<compound::Step>& steps;
    std::vector<int>& heads;               // first step that reaches a place, by place - begin; -1: none
    std::vector<int>& finals;              // steps that reach the end
    std::vector<double>& boundary;         // scores of places, NaN: not computed
    std::vector<int>& ending_at;           // length of the inflection that begins at a place, -1: none
    std::vector<std::uint32_t>& links_at;  // linking elements that stand at a place, a bit each; 0: not looked
    std::vector<compound::Match>& known;

    Search(const Splitter& splitter, const Text& t, int b, int e, bool g)
        : s(splitter), text(t), begin(b), end(e), guess(g), limits(g ? s.rules_.guesser : s.rules_.lexical),
          steps(compound::scratch().steps), heads(compound::scratch().heads), finals(compound::scratch().finals),
          boundary(compound::scratch().boundary), ending_at(compound::scratch().ending_at),
          links_at(compound::scratch().links_at), known(compound::scratch().matches) {
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

    double boundary_score(int place) {
        double& score = boundary[static_cast<std::size_t>(place - begin)];
        if (std::isnan(score)) {
            score = 0;
            compound::boundary_features(text, begin, end, place, [&](std::uint32_t f) { score += s.weight(f); });
        }
        return score;
    }
    // What a part adds by itself, beside its boundary, its linking element and the part before it.
    template <class Use>
    void part_features(const SplitPart& part, bool last, Use use) const {
        const int length = std::min(part.end - part.begin, 15);
        const std::uint32_t side = last ? 1 : 0;
        use(compound::kPart);
        if (part.entry < 0) {
            use(compound::kUnknown + 32 * side + static_cast<std::uint32_t>(std::min(part.end - part.begin, 31)));
        } else {
            const Entry entry = s.lexicon_.entry(static_cast<std::size_t>(part.entry));
            const auto f = static_cast<std::uint32_t>(entry.frequency());
            use(compound::kLength + 16 * side + static_cast<std::uint32_t>(length));
            use(compound::kFrequency + 16 * side + f);
            use(compound::kJoint + 256 * side + 16 * static_cast<std::uint32_t>(length) + f);
            use(compound::kSource + 4 * side + (entry.stem() ? 1u : 0u) + (entry.dictionary() ? 2u : 0u));
            std::uint64_t h = 17 + side;
            for (char c : text.part(part.begin, part.end)) h = compound::mix(h, static_cast<unsigned char>(c));
            use(compound::hashed(h));
        }
        if (part.end - part.begin < 4) use(compound::kSmallest + static_cast<std::uint32_t>(part.end - part.begin));
    }
    double part_score(const SplitPart& part, bool last) const {
        double score = 0;
        part_features(part, last, [&](std::uint32_t f) { score += s.weight(f); });
        return score;
    }
    // A model that was fitted without parts of speech takes every part for unknown.
    int model_tag(int tag) const { return s.rules_.tagged ? tag : compound::kUnknownTag; }

    void matches(int from, std::vector<compound::Match>& out) const {
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
    void add(int place, const compound::Step& step) {
        int& head = heads[static_cast<std::size_t>(place - begin)];
        int same = 0, worst = -1;
        for (int i = head; i >= 0; i = steps[static_cast<std::size_t>(i)].next) {
            const compound::Step& other = steps[static_cast<std::size_t>(i)];
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
            may_end ? part_score(part, true) + (ending > 0 ? s.weight(compound::ending_feature(ending)) : 0.0) : 0.0;
        const double inner_score = part.end < end ? part_score(part, false) : 0.0;
        for (int b = first ? -1 : heads[static_cast<std::size_t>(part.begin - begin)];;) {
            const bool none = b < 0;
            const compound::Step before =
                none ? compound::Step{s.weight(compound::kSplit) + (guess ? s.weight(compound::kGuessed) : 0.0f),
                                      -1,
                                      -1,
                                      0,
                                      0,
                                      {},
                                      false}
                     : steps[static_cast<std::size_t>(b)];
            if (before.count < limits.most_parts && !(unknown && before.unknown)) {
                compound::Step step{
                    0, b, -1, before.count + 1, before.known + (unknown ? 0 : part.end - part.begin), part, unknown};
                for (std::uint8_t rest = tags; rest; rest = static_cast<std::uint8_t>(rest & (rest - 1))) {
                    const int tag = std::countr_zero(rest);
                    double base = before.score;
                    if (!none) {
                        if (!s.rules_.pairs[static_cast<std::size_t>(before.part.tag)][static_cast<std::size_t>(tag)])
                            continue;
                        base += s.weight(compound::pair_feature(model_tag(before.part.tag), model_tag(tag)));
                    }
                    step.part.tag = tag;
                    if (may_end) finish(step, base + last_score, ending);
                    if (part.end < end && step.count < limits.most_parts) go_on(step, base + inner_score);
                }
            }
            if (none || (b = before.next) < 0) break;
        }
    }
    void finish(compound::Step step, double score, int ending) {
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
    void go_on(compound::Step step, double score) {
        const int tail = step.part.end;
        std::uint32_t bits = tail - step.part.begin < limits.shortest_linked_part ? 1u : links(tail);
        for (; bits; bits &= bits - 1) {
            const auto l = static_cast<std::size_t>(std::countr_zero(bits));
            step.part.link = s.link_length_[l];
            step.score = score + s.weight(compound::link_feature(l, model_tag(step.part.tag))) +
                         boundary_score(tail + step.part.link);
            add(tail + step.part.link, step);
        }
    }

    void run() {
        for (int from = begin; from < end; ++from) {
            if (from > begin && heads[static_cast<std::size_t>(from - begin)] < 0) continue;
            matches(from, known);
            for (const compound::Match& match : known) {
                if (match.end == end && from == begin) continue;
                extend(SplitPart{from, match.end, 0, 0, match.entry, 0},
                       s.lexicon_.entry(static_cast<std::size_t>(match.entry)).tags());
            }
            if (guess) extend_unknown(from);
        }
    }

    // Parts that the lexicon does not have: guesser.cpp.
    void extend_unknown(int from);

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
        std::vector<std::uint32_t> out{compound::kSplit};
        if (guess) out.push_back(compound::kGuessed);
        const auto use = [&](std::uint32_t f) { out.push_back(f); };
        for (std::size_t i = 0; i < candidate.parts.size(); ++i) {
            const SplitPart& part = candidate.parts[i];
            const bool last = i + 1 == candidate.parts.size();
            int link = 0;
            for (std::size_t l = 1; part.link > 0 && l < s.rules_.links.size(); ++l)
                if (s.link_length_[l] == part.link && text.follows(part.end, s.rules_.links[l]))
                    link = static_cast<int>(l);
            part_features(part, last, use);
            if (i > 0) use(compound::pair_feature(model_tag(candidate.parts[i - 1].tag), model_tag(part.tag)));
            if (!last) use(compound::link_feature(static_cast<std::size_t>(link), model_tag(part.tag)));
            if (last && part.ending > 0) use(compound::ending_feature(part.ending));
            if (!last) compound::boundary_features(text, begin, end, candidate.parts[i + 1].begin, use);
        }
        return out;
    }
};

}  // namespace assay
