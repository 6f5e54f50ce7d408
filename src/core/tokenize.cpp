// The named tokenizers. Each is written after the program whose numbers it must give.
#include <array>
#include <string>

#include "tokens.hpp"
#include "unicode.hpp"

namespace assay {
namespace {

struct Sink {
    Tokens& out;
    Vocab& vocab;
    void token(std::string_view s) { out.ids.push_back(vocab.intern(s)); }
    void newline() { out.end_sentence(); }
};

// Lower-case ASCII letter or digit, or 0 for everything else.
constexpr std::array<char, 256> alnum_table() {
    std::array<char, 256> t{};
    for (int c = '0'; c <= '9'; ++c) t[c] = static_cast<char>(c);
    for (int c = 'a'; c <= 'z'; ++c) t[c] = t[c - 32] = static_cast<char>(c);
    return t;
}
constexpr auto kAlnum = alnum_table();

// Runs of [a-z0-9] after lower-casing. rouge-score lower-cases Unicode first, and two characters outside ASCII
// have a lower case inside it: the Kelvin sign (k) and dotted I (i + U+0307). ROUGE-1.5.5 knows only tr/A-Z/a-z/.
template <bool kUnicodeLower>
void rouge(std::string_view s, Sink& sink, std::string& word) {
    word.clear();
    auto flush = [&] {
        if (!word.empty()) { sink.token(word); word.clear(); }
    };
    for (std::size_t i = 0; i < s.size(); ++i) {
        const auto byte = static_cast<unsigned char>(s[i]);
        const char c = kAlnum[byte];
        if (c) [[likely]] { word.push_back(c); continue; }
        if constexpr (kUnicodeLower) {
            if (byte == 0xE2 && s.substr(i, 3) == "\xE2\x84\xAA") { word.push_back('k'); i += 2; continue; }
            if (byte == 0xC4 && s.substr(i, 2) == "\xC4\xB0") { word.push_back('i'); flush(); i += 1; continue; }
        }
        flush();
        if (byte == '\n') sink.newline();
    }
    flush();
}

// Splits at what Python's str.split() splits at.
template <bool kNewlineEndsSentence>
void split_space(std::string_view s, Sink& sink) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < s.size();) {
        const std::size_t at = i;
        const auto byte = static_cast<unsigned char>(s[i]);
        const bool space = byte < 0x80 ? (i += 1, byte == ' ' || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31))
                                       : group_of(next_char(s, i)) == Group::Space;
        if (!space) continue;
        if (at > start) sink.token(s.substr(start, at - start));
        start = i;
        if (kNewlineEndsSentence && byte == '\n') sink.newline();
    }
    if (s.size() > start) sink.token(s.substr(start));
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
    std::size_t keep = 0;
    for (std::size_t i = 0; i < s.size();) {
        if (group_of(next_char(s, i)) != Group::Space) keep = i;
    }
    return s.substr(0, std::min(keep, s.size()));
}

void replace_all(std::string& s, std::string_view from, std::string_view to) {
    for (std::size_t at = s.find(from); at != std::string::npos; at = s.find(from, at + to.size())) {
        s.replace(at, from.size(), to);
    }
}

bool digit(char c) { return c >= '0' && c <= '9'; }
bool point(char c) { return c == '.' || c == ','; }
bool in_13a_class(char ch) {  // [\{-\~\[-\` -\&\(-\+\:-\@\/]
    const auto c = static_cast<unsigned char>(ch);
    return (c >= 0x7B && c <= 0x7E) || (c >= 0x5B && c <= 0x60) || (c >= 0x20 && c <= 0x26) ||
           (c >= 0x28 && c <= 0x2B) || (c >= 0x3A && c <= 0x40) || c == 0x2F;
}

// mteval-v13a as in sacreBLEU: four substitutions, each a pass over the bytes. All that they look at is ASCII, so
// that bytes serve as well as characters.
void mteval13a(std::string_view text, Sink& sink, std::string& a, std::string& b) {
    a.assign(1, ' ');
    a += rstrip(text);
    if (a.find('<') != std::string::npos) replace_all(a, "<skipped>", "");
    if (a.find('\n') != std::string::npos) { replace_all(a, "-\n", ""); replace_all(a, "\n", " "); }
    if (a.find('&') != std::string::npos) {
        replace_all(a, "&quot;", "\""); replace_all(a, "&amp;", "&"); replace_all(a, "&lt;", "<"); replace_all(a, "&gt;", ">");
    }
    a += ' ';
    b.clear();
    for (char c : a) {
        if (in_13a_class(c) && c != ' ') { b += ' '; b += c; b += ' '; }
        else b += c;
    }
    a.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {  // ([^0-9])([\.,]) -> \1 \2_
        a += b[i];
        if (!digit(b[i]) && i + 1 < b.size() && point(b[i + 1])) { a += ' '; a += b[++i]; a += ' '; }
    }
    b.clear();
    for (std::size_t i = 0; i < a.size(); ++i) {  // ([\.,])([^0-9]) -> _\1 \2
        if (point(a[i]) && i + 1 < a.size() && !digit(a[i + 1])) { b += ' '; b += a[i]; b += ' '; b += a[++i]; }
        else b += a[i];
    }
    a.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {  // ([0-9])(-) -> \1 \2_
        a += b[i];
        if (digit(b[i]) && i + 1 < b.size() && b[i + 1] == '-') { a += ' '; a += b[++i]; a += ' '; }
    }
    split_space<false>(a, sink);
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
        if (!number(a[i]) && i + 1 < a.size() && punct(a[i + 1])) { b += U' '; b += a[++i]; b += U' '; }
    }
    a.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {  // (\p{P})(\P{N}) -> _\1 \2
        if (punct(b[i]) && i + 1 < b.size() && !number(b[i + 1])) { a += U' '; a += b[i]; a += U' '; a += b[++i]; }
        else a += b[i];
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

struct Char { char32_t value; Break cls; };

bool ah_letter(Break b) { return b == Break::ALetter || b == Break::HebrewLetter; }
bool mid_num_let_q(Break b) { return b == Break::MidNumLet || b == Break::SingleQuote; }
bool ignorable(Break b) { return b == Break::Extend || b == Break::Format || b == Break::ZWJ; }

// The end of the word that starts at `start` (UAX #29, rules WB3c to WB16; newlines never get here).
std::size_t word_end(const std::vector<Char>& text, std::size_t start) {
    auto skip = [&](std::size_t i) { while (i < text.size() && ignorable(text[i].cls)) ++i; return i; };  // WB4
    auto cls = [&](std::size_t i) { return i < text.size() ? text[i].cls : Break::Other; };
    std::size_t last = start, at = skip(start + 1);
    std::size_t regional = text[start].cls == Break::RegionalIndicator;
    for (; at < text.size(); last = at, at = skip(at + 1)) {
        const Break a = text[last].cls, b = text[at].cls;
        if (b == Break::Pictographic && text[at - 1].cls == Break::ZWJ) continue;           // WB3c
        if (ah_letter(a) && (ah_letter(b) || b == Break::Numeric)) continue;                // WB5, WB9
        if (a == Break::Numeric && (b == Break::Numeric || ah_letter(b))) continue;         // WB8, WB10
        const std::size_t after = skip(at + 1);
        if (ah_letter(a) && (b == Break::MidLetter || mid_num_let_q(b)) && ah_letter(cls(after))) continue;   // WB6
        if (a == Break::HebrewLetter && b == Break::SingleQuote) continue;                  // WB7a
        if (a == Break::HebrewLetter && b == Break::DoubleQuote && cls(after) == Break::HebrewLetter) continue;  // WB7b
        if (a == Break::Numeric && (b == Break::MidNum || mid_num_let_q(b)) && cls(after) == Break::Numeric) continue;  // WB12
        // WB7, WB7c, WB11: a middle sign was let in only because what follows it belongs here.
        if ((a == Break::MidLetter || mid_num_let_q(a)) && ah_letter(b) && last > start) continue;
        if (a == Break::DoubleQuote && b == Break::HebrewLetter && last > start) continue;
        if ((a == Break::MidNum || mid_num_let_q(a)) && b == Break::Numeric && last > start) continue;
        if (a == Break::Katakana && b == Break::Katakana) continue;                         // WB13
        const bool wordy = ah_letter(a) || a == Break::Numeric || a == Break::Katakana || a == Break::ExtendNumLet;
        if (wordy && b == Break::ExtendNumLet) continue;                                    // WB13a
        if (a == Break::ExtendNumLet && (ah_letter(b) || b == Break::Numeric || b == Break::Katakana)) continue;  // WB13b
        if (a == Break::RegionalIndicator && b == a && regional % 2 == 1) { ++regional; continue; }  // WB15, WB16
        break;
    }
    return at;
}

// Lower-cased words of any script: UAX #29 segments that hold a letter, a number or an emoji. Scripts written without
// spaces come out as single characters, which is what overlap metrics need of them.
void unicode(std::string_view s, Sink& sink, std::vector<Char>& text, std::string& word) {
    text.clear();
    for (std::size_t i = 0; i < s.size();) {
        const char32_t c = next_char(s, i);
        text.push_back({c, break_of(c)});
    }
    for (std::size_t i = 0; i < text.size();) {
        if (text[i].value == '\n') { sink.newline(); ++i; continue; }
        const Group first = group_of(text[i].value);
        if (first == Group::Space || (first == Group::Punctuation && text[i].cls != Break::ExtendNumLet)) { ++i; continue; }
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
        if (wordy) sink.token(word);
    }
}

}  // namespace

Tokens tokenize(const std::vector<std::string_view>& texts, Tokenizer tokenizer, Vocab& vocab) {
    Tokens out;
    out.texts.reserve(texts.size() + 1);
    std::size_t bytes = 0;
    for (std::string_view s : texts) bytes += s.size();
    out.ids.reserve(bytes / 5 + 1);
    Sink sink{out, vocab};
    std::string a, b;
    std::u32string u, v;
    std::vector<Char> scratch;
    for (std::string_view s : texts) {
        switch (tokenizer) {
            case Tokenizer::Rouge: rouge<true>(s, sink, a); break;
            case Tokenizer::Rouge155: rouge<false>(s, sink, a); break;
            case Tokenizer::Unicode: unicode(s, sink, scratch, a); break;
            case Tokenizer::Mteval13a: mteval13a(s, sink, a, b); break;
            case Tokenizer::Intl: intl(s, sink, u, v, a); break;
            case Tokenizer::Char: chars(s, sink); break;
            case Tokenizer::Space: split_space<true>(s, sink); break;
        }
        out.end_text();
    }
    out.vocab_size = vocab.size();
    return out;
}

Tokens remap(const Tokens& tokens, const std::vector<std::uint32_t>& map, std::uint32_t vocab_size) {
    Tokens out;
    out.ids.reserve(tokens.ids.size());
    out.texts.reserve(tokens.texts.size());
    for (std::size_t t = 0, sentence = 0; t < tokens.size(); ++t) {
        for (std::size_t i = tokens.texts[t]; i < tokens.texts[t + 1]; ++i) {
            if (std::uint32_t id = map[tokens.ids[i]]; id != kNone) out.ids.push_back(id);
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

}  // namespace assay
