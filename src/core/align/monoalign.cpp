#include "align/monoalign.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr double kNever = -1e9;
constexpr std::size_t kNear = 3;  // words on either side that count as around
constexpr int kMostAround = 4;    // alike words around beyond which more say nothing
constexpr std::size_t kLongestGap = 3;
constexpr std::size_t kReach = 2;  // words between two links of one word at most

bool share(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    for (std::size_t x = 0, y = 0; x < a.size() && y < b.size();) {
        if (a[x] == b[y]) return true;
        a[x] < b[y] ? ++x : ++y;
    }
    return false;
}

// Edits (a swap of neighbours is one) if at most `most`, else more.
std::size_t edits(const std::wstring& a, const std::wstring& b, std::size_t most) {
    if ((a.size() > b.size() ? a.size() - b.size() : b.size() - a.size()) > most) return most + 1;
    std::vector<std::size_t> two, last(b.size() + 1), now(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = std::min(now[j], two[j - 2] + 1);
        }
        two = last;
        last.swap(now);
    }
    return last[b.size()];
}

// From 0 to 1: one begins with the other, both begin alike, or a letter or two differ.
double spelt_alike(const std::wstring& a, const std::wstring& b) {
    const std::size_t least = std::min(a.size(), b.size()), most = std::max(a.size(), b.size());
    if (least < 3) return 0;
    std::size_t same = 0;
    while (same < least && a[same] == b[same]) ++same;
    if (same == least) return least >= 4 || most <= 2 * least ? 0.9 : 0;
    if (same >= 4 && 10 * same >= 6 * most) return static_cast<double>(same) / static_cast<double>(most);
    const std::size_t allowed = least < 4 ? 0 : most < 7 ? 1 : 2;
    if (same == 0 || allowed == 0) return 0;
    const std::size_t n = edits(a, b, allowed);
    return n > allowed ? 0 : 1 - static_cast<double>(n) / static_cast<double>(most);
}

struct Cell {
    double weight = 0;  // log
    LinkKind kind = LinkKind::Context;
    bool alike = false;
};

struct Block {
    std::uint32_t a0, a1, b0, b1;
};

class Pair {
public:
    Pair(const MonoText& a, const MonoText& b, const MonoWeights& w)
        : a_(a), b_(b), w_(w), n_(a.words.size()), m_(b.words.size()), cells_(n_ * m_) {}

    std::vector<MonoLink> links() {
        if (n_ == 0 || m_ == 0) return {};
        compare_words();
        compare_spans();
        std::vector<double> factors = weigh();
        std::vector<double> turned(n_ * m_);
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < m_; ++j) turned[j * n_ + i] = factors[i * m_ + j];
        }
        const std::vector<double> there = posteriors(factors, n_, m_), back = posteriors(turned, m_, n_);
        score_.resize(n_ * m_);
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < m_; ++j) score_[i * m_ + j] = std::sqrt(there[i * m_ + j] * back[j * n_ + i]);
        }
        linked_.assign(n_ * m_, false);
        for (std::size_t k = 0; k < n_ * m_; ++k) linked_[k] = score_[k] >= w_.least;
        drop_strays();
        take_blocks();
        fill_gaps();
        return gathered();
    }

private:
    Cell& at(std::size_t i, std::size_t j) { return cells_[i * m_ + j]; }

    void compare_words() {
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < m_; ++j) at(i, j) = compare(a_.words[i], b_.words[j]);
        }
    }

    Cell compare(const MonoWord& x, const MonoWord& y) const {
        if (x.form == y.form) {
            const double weight = x.kind == WordClass::Content    ? w_.exact
                                  : x.kind == WordClass::Function ? w_.exact_function
                                                                  : w_.exact_mark;
            return {weight, LinkKind::Exact, true};
        }
        if (!x.number.empty() && x.number == y.number) return {w_.spelling, LinkKind::Spelling, true};
        if (share(x.senses, y.senses))
            return {x.stem == y.stem ? w_.stem : w_.synonym, x.stem == y.stem ? LinkKind::Stem : LinkKind::Synonym,
                    true};
        if (x.kind == WordClass::Mark || y.kind == WordClass::Mark)
            return {x.kind == y.kind ? w_.mixed : kNever, LinkKind::Context, false};
        if (x.stem == y.stem) return {w_.stem, LinkKind::Stem, true};
        if (x.kind != y.kind) return {w_.mixed, LinkKind::Context, false};
        if (x.kind == WordClass::Function) return {w_.unlike_function, LinkKind::Context, false};
        if (x.number.empty() && y.number.empty()) {
            const double like = spelt_alike(x.form, y.form);
            if (like > 0) return {w_.unlike + like * (w_.spelling - w_.unlike), LinkKind::Spelling, true};
        }
        return {x.number.empty() == y.number.empty() ? w_.unlike : w_.mixed, LinkKind::Context, false};
    }

    // A span may be a word or a span of the other side.
    void compare_spans() {
        for (const MonoSpan& s : a_.spans) {
            for (std::uint32_t j = 0; j < m_; ++j)
                if (one(s, b_.words[j])) block({s.start, s.end, j, j + 1});
            for (const MonoSpan& t : b_.spans)
                if (both(s, t)) block({s.start, s.end, t.start, t.end});
        }
        for (const MonoSpan& t : b_.spans) {
            for (std::uint32_t i = 0; i < n_; ++i)
                if (one(t, a_.words[i])) block({i, i + 1, t.start, t.end});
        }
        std::sort(blocks_.begin(), blocks_.end(), [](const Block& x, const Block& y) { return area(x) > area(y); });
    }
    static std::size_t area(const Block& x) { return static_cast<std::size_t>(x.a1 - x.a0) * (x.b1 - x.b0); }
    static bool one(const MonoSpan& s, const MonoWord& w) {
        if (w.kind == WordClass::Mark) return false;
        return (!s.joined.empty() && s.joined == w.form) || (!s.initials.empty() && s.initials == w.form) ||
               (!s.number.empty() && s.number == w.number) || share(s.senses, w.senses);
    }
    static bool both(const MonoSpan& s, const MonoSpan& t) {
        if (s.joined == t.joined && s.end - s.start == t.end - t.start) return false;  // word by word
        return (!s.joined.empty() && s.joined == t.joined) || (!s.number.empty() && s.number == t.number) ||
               share(s.senses, t.senses);
    }
    void block(const Block& found) {
        blocks_.push_back(found);
        for (std::size_t i = found.a0; i < found.a1; ++i) {
            for (std::size_t j = found.b0; j < found.b1; ++j) {
                if (inside(found, i, j) && at(i, j).weight < w_.phrase) at(i, j) = {w_.phrase, LinkKind::Phrase, true};
            }
        }
    }
    // Phrases of the same length go word by word, others every word to every word.
    static bool inside(const Block& x, std::size_t i, std::size_t j) {
        return x.a1 - x.a0 != x.b1 - x.b0 || i - x.a0 == j - x.b0;
    }

    // exp of: likeness, alike neighbours, place.
    std::vector<double> weigh() {
        std::vector<double> out(n_ * m_);
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < m_; ++j) {
                const Cell& cell = at(i, j);
                if (cell.weight <= kNever) continue;
                const int beside = alike(i, j, -1) + alike(i, j, 1);
                const int near = std::min(kMostAround, around(i, j, -1) + around(i, j, 1));
                const bool function = a_.words[i].kind != WordClass::Content && b_.words[j].kind != WordClass::Content;
                const double apart = std::abs(place(i, n_) - place(j, m_));
                out[i * m_ + j] = std::exp(cell.weight + w_.beside * beside +
                                           (function ? w_.function_around : w_.around) * near - w_.position * apart);
            }
        }
        return out;
    }
    static double place(std::size_t i, std::size_t n) {
        return (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    }
    int alike(std::size_t i, std::size_t j, int step) {
        const std::size_t x = i + static_cast<std::size_t>(step), y = j + static_cast<std::size_t>(step);
        if (x >= n_ || y >= m_) return (x >= n_) && (y >= m_);  // both begin or end here
        return at(x, y).alike;
    }
    // Pairs of alike content words within reach on one side.
    int around(std::size_t i, std::size_t j, int step) {
        int n = 0;
        for (std::size_t p = 1; p <= kNear; ++p) {
            const std::size_t x = i + static_cast<std::size_t>(step) * p;
            if (x >= n_) break;
            if (a_.words[x].kind != WordClass::Content) continue;
            for (std::size_t q = 1; q <= kNear; ++q) {
                const std::size_t y = j + static_cast<std::size_t>(step) * q;
                if (y >= m_) break;
                n += b_.words[y].kind == WordClass::Content && at(x, y).alike;
            }
        }
        return n;
    }

    double jump(std::ptrdiff_t d) const {
        if (d == 0) return w_.stay;
        if (d > 0) return -w_.forward * std::log(static_cast<double>(d));
        return -w_.back - w_.back_more * std::log(static_cast<double>(-d));
    }

    // The chance that word i goes to place j, given all words: forward and backward sums. State k is "last place was
    // k - 1", 0 the start; a word that goes nowhere keeps it.
    std::vector<double> posteriors(const std::vector<double>& factors, std::size_t n, std::size_t m) const {
        const std::size_t states = m + 1;
        std::vector<double> jumps(2 * m + 1);
        for (std::size_t d = 0; d < jumps.size(); ++d)
            jumps[d] = std::exp(jump(static_cast<std::ptrdiff_t>(d) - static_cast<std::ptrdiff_t>(m)));
        std::vector<double> ahead((n + 1) * states), behind((n + 1) * states), came(n * m);
        ahead[0] = 1;
        for (std::size_t i = 0; i < n; ++i) {
            const double *from = &ahead[i * states], *factor = &factors[i * m];
            double *to = &ahead[(i + 1) * states], sum = 0;
            for (std::size_t j = 0; j < m; ++j) {
                double in = 0;
                const double* reach = &jumps[m + j + 1];  // from state k: j - (k - 1)
                for (std::size_t k = 0; k < states; ++k) in += from[k] * reach[-static_cast<std::ptrdiff_t>(k)];
                came[i * m + j] = in * factor[j];
                to[j + 1] = came[i * m + j] + from[j + 1];
                sum += to[j + 1];
            }
            to[0] = from[0];
            sum += to[0];
            for (std::size_t k = 0; k < states; ++k) to[k] /= sum;
            for (std::size_t j = 0; j < m; ++j) came[i * m + j] /= sum;
        }
        std::fill(behind.end() - static_cast<std::ptrdiff_t>(states), behind.end(), 1.0);
        std::vector<double> out(n * m), worth(m);
        for (std::size_t i = n; i-- > 0;) {
            const double *after = &behind[(i + 1) * states], *factor = &factors[i * m];
            double *now = &behind[i * states], whole = 0, sum = 0;
            for (std::size_t j = 0; j < m; ++j) {
                out[i * m + j] = came[i * m + j] * after[j + 1];
                worth[j] = factor[j] * after[j + 1];
            }
            for (std::size_t k = 0; k < states; ++k) whole += ahead[(i + 1) * states + k] * after[k];
            for (std::size_t j = 0; j < m; ++j) out[i * m + j] /= whole;
            for (std::size_t k = 0; k < states; ++k) {
                double in = after[k];  // nowhere
                const double* reach = &jumps[m + 1 - k];
                for (std::size_t j = 0; j < m; ++j) in += worth[j] * reach[j];
                now[k] = in;
                sum += in;
            }
            for (std::size_t k = 0; k < states; ++k) now[k] /= sum;
        }
        return out;
    }

    // A word keeps the links around its best one; those further away go.
    void drop_strays() {
        std::vector<bool> rows = linked_, columns = linked_;
        for (std::size_t i = 0; i < n_; ++i) keep_run(rows, i * m_, 1, m_);
        for (std::size_t j = 0; j < m_; ++j) keep_run(columns, j, m_, n_);
        for (std::size_t k = 0; k < linked_.size(); ++k) linked_[k] = rows[k] && columns[k];
    }
    void keep_run(std::vector<bool>& linked, std::size_t start, std::size_t step, std::size_t count) const {
        std::size_t best = count;
        for (std::size_t k = 0; k < count; ++k) {
            if (linked[start + k * step] && (best == count || score_[start + k * step] > score_[start + best * step]))
                best = k;
        }
        if (best == count) return;
        std::size_t last = best;
        for (std::size_t k = best + 1; k < count; ++k) {
            if (linked[start + k * step] && k - last <= kReach) last = k;
            else if (linked[start + k * step]) linked[start + k * step] = false;
        }
        last = best;
        for (std::size_t k = best; k-- > 0;) {
            if (linked[start + k * step] && last - k <= kReach) last = k;
            else if (linked[start + k * step]) linked[start + k * step] = false;
        }
    }

    // Phrases whose words go to each other, the largest first.
    void take_blocks() {
        std::vector<bool> used_a(n_, false), used_b(m_, false);
        for (const Block& x : blocks_) {
            bool free = true;
            for (std::size_t i = x.a0; i < x.a1 && free; ++i) free = !used_a[i] && stays(i, x, true);
            for (std::size_t j = x.b0; j < x.b1 && free; ++j) free = !used_b[j] && stays(j, x, false);
            const double score = free ? block_score(x) : 0;
            if (score < w_.least_phrase) continue;
            for (std::size_t i = x.a0; i < x.a1; ++i)
                std::fill_n(linked_.begin() + static_cast<std::ptrdiff_t>(i * m_), m_, false);
            for (std::size_t j = x.b0; j < x.b1; ++j) {
                for (std::size_t i = 0; i < n_; ++i) linked_[i * m_ + j] = false;
            }
            for (std::size_t i = x.a0; i < x.a1; ++i) {
                used_a[i] = true;
                for (std::size_t j = x.b0; j < x.b1; ++j) {
                    used_b[j] = true;
                    if (!inside(x, i, j)) continue;
                    linked_[i * m_ + j] = true;
                    score_[i * m_ + j] = std::max(score, score_[i * m_ + j]);
                    if (at(i, j).kind == LinkKind::Context) at(i, j).kind = LinkKind::Phrase;
                }
            }
        }
    }
    // Whether the word has no link that leaves the block; one by context alone gives way.
    bool stays(std::size_t k, const Block& x, bool side_a) const {
        for (std::size_t o = 0; o < (side_a ? m_ : n_); ++o) {
            const bool inside = side_a ? o >= x.b0 && o < x.b1 : o >= x.a0 && o < x.a1;
            const std::size_t cell = side_a ? k * m_ + o : o * m_ + k;
            if (!inside && linked_[cell] && cells_[cell].alike) return false;
        }
        return true;
    }
    double block_score(const Block& x) const {
        double best = 0;
        for (std::size_t i = x.a0; i < x.a1; ++i) {
            for (std::size_t j = x.b0; j < x.b1; ++j) best = std::max(best, score_[i * m_ + j]);
        }
        return best;
    }

    // What stands between the same links on both sides and goes nowhere says the same in other words.
    void fill_gaps() {
        if (w_.gap <= 0) return;
        std::vector<std::size_t> links_a(n_, 0), links_b(m_, 0);
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < m_; ++j) {
                if (linked_[i * m_ + j]) ++links_a[i], ++links_b[j];
            }
        }
        const std::vector<bool> before = linked_;
        const auto joined = [&](std::size_t i, std::size_t j) {  // counted from 1; 0 and the end stand for themselves
            if (i == 0 || j == 0) return i == j;
            if (i > n_ || j > m_) return i > n_ && j > m_;
            return static_cast<bool>(before[(i - 1) * m_ + j - 1]);
        };
        for (std::size_t i = 0; i <= n_; ++i) {
            for (std::size_t j = 0; j <= m_; ++j) {
                if (!joined(i, j)) continue;
                std::size_t p = i, q = j;  // the gap is a[i .. p), b[j .. q)
                while (p < n_ && links_a[p] == 0 && p - i <= kLongestGap) ++p;
                while (q < m_ && links_b[q] == 0 && q - j <= kLongestGap) ++q;
                if (p == i || q == j || p - i > kLongestGap || q - j > kLongestGap || !joined(p + 1, q + 1)) continue;
                if (!speaks(a_, i, p) || !speaks(b_, j, q)) continue;
                for (std::size_t x = i; x < p; ++x) {
                    for (std::size_t y = j; y < q; ++y) {
                        linked_[x * m_ + y] = true;
                        score_[x * m_ + y] = std::max(score_[x * m_ + y], w_.gap);
                    }
                }
            }
        }
    }
    // A content word and no mark.
    static bool speaks(const MonoText& text, std::size_t from, std::size_t to) {
        bool content = false;
        for (std::size_t k = from; k < to; ++k) {
            if (text.words[k].kind == WordClass::Mark) return false;
            content |= text.words[k].kind == WordClass::Content;
        }
        return content;
    }

    std::vector<MonoLink> gathered() {
        std::vector<MonoLink> out;
        for (std::uint32_t i = 0; i < n_; ++i) {
            for (std::uint32_t j = 0; j < m_; ++j) {
                if (linked_[i * m_ + j]) out.push_back({i, j, at(i, j).kind, std::min(1.0, score_[i * m_ + j])});
            }
        }
        return out;
    }

    const MonoText &a_, &b_;
    const MonoWeights& w_;
    std::size_t n_, m_;
    std::vector<Cell> cells_;
    std::vector<Block> blocks_;
    std::vector<double> score_;
    std::vector<bool> linked_;
};

}  // namespace

std::vector<MonoLink> monoalign(const MonoText& a, const MonoText& b, const MonoWeights& weights) {
    const auto by_form = [](const MonoWord& x, const MonoWord& y) { return x.form < y.form; };
    if (!std::lexicographical_compare(b.words.begin(), b.words.end(), a.words.begin(), a.words.end(), by_form)) {
        return Pair(a, b, weights).links();
    }
    // Always in the same order, so that ties and rounding cannot tell which text was named first.
    std::vector<MonoLink> links = Pair(b, a, weights).links();
    for (MonoLink& link : links) std::swap(link.a, link.b);
    std::sort(links.begin(), links.end(),
              [](const MonoLink& x, const MonoLink& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    return links;
}

}  // namespace assay
