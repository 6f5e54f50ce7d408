#include "parse/beam.hpp"

#include <algorithm>
#include <functional>

namespace assay::parse {

Beam::Beam(std::int32_t words, std::size_t width) : states_(width), parents_(width) {
    states_[0].state.start(words, true);
    states_[0].done = states_[0].state.is_final();
}

bool Beam::is_done() const {
    return std::all_of(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(size_),
                       [](const Item& item) { return item.done; });
}

void Beam::collect(const std::vector<const float*>& rows, const std::vector<Transition>& transitions) {
    entries_.clear();
    for (std::size_t i = 0; i < size_; ++i) {
        const Item& item = states_[i];
        const auto first = static_cast<std::uint32_t>(i * transitions.size());
        if (item.done) {  // a finished state goes on as if its next move were as good as its average one
            const float mean = steps_ ? item.score / static_cast<float>(steps_) : 0.0f;
            entries_.emplace_back(item.score + mean, first);
            continue;
        }
        bool allowed[kMoves];
        item.state.allow(allowed);
        for (std::size_t k = 0; k < transitions.size(); ++k)
            if (allowed[transitions[k].move])
                entries_.emplace_back(item.score + rows[i][k], first + static_cast<std::uint32_t>(k));
    }
}

void Beam::advance(const std::vector<const float*>& rows, const std::vector<Transition>& transitions) {
    collect(rows, transitions);
    const std::size_t kept = std::min(states_.size(), entries_.size());
    std::partial_sort(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(kept), entries_.end(),
                      std::greater<>());
    parents_.swap(states_);
    for (std::size_t i = 0; i < kept; ++i) {
        const auto [score, number] = entries_[i];
        Item& parent = parents_[number / transitions.size()];
        Item& item = states_[i];
        if (parent.done) {
            std::swap(item, parent);
            parent.done = false;
        } else {
            // The mark of a state that was done and fell out of the beam stays on its place, as in thinc: what comes
            // there is carried on unchanged, and left out in the end because it is not final.
            item.state = parent.state;
            item.state.apply(transitions[number % transitions.size()]);
        }
        item.score = score;
    }
    size_ = kept;
    ++steps_;
    for (std::size_t i = 0; i < size_; ++i) states_[i].done = states_[i].done || states_[i].state.is_final();
}

}  // namespace assay::parse
