// The one divergence kernel: how far the distribution of units of an output lies from those of other texts.
#pragma once

#include <vector>

#include "match/overlap.hpp"

namespace assay {

enum class Divergence { JensenShannon, FromOutput, FromOther };  // the last two: Kullback-Leibler, by what comes first

// Per output the mean over the other texts of its item, but its own; NaN where there is none. In nats. `delta` is added
// to the count of every unit that one of the two texts holds (Kullback-Leibler only).
std::vector<double> divergence(const Tokens& outputs, const Tokens& others, const Layout& layout, Divergence kind,
                               double delta);

}  // namespace assay
