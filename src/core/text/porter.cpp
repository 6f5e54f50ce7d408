#include "text/porter.hpp"

#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace assay {
namespace {

bool vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }
bool ends(std::string_view w, std::string_view suffix) { return w.ends_with(suffix); }
std::string_view cut(std::string_view w, std::string_view suffix) { return w.substr(0, w.size() - suffix.size()); }

struct Rule {
    std::string_view suffix, to;
};

// Rules by the last letter of their suffix, in order: most words then meet no rule at all, or one or two.
class Rules {
public:
    Rules(std::initializer_list<Rule> rules) {
        for (const Rule& rule : rules) by_letter_[place(rule.suffix.back())].push_back(rule);
    }
    const std::vector<Rule>& of(std::string_view w) const { return by_letter_[w.empty() ? 0 : place(w.back())]; }

private:
    static std::size_t place(char c) { return c >= 'a' && c <= 'z' ? static_cast<std::size_t>(c - 'a') + 1 : 0; }
    std::array<std::vector<Rule>, 27> by_letter_;
};

// ---- nltk ----------------------------------------------------------------------------------------------------------

// y is a consonant at the start and after a vowel, a vowel after a consonant: one left-to-right pass.
struct Shape {
    int measure = 0;
    bool has_vowel = false;
    bool last_consonant = false, second_last_consonant = false, third_last_consonant = false;
    explicit Shape(std::string_view w) {
        for (std::size_t i = 0; i < w.size(); ++i) {
            const bool c = vowel(w[i]) ? false : w[i] == 'y' ? (i == 0 || !last_consonant) : true;
            if (i > 0 && c && !last_consonant) ++measure;
            has_vowel |= !c;
            third_last_consonant = second_last_consonant;
            second_last_consonant = last_consonant;
            last_consonant = c;
        }
    }
};

bool positive(std::string_view stem) { return Shape(stem).measure > 0; }

bool ends_cvc(std::string_view w) {
    const Shape s(w);
    if (w.size() >= 3 && s.third_last_consonant && !s.second_last_consonant && s.last_consonant) {
        return w.back() != 'w' && w.back() != 'x' && w.back() != 'y';
    }
    return w.size() == 2 && !s.second_last_consonant && s.last_consonant;
}

std::string nltk_1a(std::string_view w) {
    if (ends(w, "ies")) return std::string(cut(w, "ies")) + (w.size() == 4 ? "ie" : "i");
    if (ends(w, "sses")) return std::string(w.substr(0, w.size() - 2));
    if (ends(w, "ss")) return std::string(w);
    if (ends(w, "s")) return std::string(cut(w, "s"));
    return std::string(w);
}

std::string nltk_1b(const std::string& w) {
    if (ends(w, "ied")) return std::string(cut(w, "ied")) + (w.size() == 4 ? "ie" : "i");
    if (ends(w, "eed")) return positive(cut(w, "eed")) ? std::string(cut(w, "d")) : w;
    std::string stem;
    for (std::string_view suffix : {"ed", "ing"}) {
        if (ends(w, suffix) && Shape(cut(w, suffix)).has_vowel) {
            stem = cut(w, suffix);
            break;
        }
    }
    if (stem.empty()) return w;
    for (std::string_view suffix : {"at", "bl", "iz"}) {
        if (ends(stem, suffix)) return stem + "e";
    }
    const std::size_t n = stem.size();
    if (n >= 2 && stem[n - 1] == stem[n - 2] && Shape(stem).last_consonant) {
        const char c = stem.back();
        return c == 'l' || c == 's' || c == 'z' ? stem : stem.substr(0, n - 1);
    }
    return Shape(stem).measure == 1 && ends_cvc(stem) ? stem + "e" : stem;
}

std::string nltk_1c(const std::string& w) {
    if (!ends(w, "y")) return w;
    const std::string_view stem = cut(w, "y");
    return stem.size() > 1 && Shape(stem).last_consonant ? std::string(stem) + "i" : w;
}

std::string first_rule(const std::string& w, const Rules& rules, int above) {
    for (const Rule& r : rules.of(w)) {
        if (!ends(w, r.suffix)) continue;
        const std::string_view stem = cut(w, r.suffix);
        return Shape(stem).measure > above ? std::string(stem) + std::string(r.to) : w;
    }
    return w;
}

std::string nltk_2(const std::string& w) {
    static const Rules rules = {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},
                                {"izer", "ize"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},
                                {"eli", "e"},       {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
                                {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"}, {"fulness", "ful"},
                                {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
                                {"fulli", "ful"}};
    if (ends(w, "alli") && positive(cut(w, "alli"))) return nltk_2(std::string(cut(w, "alli")) + "al");
    if (ends(w, "logi")) return positive(w.substr(0, w.size() - 3)) ? w.substr(0, w.size() - 1) : w;
    return first_rule(w, rules, 0);
}

const Rules kStep3 = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                      {"ical", "ic"},  {"ful", ""},   {"ness", ""}};

std::string nltk_4(const std::string& w) {
    static const Rules rules = {{"al", ""},   {"ance", ""}, {"ence", ""},  {"er", ""},   {"ic", ""},  {"able", ""},
                                {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ou", ""},
                                {"ism", ""},  {"ate", ""},  {"iti", ""},   {"ous", ""},  {"ive", ""}, {"ize", ""}};
    if (ends(w, "ion")) {
        const std::string_view stem = cut(w, "ion");
        const bool st = !stem.empty() && (stem.back() == 's' || stem.back() == 't');
        return Shape(stem).measure > 1 && st ? std::string(stem) : w;
    }
    return first_rule(w, rules, 1);
}

std::string nltk_5(std::string w) {
    if (ends(w, "e")) {
        const std::string_view stem = cut(w, "e");
        const int m = Shape(stem).measure;
        if (m > 1 || (m == 1 && !ends_cvc(stem))) w.pop_back();
    }
    if (ends(w, "ll") && Shape(cut(w, "l")).measure > 1) w.pop_back();
    return w;
}

// ---- ROUGE-1.5.5 ---------------------------------------------------------------------------------------------------

// The Perl program asks its questions with regular expressions over C = [^aeiou][^aeiouy]* and V = [aeiouy][aeiou]*.
// They backtrack, so the set of positions a match may have reached is carried along.
class Reach {
public:
    explicit Reach(std::string_view w) : w_(w), at_(w.size() + 1, false) { at_[0] = true; }
    Reach& optional_c() {
        auto before = at_;
        c();
        for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = at_[i] || before[i];
        return *this;
    }
    Reach& optional_v() {
        auto before = at_;
        v();
        for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = at_[i] || before[i];
        return *this;
    }
    Reach& c() {
        return step([](char x) { return !vowel(x); }, [](char x) { return !vowel(x) && x != 'y'; });
    }
    Reach& v() {
        return step([](char x) { return vowel(x) || x == 'y'; }, vowel);
    }
    bool any() const {
        for (bool b : at_)
            if (b) return true;
        return false;
    }
    bool end() const { return at_.back(); }

private:
    template <class First, class Rest>
    Reach& step(First first, Rest rest) {
        std::vector<bool> next(at_.size(), false);
        for (std::size_t i = 0; i < w_.size(); ++i) {
            if (!at_[i] || !first(w_[i])) continue;
            std::size_t j = i + 1;
            next[j] = true;
            while (j < w_.size() && rest(w_[j])) next[++j] = true;
        }
        at_ = std::move(next);
        return *this;
    }
    std::string_view w_;
    std::vector<bool> at_;
};

bool mgr0(std::string_view s) { return Reach(s).optional_c().v().c().any(); }
bool mgr1(std::string_view s) { return Reach(s).optional_c().v().c().v().c().any(); }
bool meq1(std::string_view s) { return Reach(s).optional_c().v().c().optional_v().end(); }
bool has_v(std::string_view s) {  // ^(C)?v
    if (!s.empty() && (vowel(s[0]) || s[0] == 'y')) return true;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (vowel(s[i])) return true;
        if (s[i] == 'y' && i > 0) return true;
    }
    return false;
}
bool cvc(std::string_view s) {  // ^C v [^aeiouwxy]$
    const std::size_t n = s.size();
    if (n < 3) return false;
    const char last = s[n - 1], mid = s[n - 2];
    if (vowel(last) || last == 'w' || last == 'x' || last == 'y' || !(vowel(mid) || mid == 'y')) return false;
    if (vowel(s[0])) return false;
    for (std::size_t i = 1; i + 2 < n; ++i)
        if (vowel(s[i]) || s[i] == 'y') return false;
    return true;
}

bool longest_rule(std::string& w, const Rules& rules, bool (*condition)(std::string_view)) {
    const Rule* best = nullptr;
    for (const Rule& r : rules.of(w)) {
        if (ends(w, r.suffix) && (!best || r.suffix.size() > best->suffix.size())) best = &r;
    }
    if (!best) return false;
    const std::string_view stem = cut(w, best->suffix);
    if (condition(stem)) w = std::string(stem) + std::string(best->to);
    return true;
}

}  // namespace

std::string porter_nltk(std::string_view word) {
    static const std::vector<std::pair<std::string_view, std::string_view>> pool = {
        {"sky", "sky"},        {"skies", "sky"},       {"dying", "die"},        {"lying", "lie"},
        {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
        {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
        {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"}};
    if (word.size() <= 2) return std::string(word);
    if (word.size() <= 8) {
        for (const auto& [form, stem] : pool)
            if (form == word) return std::string(stem);
    }
    return nltk_5(nltk_4(first_rule(nltk_2(nltk_1c(nltk_1b(nltk_1a(word)))), kStep3, 0)));
}

std::string porter_rouge155(std::string_view word) {
    static const Rules step2 = {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},
                                {"izer", "ize"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},
                                {"eli", "e"},       {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
                                {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"}, {"fulness", "ful"},
                                {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
                                {"logi", "log"}};
    static const Rules step4 = {{"al", ""},   {"ance", ""}, {"ence", ""},  {"er", ""}, {"ic", ""},  {"able", ""},
                                {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""},
                                {"iti", ""},  {"ous", ""},  {"ive", ""},   {"ize", ""}};
    if (word.size() < 3) return std::string(word);
    std::string w(word);
    const bool y = w[0] == 'y';
    if (y) w[0] = 'Y';
    if (ends(w, "sses") || ends(w, "ies")) w.resize(w.size() - 2);  // 1a
    else if (ends(w, "s") && w.size() > 1 && w[w.size() - 2] != 's') w.pop_back();
    if (ends(w, "eed")) {  // 1b
        if (mgr0(cut(w, "eed"))) w.pop_back();
    } else if (ends(w, "ed") || ends(w, "ing")) {
        const std::string stem(cut(w, ends(w, "ed") ? "ed" : "ing"));
        if (has_v(stem)) {
            w = stem;
            const std::size_t n = w.size();
            if (ends(w, "at") || ends(w, "bl") || ends(w, "iz")) w += 'e';
            else if (n >= 2 && w[n - 1] == w[n - 2] &&
                     std::string_view("aeiouylsz").find(w[n - 1]) == std::string_view::npos)
                w.pop_back();
            else if (cvc(w)) w += 'e';
        }
    }
    if (ends(w, "y") && has_v(cut(w, "y"))) w.back() = 'i';  // 1c
    longest_rule(w, step2, mgr0);
    longest_rule(w, kStep3, mgr0);
    // Step 4 as Lin changed it: -ment and -ent are tried after, not instead.
    longest_rule(w, step4, mgr1);
    if (ends(w, "ment") && mgr1(cut(w, "ment"))) w = std::string(cut(w, "ment"));
    if (ends(w, "ent")) {
        if (mgr1(cut(w, "ent"))) w = std::string(cut(w, "ent"));
    } else if ((ends(w, "sion") || ends(w, "tion")) && mgr1(cut(w, "ion"))) {
        w = std::string(cut(w, "ion"));
    }
    if (ends(w, "e")) {  // 5
        const std::string_view stem = cut(w, "e");
        if (mgr1(stem) || (meq1(stem) && !cvc(stem))) w = std::string(stem);
    }
    if (ends(w, "ll") && mgr1(w)) w.pop_back();
    if (y) w[0] = 'y';
    return w;
}

}  // namespace assay
