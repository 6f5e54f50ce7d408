#include "match/overlap.hpp"

#include <algorithm>

#include "match/items.hpp"
#include "match/lcs.hpp"
#include "match/pair_ids.hpp"

namespace assay {
namespace {

// n-grams of order n from those of order n-1: (unit, next word) -> unit. Exact: no hash stands for a unit. A unit that
// no reference holds has a number of its own, which makes pairs that were never added.
void extend_ngrams(const Bags& words, const Bags& shorter, std::size_t n, Bags& out, PairIds& pairs) {
    pairs.start(shorter.distinct + 1, words.distinct + 1);
    out.clear(words.references);
    pairs.number([&](auto& numbers) {
        for (std::size_t t = 0; t < words.size(); ++t) {
            const std::size_t count = words.length(t) >= n ? words.length(t) - n + 1 : 0;
            const std::uint32_t* prefix = shorter.begin(t);
            const std::uint32_t* next = words.begin(t) + n - 1;
            std::uint32_t* to = out.add_text(count);
            if (t < words.references) {
                for (std::size_t i = 0; i < count; ++i) to[i] = numbers.add(prefix[i], next[i]);
            } else {
                for (std::size_t i = 0; i < count; ++i) to[i] = numbers.find(prefix[i], next[i]);
            }
        }
    });
    out.distinct = pairs.size();
}

// Skip-bigrams; with unigrams as ROUGE-1.5.5 counts them: the last word of a text has none.
void skip_bigrams(const Bags& words, const Unit& unit, Bags& out, PairIds& pairs) {
    const std::uint32_t alone = words.distinct + 1;  // second half of a "pair" that is a unigram
    pairs.start(words.distinct + 1, words.distinct + 2);
    out.clear(words.references);
    pairs.number([&](auto& numbers) {
        for (std::size_t t = 0; t < words.size(); ++t) {
            const std::uint32_t* w = words.begin(t);
            const std::size_t length = words.length(t);
            const std::size_t reach = unit.gap < 0 ? length : static_cast<std::size_t>(unit.gap) + 1;
            std::uint32_t* to = out.add_text(static_cast<std::size_t>(bag_size(length, unit)));
            auto fill = [&](auto number) {
                for (std::size_t i = 0; i + 1 < length; ++i) {
                    const std::size_t end = std::min(length, i + reach + 1);
                    if (unit.unigrams) *to++ = number(w[i], alone);
                    for (std::size_t j = i + 1; j < end; ++j) *to++ = number(w[i], w[j]);
                }
            };
            if (t < words.references) fill([&](std::uint32_t a, std::uint32_t b) { return numbers.add(a, b); });
            else fill([&](std::uint32_t a, std::uint32_t b) { return numbers.find(a, b); });
        }
    });
    out.distinct = pairs.size();
}

// Counts of four references side by side, which a machine compares at once.
typedef std::uint32_t Four __attribute__((vector_size(16)));
constexpr std::size_t kFour = 4;
struct Lanes {
    Four v{};
};  // a template's argument cannot be the vector itself

// Counts of one item's bags. The i-th occurrence of a unit in the output matches the i-th in a reference.
class Matcher {
public:
    explicit Matcher(const Layout& layout) : layout_(layout) {}

    // `weight` (or null: all 1) is by unit number, and 0 for what no reference holds.
    void run(const Bags& bags, std::size_t item, const double* weight, Counts& out) {
        k_ = bags.references;
        groups_ = (k_ + kFour - 1) / kFour;
        distinct_ = bags.distinct;
        if (seen_.size() <= distinct_) seen_.resize(distinct_ + 1, 0);
        if (groups_ == 1) count_references<true>(bags, weight);
        else count_references<false>(bags, weight);
        const std::size_t first = layout_.outputs[item];
        for (std::size_t o = first; o < layout_.outputs[item + 1]; ++o) {
            const std::uint32_t* units = bags.begin(k_ + (o - first));
            const std::size_t n = bags.length(k_ + (o - first));
            if (weight) weighted_output(units, n, weight, o, out);
            else if (groups_ == 1) output<true>(units, n, o, out);
            else output<false>(units, n, o, out);
            for (std::size_t i = 0; i < n; ++i) seen_[units[i]] = 0;
        }
    }

private:
    std::uint32_t* row(std::uint32_t unit) {
        return reinterpret_cast<std::uint32_t*>(counts_.data() + static_cast<std::size_t>(unit) * groups_);
    }

    template <bool kOne>
    void count_references(const Bags& bags, const double* weight) {
        counts_.assign((static_cast<std::size_t>(distinct_) + 1) * groups_, Lanes{});
        largest_.assign(distinct_ + 1, 0);
        totals_.assign(k_, 0.0);
        std::uint32_t* const counts = row(0);
        std::uint32_t* const largest = largest_.data();
        const std::size_t stride = kFour * (kOne ? 1 : groups_);
        std::uint64_t in_union = 0;
        for (std::size_t j = 0; j < k_; ++j) {
            const std::uint32_t* units = bags.begin(j);
            const std::size_t n = bags.length(j);
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint32_t u = units[i];
                const std::uint32_t more = ++counts[u * stride + j] > largest[u];
                largest[u] += more;
                in_union += more;
            }
            totals_[j] = static_cast<double>(n);
            if (!weight) continue;
            totals_[j] = 0;
            for (std::size_t i = 0; i < n; ++i) totals_[j] += weight[units[i]];
        }
        union_total_ = static_cast<double>(in_union);
        if (!weight) return;
        union_total_ = 0;
        for (std::uint32_t u = 0; u < distinct_; ++u) union_total_ += weight[u] * largest_[u];
    }

    std::uint32_t largest_without(std::uint32_t u, std::int32_t own) {
        std::uint32_t best = 0;
        for (std::size_t j = 0; j < k_; ++j) {
            if (static_cast<std::int32_t>(j) != own) best = std::max(best, row(u)[j]);
        }
        return best;
    }

    template <bool kOne>
    void output(const std::uint32_t* units, std::size_t n, std::size_t o, Counts& out) {
        const std::size_t groups = kOne ? 1 : groups_;
        Lanes few;  // in a register, where the references are few
        if (!kOne) matches_.assign(groups, Lanes{});
        Lanes* const matches = kOne ? &few : matches_.data();
        const Lanes* const counts = counts_.data();
        std::uint32_t* const seen = seen_.data();
        const std::int32_t own = layout_.own[o];
        std::uint64_t in_union = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t u = units[i], c = ++seen[u];
            for (std::size_t g = 0; g < groups; ++g)
                matches[g].v -= reinterpret_cast<Four>(counts[u * groups + g].v >= c);  // true is -1
            in_union += (own < 0 ? largest_[u] : largest_without(u, own)) >= c;
        }
        const auto* sums = reinterpret_cast<const std::uint32_t*>(matches);
        for (std::size_t j = 0; j < k_; ++j) out.match[layout_.pairs[o] + j] = static_cast<double>(sums[j]);
        put_totals(static_cast<double>(in_union), nullptr, o, out);
    }

    void weighted_output(const std::uint32_t* units, std::size_t n, const double* weight, std::size_t o, Counts& out) {
        weighted_matches_.assign(k_, 0.0);
        const std::int32_t own = layout_.own[o];
        double in_union = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t u = units[i], c = ++seen_[u];
            for (std::size_t j = 0; j < k_; ++j) weighted_matches_[j] += row(u)[j] >= c ? weight[u] : 0.0;
            if ((own < 0 ? largest_[u] : largest_without(u, own)) >= c) in_union += weight[u];
        }
        for (std::size_t j = 0; j < k_; ++j) out.match[layout_.pairs[o] + j] = weighted_matches_[j];
        put_totals(in_union, weight, o, out);
    }

    void put_totals(double in_union, const double* weight, std::size_t o, Counts& out) {
        for (std::size_t j = 0; j < k_; ++j) out.reference[layout_.pairs[o] + j] = totals_[j];
        out.union_match[o] = in_union;
        out.union_total[o] = union_total_;
        const std::int32_t own = layout_.own[o];
        if (own < 0) return;
        double total = 0;
        for (std::uint32_t u = 0; u < distinct_; ++u) total += (weight ? weight[u] : 1.0) * largest_without(u, own);
        out.union_total[o] = total;
    }

    const Layout& layout_;
    std::size_t k_ = 0, groups_ = 0;  // references, and fours of them
    std::uint32_t distinct_ = 0;
    std::vector<Lanes> counts_, matches_;
    std::vector<std::uint32_t> largest_;
    std::vector<std::uint32_t> seen_;  // zeros between outputs
    std::vector<double> totals_, weighted_matches_;
    double union_total_ = 0;
};

// Item by item, all units together, because n-grams are made of shorter ones.
void match_items(const Tokens& outputs, const Tokens& references, const Layout& layout, const std::vector<Unit>& units,
                 const std::vector<double>& weights, LocalIds& local, PairIds& pairs, std::vector<Counts>& result) {
    int longest = 1;
    for (const Unit& unit : units)
        if (!unit.skip) longest = std::max(longest, unit.n);
    Matcher matcher(layout);
    LcsKernel lcs;
    std::vector<Bags> ngrams(static_cast<std::size_t>(longest) + 1);  // by order; order 1 are the words
    Bags skips;
    std::vector<double> local_weights;
    for (std::size_t item = 0; item < layout.items(); ++item) {
        Bags& words = ngrams[1];
        words.fill(outputs, references, layout, item, local);
        for (std::size_t n = 2; n < ngrams.size(); ++n) extend_ngrams(words, ngrams[n - 1], n, ngrams[n], pairs);
        if (!weights.empty()) {
            local_weights.assign(words.distinct + 1, 0.0);  // the last: of what no reference holds
            for (std::size_t i = references.texts[layout.references[item]];
                 i < references.texts[layout.references[item + 1]]; ++i) {
                local_weights[local.find(references.ids[i])] = weights[references.ids[i]];
            }
        }
        for (std::size_t u = 0; u < units.size(); ++u) {
            if (units[u].subsequence()) {
                lcs.run(words, layout, item, result[u]);
                continue;
            }
            if (units[u].skip) skip_bigrams(words, units[u], skips, pairs);
            const Bags& bags = units[u].skip ? skips : ngrams[static_cast<std::size_t>(units[u].n)];
            matcher.run(bags, item, weights.empty() ? nullptr : local_weights.data(), result[u]);
        }
    }
}

}  // namespace

double bag_size(std::size_t length, const Unit& unit) {
    if (unit.subsequence()) return static_cast<double>(length);
    if (!unit.skip) return length >= static_cast<std::size_t>(unit.n) ? static_cast<double>(length - unit.n + 1) : 0.0;
    if (length < 2) return 0.0;
    const std::size_t reach = unit.gap < 0 ? length : static_cast<std::size_t>(unit.gap) + 1;
    const std::size_t full = length > reach ? length - reach : 0;  // words with `reach` words after them
    const std::size_t rest = length - full;                        // the others have rest-1, rest-2, ..., 0
    return static_cast<double>(full * reach + rest * (rest - 1) / 2 + (unit.unigrams ? length - 1 : 0));
}

std::vector<Counts> overlap(const Tokens& outputs, const Tokens& references, const Layout& layout,
                            const std::vector<Unit>& units, const std::vector<double>& weights) {
    const std::size_t n_outputs = layout.outputs.back(), n_pairs = layout.pairs.back();
    std::vector<Counts> result(units.size());
    for (std::size_t u = 0; u < units.size(); ++u) {
        Counts& c = result[u];
        c.match.assign(n_pairs, 0.0);
        c.reference.assign(n_pairs, 0.0);
        c.output.resize(n_outputs);
        for (std::size_t o = 0; o < n_outputs; ++o) c.output[o] = bag_size(outputs.length(o), units[u]);
        if (units[u].subsequence()) continue;
        c.union_match.assign(n_outputs, 0.0);
        c.union_total.assign(n_outputs, 0.0);
    }
    if (!weights.empty()) {
        for (std::size_t o = 0; o < n_outputs; ++o) {
            double total = 0;
            for (std::size_t i = outputs.texts[o]; i < outputs.texts[o + 1]; ++i) total += weights[outputs.ids[i]];
            for (Counts& c : result) c.output[o] = total;
        }
    }
    // Of the vocabulary's size: a thread keeps them, because making them for each batch takes longer than matching it.
    static thread_local LocalIds local;
    static thread_local PairIds pairs;
    local.reserve(std::max(outputs.vocab_size, references.vocab_size));
    match_items(outputs, references, layout, units, weights, local, pairs, result);
    return result;
}

}  // namespace assay
