// Inside one item a token is a small dense number: its references decide which numbers there are.
#pragma once

#include <vector>

#include "overlap.hpp"

namespace assay {

class LocalIds {
public:
    explicit LocalIds(std::uint32_t vocab_size) : stamp_(vocab_size, 0), local_(vocab_size, 0) {}

    void start() { ++epoch_; size_ = 0; }
    std::uint32_t add(std::uint32_t id) {
        if (stamp_[id] != epoch_) { stamp_[id] = epoch_; local_[id] = size_++; }
        return local_[id];
    }
    std::uint32_t find(std::uint32_t id) const { return stamp_[id] == epoch_ ? local_[id] : kNone; }
    std::uint32_t size() const { return size_; }

private:
    std::vector<std::uint32_t> stamp_, local_;
    std::uint32_t epoch_ = 0, size_ = 0;
};

// A bag per text of an item, references first, then outputs: unit numbers below `distinct`, or kNone for a unit that no
// reference holds.
struct Bags {
    std::vector<std::uint32_t> ids;
    std::vector<std::size_t> starts;
    std::size_t references = 0;
    std::uint32_t distinct = 0;

    std::size_t size() const { return starts.size() - 1; }
    std::size_t length(std::size_t t) const { return starts[t + 1] - starts[t]; }
    const std::uint32_t* begin(std::size_t t) const { return ids.data() + starts[t]; }
    void clear(std::size_t n_references) { ids.clear(); starts.assign(1, 0); references = n_references; }
    void end_text() { starts.push_back(ids.size()); }

    // The words of one item's texts.
    void fill(const Tokens& outputs, const Tokens& refs, const Layout& layout, std::size_t item, LocalIds& local) {
        local.start();
        clear(layout.references_of(item));
        for (std::size_t t = layout.references[item]; t < layout.references[item + 1]; ++t) {
            for (std::size_t i = refs.texts[t]; i < refs.texts[t + 1]; ++i) ids.push_back(local.add(refs.ids[i]));
            end_text();
        }
        distinct = local.size();
        for (std::size_t t = layout.outputs[item]; t < layout.outputs[item + 1]; ++t) {
            for (std::size_t i = outputs.texts[t]; i < outputs.texts[t + 1]; ++i) ids.push_back(local.find(outputs.ids[i]));
            end_text();
        }
    }
};

}  // namespace assay
