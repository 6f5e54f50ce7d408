#include "match/lcs.hpp"

#include <cmath>

#include "match/bits.hpp"
#include "match/items.hpp"

namespace assay {

using Word = std::uint64_t;
constexpr std::size_t kBits = 64;
static std::size_t words_for(std::size_t n) { return (n + kBits - 1) / kBits; }

// Bit-parallel rows (Hyyro 2004). The pattern's positions are bits; after row i, zeros among the first j bits count the
// LCS of the first i words of the text and the first j of the pattern.
class Rows {
public:
    // Where each symbol (below `symbols`; others match nothing) stands in the pattern, as a list: masks are set and
    // cleared per row, so that memory stays linear in the pattern however many symbols there are.
    void set_pattern(const std::uint32_t* pattern, std::size_t n, std::uint32_t symbols) {
        n_ = n;
        symbols_ = symbols;
        width_ = words_for(n);
        first_.assign(symbols + 1, 0);
        for (std::size_t j = 0; j < n; ++j)
            if (pattern[j] < symbols) ++first_[pattern[j] + 1];
        for (std::uint32_t s = 0; s < symbols; ++s) first_[s + 1] += first_[s];
        positions_.resize(first_[symbols]);
        cursor_ = first_;
        for (std::size_t j = 0; j < n; ++j)
            if (pattern[j] < symbols) positions_[cursor_[pattern[j]]++] = static_cast<std::uint32_t>(j);
        mask_.assign(width_, 0);
    }

    // One row: v -> (v + (v & m)) | (v & ~m).
    void step(const Word* v, std::uint32_t symbol, Word* out) {
        if (symbol >= symbols_ || first_[symbol] == first_[symbol + 1]) {
            if (out != v) std::copy(v, v + width_, out);
            return;
        }
        for (std::uint32_t p = first_[symbol]; p < first_[symbol + 1]; ++p)
            mask_[positions_[p] / kBits] |= Word{1} << positions_[p] % kBits;
        unsigned char carry = 0;
        for (std::size_t w = 0; w < width_; ++w) {
            const Word x = v[w], u = x & mask_[w];
            const Word sum = x + u, total = sum + carry;
            carry = static_cast<unsigned char>((sum < x) | (total < sum));
            out[w] = total | (x & ~mask_[w]);
        }
        for (std::uint32_t p = first_[symbol]; p < first_[symbol + 1]; ++p) mask_[positions_[p] / kBits] = 0;
    }

    // Zeros among the first j bits.
    std::size_t value(const Word* v, std::size_t j) const {
        std::size_t n = 0, w = 0;
        for (; (w + 1) * kBits <= j; ++w) n += static_cast<std::size_t>(count_bits(~v[w]));
        if (j % kBits) n += static_cast<std::size_t>(count_bits(~v[w] & ((Word{1} << j % kBits) - 1)));
        return n;
    }

    // The LCS length of the pattern and a text.
    std::size_t length_with(const std::uint32_t* text, std::size_t m, std::vector<Word>& row) {
        row.assign(width_, ~Word{0});
        for (std::size_t i = 0; i < m; ++i) step(row.data(), text[i], row.data());
        return value(row.data(), n_);
    }

    std::size_t width() const { return width_; }

private:
    std::size_t n_ = 0, width_ = 0;
    std::uint32_t symbols_ = 0;
    std::vector<std::uint32_t> first_, cursor_, positions_;
    std::vector<Word> mask_;
};

namespace {

Counts empty_counts(const Layout& layout) {
    Counts c;
    c.match.assign(layout.pairs.back(), 0.0);
    c.reference.assign(layout.pairs.back(), 0.0);
    c.output.assign(layout.outputs.back(), 0.0);
    return c;
}

struct Span {
    std::size_t begin, end;
};

void sentences_of(const Tokens& tokens, std::size_t t, std::vector<Span>& out) {
    out.clear();
    std::size_t begin = tokens.texts[t];
    for (std::size_t s = tokens.text_sentences[t]; s < tokens.text_sentences[t + 1]; ++s) {
        out.push_back({begin - tokens.texts[t], tokens.sentence_ends[s] - tokens.texts[t]});
        begin = tokens.sentence_ends[s];
    }
}

// Marks in `hit` (over the reference sentence) one LCS of it with an output sentence: the one the backtrackings of
// ROUGE-1.5.5 and rouge-score find, which go up (towards an earlier reference word) when both ways are as good.
class Marker {
public:
    void lcs(const std::uint32_t* ref, std::size_t m, const std::uint32_t* out, std::size_t n, std::uint32_t symbols,
             std::vector<char>& hit) {
        rows_.set_pattern(out, n, symbols);
        const std::size_t width = rows_.width();
        table_.assign((m + 1) * width, ~Word{0});
        for (std::size_t i = 1; i <= m; ++i) rows_.step(&table_[(i - 1) * width], ref[i - 1], &table_[i * width]);
        for (std::size_t i = m, j = n; i > 0 && j > 0;) {
            if (ref[i - 1] == out[j - 1]) {
                hit[--i] = 1;
                --j;
                continue;
            }
            const Word* row = &table_[i * width];
            const bool gained = !(row[(j - 1) / kBits] >> (j - 1) % kBits & 1);  // t[i][j] > t[i][j-1]
            const bool left = !gained && rows_.value(row, j) > rows_.value(&table_[(i - 1) * width], j);
            if (left) --j;
            else --i;
        }
    }

    // Weighted: a run of k matches is worth f(k).
    void wlcs(const std::uint32_t* ref, std::size_t m, const std::uint32_t* out, std::size_t n, double weight,
              std::vector<char>& hit) {
        const std::size_t stride = n + 1;
        score_.assign((m + 1) * stride, 0.0);
        run_.assign((m + 1) * stride, 0);
        while (f_.size() <= std::min(m, n) + 1) f_.push_back(std::pow(static_cast<double>(f_.size()), weight));
        for (std::size_t i = 1; i <= m; ++i) {
            for (std::size_t j = 1; j <= n; ++j) {
                const std::size_t at = i * stride + j;
                if (ref[i - 1] == out[j - 1]) {
                    const std::uint32_t k = run_[at - stride - 1];
                    score_[at] = score_[at - stride - 1] + f_[k + 1] - f_[k];
                    run_[at] = k + 1;
                } else {
                    score_[at] = std::max(score_[at - stride], score_[at - 1]);
                }
            }
        }
        for (std::size_t i = m, j = n; i > 0 && j > 0;) {
            const std::size_t at = i * stride + j;
            if (ref[i - 1] == out[j - 1]) {
                hit[--i] = 1;
                --j;
            } else if (score_[at - stride] >= score_[at - 1]) --i;
            else --j;
        }
    }

private:
    Rows rows_;
    std::vector<Word> table_;
    std::vector<double> score_, f_;
    std::vector<std::uint32_t> run_;
};

// The LCS length of a pattern of at most kWords words of bits and a text, with a row of masks per symbol
// and one of zeros for a word that is not in it.
template <std::size_t kWords>
std::size_t masked_length(const std::uint32_t* text, std::size_t m, const Word* masks) {
    Word v[kWords];
    std::fill(v, v + kWords, ~Word{0});
    for (std::size_t i = 0; i < m; ++i) {
        const Word* mask = masks + text[i] * kWords;
        Word carry = 0;
        for (std::size_t w = 0; w < kWords; ++w) {
            const Word u = v[w] & mask[w];
            const Word sum = v[w] + u, total = sum + carry;
            carry = (sum < u) | (total < carry);
            v[w] = total | (v[w] & ~mask[w]);
        }
    }
    std::size_t zeros = 0;
    for (std::size_t w = 0; w < kWords; ++w) zeros += static_cast<std::size_t>(count_bits(~v[w]));
    return zeros;
}

}  // namespace

void LcsKernel::run(const Bags& words, const Layout& layout, std::size_t item, Counts& counts) {
    const std::size_t first = layout.outputs[item], last = layout.outputs[item + 1];
    for (std::size_t j = 0; j < words.references; ++j) {
        const std::uint32_t* ref = words.begin(j);
        const std::size_t n = words.length(j), width = words_for(n);
        if (width <= 2) {
            masks_.assign((words.distinct + 1) * width, 0);
            for (std::size_t i = 0; i < n; ++i) masks_[ref[i] * width + i / kBits] |= Word{1} << i % kBits;
        } else {
            rows_->set_pattern(ref, n, words.distinct);
        }
        for (std::size_t o = first; o < last; ++o) {
            const std::size_t t = words.references + (o - first), m = words.length(t);
            const std::uint32_t* text = words.begin(t);
            const std::size_t length = width == 0   ? 0
                                       : width == 1 ? masked_length<1>(text, m, masks_.data())
                                       : width == 2 ? masked_length<2>(text, m, masks_.data())
                                                    : rows_->length_with(text, m, row_);
            counts.match[layout.pairs[o] + j] = static_cast<double>(length);
            counts.reference[layout.pairs[o] + j] = static_cast<double>(n);
        }
    }
}

LcsKernel::LcsKernel() : rows_(std::make_unique<Rows>()) {}
LcsKernel::~LcsKernel() = default;

Counts union_lcs(const Tokens& outputs, const Tokens& references, const Layout& layout, double weight) {
    Counts counts = empty_counts(layout);
    LocalIds local(std::max(outputs.vocab_size, references.vocab_size));
    Bags words;
    Marker marker;
    std::vector<Span> ref_sentences, out_sentences;
    std::vector<char> hit;
    std::vector<std::uint32_t> ref_left, out_left;
    const bool weighted = weight != 1.0;
    auto f = [&](double x) { return weighted ? std::pow(x, weight) : x; };
    for (std::size_t item = 0; item < layout.items(); ++item) {
        words.fill(outputs, references, layout, item, local);
        const std::size_t first = layout.outputs[item];
        for (std::size_t o = first; o < layout.outputs[item + 1]; ++o) {
            const std::size_t t = words.references + (o - first);
            const std::uint32_t* out = words.begin(t);
            sentences_of(outputs, o, out_sentences);
            counts.output[o] = f(static_cast<double>(words.length(t)));
            for (std::size_t j = 0; j < words.references; ++j) {
                const std::uint32_t* ref = words.begin(j);
                sentences_of(references, layout.references[item] + j, ref_sentences);
                ref_left.assign(words.distinct, 0);
                out_left.assign(words.distinct, 0);
                for (std::size_t i = 0; i < words.length(j); ++i) ++ref_left[ref[i]];
                for (std::size_t i = 0; i < words.length(t); ++i)
                    if (out[i] < words.distinct) ++out_left[out[i]];
                double total = 0, base = 0;
                for (const Span& r : ref_sentences) {
                    const std::size_t m = r.end - r.begin;
                    hit.assign(m, 0);
                    for (const Span& c : out_sentences) {
                        if (weighted) marker.wlcs(ref + r.begin, m, out + c.begin, c.end - c.begin, weight, hit);
                        else marker.lcs(ref + r.begin, m, out + c.begin, c.end - c.begin, words.distinct, hit);
                    }
                    base += f(static_cast<double>(m));
                    std::size_t run = 0;
                    for (std::size_t i = 0; i < m; ++i) {
                        const std::uint32_t w = ref[r.begin + i];
                        if (!hit[i] || !ref_left[w] || !out_left[w]) continue;
                        --ref_left[w];
                        --out_left[w];
                        ++run;
                        // A run ends where the next word is no hit. As in ROUGE-1.5.5, a hit that clipping refuses
                        // neither lengthens nor ends it.
                        if (i + 1 == m || !hit[i + 1]) {
                            total += f(static_cast<double>(run));
                            run = 0;
                        }
                    }
                    if (!weighted) total += static_cast<double>(run);
                }
                counts.match[layout.pairs[o] + j] = total;
                counts.reference[layout.pairs[o] + j] = f(base);
            }
        }
    }
    return counts;
}

}  // namespace assay
