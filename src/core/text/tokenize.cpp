// The named tokenizers. Each is written after the program whose numbers it must give.
#include <algorithm>
#include <array>
#include <string>

#include "text/scan.hpp"
#include "text/tokens.hpp"
#include "text/unicode.hpp"

namespace assay {
namespace {

// Takes words to the vocabulary. A few wait while the memory fetches their places, so that a rare word stalls nothing;
// the text behind them must stay as it is until flush().
class Sink {
public:
    Sink(Tokens& out, Vocab& vocab) : out_(out), vocab_(vocab) {}
    void token(std::string_view s) { put(s, key_of(s.data(), s.size())); }
    void padded_token(std::string_view s) { put(s, key_of_padded(s.data(), s.size())); }  // 16 bytes can be read
    void newline() {
        flush();
        out_.end_sentence();
    }
    void end_text() {
        flush();
        out_.end_text();
    }
    void flush() {
        const std::size_t at = out_.ids.size();
        out_.ids.resize(at + waiting_);
        for (std::size_t i = 0; i < waiting_; ++i)
            out_.ids[at + i] = vocab_.intern(queue_[i].word, queue_[i].key, queue_[i].hash);
        waiting_ = 0;
    }

private:
    void put(std::string_view s, const Key& key) {
        if (waiting_ == kWait) flush();
        const std::uint64_t hash = key.hash();
        vocab_.prefetch(hash);
        queue_[waiting_++] = {s, key, hash};
    }
    struct Waiting {
        std::string_view word;
        Key key;
        std::uint64_t hash;
    };
    static constexpr std::size_t kWait = 32;
    Tokens& out_;
    Vocab& vocab_;
    Waiting queue_[kWait];
    std::size_t waiting_ = 0;
};

// Lower-case ASCII letter or digit, or 0 for everything else.
constexpr std::array<char, 256> alnum_table() {
    std::array<char, 256> t{};
    for (int c = '0'; c <= '9'; ++c) t[c] = static_cast<char>(c);
    for (int c = 'a'; c <= 'z'; ++c) t[c] = t[c - 32] = static_cast<char>(c);
    return t;
}
constexpr auto kAlnum = alnum_table();

void replace_all(std::string& s, std::string_view from, std::string_view to) {
    for (std::size_t at = s.find(from); at != std::string::npos; at = s.find(from, at + to.size())) {
        s.replace(at, from.size(), to);
    }
}

bool all_ascii(std::string_view s) {
    std::size_t i = 0;
    std::uint64_t high = 0;
    for (; i + 8 <= s.size(); i += 8) high |= load<std::uint64_t>(s.data() + i);
    for (; i < s.size(); ++i) high |= static_cast<unsigned char>(s[i]);
    return !(high & 0x8080808080808080ull);
}

// A text in blocks of 64 bytes, each lower-cased into `lower` when asked for; zeros stand behind its end.
class Blocks {
public:
    Blocks(std::string_view s, std::string& lower) : s_(s) {
        if (lower.size() < s.size() + 128) lower.resize(s.size() + 128);
        words_ = lower.data();
    }
    Block at(std::size_t base) const {
        if (base >= s_.size()) return Block{};
        if (base + 64 <= s_.size()) return lower_cased(s_.data() + base, words_ + base);
        char rest[64] = {};
        std::memcpy(rest, s_.data() + base, s_.size() - base);
        return lower_cased(rest, words_ + base);
    }
    char* words() const { return words_; }

private:
    std::string_view s_;
    char* words_;
};

// Runs of [a-z0-9] after lower-casing. rouge-score lower-cases Unicode first, and two characters outside ASCII
// have a lower case inside it: the Kelvin sign (k) and dotted I (i + U+0307). ROUGE-1.5.5 knows only tr/A-Z/a-z/.
template <bool kUnicodeLower>
void rouge(std::string_view s, Sink& sink, std::string& lower, std::string& replaced) {
    if (kUnicodeLower && !all_ascii(s)) {
        replaced = s;
        replace_all(replaced, "\xE2\x84\xAA", "k");
        replace_all(replaced, "\xC4\xB0", "i\xCC\x87");
        s = replaced;
    }
    const Blocks blocks(s, lower);
    char* const words = blocks.words();
    Runs runs;
    auto word = [&](std::size_t begin, std::size_t end) { sink.padded_token({words + begin, end - begin}); };
    for (std::size_t base = 0; base < s.size(); base += 64) {
        const Block block = blocks.at(base);
        runs.block(block.letters | block.digits, equal_to(words + base, '\n'), base, word, [&] { sink.newline(); });
    }
    runs.finish(s.size(), word);
}

// Splits at what Python's str.split() splits at.
template <bool kNewlineEndsSentence>
void split_space(std::string_view s, Sink& sink) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < s.size();) {
        const std::size_t at = i;
        const auto byte = static_cast<unsigned char>(s[i]);
        const bool space = byte < 0x80
                               ? (i += 1, byte == ' ' || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31))
                               : group_of(next_char(s, i)) == Group::Space;
        if (!space) continue;
        if (at > start) sink.token(s.substr(start, at - start));
        start = i;
        if (kNewlineEndsSentence && byte == '\n') sink.newline();
    }
    if (s.size() > start) sink.token(s.substr(start));
}

// The same 64 bytes at a time, where every byte is a character; from a copy with room behind it, in which a word's key
// is read without a branch on its length. A newline ends a sentence.
void split_ascii(std::string_view s, Sink& sink, std::string& copy) {
    if (copy.size() < s.size() + 128) copy.resize(s.size() + 128);
    char* const words = copy.data();
    std::memcpy(words, s.data(), s.size());
    std::memset(words + s.size(), ' ', 64);
    Runs runs;
    auto word = [&](std::size_t begin, std::size_t end) { sink.padded_token({words + begin, end - begin}); };
    for (std::size_t base = 0; base < s.size(); base += 64)
        runs.block(~white_space(words + base), equal_to(words + base, '\n'), base, word, [&] { sink.newline(); });
    runs.finish(s.size(), word);
}

void chars(std::string_view s, Sink& sink) {
    for (std::size_t i = 0; i < s.size();) {
        const std::size_t at = i;
        const char32_t c = next_char(s, i);
        if (c == '\n') sink.newline();
        if (group_of(c) != Group::Space) sink.token(s.substr(at, i - at));
    }
}

std::string_view rstrip(std::string_view s) {  // sacreBLEU strips every segment before its tokenizer sees it
    if (s.empty() || (static_cast<unsigned char>(s.back()) > ' ' && static_cast<unsigned char>(s.back()) < 0x80))
        return s;
    std::size_t keep = 0;
    for (std::size_t i = 0; i < s.size();) {
        if (group_of(next_char(s, i)) != Group::Space) keep = i;
    }
    return s.substr(0, std::min(keep, s.size()));
}

bool digit(char c) { return c >= '0' && c <= '9'; }
bool point(char c) { return c == '.' || c == ','; }
bool in_13a_class(char ch) {  // [\{-\~\[-\` -\&\(-\+\:-\@\/]
    const auto c = static_cast<unsigned char>(ch);
    return (c >= 0x7B && c <= 0x7E) || (c >= 0x5B && c <= 0x60) || (c >= 0x20 && c <= 0x26) ||
           (c >= 0x28 && c <= 0x2B) || (c >= 0x3A && c <= 0x40) || c == 0x2F;
}

// One piece of text between white space through the four substitutions of mteval-v13a, each a pass over the bytes. All
// that they look at is ASCII, so that bytes serve as well as characters.
void substitute_13a(std::string_view piece, Sink& sink, std::string& a, std::string& b) {
    sink.flush();
    b.assign(1, ' ');
    for (char c : piece) {
        if (in_13a_class(c)) {
            b += ' ';
            b += c;
            b += ' ';
        } else b += c;
    }
    b += ' ';
    a.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {  // ([^0-9])([\.,]) -> \1 \2_
        a += b[i];
        if (!digit(b[i]) && i + 1 < b.size() && point(b[i + 1])) {
            a += ' ';
            a += b[++i];
            a += ' ';
        }
    }
    b.clear();
    for (std::size_t i = 0; i < a.size(); ++i) {  // ([\.,])([^0-9]) -> _\1 \2
        if (point(a[i]) && i + 1 < a.size() && !digit(a[i + 1])) {
            b += ' ';
            b += a[i];
            b += ' ';
            b += a[++i];
        } else b += a[i];
    }
    a.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {  // ([0-9])(-) -> \1 \2_
        a += b[i];
        if (digit(b[i]) && i + 1 < b.size() && b[i + 1] == '-') {
            a += ' ';
            a += b[++i];
            a += ' ';
        }
    }
    split_space<false>(a, sink);
}

// Bytes that no substitution of 13a looks at, whatever stands beside them: letters, digits, the apostrophe.
constexpr std::array<bool, 256> plain_table() {
    std::array<bool, 256> t{};
    for (int c = 0; c < 128; ++c) t[c] = kAlnum[c] != 0 || c == '\'';
    return t;
}
constexpr auto kPlain = plain_table();

// mteval-v13a as in sacreBLEU. No substitution reaches across white space, so the text is taken piece by piece, and
// only the pieces with something to substitute go the long way.
void mteval13a(std::string_view text, Sink& sink, std::string& whole, std::string& a, std::string& b) {
    text = rstrip(text);
    auto has = [&](char c) { return text.find(c) != std::string_view::npos; };
    if (has('<') || has('&') || has('\n')) {
        whole = text;
        replace_all(whole, "<skipped>", "");
        replace_all(whole, "-\n", "");
        replace_all(whole, "\n", " ");
        replace_all(whole, "&quot;", "\"");
        replace_all(whole, "&amp;", "&");
        replace_all(whole, "&lt;", "<");
        replace_all(whole, "&gt;", ">");
        text = whole;
    }
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == ' ') {
            ++i;
            continue;
        }
        std::size_t plain = i;
        while (plain < text.size() && kPlain[static_cast<unsigned char>(text[plain])]) ++plain;
        const bool final_point =
            plain < text.size() && point(text[plain]) && (plain + 1 == text.size() || text[plain + 1] == ' ');
        if (plain == text.size() || text[plain] == ' ' || final_point) {
            if (plain > i) sink.token(text.substr(i, plain - i));
            if (final_point) sink.token(text.substr(plain, 1));
            i = plain + final_point;
            continue;
        }
        const std::size_t end = std::min(text.find(' ', plain), text.size());
        substitute_13a(text.substr(i, end - i), sink, a, b);
        i = end;
    }
}

// mteval-v14 --international-tokenization as in sacreBLEU.
void intl(std::string_view text, Sink& sink, std::u32string& a, std::u32string& b, std::string& utf8) {
    text = rstrip(text);
    a.clear();
    for (std::size_t i = 0; i < text.size();) a.push_back(next_char(text, i));
    auto number = [](char32_t c) { return group_of(c) == Group::Number; };
    auto punct = [](char32_t c) { return group_of(c) == Group::Punctuation; };
    b.clear();
    for (std::size_t i = 0; i < a.size(); ++i) {  // (\P{N})(\p{P}) -> \1 \2_
        b += a[i];
        if (!number(a[i]) && i + 1 < a.size() && punct(a[i + 1])) {
            b += U' ';
            b += a[++i];
            b += U' ';
        }
    }
    a.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {  // (\p{P})(\P{N}) -> _\1 \2
        if (punct(b[i]) && i + 1 < b.size() && !number(b[i + 1])) {
            a += U' ';
            a += b[i];
            a += U' ';
            a += b[++i];
        } else a += b[i];
    }
    utf8.clear();
    for (char32_t c : a) {
        const bool symbol = group_of(c) == Group::Symbol;
        if (symbol) utf8 += ' ';
        append(utf8, c);
        if (symbol) utf8 += ' ';
    }
    split_space<false>(utf8, sink);
}

struct Char {
    char32_t value;
    Break cls;
};

bool ah_letter(Break b) { return b == Break::ALetter || b == Break::HebrewLetter; }
bool mid_num_let_q(Break b) { return b == Break::MidNumLet || b == Break::SingleQuote; }
bool ignorable(Break b) { return b == Break::Extend || b == Break::Format || b == Break::ZWJ; }

// The end of the word that starts at `start` (UAX #29, rules WB3c to WB16; newlines never get here).
std::size_t word_end(const std::vector<Char>& text, std::size_t start) {
    auto skip = [&](std::size_t i) {
        while (i < text.size() && ignorable(text[i].cls)) ++i;
        return i;
    };  // WB4
    auto cls = [&](std::size_t i) { return i < text.size() ? text[i].cls : Break::Other; };
    std::size_t last = start, at = skip(start + 1);
    std::size_t regional = text[start].cls == Break::RegionalIndicator;
    for (; at < text.size(); last = at, at = skip(at + 1)) {
        const Break a = text[last].cls, b = text[at].cls;
        if (b == Break::Pictographic && text[at - 1].cls == Break::ZWJ) continue;    // WB3c
        if (ah_letter(a) && (ah_letter(b) || b == Break::Numeric)) continue;         // WB5, WB9
        if (a == Break::Numeric && (b == Break::Numeric || ah_letter(b))) continue;  // WB8, WB10
        const std::size_t after = skip(at + 1);
        if (ah_letter(a) && (b == Break::MidLetter || mid_num_let_q(b)) && ah_letter(cls(after))) continue;      // WB6
        if (a == Break::HebrewLetter && b == Break::SingleQuote) continue;                                       // WB7a
        if (a == Break::HebrewLetter && b == Break::DoubleQuote && cls(after) == Break::HebrewLetter) continue;  // WB7b
        if (a == Break::Numeric && (b == Break::MidNum || mid_num_let_q(b)) && cls(after) == Break::Numeric)
            continue;  // WB12
        // WB7, WB7c, WB11: a middle sign was let in only because what follows it belongs here.
        if ((a == Break::MidLetter || mid_num_let_q(a)) && ah_letter(b) && last > start) continue;
        if (a == Break::DoubleQuote && b == Break::HebrewLetter && last > start) continue;
        if ((a == Break::MidNum || mid_num_let_q(a)) && b == Break::Numeric && last > start) continue;
        if (a == Break::Katakana && b == Break::Katakana) continue;  // WB13
        const bool wordy = ah_letter(a) || a == Break::Numeric || a == Break::Katakana || a == Break::ExtendNumLet;
        if (wordy && b == Break::ExtendNumLet) continue;  // WB13a
        if (a == Break::ExtendNumLet && (ah_letter(b) || b == Break::Numeric || b == Break::Katakana))
            continue;  // WB13b
        if (a == Break::RegionalIndicator && b == a && regional % 2 == 1) {
            ++regional;
            continue;
        }  // WB15, WB16
        break;
    }
    return at;
}

// The same rules where every byte is a character: letters, digits and _ run on; . ' : join letters; . ' , ; join
// digits.
void ascii_words(std::string_view s, Sink& sink, std::string& lower) {
    const Blocks blocks(s, lower);
    char* const words = blocks.words();
    Runs runs;
    auto word = [&](std::size_t begin, std::size_t end) {
        const std::string_view w(words + begin, end - begin);
        if (w[0] != '_' || w.find_first_not_of('_') != w.npos) sink.padded_token(w);  // a word has a letter or a digit
    };
    Block here = blocks.at(0), before;
    for (std::size_t base = 0; base < s.size(); base += 64) {
        const Block after = blocks.at(base + 64);
        auto between = [](std::uint64_t b, std::uint64_t h, std::uint64_t a) {
            return (h << 1 | b >> 63) & (h >> 1 | a << 63);
        };
        const std::uint64_t letters = between(before.letters, here.letters, after.letters);
        const std::uint64_t digits = between(before.digits, here.digits, after.digits);
        std::uint64_t bits = here.letters | here.digits | equal_to(words + base, '_');
        if (letters | digits) {
            bits |= letters & equal_to(words + base, '.', '\'', ':');
            bits |= digits & equal_to(words + base, '.', '\'', ',', ';');
        }
        runs.block(bits, equal_to(words + base, '\n'), base, word, [&] { sink.newline(); });
        before = here;
        here = after;
    }
    runs.finish(s.size(), word);
}

// Lower-cased words of any script: UAX #29 segments that hold a letter, a number or an emoji. Scripts written without
// spaces come out as single characters, which is what overlap metrics need of them.
void unicode(std::string_view s, Sink& sink, std::vector<Char>& text, std::string& word) {
    if (all_ascii(s)) return ascii_words(s, sink, word);
    text.clear();
    for (std::size_t i = 0; i < s.size();) {
        const char32_t c = next_char(s, i);
        text.push_back({c, break_of(c)});
    }
    for (std::size_t i = 0; i < text.size();) {
        if (text[i].value == '\n') {
            sink.newline();
            ++i;
            continue;
        }
        const Group first = group_of(text[i].value);
        if (first == Group::Space || (first == Group::Punctuation && text[i].cls != Break::ExtendNumLet)) {
            ++i;
            continue;
        }
        const std::size_t end = std::max(word_end(text, i), i + 1);
        word.clear();
        bool wordy = false;
        for (; i < end; ++i) {
            const Group group = group_of(text[i].value);
            wordy |= group == Group::Letter || group == Group::Number || text[i].cls == Break::Pictographic ||
                     text[i].cls == Break::RegionalIndicator;
            if (text[i].value == 0x130) word += "i\xCC\x87";  // the one two-character lower case
            else append(word, lower(text[i].value));
        }
        if (wordy) {
            sink.token(word);
            sink.flush();
        }
    }
}

}  // namespace

Tokens tokenize(const std::vector<std::string_view>& texts, Tokenizer tokenizer, Vocab& vocab) {
    Tokens out;
    out.texts.reserve(texts.size() + 1);
    std::size_t bytes = 0;
    for (std::string_view s : texts) bytes += s.size();
    out.ids.reserve(bytes / 5 + 1);
    Sink sink(out, vocab);
    std::string a, b, c;
    std::u32string u, v;
    std::vector<Char> scratch;
    for (std::size_t t = 0; t < texts.size(); ++t) {
        const std::string_view s = texts[t];
        if (t + 3 < texts.size()) {
            for (std::size_t at = 0; at < std::min<std::size_t>(texts[t + 3].size(), 256); at += 64)
                __builtin_prefetch(texts[t + 3].data() + at);
        }
        switch (tokenizer) {
            case Tokenizer::Rouge: rouge<true>(s, sink, a, b); break;
            case Tokenizer::Rouge155: rouge<false>(s, sink, a, b); break;
            case Tokenizer::Unicode: unicode(s, sink, scratch, a); break;
            case Tokenizer::Mteval13a: mteval13a(s, sink, a, b, c); break;
            case Tokenizer::Intl: intl(s, sink, u, v, a); break;
            case Tokenizer::Char: chars(s, sink); break;
            case Tokenizer::Space:
                if (all_ascii(s)) split_ascii(s, sink, a);
                else split_space<true>(s, sink);
                break;
        }
        sink.end_text();
    }
    out.vocab_size = vocab.size();
    return out;
}

Tokens remap(const Tokens& tokens, const WordMap& map, std::uint32_t vocab_size) {
    Tokens out;
    out.ids.reserve(tokens.ids.size());
    out.texts.reserve(tokens.texts.size());
    const std::uint32_t* const to = map.data();
    for (std::size_t t = 0, sentence = 0; t < tokens.size(); ++t) {
        for (std::size_t i = tokens.texts[t]; i < tokens.texts[t + 1]; ++i) {
            if (std::uint32_t id = to[tokens.ids[i]]; id != kNone) out.ids.push_back(id);
            if (sentence < tokens.text_sentences[t + 1] && tokens.sentence_ends[sentence] == i + 1) {
                out.end_sentence();
                ++sentence;
            }
        }
        out.end_text();
    }
    out.vocab_size = vocab_size;
    return out;
}

Tokens clip(const Tokens& tokens, std::size_t most) {
    Tokens out;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const std::size_t begin = tokens.texts[t], end = begin + std::min(most, tokens.length(t));
        std::size_t from = begin;
        for (std::size_t s = tokens.text_sentences[t]; s < tokens.text_sentences[t + 1] && from < end; ++s) {
            const std::size_t to = std::min(tokens.sentence_ends[s], end);
            out.ids.insert(out.ids.end(), tokens.ids.begin() + static_cast<std::ptrdiff_t>(from),
                           tokens.ids.begin() + static_cast<std::ptrdiff_t>(to));
            out.end_sentence();
            from = to;
        }
        out.end_text();
    }
    out.vocab_size = tokens.vocab_size;
    return out;
}

}  // namespace assay
