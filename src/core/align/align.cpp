#include "align/align.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace assay {
namespace {

constexpr double kLeast = 1e-12;  // no probability falls below: a word that was seen with another may always be its

double digamma(double x) {
    double sum = 0;
    for (; x < 7; ++x) sum -= 1 / x;
    const double y = 1 / (x * x);
    return sum + std::log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240)));
}

// Every two words that met in a pair have one cell; `cell` says which, for every pair and every two places in it.
struct Cells {
    std::vector<std::uint32_t> source, target;  // by cell
    std::vector<std::uint32_t> cell;            // pair p, places s and t: cell[start[p] + s * target length + t]
    std::vector<std::size_t> start;
    std::vector<std::size_t> used, skipped;  // pairs

    Cells(const Tokens& sources, const Tokens& targets, std::size_t longest) : start(sources.size() + 1, 0) {
        for (std::size_t p = 0; p < sources.size(); ++p) {
            const std::size_t s = sources.length(p), t = targets.length(p);
            const bool good = s > 0 && t > 0 && s <= longest && t <= longest;
            (good ? used : skipped).push_back(p);
            start[p + 1] = start[p] + (good ? s * t : 0);
        }
        cell.resize(start.back());
        struct Place {
            std::uint32_t pair, at;
        };
        std::vector<std::size_t> ends(sources.vocab_size + 1, 0);
        for (std::size_t p : used)
            for (std::size_t i = 0; i < sources.length(p); ++i) ++ends[sources.begin(p)[i] + 1];
        for (std::size_t w = 0; w < sources.vocab_size; ++w) ends[w + 1] += ends[w];
        std::vector<Place> places(ends.back());
        std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
        for (std::size_t p : used) {
            for (std::uint32_t i = 0; i < sources.length(p); ++i) {
                places[next[sources.begin(p)[i]]++] = {static_cast<std::uint32_t>(p), i};
            }
        }
        std::vector<std::uint32_t> seen(targets.vocab_size, kNone), number(targets.vocab_size);
        for (std::uint32_t w = 0; w < sources.vocab_size; ++w) {
            for (std::size_t k = ends[w]; k < ends[w + 1]; ++k) {
                const Place at = places[k];
                const std::size_t n = targets.length(at.pair);
                const std::uint32_t* words = targets.begin(at.pair);
                std::uint32_t* out = cell.data() + start[at.pair] + at.at * n;
                for (std::size_t j = 0; j < n; ++j) {
                    const std::uint32_t t = words[j];
                    if (seen[t] != w) {
                        seen[t] = w;
                        number[t] = static_cast<std::uint32_t>(source.size());
                        source.push_back(w);
                        target.push_back(t);
                    }
                    out[j] = number[t];
                }
            }
        }
    }
};

// One direction: words of the `given` side give rise to those of the other.
class Model {
public:
    Model(const Tokens& given, const Tokens& made, const Cells& cells, bool forward, const AlignOptions& options)
        : given_(given), made_(made), cells_(cells), forward_(forward), options_(options),
          by_(forward ? cells.source : cells.target),
          cell_(cells.source.size(), {1.0 / std::max(made.vocab_size, 1u), 0.0}),
          null_(made.vocab_size, 1.0 / std::max(made.vocab_size, 1u)), null_count_(null_.size()),
          total_(given.vocab_size), jump_(2 * options.longest + 1, 1.0), jump_count_(jump_.size()) {}

    void train() {
        for (int k = 0; k < options_.model1; ++k) iterate([this](std::size_t p) { return model1(p); });
        for (int k = 0; k < options_.hmm; ++k) {
            std::fill(jump_count_.begin(), jump_count_.end(), 0.0);
            iterate([this](std::size_t p) { return hmm(p); });
            jump_ = jump_count_;
        }
    }

    // For each place of the made side the given place it comes from, or kNone.
    void best(std::size_t p, std::vector<std::uint32_t>& from) {
        if (options_.hmm > 0) viterbi(p, from);
        else strongest(p, from);
    }

    std::vector<double> likelihood;
    // Expected counts of the last iteration, made shares.
    std::vector<double> table() const {
        std::vector<double> out(cell_.size());
        for (std::size_t c = 0; c < out.size(); ++c)
            out[c] = total_[by_[c]] > 0 ? cell_[c].count / total_[by_[c]] : 0.0;
        return out;
    }

private:
    std::size_t place(std::size_t p, std::size_t g, std::size_t m) const {
        return cells_.start[p] + (forward_ ? g * made_.length(p) + m : m * given_.length(p) + g);
    }

    // The tables of a large bitext are in no cache: the next pair's cells are asked for while this one is worked on.
    void prefetch(std::size_t p) const {
        for (std::size_t k = cells_.start[p]; k < std::min(cells_.start[p + 1], cells_.start[p] + kAhead); ++k)
            __builtin_prefetch(&cell_[cells_.cell[k]]);
    }

    template <class Expect>
    void iterate(Expect expect) {
        for (Cell& c : cell_) c.count = 0;
        std::fill(null_count_.begin(), null_count_.end(), 0.0);
        double sum = 0;
        for (std::size_t k = 0; k < cells_.used.size(); ++k) {
            if (k + 1 < cells_.used.size()) prefetch(cells_.used[k + 1]);
            sum += expect(cells_.used[k]);
        }
        likelihood.push_back(sum);
        maximize();
    }

    void maximize() {
        std::fill(total_.begin(), total_.end(), 0.0);
        std::vector<double> types(options_.prior > 0 ? total_.size() : 0, 0.0);
        for (std::size_t c = 0; c < cell_.size(); ++c) {
            total_[by_[c]] += cell_[c].count;
            if (!types.empty()) types[by_[c]] += 1;
        }
        const double a = options_.prior;
        if (a > 0) {  // the mean under the Dirichlet's posterior of the logarithm: few and small counts lose most
            for (std::size_t g = 0; g < total_.size(); ++g) types[g] = digamma(total_[g] + a * std::max(types[g], 1.0));
        }
        for (std::size_t c = 0; c < cell_.size(); ++c) {
            const double total = total_[by_[c]];
            const double value = a > 0       ? std::exp(digamma(cell_[c].count + a) - types[by_[c]])
                                 : total > 0 ? cell_[c].count / total
                                             : 0.0;
            cell_[c].p = std::max(value, kLeast);
        }
        double nulls = 0;
        for (double n : null_count_) nulls += n;
        for (std::size_t w = 0; w < null_.size(); ++w)
            null_[w] = std::max(nulls > 0 ? null_count_[w] / nulls : 0.0, kLeast);
    }

    double model1(std::size_t p) {
        const std::size_t n = given_.length(p);
        double sum = 0;
        for (std::size_t m = 0; m < made_.length(p); ++m) {
            const std::uint32_t word = made_.begin(p)[m];
            double all = null_[word];
            for (std::size_t g = 0; g < n; ++g) all += cell_[cells_.cell[place(p, g, m)]].p;
            for (std::size_t g = 0; g < n; ++g) {
                const std::uint32_t c = cells_.cell[place(p, g, m)];
                cell_[c].count += cell_[c].p / all;
            }
            null_count_[word] += null_[word] / all;
            sum += std::log(all / static_cast<double>(n + 1));
        }
        return sum;
    }

    // Row i of from_ (row 0 of start_): the chance of going on to each place; Vogel et al. (1996), Eq. 5, and a share
    // of the uniform distribution. `back_` is from_ turned over. The chance of no null is in it.
    void transitions(std::size_t n) {
        from_.resize(n * n);
        back_.resize(n * n);
        start_.resize(n);
        const std::size_t zero = options_.longest;
        const double flat = options_.smooth / static_cast<double>(n), real = 1 - options_.null;
        auto row = [&](std::size_t first, double* out) {  // jump_[first + i] leads to place i
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) sum += jump_[first + i];
            const double share = sum > 0 ? (1 - options_.smooth) / sum : 0.0;
            const double rest = sum > 0 ? flat : 1 / static_cast<double>(n);  // no such jump was ever seen
            for (std::size_t i = 0; i < n; ++i) out[i] = real * (share * jump_[first + i] + rest);
        };
        row(zero + 1, start_.data());  // as from the place before the first
        for (std::size_t i = 0; i < n; ++i) row(zero - i, from_.data() + i * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k) back_[k * n + i] = from_[i * n + k];
    }

    void emissions(std::size_t p) {
        const std::size_t n = given_.length(p), m = made_.length(p);
        emit_.resize(n * m);
        for (std::size_t j = 0; j < m; ++j) {
            for (std::size_t i = 0; i < n; ++i) emit_[j * n + i] = cell_[cells_.cell[place(p, i, j)]].p;
        }
    }

    // Forward and backward over the places of the made side. A null remembers the place before it (Och and Ney 2003),
    // so the two states of a place share their future and one backward value serves both.
    double hmm(std::size_t p) {
        const std::size_t n = given_.length(p), m = made_.length(p);
        transitions(n);
        emissions(p);
        real_.assign(n * m, 0.0);
        none_.assign(n * m, 0.0);
        scale_.resize(m);
        double sum = 0;
        for (std::size_t j = 0; j < m; ++j) {
            double* real = real_.data() + j * n;
            double* none = none_.data() + j * n;
            const double* emit = emit_.data() + j * n;
            const double empty = options_.null * null_[made_.begin(p)[j]];
            if (j == 0) {
                for (std::size_t i = 0; i < n; ++i) {
                    real[i] = start_[i] * emit[i];
                    none[i] = empty / static_cast<double>(n);
                }
            } else {
                for (std::size_t k = 0; k < n; ++k) {
                    const double before = real[k - n] + none[k - n];
                    none[k] = before * empty;
                    const double* row = from_.data() + k * n;
                    for (std::size_t i = 0; i < n; ++i) real[i] += before * row[i];
                }
                for (std::size_t i = 0; i < n; ++i) real[i] *= emit[i];
            }
            double all = 0;
            for (std::size_t i = 0; i < n; ++i) all += real[i] + none[i];
            scale_[j] = all;
            sum += std::log(all);
            for (std::size_t i = 0; i < n; ++i) {
                real[i] /= all;
                none[i] /= all;
            }
        }
        collect(p);
        return sum;
    }

    void collect(std::size_t p) {
        const std::size_t n = given_.length(p), m = made_.length(p);
        after_.assign(n, 1.0);
        moves_.assign(n * n, 0.0);
        ahead_.resize(n);
        const std::size_t zero = options_.longest;
        for (std::size_t j = m; j-- > 0;) {
            const double* real = real_.data() + j * n;
            const double* none = none_.data() + j * n;
            const double* emit = emit_.data() + j * n;
            const std::uint32_t word = made_.begin(p)[j];
            for (std::size_t i = 0; i < n; ++i) {
                cell_[cells_.cell[place(p, i, j)]].count += real[i] * after_[i];
                null_count_[word] += none[i] * after_[i];
                ahead_[i] = emit[i] * after_[i] / scale_[j];
            }
            if (j == 0) {
                for (std::size_t i = 0; i < n; ++i) jump_count_[zero + 1 + i] += start_[i] * ahead_[i];
                break;
            }
            const double empty = options_.null * null_[word] / scale_[j];
            for (std::size_t i = 0; i < n; ++i) after_[i] *= empty;
            for (std::size_t k = 0; k < n; ++k) {
                const double* row = back_.data() + k * n;
                const double here = ahead_[k];
                for (std::size_t i = 0; i < n; ++i) after_[i] += here * row[i];
                const double before = real_[(j - 1) * n + k] + none_[(j - 1) * n + k];
                double* to = moves_.data() + k * n;
                for (std::size_t i = 0; i < n; ++i) to[i] += before * ahead_[i];
            }
        }
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t i = 0; i < n; ++i) jump_count_[zero - k + i] += moves_[k * n + i] * from_[k * n + i];
        }
    }

    void strongest(std::size_t p, std::vector<std::uint32_t>& from) {
        from.assign(made_.length(p), kNone);
        for (std::size_t m = 0; m < from.size(); ++m) {
            double best = null_[made_.begin(p)[m]];
            for (std::uint32_t g = 0; g < given_.length(p); ++g) {
                const double value = cell_[cells_.cell[place(p, g, m)]].p;
                if (value > best) {
                    best = value;
                    from[m] = g;
                }
            }
        }
    }

    // The best path; states n and above are the nulls of places 0 and above. Of equal paths the leftmost.
    void viterbi(std::size_t p, std::vector<std::uint32_t>& from) {
        const std::size_t n = given_.length(p), m = made_.length(p);
        transitions(n);
        emissions(p);
        std::vector<std::uint32_t>& back = came_;
        back.assign(2 * n * m, 0);
        std::vector<double> now(2 * n), before(2 * n);
        for (std::size_t j = 0; j < m; ++j) {
            const double empty = options_.null * null_[made_.begin(p)[j]];
            const double* emit = emit_.data() + j * n;
            if (j == 0) {
                for (std::size_t i = 0; i < n; ++i) {
                    now[i] = start_[i] * emit[i];
                    now[n + i] = empty / static_cast<double>(n);
                }
            } else {
                std::swap(now, before);
                std::fill(now.begin(), now.end(), 0.0);
                std::uint32_t* came = back.data() + j * 2 * n;
                for (std::size_t k = 0; k < n; ++k) {
                    const bool null = before[n + k] > before[k];
                    const double value = null ? before[n + k] : before[k];
                    const auto state = static_cast<std::uint32_t>(null ? n + k : k);
                    const double* row = from_.data() + k * n;
                    for (std::size_t i = 0; i < n; ++i) {
                        if (value * row[i] > now[i]) {
                            now[i] = value * row[i];
                            came[i] = state;
                        }
                    }
                    now[n + k] = value * empty;
                    came[n + k] = state;
                }
                for (std::size_t i = 0; i < n; ++i) now[i] *= emit[i];
            }
            const double most = *std::max_element(now.begin(), now.end());
            for (double& value : now) value /= most;
        }
        auto state = static_cast<std::uint32_t>(std::max_element(now.begin(), now.end()) - now.begin());
        from.assign(m, kNone);
        for (std::size_t j = m; j-- > 0;) {
            if (state < n) from[j] = state;
            state = back[j * 2 * n + state];
        }
    }

    const Tokens& given_;
    const Tokens& made_;
    const Cells& cells_;
    const bool forward_;
    const AlignOptions& options_;
    const std::vector<std::uint32_t>& by_;
    static constexpr std::size_t kAhead = 2000;  // cells, of 16 bytes
    struct Cell {
        double p, count;
    };  // side by side: what is read is soon written beside
    std::vector<Cell> cell_;
    std::vector<double> null_, null_count_, total_, jump_, jump_count_;
    std::vector<double> from_, back_, start_, emit_, real_, none_, scale_, after_, ahead_, moves_;
    std::vector<std::uint32_t> came_;
};

// Koehn et al. (2003): from the links both directions found, over neighbours either found, to words that have none.
void unite(const std::vector<std::uint32_t>& source_of, const std::vector<std::uint32_t>& target_of, Symmetrize how,
           std::vector<std::uint8_t>& grid, Links& out) {
    const std::size_t n = target_of.size(), m = source_of.size();  // source and target length
    enum : std::uint8_t { kForward = 1, kBackward = 2, kTaken = 4 };
    grid.assign(n * m, 0);
    for (std::size_t t = 0; t < m; ++t)
        if (source_of[t] != kNone) grid[source_of[t] * m + t] |= kForward;
    for (std::size_t s = 0; s < n; ++s)
        if (target_of[s] != kNone) grid[s * m + target_of[s]] |= kBackward;
    std::vector<std::uint8_t> source_taken(n, 0), target_taken(m, 0);
    auto take = [&](std::size_t s, std::size_t t) {
        grid[s * m + t] |= kTaken;
        source_taken[s] = target_taken[t] = 1;
    };
    std::vector<std::pair<std::size_t, std::size_t>> found;  // grows while it is walked over
    for (std::size_t s = 0; s < n; ++s) {
        for (std::size_t t = 0; t < m; ++t) {
            const bool both = grid[s * m + t] == (kForward | kBackward);
            if (both || (how == Symmetrize::Union && grid[s * m + t])) {
                take(s, t);
                found.emplace_back(s, t);
            }
        }
    }
    if (how == Symmetrize::GrowDiagFinalAnd) {
        constexpr int kSteps[8][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
        for (std::size_t k = 0; k < found.size(); ++k) {
            for (const auto& step : kSteps) {
                const std::size_t s = found[k].first + step[0], t = found[k].second + step[1];  // -1 wraps to too large
                if (s >= n || t >= m || !grid[s * m + t] || grid[s * m + t] & kTaken) continue;
                if (!source_taken[s] || !target_taken[t]) {
                    take(s, t);
                    found.emplace_back(s, t);
                }
            }
        }
        for (std::uint8_t side : {kForward, kBackward}) {
            for (std::size_t s = 0; s < n; ++s) {
                for (std::size_t t = 0; t < m; ++t) {
                    if (grid[s * m + t] & side && !source_taken[s] && !target_taken[t]) take(s, t);
                }
            }
        }
    }
    for (std::size_t s = 0; s < n; ++s) {
        for (std::size_t t = 0; t < m; ++t) {
            if (!(grid[s * m + t] & kTaken)) continue;
            out.source.push_back(static_cast<std::uint32_t>(s));
            out.target.push_back(static_cast<std::uint32_t>(t));
        }
    }
}

// Both directions of all pairs, and what they are together.
void unite_all(const std::vector<std::vector<std::uint32_t>> (&best)[2], Symmetrize how, Aligned& out) {
    std::vector<std::uint8_t> grid;
    for (std::size_t p = 0; p < best[0].size(); ++p) {
        for (std::uint32_t t = 0; t < best[0][p].size(); ++t) {
            if (best[0][p][t] == kNone) continue;
            out.forward.source.push_back(best[0][p][t]);
            out.forward.target.push_back(t);
        }
        for (std::uint32_t s = 0; s < best[1][p].size(); ++s) {
            if (best[1][p][s] == kNone) continue;
            out.backward.source.push_back(s);
            out.backward.target.push_back(best[1][p][s]);
        }
        unite(best[0][p], best[1][p], how, grid, out.links);
        for (Links* links : {&out.links, &out.forward, &out.backward}) links->ends.push_back(links->source.size());
    }
}

// How often each word of one side was linked to each of the other, as a share of its links.
void shares(const Tokens& given, const Tokens& made, const Links& links, bool forward,
            std::map<std::pair<std::uint32_t, std::uint32_t>, double>& table) {
    std::unordered_map<std::uint32_t, double> total;
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t p = 0; p + 1 < links.ends.size(); ++p) {
            for (std::size_t k = links.ends[p]; k < links.ends[p + 1]; ++k) {
                const std::uint32_t s = given.begin(p)[forward ? links.source[k] : links.target[k]];
                const std::uint32_t t = made.begin(p)[forward ? links.target[k] : links.source[k]];
                if (pass == 0) ++total[s];
                else table[{forward ? s : t, forward ? t : s}] += 1 / total[s];
            }
        }
    }
}

}  // namespace

Aligned align(const Tokens& sources, const Tokens& targets, const AlignOptions& options) {
    Aligned out;
    const Cells cells(sources, targets, options.longest);
    out.skipped = cells.skipped;
    std::vector<std::vector<std::uint32_t>> best[2];
    for (bool forward : {true, false}) {
        Model model(forward ? sources : targets, forward ? targets : sources, cells, forward, options);
        model.train();
        auto& from = best[forward ? 0 : 1];
        from.resize(sources.size());
        for (std::size_t p : cells.used) model.best(p, from[p]);
        (forward ? out.target_given_source : out.source_given_target) = model.table();
        (forward ? out.forward_likelihood : out.backward_likelihood) = model.likelihood;
    }
    unite_all(best, options.symmetrize, out);
    out.table_source = cells.source;
    out.table_target = cells.target;
    return out;
}

Aligned united(const Tokens& sources, const Tokens& targets, const std::vector<std::uint32_t>& source_of,
               const std::vector<std::uint32_t>& target_of, std::size_t longest, Symmetrize how) {
    Aligned out;
    std::vector<std::vector<std::uint32_t>> best[2];
    for (std::size_t p = 0; p < sources.size(); ++p) {
        const auto s = static_cast<std::ptrdiff_t>(sources.texts[p]), t = static_cast<std::ptrdiff_t>(targets.texts[p]);
        best[0].emplace_back(source_of.begin() + t,
                             source_of.begin() + t + static_cast<std::ptrdiff_t>(targets.length(p)));
        best[1].emplace_back(target_of.begin() + s,
                             target_of.begin() + s + static_cast<std::ptrdiff_t>(sources.length(p)));
        const std::size_t n = sources.length(p), m = targets.length(p);
        if (n == 0 || m == 0 || std::max(n, m) > longest) out.skipped.push_back(p);
    }
    unite_all(best, how, out);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> forward, backward;
    shares(sources, targets, out.forward, true, forward);
    shares(targets, sources, out.backward, false, backward);
    for (const auto& [cell, share] : backward) forward.try_emplace(cell, 0.0);
    for (const auto& [cell, share] : forward) {
        out.table_source.push_back(cell.first);
        out.table_target.push_back(cell.second);
        out.target_given_source.push_back(share);
        out.source_given_target.push_back(backward.contains(cell) ? backward.at(cell) : 0.0);
    }
    return out;
}

PhrasePairs phrase_pairs(const Tokens& sources, const Tokens& targets, const Links& links, std::size_t longest,
                         bool extend) {
    PhrasePairs out;
    std::vector<std::vector<std::uint32_t>> of_source, of_target;
    for (std::size_t p = 0; p + 1 < links.ends.size(); ++p) {
        const std::size_t n = sources.length(p), m = targets.length(p);
        of_source.assign(n, {});
        of_target.assign(m, {});
        for (std::size_t k = links.ends[p]; k < links.ends[p + 1]; ++k) {
            of_source[links.source[k]].push_back(links.target[k]);
            of_target[links.target[k]].push_back(links.source[k]);
        }
        auto add = [&](std::size_t s0, std::size_t s1, std::size_t t0, std::size_t t1) {
            out.pair.push_back(static_cast<std::int64_t>(p));
            out.source_start.push_back(static_cast<std::int64_t>(s0));
            out.source_end.push_back(static_cast<std::int64_t>(s1 + 1));
            out.target_start.push_back(static_cast<std::int64_t>(t0));
            out.target_end.push_back(static_cast<std::int64_t>(t1 + 1));
        };
        for (std::size_t s0 = 0; s0 < n; ++s0) {
            std::size_t t0 = m, t1 = 0;
            if (of_source[s0].empty()) continue;
            for (std::size_t s1 = s0; s1 < std::min(n, s0 + longest); ++s1) {
                for (std::uint32_t t : of_source[s1]) {
                    t0 = std::min<std::size_t>(t0, t);
                    t1 = std::max<std::size_t>(t1, t);
                }
                if (of_source[s1].empty() || t1 - t0 >= longest) continue;
                bool inside = true;
                for (std::size_t t = t0; t <= t1 && inside; ++t) {
                    for (std::uint32_t s : of_target[t]) inside = inside && s >= s0 && s <= s1;
                }
                if (!inside) continue;
                if (!extend) {
                    add(s0, s1, t0, t1);
                    continue;
                }
                for (std::size_t a = t0;; --a) {
                    for (std::size_t b = t1; b - a < longest; ++b) {
                        add(s0, s1, a, b);
                        if (b + 1 == m || !of_target[b + 1].empty()) break;
                    }
                    if (a == 0 || !of_target[a - 1].empty()) break;
                }
            }
        }
    }
    return out;
}

}  // namespace assay
