// Edit distance between word sequences, plain and with shifts (TER), a row of the table in a few machine words.
#pragma once

#include "match/overlap.hpp"

namespace assay {

// Two numbers per output, edits and reference length; NaN without references.
struct EditRows {
    std::vector<double> values;
    std::size_t capped = 0;  // outputs that met a text longer than the cap: their distance is without shifts
};

// The reference with the lowest edits / length: what word error rate and word accuracy are made of.
EditRows word_edits(const Tokens& outputs, const Tokens& references, const Layout& layout);

// TER as tercom and sacreBLEU compute it: fewest edits over references, mean reference length. Texts of more than `cap`
// words are compared without shifts.
EditRows translation_edits(const Tokens& outputs, const Tokens& references, const Layout& layout, std::size_t cap);

}  // namespace assay
