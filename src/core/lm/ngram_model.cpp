#include "lm/ngram_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "text/vocab.hpp"

namespace assay {

namespace {

constexpr int kBits = 21;
constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;

struct Gram {
    std::uint64_t
        key;  // words from the most significant; the last word lowest, so that a context's grams are neighbours
    std::uint64_t raw;    // how often it was seen: what pruning looks at
    std::uint64_t count;  // adjusted: how many different words stand before it; raw for the highest order and after <s>
};

using Table = std::vector<Gram>;

std::uint32_t last(std::uint64_t key) { return static_cast<std::uint32_t>(key & kMask); }
std::uint64_t context(std::uint64_t key) { return key >> kBits; }
std::uint64_t without_first(std::uint64_t key, int n) { return key & ((std::uint64_t{1} << kBits * (n - 1)) - 1); }

Table counted(std::vector<std::uint64_t>& keys) {
    std::sort(keys.begin(), keys.end());
    Table table;
    for (std::size_t i = 0; i < keys.size();) {
        std::size_t j = i;
        while (j < keys.size() && keys[j] == keys[i]) ++j;
        table.push_back({keys[i], j - i, j - i});
        i = j;
    }
    return table;
}

// The n-grams of an order from those one word longer, and from the beginnings of sentences.
Table shorter(const Table& longer, int n, std::vector<std::uint64_t>& starts) {
    Table table = counted(starts);  // begins with <s>: the count as it is
    const std::size_t from_starts = table.size();
    Table inner;
    inner.reserve(longer.size());
    for (const Gram& g : longer) inner.push_back({without_first(g.key, n + 1), g.raw, 1});
    std::sort(inner.begin(), inner.end(), [](const Gram& a, const Gram& b) { return a.key < b.key; });
    for (const Gram& g : inner) {
        if (table.size() > from_starts && table.back().key == g.key) {
            table.back().raw += g.raw;
            table.back().count += 1;
        } else {
            table.push_back(g);
        }
    }
    std::sort(table.begin(), table.end(), [](const Gram& a, const Gram& b) { return a.key < b.key; });
    return table;
}

bool discounts_of(const Table& table, Discounts& d) {
    std::array<double, 5> n{};
    for (const Gram& g : table)
        if (g.count < 5) n[g.count] += 1;
    d = {0.0, 0.5, 1.0, 1.5};  // lmplz --discount_fallback
    if (n[1] == 0 || n[2] == 0 || n[3] == 0) return false;
    const double y = n[1] / (n[1] + 2 * n[2]);  // Chen and Goodman 1998, eq. 26
    Discounts found{};
    for (int j = 1; j < 4; ++j) {
        found[j] = j - (j + 1) * y * n[j + 1] / n[j];
        if (found[j] < 0 || found[j] > j) return false;
    }
    d = found;
    return true;
}

double discount(const Discounts& d, std::uint64_t count) { return d[std::min<std::uint64_t>(count, 3)]; }

struct Sums {
    double total = 0, left = 0;  // counts; what the discounts and the pruned n-grams leave for shorter contexts
};

Sums sums_of(const Table& table, std::size_t from, std::size_t to, const Discounts& d, std::uint64_t prune) {
    Sums s;
    for (std::size_t i = from; i < to; ++i) {
        const double count = static_cast<double>(table[i].count);
        s.total += count;
        s.left += table[i].raw <= prune ? count : discount(d, table[i].count);
    }
    return s;
}

float log_of(double p) { return static_cast<float>(std::log(p)); }

}  // namespace

std::uint32_t NGramCounter::id(std::string_view word) {
    const auto [it, fresh] = known_.try_emplace(std::string(word), static_cast<std::uint32_t>(words_.size()));
    if (fresh) {
        words_.push_back(&it->first);
        counts_.push_back(0);
    }
    ++counts_[it->second];
    return it->second;
}

void NGramCounter::add(std::string_view lines) {
    std::size_t at = 0;
    while (at < lines.size()) {
        const std::size_t stop = std::min(lines.find('\n', at), lines.size());
        const std::size_t before = ids_.size();
        while (at < stop) {
            const std::size_t end = std::min(lines.find(' ', at), stop);
            if (end > at) ids_.push_back(id(lines.substr(at, end - at)));
            at = end + 1;
        }
        if (ids_.size() > before) ends_.push_back(ids_.size());
        at = stop + 1;
    }
}

NGrams NGramCounter::finish(int order, std::size_t least, const std::vector<std::uint64_t>& prune,
                            std::vector<std::string>& vocabulary, std::vector<std::uint64_t>& counts) const {
    if (order < 1 || order > 3) throw std::invalid_argument("the order must be 1, 2 or 3");
    if (prune.size() != static_cast<std::size_t>(order)) throw std::invalid_argument("one pruning threshold per order");
    if (!std::is_sorted(prune.begin(), prune.end()))
        throw std::invalid_argument("pruning thresholds must not decrease");
    // Words by frequency, so that frequent ones lie together.
    std::vector<std::uint32_t> by_count(words_.size());
    for (std::uint32_t w = 0; w < by_count.size(); ++w) by_count[w] = w;
    std::sort(by_count.begin(), by_count.end(), [&](std::uint32_t a, std::uint32_t b) {
        return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : *words_[a] < *words_[b];
    });
    vocabulary = {"<unk>", "<s>", "</s>"};
    counts = {0, 0, ends_.size()};
    std::vector<std::uint32_t> renamed(words_.size(), kUnknown);
    for (const std::uint32_t w : by_count) {
        const std::string& word = *words_[w];
        const bool reserved =
            word == "<unk>" || word == "<s>" || word == "</s>";  // a sentence cannot begin inside another
        if (counts_[w] < std::max(least, static_cast<std::size_t>(prune[0] + 1)) || reserved) {
            counts[kUnknown] += counts_[w];
            continue;
        }
        counts.push_back(counts_[w]);
        renamed[w] = static_cast<std::uint32_t>(vocabulary.size());
        vocabulary.push_back(word);
    }
    if (vocabulary.size() > kMostWords)
        throw std::invalid_argument("more than 2,097,152 different words; leave out the rare ones");

    // Windows of `order` words, and the beginnings of sentences for each shorter order.
    std::vector<std::uint64_t> windows;
    std::vector<std::vector<std::uint64_t>> starts(static_cast<std::size_t>(order) + 1);
    windows.reserve(ids_.size() + ends_.size());
    std::vector<std::uint64_t> line;
    std::size_t from = 0;
    for (const std::size_t to : ends_) {
        line.assign(1, kStart);
        for (std::size_t i = from; i < to; ++i) line.push_back(renamed[ids_[i]]);
        line.push_back(kEnd);
        from = to;
        std::uint64_t key = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            key = without_first((key << kBits) | line[i], order + 1);
            const std::size_t seen = i + 1;
            if (order == 1 ? i > 0 : seen >= static_cast<std::size_t>(order)) windows.push_back(key);
            else if (seen >= 2) starts[seen].push_back(key);
        }
    }
    std::vector<Table> tables(static_cast<std::size_t>(order) + 1);
    tables[order] = counted(windows);
    std::vector<std::uint64_t>().swap(windows);
    for (int n = order - 1; n >= 1; --n) tables[n] = shorter(tables[n + 1], n, starts[n]);

    NGrams m;
    m.order = order;
    m.discounts.resize(order);
    m.fell_back.resize(order);
    for (int n = 1; n <= order; ++n) m.fell_back[n - 1] = !discounts_of(tables[n], m.discounts[n - 1]);

    const std::size_t v = vocabulary.size();
    std::vector<double> p1(v, 0.0);
    {
        const Table& t = tables[1];
        const Sums s = sums_of(t, 0, t.size(), m.discounts[0], 0);
        const double uniform =
            s.total > 0 ? s.left / s.total / static_cast<double>(v - 1) : 1.0 / static_cast<double>(v - 1);
        std::fill(p1.begin(), p1.end(), uniform);
        for (const Gram& g : t)
            p1[g.key] += (static_cast<double>(g.count) - discount(m.discounts[0], g.count)) / s.total;
        p1[kStart] = 1.0;  // never asked for; as lmplz writes it
    }
    m.prob1.resize(v);
    m.back1.assign(v, 0.0f);
    for (std::size_t w = 0; w < v; ++w) m.prob1[w] = log_of(p1[w]);
    m.begin2.assign(v + 1, 0);
    if (order < 2) {
        m.begin3.assign(1, 0);
        return m;
    }
    std::vector<double> p2;
    std::vector<std::uint64_t> keys2;
    {
        const Table& t = tables[2];
        for (std::size_t i = 0; i < t.size();) {
            std::size_t j = i;
            while (j < t.size() && context(t[j].key) == context(t[i].key)) ++j;
            const Sums s = sums_of(t, i, j, m.discounts[1], prune[1]);
            const std::uint32_t a = static_cast<std::uint32_t>(context(t[i].key));
            m.back1[a] = log_of(s.left / s.total);
            for (; i < j; ++i) {
                if (t[i].raw <= prune[1]) continue;
                const std::uint32_t w = last(t[i].key);
                const double own = (static_cast<double>(t[i].count) - discount(m.discounts[1], t[i].count)) / s.total;
                p2.push_back(own + s.left / s.total * p1[w]);
                keys2.push_back(t[i].key);
                m.word2.push_back(w);
                ++m.begin2[a + 1];
            }
        }
    }
    for (std::size_t w = 0; w < v; ++w) m.begin2[w + 1] += m.begin2[w];
    m.prob2.resize(p2.size());
    std::transform(p2.begin(), p2.end(), m.prob2.begin(), log_of);
    m.back2.assign(p2.size(), 0.0f);
    m.begin3.assign(p2.size() + 1, 0);
    if (order < 3) return m;
    const auto place = [&](std::uint64_t key) {
        const auto it = std::lower_bound(keys2.begin(), keys2.end(), key);
        return it != keys2.end() && *it == key ? static_cast<std::uint64_t>(it - keys2.begin()) : kNoGram;
    };
    const Table& t = tables[3];
    for (std::size_t i = 0; i < t.size();) {
        std::size_t j = i;
        while (j < t.size() && context(t[j].key) == context(t[i].key)) ++j;
        const std::uint64_t b = place(context(t[i].key));
        if (b == kNoGram) {  // seen too rarely, and so was everything after it
            i = j;
            continue;
        }
        const Sums s = sums_of(t, i, j, m.discounts[2], prune[2]);
        m.back2[b] = log_of(s.left / s.total);
        for (; i < j; ++i) {
            if (t[i].raw <= prune[2]) continue;
            const double own = (static_cast<double>(t[i].count) - discount(m.discounts[2], t[i].count)) / s.total;
            m.prob3.push_back(log_of(own + s.left / s.total * p2[place(without_first(t[i].key, 3))]));
            m.word3.push_back(last(t[i].key));
            ++m.begin3[b + 1];
        }
    }
    for (std::size_t b = 0; b < p2.size(); ++b) m.begin3[b + 1] += m.begin3[b];
    return m;
}

std::uint64_t NGrams::bigram(std::uint32_t a, std::uint32_t b) const {
    const auto from = word2.begin() + static_cast<std::ptrdiff_t>(begin2[a]),
               to = word2.begin() + static_cast<std::ptrdiff_t>(begin2[a + 1]);
    const auto it = std::lower_bound(from, to, b);
    return it != to && *it == b ? static_cast<std::uint64_t>(it - word2.begin()) : kNoGram;
}

float NGrams::log_prob(std::uint32_t a, std::uint32_t b, std::uint32_t c, int* matched) const {
    float backed = 0.0f;
    if (b != kNone) {
        if (a != kNone) {
            const std::uint64_t ab = bigram(a, b);
            if (ab != kNoGram) {
                const auto from = word3.begin() + static_cast<std::ptrdiff_t>(begin3[ab]),
                           to = word3.begin() + static_cast<std::ptrdiff_t>(begin3[ab + 1]);
                const auto it = std::lower_bound(from, to, c);
                if (it != to && *it == c) {
                    if (matched) *matched = 3;
                    return prob3[static_cast<std::size_t>(it - word3.begin())];
                }
                backed = back2[ab];
            }
        }
        const std::uint64_t bc = bigram(b, c);
        if (bc != kNoGram) {
            if (matched) *matched = 2;
            return backed + prob2[bc];
        }
        backed += back1[b];
    }
    if (matched) *matched = 1;
    return backed + prob1[c];
}

void NGrams::check() const {
    const auto ascends = [](const std::vector<std::uint64_t>& begin, std::size_t size, std::size_t end) {
        return begin.size() == size + 1 && begin.front() == 0 && begin.back() == end &&
               std::is_sorted(begin.begin(), begin.end());
    };
    const auto sorted = [&](const std::vector<std::uint64_t>& begin, const std::vector<std::uint32_t>& words) {
        for (std::size_t i = 0; i + 1 < begin.size(); ++i)
            for (std::size_t k = begin[i]; k < begin[i + 1]; ++k)
                if (words[k] >= prob1.size() || (k > begin[i] && words[k] <= words[k - 1])) return false;
        return true;
    };
    if (order < 1 || order > 3 || prob1.size() < 3 || prob1.size() > kMostWords || back1.size() != prob1.size() ||
        prob2.size() != word2.size() || back2.size() != word2.size() || prob3.size() != word3.size() ||
        !ascends(begin2, prob1.size(), word2.size()) || !ascends(begin3, word2.size(), word3.size()) ||
        !sorted(begin2, word2) || !sorted(begin3, word3))
        throw std::invalid_argument("the arrays of the language model do not fit together");
}

std::vector<std::uint32_t> best_words(const NGrams& model, const std::vector<std::uint32_t>& words,
                                      const std::vector<double>& own, double weight,
                                      const std::vector<std::uint32_t>& costs, std::int64_t least, std::int64_t most,
                                      double* score) {
    const std::size_t n = words.size();
    const bool limited = most >= 0;
    const std::size_t levels = limited ? static_cast<std::size_t>(most) + 1 : 1;
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    // Places 1..n are words, 0 is <s>. best[(i, j), c]: the best choice that ends with i, j and has cost c; from: what
    // stood before i in it.
    const std::size_t side = n + 1;
    std::vector<double> best(side * side * levels, kNever);
    std::vector<std::uint32_t> from(side * side * levels, 0);
    const auto at = [&](std::size_t i, std::size_t j, std::size_t c) { return (i * side + j) * levels + c; };
    const auto id = [&](std::size_t place) { return place == 0 ? kStart : words[place - 1]; };
    const auto cost = [&](std::size_t place) {
        return limited ? static_cast<std::size_t>(costs[place - 1]) : std::size_t{0};
    };
    for (std::size_t j = 1; j <= n; ++j)
        if (cost(j) < levels) best[at(0, j, cost(j))] = own[j - 1] + weight * model.log_prob(kNone, kStart, id(j));
    for (std::size_t k = 2; k <= n; ++k) {
        const std::size_t step = cost(k);
        for (std::size_t j = 1; j < k; ++j) {
            for (std::size_t i = 0; i < j; ++i) {
                const double gain = own[k - 1] + weight * model.log_prob(id(i), id(j), id(k));
                for (std::size_t c = 0; c + step < levels; ++c) {
                    const double value = best[at(i, j, c)] + gain;
                    const std::size_t to = at(j, k, c + step);
                    if (value > best[to]) {
                        best[to] = value;
                        from[to] = static_cast<std::uint32_t>(i);
                    }
                }
            }
        }
    }
    double top = kNever;
    std::size_t end_i = 0, end_j = 0, end_c = 0;
    for (std::size_t j = 1; j <= n; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            const double end = weight * model.log_prob(id(i), id(j), kEnd);
            for (std::size_t c = limited && least > 0 ? static_cast<std::size_t>(least) : 0; c < levels; ++c) {
                if (best[at(i, j, c)] + end > top) {
                    top = best[at(i, j, c)] + end;
                    end_i = i, end_j = j, end_c = c;
                }
            }
        }
    }
    if (score) *score = top;
    std::vector<std::uint32_t> kept;
    if (top == kNever) return kept;
    for (std::size_t i = end_i, j = end_j, c = end_c; j != 0;) {
        kept.push_back(static_cast<std::uint32_t>(j - 1));
        const std::size_t before = from[at(i, j, c)];
        c -= cost(j);
        j = i;
        i = before;
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
}

}  // namespace assay
