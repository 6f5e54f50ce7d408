"""Names of the metrics of Toutanova et al. (2016), section 4: unit, measure and pooling."""

from __future__ import annotations

TOUTANOVA_MEASURES = {"Precision": "precision", "Recall": "recall", "F-1": "f"}
TOUTANOVA_POOLINGS = {"SINGLE-REF": "single", "MULT-MAX": "max", "MULT-ALL": "all", "MULT-PROB": "prob"}


def parse_toutanova(name: str) -> tuple[str, str, str] | None:
    """Split a name such as SKIP-2+Recall+MULT-PROB into unit, measure and pooling, spelled as in the paper, or None.

    >>> parse_toutanova("skip-2+recall+mult-prob")
    ('SKIP-2', 'Recall', 'MULT-PROB')
    """
    parts = [part.strip() for part in name.split("+")]
    if len(parts) != 3:
        return None
    measure = next((m for m in (*TOUTANOVA_MEASURES, "PrecBrev") if m.lower() == parts[1].lower()), None)
    pooling = next((p for p in TOUTANOVA_POOLINGS if p.lower() == parts[2].lower()), None)
    return (parts[0].upper(), measure, pooling) if measure and pooling else None
