"""Write the weights of a checkpoint in 8 bits with a scale for each row, and print size and SHA-256.

python training/text/encoder/export.py /tmp/assay-encoder --stage joint
python training/text/encoder/evaluate.py                                       # as the core runs it
python training/text/encoder/evaluate.py --plain                               # in NumPy, float32
"""

from __future__ import annotations

import argparse
import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from plain import SHIPPED, pack
from train import read_lists

from assay.text.parse.weights import seal


def main() -> None:
    options = argparse.ArgumentParser(description="write the weights in 8 bits")
    options.add_argument("folder", type=Path, help="of the checkpoints")
    options.add_argument("--target", type=Path, default=SHIPPED, help="file to write (default: that of the package)")
    options.add_argument("--stage", default="joint")
    args = options.parse_args()
    mean = torch.load(args.folder / f"{args.stage}.pt", weights_only=True)["mean"]
    arrays = pack({name: values.numpy() for name, values in mean.items()})
    arrays["lists"] = np.frombuffer(json.dumps(read_lists(args.folder)._asdict()).encode(), np.uint8)
    content = seal(arrays)
    args.target.write_bytes(content)
    print(f"{args.target}: {len(content) / 1e6:.1f} MB, SHA-256 {sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
