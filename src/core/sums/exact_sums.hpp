// Sums of floats without rounding: the same bits whatever the order of the values and the parts they come in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

// A sum as a whole number of 2^-1074, the smallest float, in digits of 32 bits; carries wait in the upper half of each.
class WholeSum {
public:
    void add(double value);  // finite
    // Adds a whole number given by its digits of 8 bits, lowest first.
    void add(const std::uint8_t* bytes, std::size_t n, bool negative);
    // The number in two's complement, lowest byte first.
    std::vector<std::uint8_t> bytes() const;

private:
    static constexpr std::size_t kDigits = 72;  // 2,098 bits of a float's range, and room for 2^200 values
    static constexpr std::uint32_t kMostAdds = 1u << 30;
    using Digits = std::array<std::int64_t, kDigits>;
    static void carry(Digits& digits);
    void count_add() {
        if (++adds_ == kMostAdds) {
            carry(digits_);
            adds_ = 0;
        }
    }

    Digits digits_{};
    std::uint32_t adds_ = 0;
};

struct ExactSums {
    std::vector<WholeSum> sums;
    std::vector<double> infinite;  // sums of infinities and NaN, which no whole number holds; else 0

    void grow(std::size_t cells) {
        if (cells <= sums.size()) return;
        // Room for both before either grows: if memory runs out, they keep one length.
        sums.reserve(cells);
        infinite.reserve(cells);
        sums.resize(cells);
        infinite.resize(cells, 0.0);
    }
    // Every cell must be there.
    void add(const std::int64_t* cells, const double* values, std::size_t n);
};

}  // namespace assay
