#include "metrics/gtm.hpp"

#include <cmath>
#include <limits>
#include <queue>

#include "match/pairs.hpp"

namespace assay {
namespace {

struct Run {
    int length, i, j;
    bool operator<(const Run& o) const {  // the longest first, then the earliest in the output, then in the reference
        if (length != o.length) return length < o.length;
        return i != o.i ? i > o.i : j > o.j;
    }
};

class Greedy {
public:
    double size(const Words& words, const Reference& reference, double exponent) {
        start(words, reference);
        double sum = 0;
        while (!runs_.empty()) {
            const Run run = runs_.top();
            runs_.pop();
            if (take(run)) sum += std::pow(run.length, exponent);
        }
        return std::pow(sum, 1 / exponent);
    }

private:
    void start(const Words& words, const Reference& reference) {
        const int n = static_cast<int>(words.size()), m = reference.size();
        hyp_.assign(words.size(), false);
        ref_.assign(static_cast<std::size_t>(m), false);
        auto equal = [&](int i, int j) {
            return i >= 0 && j >= 0 && i < n && j < m && words[static_cast<std::size_t>(i)] == reference[j];
        };
        for (int i = 0; i < n; ++i) {
            const Word w = words[static_cast<std::size_t>(i)];
            if (w == kNone) continue;
            for (const std::uint32_t* p = reference.begin(w); p != reference.end(w); ++p) {
                const int j = static_cast<int>(*p);
                if (equal(i - 1, j - 1)) continue;
                int length = 1;
                while (equal(i + length, j + length)) ++length;
                runs_.push({length, i, j});
            }
        }
    }
    // Takes a run whose words are all free; else puts back what is free of it.
    bool take(const Run& run) {
        const auto free = [&](int k) {
            return !hyp_[static_cast<std::size_t>(run.i + k)] && !ref_[static_cast<std::size_t>(run.j + k)];
        };
        bool all = true;
        for (int k = 0; k < run.length; ++k) all = all && free(k);
        if (all) {
            for (int k = 0; k < run.length; ++k)
                hyp_[static_cast<std::size_t>(run.i + k)] = ref_[static_cast<std::size_t>(run.j + k)] = true;
            return true;
        }
        for (int k = 0; k < run.length;) {
            int end = k;
            while (end < run.length && free(end)) ++end;
            if (end > k) runs_.push({end - k, run.i + k, run.j + k});
            k = end + 1;
        }
        return false;
    }

    std::priority_queue<Run> runs_;
    std::vector<bool> hyp_, ref_;
};

}  // namespace

std::vector<double> maximum_match(const Tokens& outputs, const Tokens& references, const Layout& layout,
                                  double exponent) {
    std::vector<double> rows(3 * outputs.size(), std::numeric_limits<double>::quiet_NaN());
    Greedy greedy;
    for_pairs(outputs, references, layout, [&](std::size_t o, const Words& words, const Reference& reference) {
        const double size = greedy.size(words, reference, exponent);
        const double lengths = static_cast<double>(words.size()) + reference.size();
        double* best = rows.data() + 3 * o;
        const auto f = [](double match, double both) { return both > 0 ? 2 * match / both : 0.0; };  // of P and R alike
        if (std::isnan(best[0]) || f(size, lengths) > f(best[0], best[1] + best[2])) {
            best[0] = size;
            best[1] = static_cast<double>(words.size());
            best[2] = reference.size();
        }
    });
    return rows;
}

}  // namespace assay
