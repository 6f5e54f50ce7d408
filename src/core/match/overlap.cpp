#include "match/overlap.hpp"

#include <algorithm>
#include <type_traits>

#include "match/items.hpp"
#include "match/lcs.hpp"
#include "match/pair_ids.hpp"

namespace assay {
namespace {

// n-grams of order n from those of order n-1: (unit, next word) -> unit. Exact: no hash stands for a unit.
void extend_ngrams(const Bags& words, const Bags& shorter, std::size_t n, Bags& out, PairIds& pairs) {
    pairs.start(shorter.distinct, words.distinct);
    out.clear(words.references);
    for (std::size_t t = 0; t < words.size(); ++t) {
        const std::size_t count = words.length(t) >= n ? words.length(t) - n + 1 : 0;
        const std::uint32_t* prefix = shorter.begin(t);
        const std::uint32_t* next = words.begin(t) + n - 1;
        const std::size_t at = out.ids.size();
        out.ids.resize(at + count);
        std::uint32_t* to = out.ids.data() + at;
        if (t < words.references) {
            for (std::size_t i = 0; i < count; ++i) to[i] = pairs.add(prefix[i], next[i]);
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                const bool known = prefix[i] != kNone && next[i] != kNone;
                to[i] = known ? pairs.find(prefix[i], next[i]) : kNone;
            }
        }
        out.end_text();
    }
    out.distinct = pairs.size();
}

// Skip-bigrams; with unigrams as ROUGE-1.5.5 counts them: the last word of a text has none.
void skip_bigrams(const Bags& words, const Unit& unit, Bags& out, PairIds& pairs) {
    const std::uint32_t alone = words.distinct;  // second half of a "pair" that is a unigram
    pairs.start(words.distinct, words.distinct + 1);
    out.clear(words.references);
    for (std::size_t t = 0; t < words.size(); ++t) {
        const std::uint32_t* w = words.begin(t);
        const std::size_t length = words.length(t);
        const std::size_t reach = unit.gap < 0 ? length : static_cast<std::size_t>(unit.gap) + 1;
        const std::size_t at = out.ids.size();
        out.ids.resize(at + static_cast<std::size_t>(bag_size(length, unit)));
        std::uint32_t* to = out.ids.data() + at;
        auto fill = [&](auto number) {
            for (std::size_t i = 0; i + 1 < length; ++i) {
                const std::size_t end = std::min(length, i + reach + 1);
                if (unit.unigrams) *to++ = number(w[i], alone);
                for (std::size_t j = i + 1; j < end; ++j) *to++ = number(w[i], w[j]);
            }
        };
        if (t < words.references) fill([&](std::uint32_t a, std::uint32_t b) { return pairs.add(a, b); });
        else
            fill([&](std::uint32_t a, std::uint32_t b) { return a == kNone || b == kNone ? kNone : pairs.find(a, b); });
        out.end_text();
    }
    out.distinct = pairs.size();
}

// Counts of one item's bags. The i-th occurrence of a unit in the output matches the i-th in a reference.
class Matcher {
public:
    explicit Matcher(const Layout& layout) : layout_(layout) {}

    // `weight` (or null: all 1) is by unit number.
    void run(const Bags& bags, std::size_t item, const double* weight, Counts& out) {
        k_ = bags.references;
        distinct_ = bags.distinct;
        count_references(bags, weight);
        const std::size_t first = layout_.outputs[item];
        seen_.assign(distinct_, 0);
        for (std::size_t o = first; o < layout_.outputs[item + 1]; ++o) {
            const std::size_t t = k_ + (o - first);
            if (weight) output<true>(bags.begin(t), bags.length(t), weight, o, out);
            else output<false>(bags.begin(t), bags.length(t), weight, o, out);
        }
    }

private:
    void count_references(const Bags& bags, const double* weight) {
        counts_.assign(distinct_ * k_, 0);
        largest_.assign(distinct_, 0);
        totals_.assign(k_, 0.0);
        for (std::size_t j = 0; j < k_; ++j) {
            const std::uint32_t* units = bags.begin(j);
            const std::size_t n = bags.length(j);
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint32_t u = units[i];
                largest_[u] = std::max(largest_[u], ++counts_[u * k_ + j]);
                if (weight) totals_[j] += weight[u];
            }
            if (!weight) totals_[j] = static_cast<double>(n);
        }
        union_total_ = 0;
        for (std::uint32_t u = 0; u < distinct_; ++u) union_total_ += (weight ? weight[u] : 1.0) * largest_[u];
    }

    std::uint32_t largest_without(std::uint32_t u, std::int32_t own) const {
        std::uint32_t best = 0;
        for (std::size_t j = 0; j < k_; ++j) {
            if (static_cast<std::int32_t>(j) != own) best = std::max(best, counts_[u * k_ + j]);
        }
        return best;
    }

    template <bool kWeighted>
    void output(const std::uint32_t* units, std::size_t n, const double* weight, std::size_t o, Counts& out) {
        using Sum = std::conditional_t<kWeighted, double, std::uint32_t>;
        auto& match = [this]() -> std::vector<Sum>& {
            if constexpr (kWeighted) return weighted_match_;
            else return match_;
        }();
        match.assign(k_, 0);
        Sum few[kFew] = {};  // in registers, where the references are few
        Sum* const sums = k_ <= kFew ? few : match.data();
        const std::int32_t own = layout_.own[o];
        double union_match = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t u = units[i];
            if (u == kNone) continue;
            const std::uint32_t c = ++seen_[u];
            const std::uint32_t* row = counts_.data() + u * k_;
            const Sum w = kWeighted ? static_cast<Sum>(weight[u]) : Sum{1};
            for (std::size_t j = 0; j < k_; ++j) sums[j] += row[j] >= c ? w : Sum{0};
            if ((own < 0 ? largest_[u] : largest_without(u, own)) >= c) union_match += w;
        }
        for (std::size_t i = 0; i < n; ++i)
            if (units[i] != kNone) seen_[units[i]] = 0;
        for (std::size_t j = 0; j < k_; ++j) {
            out.match[layout_.pairs[o] + j] = static_cast<double>(sums[j]);
            out.reference[layout_.pairs[o] + j] = totals_[j];
        }
        out.union_match[o] = union_match;
        out.union_total[o] = union_total_;
        if (own >= 0) {
            double total = 0;
            for (std::uint32_t u = 0; u < distinct_; ++u) total += (weight ? weight[u] : 1.0) * largest_without(u, own);
            out.union_total[o] = total;
        }
    }

    static constexpr std::size_t kFew = 4;
    const Layout& layout_;
    std::size_t k_ = 0;
    std::uint32_t distinct_ = 0;
    std::vector<std::uint32_t> counts_, largest_, seen_, match_;
    std::vector<double> totals_, weighted_match_;
    double union_total_ = 0;
};

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
    int longest = 1;
    for (std::size_t u = 0; u < units.size(); ++u) {
        Counts& c = result[u];
        c.match.assign(n_pairs, 0.0);
        c.reference.assign(n_pairs, 0.0);
        c.output.resize(n_outputs);
        for (std::size_t o = 0; o < n_outputs; ++o) c.output[o] = bag_size(outputs.length(o), units[u]);
        if (units[u].subsequence()) continue;
        c.union_match.assign(n_outputs, 0.0);
        c.union_total.assign(n_outputs, 0.0);
        if (!units[u].skip) longest = std::max(longest, units[u].n);
    }
    if (!weights.empty()) {
        for (std::size_t o = 0; o < n_outputs; ++o) {
            double total = 0;
            for (std::size_t i = outputs.texts[o]; i < outputs.texts[o + 1]; ++i) total += weights[outputs.ids[i]];
            for (Counts& c : result) c.output[o] = total;
        }
    }
    LocalIds local(std::max(outputs.vocab_size, references.vocab_size));
    PairIds pairs;
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
            local_weights.assign(words.distinct, 0.0);
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
    return result;
}

}  // namespace assay
