#include "metrics/edit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "match/bits.hpp"
#include "match/pairs.hpp"

namespace assay {
namespace {

constexpr int kBeam = 25, kMaxShiftSize = 10, kMaxShiftDistance = 50, kMaxCandidates = 1000;  // as sacreBLEU 2.6
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Bits low(std::size_t n) { return n >= 64 ? ~Bits{0} : (Bits{1} << n) - 1; }

// Up (p) and down (m) steps between neighbours of a row, and whether each cell is one more or less than the one above.
struct Step {
    Bits p, m, up, down;
};

// One row of Myers (1999) as Hyyro (2003) writes it; `in` and `in_down` say how the cell left of the word changed.
inline Step step(Bits p, Bits m, Bits equal, Bits in = 1, Bits in_down = 0) {
    const Bits xv = equal | m;
    equal |= in_down;
    const Bits xh = (((equal & p) + p) ^ p) | equal;
    const Bits up = m | ~(xh | p), down = p & xh;
    const Bits up_shifted = up << 1 | in, down_shifted = down << 1 | in_down;
    return {down_shifted | ~(xv | up_shifted), up_shifted & xv, up, down};
}

int levenshtein(const Words& output, const Reference& reference, std::vector<Bits>& p, std::vector<Bits>& m) {
    const int n = reference.size();
    if (n == 0) return static_cast<int>(output.size());
    const std::size_t blocks = static_cast<std::size_t>(n + 63) / 64;
    p.assign(blocks, ~Bits{0});
    m.assign(blocks, 0);
    const int last = (n - 1) % 64;
    int distance = n;
    for (const Word w : output) {
        Bits in = 1, in_down = 0;
        for (std::size_t b = 0; b < blocks; ++b) {
            const Step s = step(p[b], m[b], reference.block(w, b), in, in_down);
            p[b] = s.p;
            m[b] = s.m;
            if (b + 1 == blocks) distance += static_cast<int>(s.up >> last & 1) - static_cast<int>(s.down >> last & 1);
            in = s.up >> 63;
            in_down = s.down >> 63;
        }
    }
    return distance;
}

// How the words of an output lie against a reference: for each reference word the output word it goes with (or the last
// before it), and which words of both are in error.
struct Alignment {
    std::vector<int> align, hyp_errors, ref_errors;  // errors as running sums

    void start(int n, int m) {
        align.assign(static_cast<std::size_t>(m), -1);
        hyp_errors.assign(static_cast<std::size_t>(n) + 1, 0);
        ref_errors.assign(static_cast<std::size_t>(m) + 1, 0);
    }
    void add_up() {
        for (std::size_t i = 1; i < hyp_errors.size(); ++i) hyp_errors[i] += hyp_errors[i - 1];
        for (std::size_t j = 1; j < ref_errors.size(); ++j) ref_errors[j] += ref_errors[j - 1];
    }
    // From the last cell to the first; `move` says which way each came: 0 both words, 1 the output's, 2 the
    // reference's.
    template <class Move>
    void follow(const Words& words, const Reference& reference, Move move) {
        int i = static_cast<int>(words.size()), j = reference.size();
        start(i, j);
        while (i > 0 || j > 0) {
            const int way = i == 0 ? 2 : j == 0 ? 1 : move(i, j);
            if (way == 0) {
                const int wrong = words[static_cast<std::size_t>(i - 1)] != reference[j - 1];
                align[static_cast<std::size_t>(j - 1)] = i - 1;
                hyp_errors[static_cast<std::size_t>(i)] = ref_errors[static_cast<std::size_t>(j)] = wrong;
                --i, --j;
            } else if (way == 1) {
                hyp_errors[static_cast<std::size_t>(i--)] = 1;
            } else {
                align[static_cast<std::size_t>(j - 1)] = i - 1;
                ref_errors[static_cast<std::size_t>(j--)] = 1;
            }
        }
        add_up();
    }
};

// sacreBLEU looks only at cells near the line from corner to corner: row i holds columns [low, high).
struct Band {
    int low = 0, high = 0;

    static Band of(int i, int n, int m) {
        const double ratio = static_cast<double>(m) / n;
        const int beam = kBeam < ratio / 2 ? static_cast<int>(std::ceil(ratio / 2 + kBeam)) : kBeam;
        const int middle = static_cast<int>(std::floor(i * ratio));
        return {std::max(0, middle - beam), i == n ? m + 1 : std::min(m + 1, middle + beam)};
    }
};

// The table in a band, one machine word a row. Bit k of row i is column base + k: its difference from the column
// before. Cells outside the band are infinite. It is enough to pretend others there: right of the band each is one more
// than its neighbour, and matches reached from there do not count; left of it they are one more than what they could
// improve.
class BandedDistance {
public:
    // False if a row does not fit a word (an output of a fiftieth of the reference's length).
    bool shape(int n, int m) {
        if (n == n_ && m == m_) return fits_;
        n_ = n, m_ = m, fits_ = true;
        rows_.resize(static_cast<std::size_t>(n) + 1);
        states_.resize(static_cast<std::size_t>(n) + 1);
        Band before{0, m + 1};
        rows_[0] = {0, 0, 1, 0, false, before};
        for (int i = 1; i <= n; ++i) {
            const Band band = Band::of(i, n, m);
            const int base = std::max(band.low, 1), shift = base - rows_[static_cast<std::size_t>(i) - 1].base;
            const bool stays = band.low == before.low && band.low > 0;
            fits_ = fits_ && band.high - base <= 64 && shift < 64;
            if (!fits_) return false;
            Bits equal = low(static_cast<std::size_t>(std::max(0, before.high - base + 1)));
            if (stays) equal &= ~Bits{1};
            rows_[static_cast<std::size_t>(i)] = {
                equal, low(static_cast<std::size_t>(band.high - base)), base, shift, stays, band};
            before = band;
        }
        return true;
    }

    // The distance, remembering every row for `shifted` and `align`.
    int base(const Words& words, const Reference& reference) {
        states_[0] = {{~Bits{0}, 0, 0, 0}, 1};
        for (std::size_t i = 1; i < states_.size(); ++i)
            states_[i] = next(states_[i - 1], rows_[i], words[i - 1], reference);
        return base_ = last(states_.back());
    }

    // The distance of words that differ from the base's only in [from, to).
    int shifted(const Words& words, const Reference& reference, std::size_t from, std::size_t to) const {
        State state = states_[from];
        for (std::size_t i = from + 1; i < states_.size(); ++i) {
            state = next(state, rows_[i], words[i - 1], reference);
            const State& other = states_[i];
            if (i >= to && state.bits.p == other.bits.p && state.bits.m == other.bits.m)
                return base_ + state.first - other.first;
        }
        return last(state);
    }

    // Where several ways are as short: both words, then the output's, then the reference's, as sacreBLEU.
    void align(const Words& words, const Reference& reference, Alignment& out) const {
        out.follow(words, reference, [&](int i, int j) {
            const auto row = static_cast<std::size_t>(i);
            const Band above = rows_[row - 1].band;
            const int change = difference(states_[row].bits.up, states_[row].bits.down, j - rows_[row].base);
            const int wrong = words[row - 1] != reference[j - 1];
            if (j - 1 >= above.low && j - 1 < above.high && change + along(row - 1, j) == wrong) return 0;
            return j >= above.low && j < above.high && change == 1 ? 1 : 2;
        });
    }

private:
    struct State {
        Step bits;
        int first;
    };  // first: the value at column `base`

    struct Shape {
        Bits equal, inside;
        int base, shift;
        bool stays;
        Band band;
    };

    static int difference(Bits up, Bits down, int k) {
        return static_cast<int>(up >> k & 1) - static_cast<int>(down >> k & 1);
    }

    // The value at column j less that at j - 1, in a row whose band may end there.
    int along(std::size_t row, int j) const {
        const int k = j - rows_[row].base;
        return k > 63 ? 1 : difference(states_[row].bits.p, states_[row].bits.m, k);
    }
    static State next(const State& before, const Shape& row, Word w, const Reference& reference) {
        Bits p = before.bits.p, m = before.bits.m;
        int first = before.first;
        if (row.shift) {
            if (row.shift == 1) {  // as nearly always, where texts are of like length
                first += difference(p, m, 1);
            } else {
                const Bits passed = low(static_cast<std::size_t>(row.shift)) << 1;
                first += count_bits(p & passed) - count_bits(m & passed);
            }
            p = p >> row.shift | ~(~Bits{0} >> row.shift);
            m >>= row.shift;
        }
        if (row.stays) {
            p &= ~Bits{1};
            m |= 1;
        }
        Step s = step(p, m, reference.window(w, static_cast<std::size_t>(row.base - 1)) & row.equal);
        first += static_cast<int>(s.up & 1) - static_cast<int>(s.down & 1);
        s.p |= ~row.inside;
        s.m &= row.inside;
        return {s, first};
    }
    int last(const State& state) const {
        const Bits rest = low(static_cast<std::size_t>(m_ - rows_.back().base) + 1) & ~Bits{1};
        return state.first + count_bits(state.bits.p & rest) - count_bits(state.bits.m & rest);
    }

    int n_ = -1, m_ = -1, base_ = 0;
    bool fits_ = true;
    std::vector<Shape> rows_;
    std::vector<State> states_;
};

// The same cell by cell, for the rare shapes whose rows are wider than a machine word.
class WideDistance {
public:
    int distance(const Words& words, const Reference& reference) {
        const int n = static_cast<int>(words.size());
        width_ = static_cast<std::size_t>(reference.size()) + 1;
        table_.assign((words.size() + 1) * width_, kFar);
        for (std::size_t j = 0; j < width_; ++j) table_[j] = static_cast<int>(j);
        for (int i = 1; i <= n; ++i) {
            const Band band = Band::of(i, n, reference.size());
            for (int j = band.low; j < band.high; ++j) {
                if (j == 0) {
                    at(i, 0) = at(i - 1, 0) + 1;
                    continue;
                }
                const int wrong = words[static_cast<std::size_t>(i - 1)] != reference[j - 1];
                at(i, j) = std::min({at(i - 1, j - 1) + wrong, at(i - 1, j) + 1, at(i, j - 1) + 1, kFar});
            }
        }
        return table_.back();
    }
    void align(const Words& words, const Reference& reference, Alignment& out) {
        out.follow(words, reference, [&](int i, int j) {
            const int wrong = words[static_cast<std::size_t>(i - 1)] != reference[j - 1];
            return at(i, j) == at(i - 1, j - 1) + wrong ? 0 : at(i, j) == at(i - 1, j) + 1 ? 1 : 2;
        });
    }

private:
    static constexpr int kFar = 1 << 29;
    int& at(int i, int j) { return table_[static_cast<std::size_t>(i) * width_ + static_cast<std::size_t>(j)]; }
    std::vector<int> table_;
    std::size_t width_ = 0;
};

// Greedy search for shifts (Snover et al. 2006, in tercom's order): the one that helps most, again and again.
class ShiftSearch {
public:
    int edits(Words words, const Reference& reference) {
        const int n = static_cast<int>(words.size()), m = reference.size();
        if (m == 0 || n == 0) return n + m;
        fits_ = band_.shape(n, m);
        int shifts = 0, distance = 0, checked = 0;
        while (true) {
            distance = fits_ ? band_.base(words, reference) : wide_.distance(words, reference);
            if (distance == 0) break;  // nothing is in error, so that nothing is shifted
            if (fits_) band_.align(words, reference, alignment_);
            else wide_.align(words, reference, alignment_);
            const Shift best = find(words, reference, distance, checked);
            if (checked >= kMaxCandidates || best.gain <= 0) break;
            ++shifts;
            shift(words, best);
            words.swap(moved_);
        }
        return shifts + distance;
    }

private:
    struct Shift {
        int gain = 0, length = 0, start = 0, target = 0;
        bool better_than(const Shift& o) const {  // then the longest, the earliest, to the earliest place
            if (gain != o.gain) return gain > o.gain;
            if (length != o.length) return length > o.length;
            if (start != o.start) return start < o.start;
            return target < o.target;
        }
    };

    Shift find(const Words& words, const Reference& reference, int distance, int& checked) {
        const int n = static_cast<int>(words.size()), m = reference.size();
        Shift best;
        bool any = false;
        for (int start = 0; start < n; ++start) {
            const Word w = words[static_cast<std::size_t>(start)];
            if (w == kNone) continue;
            for (const std::uint32_t* p = reference.begin(w); p != reference.end(w); ++p) {
                const int to = static_cast<int>(*p);
                if (std::abs(to - start) > kMaxShiftDistance) continue;
                for (int length = 1; length <= kMaxShiftSize; ++length) {
                    if (start + length > n || to + length > m) break;
                    if (words[static_cast<std::size_t>(start + length - 1)] != reference[to + length - 1]) break;
                    consider(words, reference, {0, length, start, 0}, to, distance, checked, best, any);
                    if (checked >= kMaxCandidates) return best;
                }
            }
        }
        return best;
    }

    void consider(const Words& words, const Reference& reference, Shift shift, int to, int distance, int& checked,
                  Shift& best, bool& any) {
        const auto errors = [](const std::vector<int>& sums, int from, int length) {
            return sums[static_cast<std::size_t>(from + length)] - sums[static_cast<std::size_t>(from)];
        };
        const int at = alignment_.align[static_cast<std::size_t>(to)];
        if (errors(alignment_.hyp_errors, shift.start, shift.length) == 0) return;
        if (errors(alignment_.ref_errors, to, shift.length) == 0) return;
        if (shift.start <= at && at < shift.start + shift.length) return;
        int previous = -1;
        for (int offset = -1; offset < shift.length; ++offset) {
            shift.target = to + offset == -1 ? 0 : alignment_.align[static_cast<std::size_t>(to + offset)] + 1;
            if (shift.target == previous) continue;
            previous = shift.target;
            ++checked;
            shift.gain = distance - shifted(words, reference, shift);
            if (!any || shift.better_than(best)) best = shift;
            any = true;
        }
    }

    int shifted(const Words& words, const Reference& reference, const Shift& s) {
        const auto [from, to] = shift(words, s);
        return fits_ ? band_.shifted(moved_, reference, from, to) : wide_.distance(moved_, reference);
    }

    // Puts the shifted words into moved_; they differ from the others in the range that comes back.
    std::pair<std::size_t, std::size_t> shift(const Words& words, const Shift& s) {
        const int n = static_cast<int>(words.size());
        moved_ = words;
        int from, middle, to;  // [from, middle) and [middle, to) change places
        if (s.target < s.start) from = s.target, middle = s.start, to = s.start + s.length;
        else if (s.target > s.start + s.length) from = s.start, middle = s.start + s.length, to = s.target;
        else from = s.start, middle = s.start + s.length, to = std::min(s.length + s.target, n);
        std::rotate(moved_.begin() + from, moved_.begin() + middle, moved_.begin() + to);
        return {static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
    }

    BandedDistance band_;
    WideDistance wide_;
    Alignment alignment_;
    Words moved_;
    bool fits_ = true;
};

// Edits per word; against an empty reference the number of edits, as jiwer counts.
double rate(double edits, double length) { return length > 0 ? edits / length : edits; }

}  // namespace

EditRows word_edits(const Tokens& outputs, const Tokens& references, const Layout& layout) {
    EditRows rows;
    rows.values.assign(2 * outputs.size(), kNaN);
    std::vector<Bits> p, m;
    for_pairs(outputs, references, layout, [&](std::size_t o, const Words& words, const Reference& reference) {
        const double edits = levenshtein(words, reference, p, m), length = reference.size();
        double* best = rows.values.data() + 2 * o;
        if (std::isnan(best[0]) || rate(edits, length) < rate(best[0], best[1])) best[0] = edits, best[1] = length;
    });
    return rows;
}

EditRows translation_edits(const Tokens& outputs, const Tokens& references, const Layout& layout, std::size_t cap) {
    EditRows rows;
    rows.values.assign(2 * outputs.size(), kNaN);
    std::vector<double> met(outputs.size(), 0);
    std::vector<bool> capped(outputs.size(), false);
    std::vector<Bits> p, m;
    ShiftSearch search;
    for_pairs(outputs, references, layout, [&](std::size_t o, const Words& words, const Reference& reference) {
        const bool large = words.size() > cap || static_cast<std::size_t>(reference.size()) > cap;
        if (large) capped[o] = true;
        const double edits = large ? levenshtein(words, reference, p, m) : search.edits(words, reference);
        double* row = rows.values.data() + 2 * o;
        row[0] = met[o] == 0 ? edits : std::min(row[0], edits);
        row[1] = met[o] == 0 ? reference.size() : row[1] + reference.size();
        ++met[o];
    });
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        if (met[o] > 0) rows.values[2 * o + 1] /= met[o];
        rows.capped += capped[o];
    }
    return rows;
}

}  // namespace assay
