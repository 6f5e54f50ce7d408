// The guesser: parts that the lexicon does not have, within the limits of Owczarzak et al. 2014, Table 4.
#include "compound/search.hpp"

namespace assay {

void Splitter::set_guesser(const SplitLimits& limits) {
    rules_.guesser = limits;
    rules_.guesser.shortest_unknown = std::max(limits.shortest_unknown, 1);
    rules_.guesser.shortest_part = std::max(limits.shortest_part, 1);
}

// Takes every length for an unknown part that no entry has; never two unknown parts in a row.
void Splitter::Search::extend_unknown(int from) {
    for (int to = from + limits.shortest_unknown; to <= std::min(end, from + compound::kLongestUnknown); ++to) {
        if (to == end && from == begin) continue;
        if (std::any_of(known.begin(), known.end(), [&](const compound::Match& m) { return m.end == to; })) continue;
        extend(SplitPart{from, to, 0, 0, -1, compound::kUnknownTag}, 1u << compound::kUnknownTag);
    }
}

}  // namespace assay
