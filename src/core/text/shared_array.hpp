// An array that grows at its end, and can be read while another thread adds to it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace assay {

// One thread at a time may add. Whoever reads an element must have learnt of it from the thread that added it (by an
// acquiring load of a size or a slot, or by a lock). Blocks that became too small stay until the end, because somebody
// may be reading them: together they are no larger than the last.
template <class T>
class SharedArray {
public:
    const T& operator[](std::size_t i) const { return data()[i]; }
    const T* data() const { return data_.load(std::memory_order_acquire); }

    // Sets element i, the first that was not set yet.
    void add(std::size_t i, const T& value) {
        if (i == capacity_) grow();
        blocks_.back()[i] = value;
    }

private:
    void grow() {
        const std::size_t capacity = std::max<std::size_t>(1024, 2 * capacity_);
        auto block = std::make_unique_for_overwrite<T[]>(capacity);
        std::copy_n(data(), capacity_, block.get());
        blocks_.push_back(std::move(block));
        data_.store(blocks_.back().get(), std::memory_order_release);
        capacity_ = capacity;
    }

    std::atomic<const T*> data_ = nullptr;
    std::size_t capacity_ = 0;
    std::vector<std::unique_ptr<T[]>> blocks_;
};

}  // namespace assay
