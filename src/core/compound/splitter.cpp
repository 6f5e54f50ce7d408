#include "compound/splitter.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <unordered_set>

#include "compound/search.hpp"

namespace assay {

using namespace compound;

namespace {

bool joins(char32_t c) { return c == '-' || c == 0x2010 || c == 0x2011 || c == 0x200C; }

}  // namespace

std::vector<int> SplitCandidate::boundaries() const {
    std::vector<int> out;
    for (std::size_t i = 1; i < parts.size(); ++i) out.push_back(parts[i].begin);
    return out;
}

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
        const auto tags = rules_.tagged ? entry.tags() : static_cast<std::uint8_t>(1u << kUnknownTag);
        for (std::uint8_t rest = tags; rest; rest = static_cast<std::uint8_t>(rest & (rest - 1)))
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
    if (n > kLongest) return ways;  // also with hyphens: ways of many runs would grow as the square of their number
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
