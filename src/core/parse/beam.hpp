// A beam of states: thinc's, step by step, with the log-probabilities of moves.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "parse/arc_eager.hpp"

namespace assay::parse {

class Beam {
public:
    Beam(std::int32_t words, std::size_t width);

    bool is_done() const;
    std::size_t size() const { return size_; }
    const State& state(std::size_t i) const { return states_[i].state; }
    double score(std::size_t i) const { return states_[i].score; }

    // A row of log-probabilities for each state; those of final states are not looked at.
    void advance(const std::vector<const float*>& rows, const std::vector<Transition>& transitions);

private:
    struct Item {
        State state;
        float score = 0;
        bool done = false;
    };
    using Entry = std::pair<float, std::uint32_t>;  // score; state times transitions plus transition

    void collect(const std::vector<const float*>& rows, const std::vector<Transition>& transitions);

    std::size_t size_ = 1, steps_ = 0;
    std::vector<Item> states_, parents_;
    std::vector<Entry> entries_;
};

}  // namespace assay::parse
