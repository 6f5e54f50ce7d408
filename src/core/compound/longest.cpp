// The order of Owczarzak et al. 2014, without a model.
#include <unordered_set>

#include "compound/search.hpp"

namespace assay {

// The paper's order: longest first part, then longest second, ...; the first cover found within the limits.
std::vector<SplitCandidate> Splitter::longest(const Text& text, int begin, int end) const {
    std::vector<SplitCandidate> out;
    for (const bool guess : {false, true}) {
        const SplitLimits& limits = guess ? rules_.guesser : rules_.lexical;
        if ((guess && !rules_.guess) || end - begin < limits.shortest_word || end - begin > compound::kLongest)
            continue;
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
            std::vector<compound::Match> found;
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
            for (int to = std::min(end, from + compound::kLongestUnknown);
                 guess && !unknown && to >= from + limits.shortest_unknown; --to) {
                if (to == end && from == begin) continue;
                if (attempt(SplitPart{from, to, 0, 0, -1, compound::kUnknownTag}, 1u << compound::kUnknownTag))
                    return true;
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

}  // namespace assay
