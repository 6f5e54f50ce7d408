#include "match/lattice.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>
#include <unordered_map>

#include "match/items.hpp"

namespace assay {
namespace {

using Key = std::u32string;  // a unit: its words; a single word of a skip-bigram unit is alone in it

// One reference: its words, its arcs by where they begin, and how long its paths are.
class Paths {
public:
    void read(const Tokens& references, const Lattices& lattices, std::size_t r, const LocalIds& local) {
        words_.clear();
        for (std::size_t i = references.texts[r]; i < references.texts[r + 1]; ++i)
            words_.push_back(local.find(references.ids[i]));
        arcs_.assign(words_.size() + 1, {});
        any_ = false;
        for (std::size_t k = lattices.ends[r]; k < lattices.ends[r + 1]; ++k) {
            const Lattices::Arc& arc = lattices.arcs[k];
            Arc& mine = arcs_[arc.from].emplace_back();
            mine.to = arc.to;
            for (std::size_t i = arc.first; i < arc.last; ++i) mine.words.push_back(local.find(lattices.ids[i]));
            any_ = true;
        }
        if (any_) measure();
    }
    bool any() const { return any_; }
    std::size_t length() const { return words_.size(); }
    std::size_t shortest() const { return lengths_.front(); }
    // The length nearest to another; of two as near the shorter.
    std::size_t nearest(std::size_t to) const {
        const auto above = std::lower_bound(lengths_.begin(), lengths_.end(), to);
        if (above == lengths_.end()) return lengths_.back();
        if (above == lengths_.begin()) return *above;
        return *above - to < to - *(above - 1) ? *above : *(above - 1);
    }
    const std::vector<std::uint32_t>& words() const { return words_; }

    // The largest value at the end of any path. `start` is a state, `read(state, value, word)` goes on over a word;
    // states are keys, and of two ways to one state at one place the one with the larger value is kept.
    template <class Read>
    std::uint32_t best(std::uint64_t start, Read read) const {
        std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> at(words_.size() + 1);
        at[0].emplace(start, 0);
        auto reach = [&](std::size_t node, std::uint64_t state, std::uint32_t value) {
            auto [place, fresh] = at[node].try_emplace(state, value);
            if (!fresh) place->second = std::max(place->second, value);
        };
        for (std::size_t node = 0; node < words_.size(); ++node) {
            for (auto [state, value] : at[node]) {
                std::uint64_t s = state;
                std::uint32_t v = value;
                read(s, v, words_[node]);
                reach(node + 1, s, v);
                for (const Arc& arc : arcs_[node]) {
                    s = state;
                    v = value;
                    for (std::uint32_t word : arc.words) read(s, v, word);
                    reach(arc.to, s, v);
                }
            }
            at[node].clear();
        }
        std::uint32_t most = 0;
        for (auto [state, value] : at.back()) most = std::max(most, value);
        return most;
    }

    // The longest subsequence that some path shares with a text: a row of the usual table at every place.
    std::uint32_t subsequence(const std::uint32_t* text, std::size_t n) const {
        std::vector<std::vector<std::uint32_t>> at(words_.size() + 1);
        at[0].assign(n + 1, 0);
        std::vector<std::uint32_t> row;
        auto step = [&](std::uint32_t word) {
            std::uint32_t corner = 0;
            for (std::size_t i = 1; i <= n; ++i) {
                const std::uint32_t above = row[i];
                row[i] = word != kNone && text[i - 1] == word ? corner + 1 : std::max(row[i], row[i - 1]);
                corner = above;
            }
        };
        auto reach = [&](std::size_t node) {
            if (at[node].empty()) {
                at[node] = row;
                return;
            }
            for (std::size_t i = 0; i <= n; ++i) at[node][i] = std::max(at[node][i], row[i]);
        };
        for (std::size_t node = 0; node < words_.size(); ++node) {
            row = at[node];
            step(words_[node]);
            reach(node + 1);
            for (const Arc& arc : arcs_[node]) {
                row = at[node];
                for (std::uint32_t word : arc.words) step(word);
                reach(arc.to);
            }
            at[node] = {};
        }
        return at.back()[n];
    }

private:
    struct Arc {
        std::size_t to = 0;
        std::vector<std::uint32_t> words;
    };

    void measure() {
        std::vector<std::vector<std::size_t>> at(words_.size() + 1);
        at[0] = {0};
        for (std::size_t node = 0; node < words_.size(); ++node) {
            auto& here = at[node];
            std::sort(here.begin(), here.end());
            here.erase(std::unique(here.begin(), here.end()), here.end());
            for (std::size_t length : here) {
                at[node + 1].push_back(length + 1);
                for (const Arc& arc : arcs_[node]) at[arc.to].push_back(length + arc.words.size());
            }
            here = {};
        }
        lengths_ = std::move(at.back());
        std::sort(lengths_.begin(), lengths_.end());
        lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
    }

    std::vector<std::uint32_t> words_;
    std::vector<std::vector<Arc>> arcs_;
    std::vector<std::size_t> lengths_;
    bool any_ = false;
};

// How often a unit is read along a path: n-grams by the automaton of Knuth, Morris and Pratt, so that overlapping
// occurrences count; pairs by where in the last words the first of the two stood.
class Counter {
public:
    Counter(const Unit& unit, const Key& key) : unit_(unit), key_(key) {
        if (unit.skip) return;
        fail_.assign(key.size() + 1, 0);
        for (std::size_t i = 1, k = 0; i < key.size(); ++i) {
            while (k > 0 && key[i] != key[k]) k = fail_[k];
            if (key[i] == key[k]) ++k;
            fail_[i + 1] = k;
        }
    }
    std::uint32_t along(const std::vector<std::uint32_t>& words) const {
        std::uint64_t state = 0;
        std::uint32_t count = 0;
        for (std::uint32_t word : words) (*this)(state, count, word);
        return count;
    }
    void operator()(std::uint64_t& state, std::uint32_t& count, std::uint32_t word) const {
        if (!unit_.skip) return ngram(state, count, word);
        if (key_.size() == 1) {  // a word counts once another follows it: the last of a text does not
            count += static_cast<std::uint32_t>(state);
            state = word == key_[0];
            return;
        }
        if (word == key_[1]) count += static_cast<std::uint32_t>(unit_.gap < 0 ? state : std::popcount(state));
        if (unit_.gap < 0) state += word == key_[0];
        else state = (state << 1 | (word == key_[0])) & ((std::uint64_t{1} << (unit_.gap + 1)) - 1);
    }

private:
    void ngram(std::uint64_t& state, std::uint32_t& count, std::uint32_t word) const {
        while (state > 0 && key_[state] != word) state = fail_[state];
        if (key_[state] == word) ++state;
        if (state == key_.size()) {
            ++count;
            state = fail_[state];
        }
    }
    const Unit& unit_;
    const Key& key_;
    std::vector<std::size_t> fail_;
};

// Calls each(unit) for the units of a text.
template <class Each>
void for_units(const std::vector<std::uint32_t>& words, const Unit& unit, Each each) {
    Key key;
    const std::size_t length = words.size(), n = static_cast<std::size_t>(unit.n);
    if (!unit.skip) {
        for (std::size_t i = 0; i + n <= length; ++i) {
            key.assign(words.begin() + static_cast<std::ptrdiff_t>(i),
                       words.begin() + static_cast<std::ptrdiff_t>(i + n));
            each(key);
        }
        return;
    }
    const std::size_t reach = unit.gap < 0 ? length : static_cast<std::size_t>(unit.gap) + 1;
    for (std::size_t i = 0; i + 1 < length; ++i) {
        if (unit.unigrams) each(Key(1, words[i]));
        for (std::size_t j = i + 1; j < std::min(length, i + reach + 1); ++j) each(Key{words[i], words[j]});
    }
}

// How often a unit is in each reference as it is, and on the path that has it most.
struct Held {
    std::vector<std::uint32_t> plain, most;
};

class Item {
public:
    Item(const Tokens& outputs, const Tokens& references, const Layout& layout, const Lattices& lattices)
        : outputs_(outputs), references_(references), layout_(layout), lattices_(lattices),
          local_(std::max({outputs.vocab_size, references.vocab_size, lattices.vocab_size})) {}

    void run(std::size_t item, const std::vector<Unit>& units, std::vector<Counts>& counts) {
        const std::size_t first = layout_.references[item];
        k_ = layout_.references_of(item);
        if (lattices_.ends[first] == lattices_.ends[first + k_]) return;
        read(first);
        for (std::size_t u = 0; u < units.size(); ++u) {
            known_.clear();
            for (std::size_t o = layout_.outputs[item]; o < layout_.outputs[item + 1]; ++o) {
                words_.clear();
                for (std::size_t i = outputs_.texts[o]; i < outputs_.texts[o + 1]; ++i)
                    words_.push_back(local_.find(outputs_.ids[i]));
                if (units[u].subsequence()) subsequences(o, counts[u]);
                else matches(o, units[u], counts[u]);
                totals(o, units[u], counts[u]);
            }
        }
    }

private:
    // Numbers for all words of the item's lattices; which of them an arc holds.
    void read(std::size_t first) {
        local_.start();
        for (std::size_t i = references_.texts[first]; i < references_.texts[first + k_]; ++i)
            local_.add(references_.ids[i]);
        touched_.assign(local_.size(), false);
        joined_ = nearer_ = false;
        for (std::size_t a = lattices_.ends[first]; a < lattices_.ends[first + k_]; ++a) {
            const Lattices::Arc& arc = lattices_.arcs[a];
            joined_ = joined_ || arc.first == arc.last;
            nearer_ = nearer_ || arc.last - arc.first < arc.to - arc.from;
            for (std::size_t i = arc.first; i < arc.last; ++i) {
                const std::uint32_t word = local_.add(lattices_.ids[i]);
                if (word >= touched_.size()) touched_.resize(word + 1, false);
                touched_[word] = true;
            }
        }
        if (paths_.size() < k_) paths_.resize(k_);
        for (std::size_t j = 0; j < k_; ++j) paths_[j].read(references_, lattices_, first + j, local_);
    }

    const Held& held(const Unit& unit, const Key& key) {
        auto [place, fresh] = known_.try_emplace(key);
        if (fresh) {
            const Counter counter(unit, key);
            for (std::size_t j = 0; j < k_; ++j) {
                place->second.plain.push_back(counter.along(paths_[j].words()));
                place->second.most.push_back(paths_[j].any() ? paths_[j].best(0, counter) : place->second.plain.back());
            }
        }
        return place->second;
    }

    // A unit without a word of an arc is on no path more often than in the reference itself, unless what stood between
    // its words gets shorter.
    bool may_differ(const Unit& unit, const Key& key) const {
        bool some = joined_ || (unit.skip && key.size() == 2 && unit.gap >= 0 && nearer_);
        for (std::uint32_t word : key) {
            if (word == kNone) return false;
            some = some || touched_[word];
        }
        // The last word of a text does not count alone, and another path may end otherwise.
        return some || (unit.skip && key.size() == 1);
    }

    void matches(std::size_t o, const Unit& unit, Counts& out) {
        std::unordered_map<Key, std::uint32_t> mine;
        for_units(words_, unit, [&](const Key& key) {
            if (may_differ(unit, key)) ++mine[key];
        });
        const std::int32_t own = layout_.own[o];
        for (const auto& [key, count] : mine) {
            const Held& h = held(unit, key);
            std::uint32_t plain = 0, most = 0;
            for (std::size_t j = 0; j < k_; ++j) {
                out.match[layout_.pairs[o] + j] += std::min(count, h.most[j]) - std::min(count, h.plain[j]);
                if (static_cast<std::int32_t>(j) == own) continue;
                plain = std::max(plain, h.plain[j]);
                most = std::max(most, h.most[j]);
            }
            out.union_match[o] += std::min(count, most) - std::min(count, plain);
        }
    }

    void subsequences(std::size_t o, Counts& out) {
        for (std::size_t j = 0; j < k_; ++j) {
            if (paths_[j].any()) out.match[layout_.pairs[o] + j] = paths_[j].subsequence(words_.data(), words_.size());
        }
    }

    void totals(std::size_t o, const Unit& unit, Counts& out) {
        double saved = 0, least = 0;
        for (std::size_t j = 0; j < k_; ++j) {
            const std::size_t pair = layout_.pairs[o] + j;
            double& total = out.reference[pair];
            const double plain = total;
            if (paths_[j].any()) {
                const double few = bag_size(paths_[j].shortest(), unit);
                total = std::max(few, out.match[pair]);
                out.nearest[pair] = bag_size(paths_[j].nearest(words_.size()), unit);
                if (static_cast<std::int32_t>(j) != layout_.own[o]) saved += plain - few;
                least = std::max(least, few);
            } else {
                least = std::max(least, plain);
            }
        }
        if (!out.union_total.empty()) {
            out.union_total[o] = std::max({out.union_total[o] - saved, least, out.union_match[o]});
        }
    }

    const Tokens& outputs_;
    const Tokens& references_;
    const Layout& layout_;
    const Lattices& lattices_;
    LocalIds local_;
    std::size_t k_ = 0;
    bool joined_ = false;  // an arc leaves words out, so that those around it meet
    bool nearer_ = false;  // an arc is shorter than what it replaces
    std::vector<Paths> paths_;
    std::vector<bool> touched_;
    std::vector<std::uint32_t> words_;
    std::unordered_map<Key, Held> known_;
};

}  // namespace

Lattices lattices(const Tokens& references, const Tokens& variants, const Tokens& before, const Tokens& after,
                  const std::vector<std::size_t>& of) {
    Lattices out;
    out.vocab_size = variants.vocab_size;
    std::size_t v = 0;
    for (std::size_t r = 0; r < references.size(); ++r) {
        const std::uint32_t* old = references.begin(r);
        const std::size_t length = references.length(r);
        for (; v < of.size() && of[v] == r; ++v) {
            const std::uint32_t* now = variants.begin(v);
            const std::size_t longer = variants.length(v), both = std::min(length, longer);
            std::size_t from = 0, same = 0;  // words alike before it, and after it
            while (from < std::min(before.length(v), both) && old[from] == now[from]) ++from;
            while (same < std::min(after.length(v), both - from) && old[length - 1 - same] == now[longer - 1 - same])
                ++same;
            std::size_t to = length - same, first = from, last = longer - same;
            if (from ==
                to) {  // its old words are none of these (stop words): it takes a neighbour in, as arcs go forward
                if (first == last || length == 0) continue;
                if (from > 0) {
                    --from;
                    --first;
                } else {
                    ++to;
                    ++last;
                }
            }
            if (to - from == last - first && std::equal(old + from, old + to, now + first)) continue;
            out.arcs.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), out.ids.size(),
                                out.ids.size() + last - first});
            out.ids.insert(out.ids.end(), now + first, now + last);
        }
        out.ends.push_back(out.arcs.size());
    }
    return out;
}

void add_alternatives(const Tokens& outputs, const Tokens& references, const Layout& layout, const Lattices& lattices,
                      const std::vector<Unit>& units, std::vector<Counts>& counts) {
    for (Counts& c : counts) c.nearest = c.reference;
    Item item(outputs, references, layout, lattices);
    for (std::size_t i = 0; i < layout.items(); ++i) item.run(i, units, counts);
}

}  // namespace assay
