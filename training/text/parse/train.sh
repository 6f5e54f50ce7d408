#!/bin/sh
# Train the English pipeline and put it into the package: sh train.sh [scratch folder]
# Takes about 45 minutes on one core. Needs spacy 3.8 and the treebanks (see README.md).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-/tmp/assay-parser}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
train() { python -m spacy train --code "$here/functions.py" --paths.dev "$out/dev.spacy" "$@"; }

python "$here/prepare.py" "$out"
train "$here/config.cfg" --paths.train "$out/train.spacy" --output "$out/first"
train "$here/config-finetune.cfg" --paths.train "$out/gold.spacy" --paths.base "$out/first/model-last" --output "$out/second"
python "$here/package.py" "$out/second/model-last"
python "$here/convert.py"
python "$here/evaluate.py"
