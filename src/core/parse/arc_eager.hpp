// Arc-eager parsing with sentence breaks: states, which moves they allow, and what the moves do, as in spaCy 3.8.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::parse {

enum Move : std::uint8_t { kShift, kReduce, kLeft, kRight, kBreak };
constexpr std::size_t kMoves = 5;

struct Transition {
    Move move = kShift;
    std::uint16_t label = 0;
};

class State {
public:
    // A text of `length` words; `whole`: it is one sentence, and not to be split.
    void start(std::int32_t length, bool whole);

    bool is_final() const { return stack_.empty() && buffer_length() == 0; }
    void force_final();
    void allow(bool (&moves)[kMoves]) const;
    void apply(Transition transition);

    // The words that the network looks at: the first two of the buffer, the top three of the stack, and the last
    // dependents; -1 for none.
    void features(std::int32_t (&words)[8]) const;

    bool has_arcs() const;
    std::int32_t head(std::int32_t word) const { return heads_[word]; }  // -1: none
    std::uint16_t label(std::int32_t word) const { return labels_[word]; }
    std::int32_t length() const { return length_; }

private:
    struct Arc {
        std::int32_t child, before;  // before: the arc that was added to the same head before
    };

    std::int32_t stack(std::size_t i) const { return i < stack_.size() ? stack_[stack_.size() - 1 - i] : -1; }
    std::int32_t buffer(std::int32_t i) const;
    std::int32_t buffer_length() const { return length_ - next_ + static_cast<std::int32_t>(returned_.size()); }
    bool starts_sentence(std::int32_t word) const { return word >= 0 && starts_[word]; }
    bool may_not_start(std::int32_t word) const { return whole_ && word > 0; }
    std::int32_t last_child(const std::vector<std::int32_t>& last, std::int32_t head) const;
    void push();
    void add_arc(std::int32_t head, std::int32_t child, std::uint16_t label);
    void remove_arc(std::int32_t head, std::int32_t child);

    std::int32_t length_ = 0, next_ = 0;
    bool whole_ = false;
    std::vector<std::int32_t> stack_, returned_;  // returned: from the stack to the buffer
    std::vector<std::int32_t> heads_, last_left_, last_right_;
    std::vector<std::uint16_t> labels_;
    std::vector<std::uint8_t> starts_, unshiftable_;
    std::vector<Arc> arcs_;
};

}  // namespace assay::parse
