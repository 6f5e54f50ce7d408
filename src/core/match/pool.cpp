#include "match/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

struct Ratios {
    double precision, recall;
};

double ratio(double part, double whole, const Finish& f) {
    double x = whole > 0 ? part / whole : 0.0;
    if (f.power != 1.0) x = std::pow(x, 1.0 / f.power);
    if (f.digits >= 0) {
        // In long double, so that the product does not make a tie of what printf("%.5f") sees is none.
        const long double scale = std::pow(10.0L, f.digits);
        x = static_cast<double>(std::nearbyint(static_cast<long double>(x) * scale) / scale);
    }
    return x;
}

double f_score(double p, double r, double beta) {
    const double b2 = beta * beta, below = b2 * p + r;
    return below > 0 ? (1 + b2) * p * r / below : 0.0;
}

double measure(double match, double reference, double output, const Finish& f) {
    const double p = ratio(match, output, f);
    switch (f.measure) {
        case Measure::Precision: return p;
        case Measure::Recall: return ratio(match, reference, f);
        case Measure::F: return f_score(p, ratio(match, reference, f), f.beta);
        case Measure::PrecisionBrevity:
            if (output >= reference) return p;
            return output > 0 ? p * std::exp(1.0 - reference / output) : 0.0;
    }
    return p;
}

class Output {
public:
    Output(const Counts& counts, const Layout& layout, const Finish& f, std::size_t o)
        : counts_(counts), f_(f), o_(o), first_(layout.pairs[o]), k_(layout.pairs[o + 1] - layout.pairs[o]),
          own_(layout.own[o]) {}

    // The closest reference length, as in BLEU: the shorter of two as close. NaN without references.
    double closest() const {
        double found = std::numeric_limits<double>::quiet_NaN(), gap = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < k_; ++j) {
            const double d = std::abs(length(j) - output());
            if (!out(j) && (d < gap || (d == gap && length(j) < found))) {
                gap = d;
                found = length(j);
            }
        }
        return found;
    }
    bool has_reference() const { return k_ > (own_ >= 0 ? 1u : 0u); }
    std::size_t first() const { return own_ == 0 ? 1 : 0; }
    double first_length() const { return has_reference() ? length(first()) : std::numeric_limits<double>::quiet_NaN(); }
    double first_match() const { return has_reference() ? match(first()) : std::numeric_limits<double>::quiet_NaN(); }

    double value() const {
        const std::size_t n = k_ - (own_ >= 0 ? 1 : 0);
        if (!has_reference()) return std::numeric_limits<double>::quiet_NaN();
        switch (f_.pooling) {
            case Pooling::Single: return at(first());
            case Pooling::Max: return best(-1);
            case Pooling::Mean: return sum([&](std::size_t j) { return at(j); }) / static_cast<double>(n);
            case Pooling::Sum:
            case Pooling::Prob: return pooled(-1);
            case Pooling::All: return united();
            case Pooling::Best:
                return at(argmax([&](std::size_t j) {
                    return f_score(ratio(match(j), output(), f_), ratio(match(j), reference(j), f_), 1.0);
                }));
            case Pooling::BestRecall: return at(argmax([&](std::size_t j) { return choosing_recall(j); }));
            case Pooling::Jackknife: return leave_out([&](std::int32_t j) { return pooled(j); });
            case Pooling::JackknifeMax: return leave_out([&](std::int32_t j) { return best(j); });
        }
        return 0;
    }

private:
    double match(std::size_t j) const { return counts_.match[first_ + j]; }
    double reference(std::size_t j) const { return counts_.reference[first_ + j]; }
    double length(std::size_t j) const { return counts_.nearest.empty() ? reference(j) : counts_.nearest[first_ + j]; }
    double total(std::size_t j) const { return f_.measure == Measure::PrecisionBrevity ? length(j) : reference(j); }
    double output() const { return counts_.output[o_]; }
    double at(std::size_t j) const { return measure(match(j), total(j), output(), f_); }
    bool out(std::size_t j) const { return static_cast<std::int32_t>(j) == own_; }

    // What ROUGE-1.5.5 -f B chooses by: the printed recall of n-grams, but the unrounded one of subsequences, and for
    // ROUGE-W without the second weighting of the total.
    double choosing_recall(std::size_t j) const {
        if (!counts_.union_match.empty()) return ratio(match(j), reference(j), f_);
        const double base = std::pow(reference(j), 1.0 / f_.power);
        return base > 0 ? match(j) / base : 0.0;
    }
    template <class Value>
    double sum(Value value) const {
        double s = 0;
        for (std::size_t j = 0; j < k_; ++j)
            if (!out(j)) s += value(j);
        return s;
    }
    // The mean over all sets that leave one reference out. A person's own text is out already, and so is the only way to
    // leave one out of one.
    template <class Value>
    double leave_out(Value value) const {
        if (own_ >= 0 || k_ == 1) return value(-1);
        return sum([&](std::size_t j) { return value(static_cast<std::int32_t>(j)); }) / static_cast<double>(k_);
    }
    template <class Value>
    std::size_t argmax(Value value) const {
        std::size_t best = 0;
        double top = -1;
        for (std::size_t j = 0; j < k_; ++j) {
            if (out(j)) continue;
            if (const double x = value(j); x > top) {
                top = x;
                best = j;
            }
        }
        return best;
    }
    double best(std::int32_t without) const {
        double top = 0;
        for (std::size_t j = 0; j < k_; ++j) {
            if (!out(j) && static_cast<std::int32_t>(j) != without) top = std::max(top, at(j));
        }
        return top;
    }
    // Matches and totals summed over references. With weights "share of references that hold the unit" (MULT-PROB) the
    // match is the mean of the single matches and the total the mean of the totals, so that sum and prob are one thing.
    double pooled(std::int32_t without) const {
        double n = 0, matches = 0, totals = 0;
        for (std::size_t j = 0; j < k_; ++j) {
            if (out(j) || static_cast<std::int32_t>(j) == without) continue;
            n += 1;
            matches += match(j);
            totals += total(j);
        }
        return measure(matches, totals, output() * n, f_);
    }
    double united() const {
        const bool brevity = f_.measure == Measure::PrecisionBrevity;
        return measure(counts_.union_match[o_], brevity ? closest() : counts_.union_total[o_], output(), f_);
    }

    const Counts& counts_;
    const Finish& f_;
    std::size_t o_, first_, k_;
    std::int32_t own_;
};

}  // namespace

std::vector<double> pool(const Counts& counts, const Layout& layout, const Finish& finish) {
    std::vector<double> values(layout.outputs.back());
    for (std::size_t o = 0; o < values.size(); ++o) values[o] = Output(counts, layout, finish, o).value();
    return values;
}

std::vector<double> closest_length(const Counts& counts, const Layout& layout, bool first) {
    const Finish plain;
    std::vector<double> lengths(layout.outputs.back());
    for (std::size_t o = 0; o < lengths.size(); ++o) {
        const Output output(counts, layout, plain, o);
        lengths[o] = first ? output.first_length() : output.closest();
    }
    return lengths;
}

std::vector<double> first_match(const Counts& counts, const Layout& layout) {
    const Finish plain;
    std::vector<double> matches(layout.outputs.back());
    for (std::size_t o = 0; o < matches.size(); ++o) matches[o] = Output(counts, layout, plain, o).first_match();
    return matches;
}

}  // namespace assay
