#include "parse/pattern.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::parse {
namespace {

// The order is that of OPS in patterns.py.
enum Op : std::int32_t { kMatch, kChar, kSet, kSplit, kJump, kStart, kEnd, kAhead, kBehind, kNotAhead, kNotBehind,
                         kRepeat, kBranch };

}  // namespace

Pattern::Pattern(std::vector<std::int32_t> program, const std::vector<CharacterSet>& sets)
    : program_(std::move(program)), sets_(&sets) {
    const auto wrong = [] { throw std::invalid_argument("a pattern that leads nowhere"); };
    if (program_.empty() || program_.size() % 4) wrong();
    const auto size = static_cast<std::int32_t>(program_.size() / 4);
    const auto check_target = [&](std::int32_t to) { if (to < 0 || to >= size) wrong(); };
    const auto check_set = [&](std::int32_t s) { if (s < 0 || s >= static_cast<std::int32_t>(sets.size())) wrong(); };
    for (std::int32_t at = 0; at < size; ++at) {
        const std::int32_t* i = &program_[4 * at];
        if (i[0] < kMatch || i[0] > kBranch) wrong();
        if (i[0] == kSet || i[0] == kRepeat) check_set(i[1]);
        if (i[0] == kJump || (i[0] >= kAhead && i[0] <= kNotBehind) || i[0] == kSplit) check_target(i[1]);
        if (i[0] == kSplit) check_target(i[2]);
        if (i[0] != kMatch && i[0] != kJump) check_target(at + 1);
        if (i[0] != kBranch) continue;
        const std::int32_t alternatives = i[1];
        if (alternatives < 1 || alternatives >= size - at) wrong();
        for (std::int32_t a = 1; a <= alternatives; ++a) {
            check_target(program_[4 * (at + a)]);
            if (program_[4 * (at + a) + 1] >= 0) check_set(program_[4 * (at + a) + 1]);
        }
        at += alternatives;
    }
}

std::size_t Pattern::match(std::u32string_view text, std::size_t start) const {
    std::vector<Choice> choices;
    return run(text, 0, start, choices);
}

std::pair<std::size_t, std::size_t> Pattern::search(std::u32string_view text, std::size_t start) const {
    std::vector<Choice> choices;
    for (; start <= text.size(); ++start) {
        const std::size_t end = run(text, 0, start, choices);
        if (end != kNone) return {start, end};
    }
    return {kNone, kNone};
}

std::size_t Pattern::run(std::u32string_view text, std::int32_t at, std::size_t place,
                         std::vector<Choice>& choices) const {
    choices.clear();
    for (;;) {
        if (program_[4 * at] == kMatch) return place;
        if (step(text, at, place, choices)) continue;
        if (choices.empty()) return kNone;
        Choice& last = choices.back();
        at = last.at;
        place = last.place;
        if (place > last.least) --last.place;  // a repeat that can give back more
        else choices.pop_back();
    }
}

bool Pattern::step(std::u32string_view text, std::int32_t& at, std::size_t& place,
                   std::vector<Choice>& choices) const {
    const std::int32_t* i = &program_[4 * at];
    const bool over = place >= text.size();
    switch (i[0]) {
        case kChar:
            if (over || text[place] != static_cast<char32_t>(i[1])) return false;
            ++place, ++at;
            return true;
        case kSet:
            if (over || !(*sets_)[i[1]].has(text[place])) return false;
            ++place, ++at;
            return true;
        case kSplit:
            choices.push_back({i[2], place, place});
            at = i[1];
            return true;
        case kJump:
            at = i[1];
            return true;
        case kStart:
            ++at;
            return place == 0;
        case kEnd:
            ++at;
            return over || (place + 1 == text.size() && text[place] == '\n');
        case kAhead:
        case kNotAhead:
            if (look(text, at + 1, place) != (i[0] == kAhead)) return false;
            at = i[1];
            return true;
        case kBehind:
        case kNotBehind: {
            const auto back = static_cast<std::size_t>(i[2]);
            if ((place >= back && look(text, at + 1, place - back)) != (i[0] == kBehind)) return false;
            at = i[1];
            return true;
        }
        case kRepeat: {
            const CharacterSet& set = (*sets_)[i[1]];
            const std::size_t least = place + i[2], most = std::min(text.size(), place + i[3]);
            std::size_t end = place;
            while (end < most && set.has(text[end])) ++end;
            if (end < least) return false;
            ++at;
            if (end > least) choices.push_back({at, end - 1, least});
            place = end;
            return true;
        }
        case kBranch: {
            std::int32_t next = -1;
            for (std::int32_t a = i[1]; a >= 1; --a) {
                const std::int32_t set = i[4 * a + 1];
                if (set >= 0 && (over || !(*sets_)[set].has(text[place]))) continue;
                if (next >= 0) choices.push_back({next, place, place});
                next = i[4 * a];
            }
            if (next < 0) return false;
            at = next;
            return true;
        }
    }
    return false;
}

bool Pattern::look(std::u32string_view text, std::int32_t at, std::size_t place) const {
    std::vector<Choice> choices;
    return run(text, at, place, choices) != kNone;
}

}  // namespace assay::parse
