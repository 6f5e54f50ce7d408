"""A metric, a format, a compressor and a learner for Assay, one file each."""
