// Inside one item a token is a small dense number: its references decide which numbers there are.
#pragma once

#include <vector>

#include "match/overlap.hpp"

namespace assay {

class LocalIds {
public:
    explicit LocalIds(std::uint32_t vocab_size) : slots_(vocab_size) {}

    void start() {
        ++epoch_;
        size_ = 0;
    }
    std::uint32_t add(std::uint32_t id) {
        Slot& slot = slots_[id];
        if (slot.epoch != epoch_) slot = {epoch_, size_++};
        return slot.local;
    }
    std::uint32_t find(std::uint32_t id) const { return slots_[id].epoch == epoch_ ? slots_[id].local : kNone; }
    std::uint32_t size() const { return size_; }

private:
    struct Slot {
        std::uint32_t epoch = 0, local = 0;
    };
    std::vector<Slot> slots_;
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
    void clear(std::size_t n_references) {
        ids.clear();
        starts.assign(1, 0);
        references = n_references;
    }
    void end_text() { starts.push_back(ids.size()); }

    // The words of one item's texts.
    void fill(const Tokens& outputs, const Tokens& refs, const Layout& layout, std::size_t item, LocalIds& local) {
        local.start();
        clear(layout.references_of(item));
        const std::size_t r0 = layout.references[item], r1 = layout.references[item + 1];
        const std::size_t o0 = layout.outputs[item], o1 = layout.outputs[item + 1];
        ids.resize(refs.texts[r1] - refs.texts[r0] + outputs.texts[o1] - outputs.texts[o0]);
        std::uint32_t* out = ids.data();
        for (std::size_t t = r0; t < r1; ++t) {
            for (std::size_t i = refs.texts[t]; i < refs.texts[t + 1]; ++i) *out++ = local.add(refs.ids[i]);
            starts.push_back(static_cast<std::size_t>(out - ids.data()));
        }
        distinct = local.size();
        for (std::size_t t = o0; t < o1; ++t) {
            for (std::size_t i = outputs.texts[t]; i < outputs.texts[t + 1]; ++i) *out++ = local.find(outputs.ids[i]);
            starts.push_back(static_cast<std::size_t>(out - ids.data()));
        }
    }
};

}  // namespace assay
