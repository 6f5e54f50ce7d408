#include "metrics/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

struct Count {
    std::uint32_t unit;
    double n;
};

// The units of a text in order of their numbers, with how often each occurs.
struct Histogram {
    std::vector<Count> counts;
    double total = 0;

    void read(const Tokens& bags, std::size_t text, std::vector<std::uint32_t>& sorted) {
        sorted.assign(bags.begin(text), bags.begin(text) + bags.length(text));
        std::sort(sorted.begin(), sorted.end());
        counts.clear();
        for (const std::uint32_t unit : sorted) {
            if (counts.empty() || counts.back().unit != unit) counts.push_back({unit, 0.0});
            ++counts.back().n;
        }
        total = static_cast<double>(sorted.size());
    }
};

// Calls each(count in a, count in b) for every unit of either.
template <class Each>
void both(const Histogram& a, const Histogram& b, Each each) {
    auto i = a.counts.begin(), j = b.counts.begin();
    while (i != a.counts.end() || j != b.counts.end()) {
        if (j == b.counts.end() || (i != a.counts.end() && i->unit < j->unit)) {
            each(i++->n, 0.0);
            continue;
        }
        if (i == a.counts.end() || j->unit < i->unit) {
            each(0.0, j++->n);
            continue;
        }
        each(i++->n, j++->n);
    }
}

// Two texts without units do not differ; one without units shares nothing with one that has some.
double jensen_shannon(const Histogram& a, const Histogram& b) {
    if (a.total == 0 || b.total == 0) return a.total == b.total ? 0.0 : std::log(2.0);
    double sum = 0, alone = 0;  // units that only one text holds add log 2 times their share
    both(a, b, [&](double m, double n) {
        const double p = m / a.total, q = n / b.total;
        if (m == 0 || n == 0) alone += p + q;
        else sum += p * std::log(2 * p / (p + q)) + q * std::log(2 * q / (p + q));
    });
    return std::max(0.0, (sum + alone * std::log(2.0)) / 2);
}

double kullback_leibler(const Histogram& a, const Histogram& b, double delta) {
    double units = 0;
    both(a, b, [&](double, double) { ++units; });
    if (units == 0) return 0;
    const double first = a.total + delta * units, second = b.total + delta * units;
    double sum = 0;
    both(a, b, [&](double m, double n) {
        const double p = (m + delta) / first, q = (n + delta) / second;
        sum += p * std::log(p / q);
    });
    return std::max(0.0, sum);
}

}  // namespace

std::vector<double> divergence(const Tokens& outputs, const Tokens& others, const Layout& layout, Divergence kind,
                               double delta) {
    std::vector<double> values(layout.outputs.back(), std::numeric_limits<double>::quiet_NaN());
    std::vector<std::uint32_t> sorted;
    std::vector<Histogram> there;
    Histogram mine;
    for (std::size_t item = 0; item < layout.items(); ++item) {
        const std::size_t k = layout.references_of(item);
        there.resize(std::max(there.size(), k));
        for (std::size_t j = 0; j < k; ++j) there[j].read(others, layout.references[item] + j, sorted);
        for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) {
            mine.read(outputs, o, sorted);
            double sum = 0, met = 0;
            for (std::size_t j = 0; j < k; ++j) {
                if (static_cast<std::int32_t>(j) == layout.own[o]) continue;
                if (kind == Divergence::JensenShannon) sum += jensen_shannon(mine, there[j]);
                else if (kind == Divergence::FromOutput) sum += kullback_leibler(mine, there[j], delta);
                else sum += kullback_leibler(there[j], mine, delta);
                ++met;
            }
            if (met > 0) values[o] = sum / met;
        }
    }
    return values;
}

}  // namespace assay
