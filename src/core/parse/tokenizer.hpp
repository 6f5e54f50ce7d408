// The tokenizer: spaCy's algorithm (prefixes, suffixes, exceptions, infixes) with the rules of the pipeline.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parse/lexicon.hpp"
#include "parse/pattern.hpp"

namespace assay::parse {

struct Token {
    std::uint32_t type = 0;
    std::uint32_t start = 0;  // in characters of the text
    bool space = false;       // whether a space follows
};

struct ExceptionWord {
    std::string form, norm;
};

struct Exception {
    std::string text;
    std::vector<ExceptionWord> words;
    std::vector<std::string> split;  // the words it is split into without being known; empty: it is not looked for there
};

// Strings are looked up by what they hold, without a copy.
struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
};
template <class T>
using StringMap = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

// What a thread has met: word types, and the words of each stretch between spaces.
struct Memory {
    std::vector<Type> types;
    StringMap<std::uint32_t> usual;                   // form -> type
    StringMap<std::vector<std::uint32_t>> exceptions;  // text of an exception -> its types
    StringMap<std::vector<std::uint32_t>> stretches;
};

class Tokenizer {
public:
    struct Patterns {
        Pattern prefix, suffix, infix, whole, url;
    };

    Tokenizer(Lexicon lexicon, std::vector<CharacterSet> sets,
              const std::function<Patterns(const std::vector<CharacterSet>&)>& make_patterns,
              std::vector<Exception> exceptions);
    Tokenizer(const Tokenizer&) = delete;

    std::vector<Token> tokenize(std::string_view text, Memory& memory) const;
    const Lexicon& lexicon() const { return lexicon_; }

private:
    struct Node {  // of the tree of split exceptions
        std::unordered_map<std::int32_t, std::int32_t> next;
        bool ends = false;
    };
    struct Span {
        std::size_t first, end;
    };
    using Types = std::vector<std::uint32_t>;

    std::uint32_t find_type(std::string_view form, Memory& memory) const;
    const Types* find_exception(std::string_view text, Memory& memory) const;
    const Types& split(std::string_view stretch, Memory& memory) const;
    void split_rest(std::u32string_view rest, Memory& memory, Types& out) const;
    std::size_t prefix(std::u32string_view text) const;
    std::size_t suffix(std::u32string_view text) const;
    std::vector<Token> join_exceptions(std::vector<Token> tokens, Memory& memory) const;
    std::vector<Span> find_split_exceptions(const std::vector<Token>& tokens, const Memory& memory) const;

    Lexicon lexicon_;
    std::vector<CharacterSet> sets_;
    Patterns patterns_;
    StringMap<Exception> exceptions_;
    StringMap<std::int32_t> split_words_;
    std::vector<Node> nodes_;
};

}  // namespace assay::parse
