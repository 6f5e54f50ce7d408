#include "read/json_items.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>

#include "text/unicode.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace assay {
namespace {

using Arena = std::deque<std::string>;  // texts that had escapes; a deque never moves what it holds

// Reads one line from left to right; every function returns false where the line is not what it should be.
class Line {
public:
    Line(std::string_view line, Arena& arena) : at_(line.data()), end_(line.data() + line.size()), arena_(arena) {}

    bool at_end() {
        skip_space();
        return at_ == end_;
    }
    bool is_next(char c) {
        skip_space();
        return at_ != end_ && *at_ == c;
    }
    bool take(char c) {
        const bool there = is_next(c);
        at_ += there;
        return there;
    }
    bool string(std::string_view& out) {
        if (!take('"')) return false;
        const char* const start = at_;
        bool high = false;
        if (!skip_plain(high)) return false;
        if (*at_ == '"') {
            out = {start, static_cast<std::size_t>(at_++ - start)};
            return !high || is_utf8(out);
        }
        arena_.emplace_back();
        if (!unescape(start, arena_.back())) return false;
        out = arena_.back();
        return is_utf8(out);
    }
    // Up to 18 digits, which is what ids that count have; 007 and 1.0 are for others to read.
    bool whole_number(std::string_view& out) {
        skip_space();
        const char* const start = at_;
        while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
        out = {start, static_cast<std::size_t>(at_ - start)};
        return !out.empty() && out.size() <= 18 && (out[0] != '0' || out.size() == 1);
    }
    template <class Each>
    bool strings(Each each) {  // an array of at least one
        if (!take('[')) return false;
        do {
            std::string_view s;
            if (!string(s)) return false;
            each(s);
        } while (take(','));
        return take(']');
    }

private:
    void skip_space() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
    }
    // Moves to the quotation mark or the backslash that comes next; control characters are not allowed before it.
    bool skip_plain(bool& high) {
#if defined(__SSE2__)
        for (; end_ - at_ >= 16; at_ += 16) {
            const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at_));
            const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
            const __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
            const __m128i escape = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
            const int stops = _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, escape)));
            const int above = _mm_movemask_epi8(v);
            if (!stops) {
                high = high || above;
                continue;
            }
            const int place = std::countr_zero(static_cast<unsigned>(stops));
            high = high || (above & ((1 << place) - 1));
            at_ += place;
            return static_cast<unsigned char>(*at_) > 0x1F;
        }
#endif
        for (; at_ != end_; ++at_) {
            const auto c = static_cast<unsigned char>(*at_);
            if (c == '"' || c == '\\') return true;
            if (c <= 0x1F) return false;
            high = high || c >= 0x80;
        }
        return false;
    }
    // Writes the text from `start` on with its escapes resolved, and moves past its end; at_ is at the first backslash.
    bool unescape(const char* start, std::string& out) {
        for (bool high = false;;) {
            out.append(start, at_);
            if (*at_ == '"') {
                ++at_;
                return true;
            }
            if (++at_ == end_ || !escape(out)) return false;
            start = at_;
            if (!skip_plain(high)) return false;
        }
    }
    bool escape(std::string& out) {
        static constexpr std::string_view kNames = "\"\\/bfnrt", kChars = "\"\\/\b\f\n\r\t";
        const char name = *at_++;
        if (name != 'u') {
            const std::size_t place = kNames.find(name);
            if (place != kNames.npos) out.push_back(kChars[place]);
            return place != kNames.npos;
        }
        char32_t c = 0, low = 0;
        if (!hex(c)) return false;
        if (c >= 0xD800 && c < 0xE000) {  // half a character; both halves are one
            if (c >= 0xDC00 || end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') return false;
            at_ += 2;
            if (!hex(low) || low < 0xDC00 || low >= 0xE000) return false;
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        }
        append(out, c);
        return true;
    }
    bool hex(char32_t& out) {
        if (end_ - at_ < 4) return false;
        for (int k = 0; k < 4; ++k) {
            const char c = *at_++;
            const int digit = c >= '0' && c <= '9'                 ? c - '0'
                              : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                                   : -1;
            if (digit < 0) return false;
            out = out << 4 | static_cast<char32_t>(digit);
        }
        return true;
    }

    const char* at_;
    const char* end_;
    Arena& arena_;
};

class Reader {
public:
    Reader() : arena_(std::make_shared<Arena>()) {}

    bool read(std::string_view text) {
        Line line(text, *arena_);
        enum { kId = 1, kOutputs = 2, kReferences = 4, kSource = 8, kGroup = 16, kCluster = 32 };
        unsigned keys = 0;
        if (!line.take('{')) return false;
        do {
            std::string_view key;
            if (!line.string(key) || !line.take(':')) return false;
            unsigned which = 0;
            if (key == "id") which = kId;
            else if (key == "outputs") which = kOutputs;
            else if (key == "references") which = kReferences;
            else if (key == "source" || key == "sources") which = kSource;
            else if (key == "group") which = kGroup;
            else if (key == "cluster") which = kCluster;
            if (!which || keys & which) return false;
            keys |= which;
            const bool plain = which == kId           ? id(line)
                               : which == kOutputs    ? outputs(line)
                               : which == kReferences ? references(line)
                               : which == kCluster    ? cluster(line)
                               : key == "sources"     ? sources(line)
                                                      : line.string(ignored_);
            if (!plain) return false;
        } while (line.take(','));
        items.reference_ends.push_back(items.references.size());
        const bool clustered = items.clusters.texts.empty() || items.clusters.size() == items.ids.size();
        return line.take('}') && line.at_end() && (keys & kId) && (keys & kOutputs) && clustered;
    }

    JsonItems finish() {
        for (TextColumn* column : {&items.ids, &items.outputs, &items.references, &items.clusters})
            column->owners = {arena_};
        return std::move(items);
    }

    JsonItems items;

private:
    bool id(Line& line) {
        std::string_view id;
        if (!(line.is_next('"') ? line.string(id) : line.whole_number(id))) return false;
        items.ids.texts.push_back(id);
        return true;
    }
    bool outputs(Line& line) {
        if (!line.take('{')) return false;
        const bool first = items.outputs.texts.empty();
        std::size_t n = 0;
        do {
            std::string_view system, text;
            if (!line.string(system) || !line.take(':') || !line.string(text)) return false;
            if (first) items.systems.push_back(system);
            else if (n >= items.systems.size() || items.systems[n] != system) return false;
            items.outputs.texts.push_back(text);
            ++n;
        } while (line.take(','));
        return line.take('}') && n == items.systems.size() && (!first || all_differ(items.systems));
    }
    bool references(Line& line) {
        return line.strings([&](std::string_view s) { items.references.texts.push_back(s); });
    }
    bool cluster(Line& line) {
        std::string_view name;
        if (!line.string(name)) return false;
        items.clusters.texts.push_back(name);
        return true;
    }
    bool sources(Line& line) {  // one source stands under "source"
        std::size_t n = 0;
        return line.strings([&](std::string_view) { ++n; }) && n > 1;
    }
    static bool all_differ(std::vector<std::string_view> names) {
        std::sort(names.begin(), names.end());
        return std::adjacent_find(names.begin(), names.end()) == names.end();
    }

    std::shared_ptr<Arena> arena_;
    std::string_view ignored_;
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n\v\f") == line.npos; }

}  // namespace

std::optional<JsonItems> read_json_items(std::string_view lines) {
    Reader reader;
    std::size_t number = 0;
    for (std::size_t start = 0; start < lines.size(); ++number) {
        const void* newline = std::memchr(lines.data() + start, '\n', lines.size() - start);
        const std::size_t end =
            newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - lines.data()) : lines.size();
        const std::string_view line = lines.substr(start, end - start);
        if (!is_blank(line)) {
            reader.items.line_starts.push_back(start);
            reader.items.numbers.push_back(number);
            if (!reader.read(line)) return std::nullopt;
        }
        start = end + 1;
    }
    reader.items.end = lines.size();
    return reader.finish();
}

}  // namespace assay
