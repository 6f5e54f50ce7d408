// Character and word n-grams of all orders at once, for chrF.
#pragma once

#include <string_view>

#include "match/overlap.hpp"

namespace assay {

struct ChrfOptions {
    int char_order = 6, word_order = 0;
    double beta = 2;
    bool whitespace = false, eps = false;

    int order() const { return char_order + word_order; }
};

// Per output three numbers an order, characters first: n-grams of the output, of the reference, and matches; those of
// the reference with the best F. NaN without references.
std::vector<double> chrf(const std::vector<std::string_view>& outputs, const std::vector<std::string_view>& references,
                         const Layout& layout, const ChrfOptions& options);

}  // namespace assay
