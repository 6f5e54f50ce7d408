#include "metrics/chrf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <unordered_map>

#include "text/local_words.hpp"
#include "text/unicode.hpp"

namespace assay {
namespace {

// !"#$%&'()*+,-./ :;<=>?@ [\]^_` {|}~
bool is_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// The texts of one item as small numbers from 1 on, characters or words: 0 stands behind the end of a text.
struct Symbols {
    std::vector<std::uint32_t> ids;
    std::vector<std::size_t> starts;
    std::uint32_t distinct = 0;

    void clear() {
        ids.clear();
        starts.assign(1, 0);
        distinct = 0;
    }
    void end_text() { starts.push_back(ids.size()); }
    std::size_t texts() const { return starts.size() - 1; }
    std::size_t length(std::size_t t) const { return starts[t + 1] - starts[t]; }
    std::size_t longest() const {
        std::size_t n = 0;
        for (std::size_t t = 0; t < texts(); ++t) n = std::max(n, length(t));
        return n;
    }
};

class Reader {
public:
    void start() {
        chars_.clear();
        words_.clear();
        ascii_.fill(0);
        if (!more_chars_.empty()) more_chars_.clear();
        numbers_.start();
    }
    void read(std::string_view s, const ChrfOptions& options) {
        std::size_t word = 0;
        for (std::size_t i = 0; i < s.size();) {
            const std::size_t at = i;
            const auto byte = static_cast<unsigned char>(s[i]);
            const char32_t c = byte < 0x80 ? (++i, byte) : next_char(s, i);
            i = std::min(i, s.size());
            const bool space =
                c < 0x80 ? c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31) : group_of(c) == Group::Space;
            if (!space || options.whitespace) chars_.ids.push_back(number(c));
            if (!space || options.word_order == 0) continue;
            split(s.substr(word, at - word));
            word = i;
        }
        if (options.word_order > 0) split(s.substr(word));
        chars_.end_text();
        words_.end_text();
    }
    const Symbols& chars() const { return chars_; }
    const Symbols& words() const { return words_; }

private:
    std::uint32_t number(char32_t c) {
        std::uint32_t& found = c < 0x80 ? ascii_[c] : more_chars_[c];
        return found ? found : found = ++chars_.distinct;
    }
    // As chrF++.py: one sign is set apart, at the end or, if there is none, at the beginning.
    void split(std::string_view w) {
        if (w.empty()) return;
        std::size_t one = 0;
        next_char(w, one);
        if (one >= w.size()) return add(w);
        if (is_punctuation(w.back())) {
            add(w.substr(0, w.size() - 1));
            add(w.substr(w.size() - 1));
        } else if (is_punctuation(w.front())) {
            add(w.substr(0, 1));
            add(w.substr(1));
        } else add(w);
    }
    void add(std::string_view w) {
        words_.ids.push_back(numbers_.add(w));
        words_.distinct = numbers_.size();
    }

    Symbols chars_, words_;
    std::array<std::uint32_t, 128> ascii_{};
    std::unordered_map<char32_t, std::uint32_t> more_chars_;
    LocalWords numbers_;
};

// All places of all texts, sorted by the symbols that follow: n-grams of every order stand together.
class Sorted {
public:
    void sort(const Symbols& s, int order) {
        const int bits = std::bit_width(s.distinct), text_bits = std::bit_width(s.texts());
        packed_ = bits * order + text_bits <= 64;
        if (packed_) pack(s, order, bits, text_bits);
        else by_looking(s, order);
    }
    // Calls each(text, length, shared): how many symbols follow, up to the order, and how many the place before has in
    // common.
    template <class Each>
    void walk(const Symbols& s, int order, Each each) const {
        if (!packed_) {
            for (std::size_t k = 0; k < places_.size(); ++k) {
                const Place& p = places_[k];
                each(p.text, rest(s, p, order), k == 0 ? 0 : common(s, places_[k - 1], p, order));
            }
            return;
        }
        const std::uint64_t texts = (std::uint64_t{1} << text_bits_) - 1;
        std::uint64_t before = 0;
        for (const std::uint64_t key : keys_) {
            const std::uint64_t symbols = key >> text_bits_;
            const int shared = order - same_[std::bit_width(symbols ^ before)];
            const int length = order - missing_[symbols ? std::countr_zero(symbols) : 64];
            each(static_cast<std::uint32_t>(key & texts), length, shared);
            before = symbols;
        }
    }

private:
    struct Place {
        std::uint32_t text, at;
    };

    void pack(const Symbols& s, int order, int bits, int text_bits) {
        text_bits_ = text_bits;
        for (int b = 0; b <= 64 && (bits != bits_ || order != order_);
             ++b) {  // symbols that b bits reach into, or b zeros fill
            same_[static_cast<std::size_t>(b)] = bits ? (b + bits - 1) / bits : 0;
            missing_[static_cast<std::size_t>(b)] = bits ? std::min(b / bits, order) : order;
        }
        bits_ = bits, order_ = order;
        keys_.resize(s.ids.size());
        const std::uint64_t mask = (std::uint64_t{1} << bits * order) - 1;
        for (std::size_t t = 0; t < s.texts(); ++t) {
            std::uint64_t key = 0;
            const std::size_t begin = s.starts[t], end = s.starts[t + 1];
            for (std::size_t i = begin; i < begin + static_cast<std::size_t>(order) - 1; ++i)
                key = key << bits | (i < end ? s.ids[i] : 0);
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t last = i + static_cast<std::size_t>(order) - 1;
                key = (key << bits | (last < end ? s.ids[last] : 0)) & mask;
                keys_[i] = key << text_bits | t;
            }
        }
        if (keys_.size() < 64) std::sort(keys_.begin(), keys_.end());
        else radix(text_bits, bits * order);
    }
    void radix(int from, int bits) {
        const int digits = (bits + 8) / 9,
                  digit = (bits + digits - 1) / digits;  // at most 9 bits: counts stay in cache
        const std::uint64_t mask = (std::uint64_t{1} << digit) - 1;
        counts_.assign(static_cast<std::size_t>(digits) << digit, 0);
        for (std::uint64_t key : keys_) {
            for (int d = 0; d < digits; ++d)
                ++counts_[(static_cast<std::size_t>(d) << digit) + (key >> (from + d * digit) & mask)];
        }
        other_.resize(keys_.size());
        for (int d = 0; d < digits; ++d) {
            std::uint32_t* count = counts_.data() + (static_cast<std::size_t>(d) << digit);
            std::uint32_t sum = 0;
            for (int v = 0; v < 1 << digit; ++v) {
                const std::uint32_t n = count[v];
                count[v] = sum;
                sum += n;
            }
            for (std::uint64_t key : keys_) other_[count[key >> (from + d * digit) & mask]++] = key;
            keys_.swap(other_);
        }
    }

    void by_looking(const Symbols& s, int order) {
        places_.clear();
        for (std::size_t t = 0; t < s.texts(); ++t) {
            for (std::size_t i = s.starts[t]; i < s.starts[t + 1]; ++i)
                places_.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(i)});
        }
        std::sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
            const int same = common(s, a, b, order), left = rest(s, a, order), right = rest(s, b, order);
            if (same == left || same == right) return left < right;
            return s.ids[a.at + static_cast<std::size_t>(same)] < s.ids[b.at + static_cast<std::size_t>(same)];
        });
    }
    static int rest(const Symbols& s, const Place& p, int order) {
        return static_cast<int>(std::min(s.starts[p.text + 1] - p.at, static_cast<std::size_t>(order)));
    }
    static int common(const Symbols& s, const Place& a, const Place& b, int order) {
        const int most = std::min(rest(s, a, order), rest(s, b, order));
        int n = 0;
        while (n < most && s.ids[a.at + static_cast<std::size_t>(n)] == s.ids[b.at + static_cast<std::size_t>(n)]) ++n;
        return n;
    }

    bool packed_ = true;
    int text_bits_ = 0, bits_ = -1, order_ = -1;
    std::array<int, 65> same_{}, missing_{};
    std::vector<std::uint64_t> keys_, other_;
    std::vector<std::uint32_t> counts_;
    std::vector<Place> places_;
};

// Matches of every output with every reference of an item, order by order. Texts are references first, then outputs.
// Counts of eight references are one value, a machine register where texts are of usual length.
template <class Count>
class Matches {
public:
    void find(const Symbols& s, const Sorted& sorted, int order, std::size_t references) {
        outputs_ = s.texts() - references;
        groups_ = (references + kLanes - 1) / kLanes;
        counts_.assign(static_cast<std::size_t>(order + 1) * groups_, Lanes{});
        mine_.assign(static_cast<std::size_t>(order + 1) * outputs_, 0);
        matches_.assign(static_cast<std::size_t>(order) * outputs_ * groups_, Lanes{});
        if (groups_ == 1 && outputs_ == 1) walk<true>(s, sorted, order, references);
        else walk<false>(s, sorted, order, references);
    }
    double of(int n, std::size_t output, std::size_t reference) const {
        return matches_[(static_cast<std::size_t>(n - 1) * outputs_ + output) * groups_ + reference / kLanes]
            .v[reference % kLanes];
    }

private:
    static constexpr std::size_t kLanes = 8;
    typedef Count Vector __attribute__((vector_size(kLanes * sizeof(Count))));
    struct Lanes {
        Vector v{};
    };  // a template's argument cannot be the vector itself

    template <bool kOne>
    void walk(const Symbols& s, const Sorted& sorted, int order, std::size_t references) {
        const std::size_t groups = kOne ? 1 : groups_, outputs = kOne ? 1 : outputs_;
        Lanes* const counts = counts_.data();
        Lanes* const matches = matches_.data();
        Count* const mine = mine_.data();
        // The n-gram has ended: it is counted, and so is the one of n - 1 that begins it.
        const auto close = [=](int n) {
            const auto at = static_cast<std::size_t>(n);
            for (std::size_t o = 0; o < outputs; ++o) {
                const Count times = mine[at * outputs + o];
                if (!kOne && times == 0) continue;
                for (std::size_t g = 0; g < groups; ++g) {
                    const Vector all = Vector{} + times, theirs = counts[at * groups + g].v;
                    matches[((at - 1) * outputs + o) * groups + g].v += theirs < all ? theirs : all;
                }
                mine[(at - 1) * outputs + o] = static_cast<Count>(mine[(at - 1) * outputs + o] + times);
                mine[at * outputs + o] = 0;
            }
            for (std::size_t g = 0; g < groups; ++g) {
                counts[(at - 1) * groups + g].v += counts[at * groups + g].v;
                counts[at * groups + g].v = Vector{};
            }
        };
        Vector one[kLanes] = {};
        for (std::size_t r = 0; r < kLanes; ++r) one[r][r] = 1;
        // A place is counted at the longest n-gram that it shares with a neighbour: longer ones occur once and match
        // nothing, and most are such. `deepest` is the longest one with a count.
        int deepest = 0;
        struct {
            std::uint32_t text = 0;
            int length = -1, shared = 0;
        } place;
        const auto count = [&](int shared_with_next) {
            for (int n = deepest; n > place.shared; --n) close(n);
            const int length = std::min(place.length, std::max(place.shared, shared_with_next));
            const auto at = static_cast<std::size_t>(length);
            if (place.text < references) counts[at * groups + place.text / kLanes].v += one[place.text % kLanes];
            else ++mine[at * outputs + place.text - references];
            deepest = std::max(std::min(deepest, place.shared), length);
        };
        sorted.walk(s, order, [&](std::uint32_t text, int length, int shared) {
            if (place.length >= 0) count(shared);
            place = {text, length, shared};
        });
        if (place.length >= 0) count(0);
        for (int n = deepest; n > 0; --n) close(n);
    }

    std::size_t groups_ = 0, outputs_ = 0;
    std::vector<Lanes> counts_, matches_;
    std::vector<Count> mine_;
};

// Popovic 2015, Eq. 1 over the mean precision and recall of the orders that both texts have; eps: the mean of each
// order's F, as chrF++.py.
double f_score(const double* row, const ChrfOptions& options) {
    const double factor = options.beta * options.beta, eps = 1e-16;
    double precision = 0, recall = 0, sum = 0;
    int orders = 0;
    for (int n = 0; n < options.order(); ++n) {
        const double hyp = row[3 * n], ref = row[3 * n + 1], match = row[3 * n + 2];
        const double p = hyp > 0 ? match / hyp : eps, r = ref > 0 ? match / ref : eps;
        sum += factor * p + r > 0 ? (1 + factor) * p * r / (factor * p + r) : eps;
        if (hyp > 0 && ref > 0) {
            precision += p;
            recall += r;
            ++orders;
        }
    }
    if (options.eps) return sum / options.order();
    if (orders == 0 || precision + recall == 0) return 0;
    precision /= orders;
    recall /= orders;
    return (1 + factor) * precision * recall / (factor * precision + recall);
}

template <class Count>
class Item {
public:
    void score(const Symbols& chars, const Symbols& words, const Layout& layout, std::size_t item,
               const ChrfOptions& options, double* rows) {
        const std::size_t references = layout.references_of(item), first = layout.outputs[item];
        sorted_.sort(chars, options.char_order);
        chars_.find(chars, sorted_, options.char_order, references);
        if (options.word_order > 0) {
            sorted_.sort(words, options.word_order);
            words_.find(words, sorted_, options.word_order, references);
        }
        const std::size_t width = 3 * static_cast<std::size_t>(options.order());
        row_.resize(width);
        for (std::size_t o = 0; o < layout.outputs[item + 1] - first; ++o) {
            double best = -1;
            for (std::size_t r = 0; r < references; ++r) {
                if (layout.own[first + o] == static_cast<std::int32_t>(r)) continue;
                fill(chars, chars_, options.char_order, o, r, references, row_.data());
                fill(words, words_, options.word_order, o, r, references, row_.data() + 3 * options.char_order);
                if (const double f = f_score(row_.data(), options); f > best) {
                    best = f;
                    std::copy(row_.begin(), row_.end(), rows + (first + o) * width);
                }
            }
        }
    }

private:
    static void fill(const Symbols& s, const Matches<Count>& matches, int order, std::size_t o, std::size_t r,
                     std::size_t references, double* row) {
        for (int n = 1; n <= order; ++n, row += 3) {
            const auto grams = [&](std::size_t t) {
                return static_cast<double>(
                    std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(s.length(t)) - n + 1));
            };
            row[1] = grams(r);
            row[0] =
                row[1] > 0 ? grams(references + o) : 0;  // sacreBLEU: no hits where the reference has no such n-gram
            row[2] = matches.of(n, o, r);
        }
    }

    Sorted sorted_;
    Matches<Count> chars_, words_;
    std::vector<double> row_;
};

}  // namespace

std::vector<double> chrf(const std::vector<std::string_view>& outputs, const std::vector<std::string_view>& references,
                         const Layout& layout, const ChrfOptions& options) {
    std::vector<double> rows(outputs.size() * 3 * static_cast<std::size_t>(options.order()),
                             std::numeric_limits<double>::quiet_NaN());
    Reader reader;
    Item<std::int16_t> small;
    Item<std::int32_t> large;
    for (std::size_t item = 0; item < layout.items(); ++item) {
        reader.start();
        for (std::size_t r = layout.references[item]; r < layout.references[item + 1]; ++r)
            reader.read(references[r], options);
        for (std::size_t o = layout.outputs[item]; o < layout.outputs[item + 1]; ++o) reader.read(outputs[o], options);
        const Symbols &chars = reader.chars(), &words = reader.words();
        if (std::max(chars.longest(), words.longest()) < 32767)
            small.score(chars, words, layout, item, options, rows.data());
        else large.score(chars, words, layout, item, options, rows.data());
    }
    return rows;
}

}  // namespace assay
