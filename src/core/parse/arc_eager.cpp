#include "parse/arc_eager.hpp"

#include <algorithm>

namespace assay::parse {

void State::start(std::int32_t length, bool whole) {
    length_ = length;
    next_ = 0;
    whole_ = whole;
    stack_.clear();
    returned_.clear();
    arcs_.clear();
    const auto n = static_cast<std::size_t>(length);
    heads_.assign(n, -1);
    labels_.assign(n, 0);
    last_left_.assign(n, -1);
    last_right_.assign(n, -1);
    starts_.assign(n, 0);
    unshiftable_.assign(n, 0);
    if (n) starts_[0] = 1;
}

void State::force_final() {
    stack_.clear();
    returned_.clear();
    next_ = length_;
}

std::int32_t State::buffer(std::int32_t i) const {
    const auto returned = static_cast<std::int32_t>(returned_.size());
    if (i < returned) return returned_[static_cast<std::size_t>(returned - 1 - i)];
    const std::int32_t word = next_ + i - returned;
    return word < length_ ? word : -1;
}

void State::allow(bool (&moves)[kMoves]) const {
    const bool no_stack = stack_.empty();
    const std::int32_t left = buffer_length(), first = buffer(0);
    const bool starts = starts_sentence(first);
    moves[kShift] = no_stack || (left >= 2 && !starts && !unshiftable_[first]);
    moves[kReduce] = !no_stack && (left == 0 || stack_.size() != 1 || !may_not_start(first));
    moves[kLeft] = moves[kRight] = !no_stack && left > 0 && !starts;
    const std::int32_t second = buffer(1);
    moves[kBreak] = left >= 2 && second == first + 1 && !starts_sentence(second) && !may_not_start(second);
}

void State::push() {
    if (returned_.empty()) {
        stack_.push_back(next_++);
    } else {
        stack_.push_back(returned_.back());
        returned_.pop_back();
    }
}

void State::apply(Transition transition) {
    const std::int32_t top = stack(0), first = buffer(0);
    switch (transition.move) {
        case kShift: push(); break;
        case kReduce:
            stack_.pop_back();
            if (heads_[top] < 0 && !stack_.empty()) {  // it has no head yet: back to the buffer, once
                unshiftable_[top] = 1;
                returned_.push_back(top);
            }
            break;
        case kLeft:
            add_arc(first, top, transition.label);
            unshiftable_[first] = 0;
            stack_.pop_back();
            break;
        case kRight:
            add_arc(top, first, transition.label);
            push();
            break;
        case kBreak: starts_[buffer(1)] = 1; break;
    }
}

std::int32_t State::last_child(const std::vector<std::int32_t>& last, std::int32_t head) const {
    if (head < 0) return -1;
    std::int32_t arc = last[head];
    while (arc >= 0 && arcs_[arc].child < 0) arc = arcs_[arc].before;
    return arc < 0 ? -1 : arcs_[arc].child;
}

void State::features(std::int32_t (&words)[8]) const {
    const std::int32_t first = buffer(0), top = stack(0);
    words[0] = first;
    words[1] = buffer(1);
    words[2] = top;
    words[3] = stack(1);
    words[4] = stack(2);
    words[5] = last_child(last_left_, first);
    words[6] = last_child(last_left_, top);
    words[7] = last_child(last_right_, top);
}

bool State::has_arcs() const {
    return std::any_of(heads_.begin(), heads_.end(), [](std::int32_t head) { return head >= 0; });
}

void State::add_arc(std::int32_t head, std::int32_t child, std::uint16_t label) {
    if (heads_[child] >= 0) remove_arc(heads_[child], child);
    std::int32_t& last = head > child ? last_left_[head] : last_right_[head];
    arcs_.push_back({child, last});
    last = static_cast<std::int32_t>(arcs_.size()) - 1;
    heads_[child] = head;
    labels_[child] = label;
}

void State::remove_arc(std::int32_t head, std::int32_t child) {
    std::int32_t& last = head > child ? last_left_[head] : last_right_[head];
    if (last >= 0 && arcs_[last].child == child) {
        last = arcs_[last].before;
        return;
    }
    for (std::int32_t arc = last; arc >= 0; arc = arcs_[arc].before) {
        if (arcs_[arc].child == child) {
            arcs_[arc].child = -1;
            return;
        }
    }
}

}  // namespace assay::parse
