#include "nist.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

struct Ngram {
    std::uint64_t key, shorter;  // itself, and without its last word
    int n;
    bool operator<(const Ngram& o) const { return key < o.key; }
};

// Calls each(ngram) for every n-gram of a text.
template <class Each>
void ngrams(const Tokens& tokens, std::size_t text, const Vocab& vocab, int order, std::vector<std::uint64_t>& words, Each each) {
    words.clear();
    for (std::size_t i = tokens.texts[text]; i < tokens.texts[text + 1]; ++i) {
        const std::string_view w = vocab[tokens.ids[i]];
        words.push_back(hash_bytes(w.data(), w.size()));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::uint64_t key = 0;
        for (std::size_t n = 0; n < static_cast<std::size_t>(order) && i + n < words.size(); ++n) {
            const std::uint64_t shorter = key;
            key = mix(key + n + 1, words[i + n]);
            each(Ngram{key, n == 0 ? 0 : shorter, static_cast<int>(n) + 1});
        }
    }
}

// Sorted n-grams with how often each occurs at most in one text.
struct Most {
    std::vector<std::pair<std::uint64_t, int>> counts;

    void add(const std::vector<Ngram>& sorted) {
        for (std::size_t i = 0; i < sorted.size();) {
            std::size_t end = i;
            while (end < sorted.size() && sorted[end].key == sorted[i].key) ++end;
            counts.emplace_back(sorted[i].key, static_cast<int>(end - i));
            i = end;
        }
    }
    void finish() {  // the largest count of each stands first
        std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first != b.first ? a.first < b.first : a.second > b.second; });
        counts.erase(std::unique(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), counts.end());
    }
    int of(std::uint64_t key) const {
        const auto at = std::lower_bound(counts.begin(), counts.end(), key, [](const auto& a, std::uint64_t k) { return a.first < k; });
        return at != counts.end() && at->first == key ? at->second : 0;
    }
};

}  // namespace

void NgramTable::add(const Tokens& tokens, const Vocab& vocab) {
    std::vector<std::uint64_t> words;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        ngrams(tokens, t, vocab, order_, words, [&](const Ngram& g) { ++counts_[g.key]; });
        words_ += static_cast<double>(tokens.length(t));
    }
}

double NgramTable::information(std::uint64_t ngram, std::uint64_t shorter) const {
    const auto it = counts_.find(ngram);
    if (it == counts_.end()) return 0;  // not of this set
    const auto before = counts_.find(shorter);
    return std::log2((shorter == 0 || before == counts_.end() ? words_ : before->second) / it->second);
}

std::vector<double> nist(const Tokens& outputs, const Tokens& references, const Layout& layout, const Vocab& vocab, const NgramTable& table) {
    const auto order = static_cast<std::size_t>(table.order()), width = 2 + 2 * order;
    std::vector<double> rows(outputs.size() * width, std::numeric_limits<double>::quiet_NaN());
    std::vector<std::uint64_t> words;
    std::vector<Ngram> found;
    const auto read = [&](const Tokens& tokens, std::size_t text, double* totals) {
        found.clear();
        ngrams(tokens, text, vocab, table.order(), words, [&](const Ngram& g) {
            found.push_back(g);
            if (totals) ++totals[g.n - 1];
        });
        std::sort(found.begin(), found.end());
    };
    for (std::size_t item = 0; item < layout.items(); ++item) {
        Most most;
        std::int32_t without = -2;  // the reference that `most` leaves out
        double length = 0, met = 0;
        for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) {
            if (layout.own[o] != without) {
                without = layout.own[o];
                most.counts.clear();
                length = met = 0;
                for (std::size_t k = 0; k < layout.references_of(item); ++k) {
                    if (static_cast<std::int32_t>(k) == without) continue;
                    read(references, layout.references[item] + k, nullptr);
                    most.add(found);
                    length += static_cast<double>(references.length(layout.references[item] + k));
                    ++met;
                }
                most.finish();
            }
            if (met == 0) continue;
            double* row = rows.data() + o * width;
            std::fill(row, row + width, 0.0);
            row[0] = static_cast<double>(outputs.length(o));
            row[1] = length / met;
            read(outputs, o, row + 2 + order);
            for (std::size_t i = 0; i < found.size();) {
                std::size_t end = i;
                while (end < found.size() && found[end].key == found[i].key) ++end;
                if (const int limit = most.of(found[i].key)) {
                    const double times = std::min(limit, static_cast<int>(end - i));
                    row[1 + static_cast<std::size_t>(found[i].n)] += times * table.information(found[i].key, found[i].shorter);
                }
                i = end;
            }
        }
    }
    return rows;
}

}  // namespace assay
