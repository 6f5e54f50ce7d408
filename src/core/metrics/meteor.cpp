#include "metrics/meteor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "match/items.hpp"

namespace assay {
namespace {

constexpr std::size_t kBeam = 32;  // alignments kept at a time: exact where a text has few words that could go two ways

// A word of the output that could go to several places of the reference, or to fewer than there are such words.
struct Choice {
    int at = 0;              // its place in the output
    std::uint32_t kind = 0;  // words of one kind are alike, and keep their order
    int left = 0;            // words of its kind after it
    int spare = 0;           // how many words of its kind stay without a place; < 0: any may
    std::vector<int> places;
};

struct Partial {
    int matches = 0, crossings = 0, links = 0;
    std::vector<int> chosen;  // a place, or -1, for each choice so far
};

class Aligner {
public:
    Aligner(const Likeness& alike, std::uint32_t vocab) : alike_(alike), local_(vocab) {}

    // From each place of the output to one of the reference, or -1.
    const std::vector<int>& align(const std::uint32_t* hyp, std::size_t n, const std::uint32_t* ref, std::size_t m) {
        map_.assign(n, -1);
        taken_.assign(m, false);
        equal_stage(hyp, ref, m, [](std::uint32_t w) { return w; });
        if (!alike_.stems.empty()) equal_stage(hyp, ref, m, [&](std::uint32_t w) { return alike_.stems[w]; });
        if (!alike_.row.empty()) sense_stage(hyp, ref, m);
        return map_;
    }

private:
    // Words with the same key. Kinds with as many words on both sides go in order; the others are searched.
    template <class KeyOf>
    void equal_stage(const std::uint32_t* hyp, const std::uint32_t* ref, std::size_t m, KeyOf key_of) {
        local_.start();
        kinds_.clear();
        for (std::size_t j = 0; j < m; ++j) {
            if (taken_[j]) continue;
            const std::uint32_t key = key_of(ref[j]);
            if (key == kNone) continue;
            const std::uint32_t k = local_.add(key);
            if (k == kinds_.size()) kinds_.emplace_back();
            kinds_[k].ref.push_back(static_cast<int>(j));
        }
        for (std::size_t i = 0; i < map_.size(); ++i) {
            if (map_[i] >= 0) continue;
            const std::uint32_t key = key_of(hyp[i]), k = key == kNone ? kNone : local_.find(key);
            if (k != kNone) kinds_[k].hyp.push_back(static_cast<int>(i));
        }
        choices_.clear();
        for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
            const auto &h = kinds_[k].hyp, &r = kinds_[k].ref;
            if (h.empty()) continue;
            if (h.size() == r.size()) {
                for (std::size_t x = 0; x < h.size(); ++x) set(h[x], r[x]);
                continue;
            }
            const int spare = std::max(0, static_cast<int>(h.size()) - static_cast<int>(r.size()));
            for (std::size_t x = 0; x < h.size(); ++x)
                choices_.push_back({h[x], k, static_cast<int>(h.size() - x) - 1, spare, r});
        }
        std::sort(choices_.begin(), choices_.end(), [](const Choice& a, const Choice& b) { return a.at < b.at; });
        search(false);
    }

    // Words that share a sense: as many as can, then with the fewest crossings.
    void sense_stage(const std::uint32_t* hyp, const std::uint32_t* ref, std::size_t m) {
        choices_.clear();
        for (std::size_t i = 0; i < map_.size(); ++i) {
            if (map_[i] >= 0) continue;
            Choice choice{static_cast<int>(i), static_cast<std::uint32_t>(i), 0, -1, {}};
            for (std::size_t j = 0; j < m; ++j) {
                if (!taken_[j] && share(hyp[i], ref[j])) choice.places.push_back(static_cast<int>(j));
            }
            if (!choice.places.empty()) choices_.push_back(std::move(choice));
        }
        search(true);
    }
    bool share(std::uint32_t a, std::uint32_t b) const {
        if (alike_.row[a] == kNone || alike_.row[b] == kNone) return false;
        auto x = alike_.starts[alike_.row[a]], y = alike_.starts[alike_.row[b]];
        const auto x1 = alike_.starts[alike_.row[a] + 1], y1 = alike_.starts[alike_.row[b] + 1];
        while (x < x1 && y < y1) {
            if (alike_.senses[x] == alike_.senses[y]) return true;
            alike_.senses[x] < alike_.senses[y] ? ++x : ++y;
        }
        return false;
    }

    void set(int i, int j) {
        map_[static_cast<std::size_t>(i)] = j;
        taken_[static_cast<std::size_t>(j)] = true;
    }

    void search(bool matches_first) {
        if (choices_.empty()) return;
        beam_.assign(1, Partial{});
        for (std::size_t c = 0; c < choices_.size(); ++c) {
            next_.clear();
            for (const Partial& p : beam_) extend(p, choices_[c], c);
            const auto better = [=](const Partial& a, const Partial& b) {
                if (matches_first && a.matches != b.matches) return a.matches > b.matches;
                if (a.crossings != b.crossings) return a.crossings < b.crossings;
                return a.links > b.links;
            };
            std::stable_sort(next_.begin(), next_.end(), better);
            if (next_.size() > kBeam) next_.resize(kBeam);
            beam_.swap(next_);
        }
        for (std::size_t c = 0; c < choices_.size(); ++c) {
            if (const int j = beam_[0].chosen[c]; j >= 0) set(choices_[c].at, j);
        }
    }

    void extend(const Partial& before, const Choice& choice, std::size_t c) {
        int last = -1, skipped = 0;  // of its kind
        for (std::size_t b = 0; b < c; ++b) {
            if (choices_[b].kind != choice.kind) continue;
            if (before.chosen[b] < 0) ++skipped;
            else last = before.chosen[b];
        }
        for (std::size_t x = 0; x < choice.places.size(); ++x) {
            const int j = choice.places[x], free_after = static_cast<int>(choice.places.size() - x) - 1;
            if (choice.spare < 0 ? std::find(before.chosen.begin(), before.chosen.end(), j) != before.chosen.end()
                                 : j <= last || free_after < choice.left - (choice.spare - skipped))
                continue;
            Partial& p = next_.emplace_back(before);
            ++p.matches;
            p.crossings += crossings(before, choice.at, j);
            p.links += links(before, choice.at, j);
            p.chosen.push_back(j);
        }
        if (choice.spare < 0 || skipped < choice.spare) next_.emplace_back(before).chosen.push_back(-1);
    }
    int crossings(const Partial& p, int at, int to) const {
        int n = 0;
        for (int i = 0; i < static_cast<int>(map_.size()); ++i) {
            const int j = map_[static_cast<std::size_t>(i)];
            n += j >= 0 && (i < at ? j > to : j < to);
        }
        for (std::size_t b = 0; b < p.chosen.size(); ++b) n += p.chosen[b] > to;  // all stand before `at`
        return n;
    }
    // Neighbours that go to neighbours: each saves a chunk.
    int links(const Partial& p, int at, int to) const {
        const auto goes = [&](int i, int j) {
            return i >= 0 && i < static_cast<int>(map_.size()) && j >= 0 && map_[static_cast<std::size_t>(i)] == j;
        };
        int n = goes(at - 1, to - 1) + goes(at + 1, to + 1);
        if (!p.chosen.empty() && p.chosen.back() >= 0)
            n += choices_[p.chosen.size() - 1].at == at - 1 && p.chosen.back() == to - 1;
        return n;
    }

    struct Kind {
        std::vector<int> hyp, ref;
    };

    const Likeness& alike_;
    LocalIds local_;
    std::vector<int> map_;
    std::vector<bool> taken_;
    std::vector<Kind> kinds_;
    std::vector<Choice> choices_;
    std::vector<Partial> beam_, next_;
};

// Banerjee and Lavie 2005, with the parameters of Lavie and Agarwal 2007.
double score(const double* row, const MeteorOptions& o) {
    if (row[0] == 0) return 0;
    const double p = row[0] / row[2], r = row[0] / row[3];
    const double mean = p * r / (o.alpha * p + (1 - o.alpha) * r);
    return mean * (1 - o.gamma * std::pow(row[1] / row[0], o.beta));
}

}  // namespace

std::vector<double> meteor(const Tokens& outputs, const Tokens& references, const Layout& layout, const Likeness& alike,
                           const MeteorOptions& options) {
    std::vector<double> rows(4 * outputs.size(), std::numeric_limits<double>::quiet_NaN());
    std::uint32_t vocab = std::max(outputs.vocab_size, references.vocab_size);
    for (const std::uint32_t s : alike.stems) vocab = std::max(vocab, s == kNone ? 0 : s + 1);
    Aligner aligner(alike, vocab);
    for (std::size_t item = 0; item < layout.items(); ++item) {
        for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) {
            double* best = rows.data() + 4 * o;
            for (std::size_t k = 0; k < layout.references_of(item); ++k) {
                if (layout.own[o] == static_cast<std::int32_t>(k)) continue;
                const std::size_t r = layout.references[item] + k;
                const auto& map =
                    aligner.align(outputs.begin(o), outputs.length(o), references.begin(r), references.length(r));
                double row[4] = {0, 0, static_cast<double>(outputs.length(o)),
                                 static_cast<double>(references.length(r))};
                for (std::size_t i = 0; i < map.size(); ++i) {
                    if (map[i] < 0) continue;
                    ++row[0];
                    row[1] += i == 0 || map[i - 1] < 0 || map[i - 1] != map[i] - 1;
                }
                if (std::isnan(best[0]) || score(row, options) > score(best, options)) std::copy(row, row + 4, best);
            }
        }
    }
    return rows;
}

}  // namespace assay
