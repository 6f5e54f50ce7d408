#include "parse/tokenizer.hpp"

#include <algorithm>
#include <set>

#include "text/unicode.hpp"

namespace assay::parse {

Tokenizer::Tokenizer(Lexicon lexicon, std::vector<CharacterSet> sets,
                     const std::function<Patterns(const std::vector<CharacterSet>&)>& make_patterns,
                     std::vector<Exception> exceptions)
    : lexicon_(std::move(lexicon)), sets_(std::move(sets)), patterns_(make_patterns(sets_)), nodes_(1) {
    for (Exception& exception : exceptions) {
        std::int32_t at = 0;
        for (const std::string& word : exception.split) {
            const auto number = static_cast<std::int32_t>(split_words_.size());
            const std::int32_t id = split_words_.try_emplace(word, number).first->second;
            const auto fresh = static_cast<std::int32_t>(nodes_.size());
            const auto [next, is_new] = nodes_[at].next.try_emplace(id, fresh);
            at = next->second;
            if (is_new) nodes_.emplace_back();
        }
        if (at) nodes_[at].ends = true;
        std::string text = exception.text;
        exceptions_.emplace(std::move(text), std::move(exception));
    }
}

std::uint32_t Tokenizer::find_type(std::string_view form, Memory& memory) const {
    if (const auto found = memory.usual.find(form); found != memory.usual.end()) return found->second;
    Type type = lexicon_.make_type(form, "");
    if (const auto word = split_words_.find(form); word != split_words_.end()) type.split = word->second;
    const auto id = static_cast<std::uint32_t>(memory.types.size());
    memory.types.push_back(std::move(type));
    memory.usual.emplace(form, id);
    return id;
}

const Tokenizer::Types* Tokenizer::find_exception(std::string_view text, Memory& memory) const {
    if (const auto found = memory.exceptions.find(text); found != memory.exceptions.end()) return &found->second;
    const auto exception = exceptions_.find(text);
    if (exception == exceptions_.end()) return nullptr;
    Types types;
    for (const ExceptionWord& word : exception->second.words) {
        if (word.norm.empty()) {
            types.push_back(find_type(word.form, memory));
            continue;
        }
        types.push_back(static_cast<std::uint32_t>(memory.types.size()));
        Type type = lexicon_.make_type(word.form, word.norm);
        if (const auto known = split_words_.find(word.form); known != split_words_.end()) type.split = known->second;
        memory.types.push_back(std::move(type));
    }
    return &memory.exceptions.emplace(text, std::move(types)).first->second;
}

// The same walk as spaCy's: stretches of spaces and of other characters, where a single space is no stretch.
std::vector<Token> Tokenizer::tokenize(std::string_view text, Memory& memory) const {
    std::vector<Token> tokens;
    if (text.empty()) return tokens;
    const auto add = [&](std::size_t from, std::size_t to, std::uint32_t place) {
        const std::string_view stretch = text.substr(from, to - from);
        const Types* types = find_exception(stretch, memory);
        for (const std::uint32_t type : types ? *types : split(stretch, memory)) {
            tokens.push_back({type, place, false});
            place += memory.types[type].length;
        }
    };
    std::size_t start = 0, i = 0;
    std::uint32_t place = 0, start_place = 0;
    std::size_t first = 0;
    bool in_space = lexicon_.alphabet().is_space(next_char(text, first));
    for (; i < text.size(); ++place) {
        std::size_t next = i;
        const char32_t c = next_char(text, next);
        if (lexicon_.alphabet().is_space(c) != in_space) {
            if (start < i) add(start, i, start_place);
            const bool skip = c == ' ';
            if (skip) tokens.back().space = true;
            start = skip ? next : i;
            start_place = skip ? place + 1 : place;
            in_space = !in_space;
        }
        i = next;
    }
    if (start < text.size()) {
        add(start, text.size(), start_place);
        tokens.back().space = text.back() == ' ' && !in_space;
    }
    return join_exceptions(std::move(tokens), memory);
}

std::size_t Tokenizer::prefix(std::u32string_view text) const {
    const auto [start, end] = patterns_.prefix.search(text);
    return start == Pattern::kNone ? 0 : end - start;
}

std::size_t Tokenizer::suffix(std::u32string_view text) const {
    const auto [start, end] = patterns_.suffix.search(text);
    return start == Pattern::kNone ? 0 : end - start;
}

const Tokenizer::Types& Tokenizer::split(std::string_view stretch, Memory& memory) const {
    if (const auto found = memory.stretches.find(stretch); found != memory.stretches.end()) return found->second;
    const std::u32string whole = decode(stretch);
    std::u32string_view rest(whole);
    Types out, suffixes;
    const auto type = [&](std::u32string_view part) { return find_type(encode(part), memory); };
    const auto is_exception = [&](std::u32string_view part) {
        return !part.empty() && exceptions_.find(encode(part)) != exceptions_.end();
    };
    std::size_t last = 0;
    while (!rest.empty() && rest.size() != last) {
        if (patterns_.whole.match(rest, 0) != Pattern::kNone || is_exception(rest)) break;
        last = rest.size();
        const std::size_t front = prefix(rest);
        if (front && is_exception(rest.substr(front))) {
            out.push_back(type(rest.substr(0, front)));
            rest = rest.substr(front);
            break;
        }
        const std::size_t back = suffix(rest.substr(front));
        if (back && is_exception(rest.substr(0, rest.size() - back))) {
            suffixes.push_back(type(rest.substr(rest.size() - back)));
            rest = rest.substr(0, rest.size() - back);
            break;
        }
        const std::size_t keep = front && back && front + back > rest.size() ? 0 : back;
        if (front) out.push_back(type(rest.substr(0, front)));
        if (keep) suffixes.push_back(type(rest.substr(rest.size() - keep)));
        rest = rest.substr(front, rest.size() - front - keep);
    }
    if (!rest.empty()) split_rest(rest, memory, out);
    out.insert(out.end(), suffixes.rbegin(), suffixes.rend());
    return memory.stretches.emplace(stretch, std::move(out)).first->second;
}

// What is left between prefixes and suffixes: an exception, one word, or words with infixes between them.
void Tokenizer::split_rest(std::u32string_view rest, Memory& memory, Types& out) const {
    const std::string form = encode(rest);
    if (const Types* exception = find_exception(form, memory)) {
        out.insert(out.end(), exception->begin(), exception->end());
        return;
    }
    if (patterns_.whole.match(rest, 0) != Pattern::kNone || patterns_.url.match(rest, 0) != Pattern::kNone) {
        out.push_back(find_type(form, memory));
        return;
    }
    std::size_t done = 0, from = 0;
    while (from < rest.size()) {
        const auto [start, end] = patterns_.infix.search(rest, from);
        if (start == Pattern::kNone) break;
        from = std::max(end, start + 1);
        if (start == 0) continue;  // spaCy drops an infix that begins the word: it stays part of what follows
        if (start != done) out.push_back(find_type(encode(rest.substr(done, start - done)), memory));
        if (end != start) out.push_back(find_type(encode(rest.substr(start, end - start)), memory));
        done = end;
    }
    if (done < rest.size()) out.push_back(find_type(encode(rest.substr(done)), memory));
}

std::vector<Tokenizer::Span> Tokenizer::find_split_exceptions(const std::vector<Token>& tokens,
                                                              const Memory& memory) const {
    std::vector<Span> spans;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::int32_t at = 0;
        for (std::size_t k = i; k < tokens.size(); ++k) {
            const std::int32_t word = memory.types[tokens[k].type].split;
            const auto next = word < 0 ? nodes_[at].next.end() : nodes_[at].next.find(word);
            if (next == nodes_[at].next.end()) break;
            at = next->second;
            if (nodes_[at].ends) spans.push_back({i, k + 1});
        }
    }
    return spans;
}

// Exceptions that were split, as ":-)" is by its prefixes, are put together: the longest first, then the leftmost.
std::vector<Token> Tokenizer::join_exceptions(std::vector<Token> tokens, Memory& memory) const {
    std::vector<Span> spans = find_split_exceptions(tokens, memory);
    if (spans.empty()) return tokens;
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        const std::size_t x = a.end - a.first, y = b.end - b.first;
        return x != y ? x > y : a.first < b.first;
    });
    std::vector<bool> seen(tokens.size());
    std::vector<std::size_t> ends(tokens.size());  // 0: none begins here
    for (const Span& span : spans) {
        if (!seen[span.first] && !seen[span.end - 1]) ends[span.first] = span.end;
        std::fill(seen.begin() + static_cast<std::ptrdiff_t>(span.first),
                  seen.begin() + static_cast<std::ptrdiff_t>(span.end), true);
    }
    std::vector<Token> out;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!ends[i]) {
            out.push_back(tokens[i]);
            continue;
        }
        std::string text;
        for (std::size_t k = i; k < ends[i]; ++k) {
            text += memory.types[tokens[k].type].form;
            if (tokens[k].space && k + 1 < ends[i]) text += ' ';
        }
        const Types* types = find_exception(text, memory);
        if (!types) {
            out.insert(out.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i),
                       tokens.begin() + static_cast<std::ptrdiff_t>(ends[i]));
        } else {
            std::uint32_t place = tokens[i].start;
            for (const std::uint32_t type : *types) {
                out.push_back({type, place, false});
                place += memory.types[type].length;
            }
            out.back().space = tokens[ends[i] - 1].space;
        }
        i = ends[i] - 1;
    }
    return out;
}

}  // namespace assay::parse
