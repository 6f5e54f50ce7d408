// The Python module: the files of this folder are the only ones that know Python, one for each subject of the core.
#include "bind/bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Assay's compiled core: tokenizing, unit overlap, LCS, pooling.";
    nanobind::set_leak_warnings(false);  // lexicons are kept for as long as the process lives
    assay::bind::bind_read(m);
    assay::bind::bind_sums(m);
    assay::bind::bind_text(m);
    assay::bind::bind_match(m);
    assay::bind::bind_metrics(m);
    assay::bind::bind_align(m);
    assay::bind::bind_lm(m);
    assay::bind::bind_parse(m);
    assay::bind::bind_search(m);
    assay::bind::bind_compound(m);
    assay::bind::bind_encode(m);
}
