#include "sums/exact_sums.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace assay {

void WholeSum::carry(Digits& digits) {
    for (std::size_t k = 0; k + 1 < digits.size(); ++k) {
        const std::int64_t over = digits[k] >> 32;  // rounds down, so that digits are not negative but for the last
        digits[k] -= over * (std::int64_t{1} << 32);
        digits[k + 1] += over;
    }
}

void WholeSum::add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7FF);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent) mantissa |= std::uint64_t{1} << 52;
    const unsigned shift = exponent ? exponent - 1 : 0;
    const auto wide = static_cast<__uint128_t>(mantissa) << shift % 32;
    const std::int64_t sign = bits >> 63 ? -1 : 1;
    std::int64_t* const digit = digits_.data() + shift / 32;
    digit[0] += sign * static_cast<std::int64_t>(wide & 0xFFFFFFFFu);
    digit[1] += sign * static_cast<std::int64_t>(wide >> 32 & 0xFFFFFFFFu);
    digit[2] += sign * static_cast<std::int64_t>(wide >> 64);
    count_add();
}

void WholeSum::add(const std::uint8_t* bytes, std::size_t n, bool negative) {
    if (n > 4 * (kDigits - 2)) throw std::invalid_argument("a sum of floats is not that large");
    for (std::size_t k = 0; k < n; ++k) {
        const auto part = static_cast<std::int64_t>(bytes[k]) << 8 * (k % 4);
        digits_[k / 4] += negative ? -part : part;
    }
    count_add();
}

std::vector<std::uint8_t> WholeSum::bytes() const {
    Digits digits = digits_;
    carry(digits);
    std::vector<std::uint8_t> out;
    out.reserve(4 * kDigits);
    for (const std::int64_t digit : digits) {
        for (int k = 0; k < 4; ++k)
            out.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(digit) >> 8 * k));
    }
    return out;
}

void ExactSums::add(const std::int64_t* cells, const double* values, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto cell = static_cast<std::size_t>(cells[i]);
        if (std::isfinite(values[i])) sums[cell].add(values[i]);
        else infinite[cell] += values[i];
    }
}

}  // namespace assay
