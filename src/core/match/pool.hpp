// From counts to one number per output: a measure, pooled over references.
#pragma once

#include "match/overlap.hpp"

namespace assay {

enum class Measure { Precision, Recall, F, PrecisionBrevity };
enum class Pooling { Single, Max, All, Prob, Sum, Mean, Best, BestRecall, Jackknife, JackknifeMax };

struct Finish {
    Measure measure = Measure::F;
    Pooling pooling = Pooling::Max;
    double beta = 1.0;
    int digits = -1;     // round precision and recall to so many digits before F, as ROUGE-1.5.5 does; < 0: never
    double power = 1.0;  // ratios are raised to 1/power (ROUGE-W)
};

// 0/0 is 0 throughout, as in rouge-score and ROUGE-1.5.5. No reference at all: NaN.
std::vector<double> pool(const Counts& counts, const Layout& layout, const Finish& finish);

// BLEU's reference length: the closest to the output's, the shorter of two as close; or the first reference's.
std::vector<double> closest_length(const Counts& counts, const Layout& layout, bool first);

// The matches with the first reference (that is not the output's own).
std::vector<double> first_match(const Counts& counts, const Layout& layout);

}  // namespace assay
