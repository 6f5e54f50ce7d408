// The maximum match of GTM: runs of words in common, the longest first.
#pragma once

#include "match/overlap.hpp"

namespace assay {

// Three numbers per output, for the reference with the best F: match size, output length, reference length. The size of
// a match is the sum of its runs' lengths to the power `exponent`, and the root of it. NaN without references.
std::vector<double> maximum_match(const Tokens& outputs, const Tokens& references, const Layout& layout,
                                  double exponent);

}  // namespace assay
