"""Prints the figures of the model cards of seq2seq and namas.

    python training/systems/compress/evaluate_sequences.py seq2seq
    python training/systems/compress/evaluate_sequences.py namas

On the held-back tenth of MSR's sources, which neither was trained or tuned on, and for seq2seq also on every 20th pair
of the validation part of the Google set.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np
from text_pairs import Labels, Rewrites, deletions, google, msr, rewrites

import assay
from assay.systems.compress import Compression, compress
from assay.systems.compress.neural.label_search import NONE, LabelSearch
from assay.systems.compress.neural.namas_network import CONTEXT, END, START, NamasNetwork
from assay.systems.compress.neural.seq2seq_network import Seq2SeqNetwork
from assay.systems.compress.neural.sequence_model import model_path
from assay.systems.compress.neural.word_units import spell_words

RATE = 0.72


def label_perplexity(network: Seq2SeqNetwork, pairs: Sequence[Labels]) -> float:
    """Compute the perplexity of the labels keep and delete."""
    total = count = 0.0
    for words, bits in pairs:
        reader = network.read(network.numbers(words))
        reader.begin(1)
        for t, (before, label) in enumerate(zip([NONE, *bits], bits, strict=False)):
            total -= reader.advance(t, np.zeros(1, np.int64), np.array([before]))[0, label]
            count += 1
    return float(np.exp(total / count))


def label_figures(network: Seq2SeqNetwork, pairs: Sequence[Labels]) -> str:
    """Label sentences without a bound of the length: F1 of kept words, exact matches, rate."""
    f1, exact, rates = [], [], []
    for words, bits in pairs:
        search = LabelSearch(network.read(network.numbers(words)), [1] * len(words))
        own, gold = np.array(search.best(1, len(words), 5)), np.array(bits)
        f1.append(2 * (own & gold).sum() / max(1, own.sum() + gold.sum()))
        exact.append((own == gold).all())
        rates.append(own.mean())
    return f"F1 {np.mean(f1):.3f}, exact {np.mean(exact):.3f}, rate {np.mean(rates):.3f} ({len(pairs)} pairs)"


def word_perplexity(network: NamasNetwork, sources: Sequence[Rewrites]) -> float:
    """Compute the perplexity of the rewrites' words and ends."""
    total = count = 0.0
    for source, target in rewrites(sources):
        reader = network.read(np.array([network.numbers.get(word, 0) for word in source]))
        words = [*(network.numbers.get(word, 0) for word in target), END]
        padded = [START] * CONTEXT + words
        contexts = np.array([padded[i : i + CONTEXT] for i in range(len(words))])
        total -= float(reader.log_p(contexts)[np.arange(len(words)), words].sum())
        count += len(words)
    return float(np.exp(total / count))


def text_figures(outputs: Sequence[Compression], sources: Sequence[Rewrites]) -> str:
    """Compare texts with all rewrites: BLEU, ROUGE-2, exact matches with one of them, rate, share of new words."""
    data = assay.EvalSet.from_texts([c.text for c in outputs], [list(s.compressions) for s in sources])
    scores = assay.score(data, ["bleu(lower=true)", "rouge2(measure=f)"])
    bleu, rouge = (float(score.means().item()) for score in scores.values())
    rows = [
        (spell_words(c.text.split()), [spell_words(t.split()) for t in s.compressions])
        for c, s in _pairs(outputs, sources)
    ]
    exact = np.mean([own in others for own, others in rows])
    rate = np.mean([c.word_rate for c in outputs])
    new = sum(len(set(own) - set(spell_words(c.source.split()))) for c, (own, _) in zip(outputs, rows, strict=True))
    total = sum(len(own) for own, _ in rows)
    return f"BLEU {bleu:.1f}, ROUGE-2 {rouge:.3f}, exact {exact:.3f}, rate {rate:.3f}, new words {new / total:.3f}"


def _pairs(outputs: Sequence[Compression], sources: Sequence[Rewrites]) -> list[tuple[Compression, Rewrites]]:
    return list(zip(outputs, sources, strict=True))


def main() -> None:
    options = argparse.ArgumentParser(description="print the figures of a model card")
    options.add_argument("system", choices=("seq2seq", "namas"))
    options.add_argument("--model", default="", help="the .json file of a model (default: the shipped one)")
    options.add_argument("--limit", type=int, help="only so many sources")
    args = options.parse_args()
    path = model_path(args.system, args.model)
    sources = msr(held_back=True)[: args.limit]
    if args.system == "seq2seq":
        network = Seq2SeqNetwork.load(path)
        for name, pairs in (("MSR, deletions", list(deletions(sources))), ("Google", list(google("val", 20)))):
            print(f"{name}: perplexity of labels {label_perplexity(network, pairs[: args.limit]):.3f}", flush=True)
            print(f"{name}: {label_figures(network, pairs[: args.limit])}", flush=True)
    else:
        print(f"MSR: perplexity {word_perplexity(NamasNetwork.load(path), sources):.2f}", flush=True)
    kinds = ("paper", "released", "none") if args.system == "namas" else ("",)
    for kind in kinds:
        parameters = f"features={kind}, " if kind else ""
        system = (
            f"{args.system}({parameters}model={path})" if args.model else f"{args.system}({parameters.strip(', ')})"
        )
        start = time.process_time()
        for ratio in (RATE, None) if kind in ("paper", "") else (RATE,):
            outputs = compress([s.source for s in sources], system.removesuffix("()"), ratio=ratio)
            spent = (time.process_time() - start) / len(sources)
            start = time.process_time()
            length = f"rate {ratio}" if ratio else "50 to 75 %"
            print(f"{system}, {length}: {text_figures(outputs, sources)}, {1000 * spent:.0f} ms", flush=True)


if __name__ == "__main__":
    main()
