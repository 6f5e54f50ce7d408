"""Assay's compiled core: tokenizing, unit overlap, LCS, pooling."""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


class TextColumn:
    """Texts where they lie in a file's bytes or a table; read-only."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, places: slice) -> TextColumn: ...

    def __iter__(self) -> Iterator[str]: ...

    def tolist(self) -> list[str]:
        """The texts as strings."""

    def count_blank(self) -> int:
        """How many are empty or white space."""

    def not_ascii(self) -> list[int]:
        """The places of texts not all ASCII."""

    def with_byte(self, one: str, other: str) -> list[int]:
        """The places of the texts that hold one of two ASCII characters."""

    def replaced(self, places: Sequence[int], texts: list[str]) -> TextColumn:
        """The column with other texts at these places."""

    def run_lengths(self) -> list[int]:
        """How often each run of equal texts repeats its text."""

    def run_starts(self) -> TextColumn:
        """One text for each run of equal texts."""

    def repeats(self, period: int) -> bool:
        """Whether the texts repeat their first `period`."""

    def add_to(self, seen: Seen) -> list[int]:
        """Adds all to a set; returns the places of those that were there before."""

def list_column(texts: list[str], start: int, stop: int) -> TextColumn:
    """
    Strings of a list, where they lie; the list must not be changed while it lives.
    """

@overload
def arrow_column(array: object, starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> TextColumn | None: ...

@overload
def arrow_column(array: object, starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> TextColumn | None:
    """The texts of an Arrow array, where they lie; None if one is not UTF-8."""

def common_lists(texts: TextColumn, ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], present: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int) -> tuple[TextColumn, Annotated[NDArray[numpy.int64], dict(shape=(None,))]] | None:
    """
    One list of texts for every `width` of them, and where each ends; None where they are not the same.
    """

class JsonItems:
    """Plain items from lines of JSON."""

    def __len__(self) -> int: ...

    @property
    def systems(self) -> list[str]: ...

    @property
    def ids(self) -> TextColumn: ...

    @property
    def clusters(self) -> TextColumn: ...

    @property
    def outputs(self) -> TextColumn: ...

    @property
    def references(self) -> TextColumn: ...

    @property
    def reference_ends(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def line(self, item: int) -> tuple[int, int, int]:
        """
        The number of an item's line, from 0, and where it begins and the next one does.
        """

def read_json_items(lines: bytes) -> JsonItems | None:
    """
    The items of whole lines of JSON, or None where a line is not a plain item.
    """

def find_lines(data: bytes, start: int, most: int, size: int) -> tuple[int, int]:
    """
    How many whole lines there are from `start` on, and where they end: up to `most`, or past `size` bytes.
    """

class ExactSums:
    """A sum in each of some cells, kept as a whole number of 2**-1074."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def grow(self, cells: int) -> None: ...

    def add(self, cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds each value to its cell."""

    def add_whole(self, cell: int, digits: bytes, negative: bool) -> None:
        """Adds a whole number, lowest byte first."""

    def add_infinite(self, cell: int, value: float) -> None: ...

    def whole(self, cell: int) -> bytes:
        """The sum of a cell in two's complement, lowest byte first."""

    def infinite(self, cell: int) -> float:
        """
        The sum of what is not finite in a cell; 0 where there is nothing of that kind.
        """

class Vocab:
    """Words as dense integers."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def words(self, start: int = 0) -> list[str]:
        """The words from id `start` on."""

    def __getitem__(self, id: int) -> str: ...

    def intern(self, word: str) -> int: ...

class WordMap:
    """A word-to-word map over a Vocab; grows with it."""

    def __init__(self) -> None: ...

    def extend_porter(self, vocab: Vocab, longer_than: int = 3) -> None: ...

    def extend_porter155(self, vocab: Vocab, exceptions: dict[str, str]) -> None:
        """
        The Perl stemmer; words among the exceptions go to their base form instead.
        """

    def extend_words(self, vocab: Vocab, words: list[str | None]) -> None:
        """Maps the next words of the vocabulary to these; None drops a word."""

    def __len__(self) -> int: ...

class Tokens:
    """A batch of texts as word ids."""

    def __len__(self) -> int: ...

    def lengths(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Words per text."""

    def words(self, vocab: Vocab, text: int) -> list[str]:
        """The words of one text."""

    def distinct(self) -> list[int]:
        """The ids of all words, each once."""

    @property
    def ids(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def starts(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def vocab_size(self) -> int: ...

    def mapped(self, map: WordMap, vocab: Vocab) -> Tokens: ...

    def first(self, most: int) -> Tokens:
        """The first tokens of each text."""

class Seen:
    """A compact set of strings that can only be asked whether one is new."""

    def __init__(self) -> None: ...

    def add(self, string: str) -> bool:
        """True if it was not there before."""

@overload
def tokenize(texts: list[str], tokenizer: str, vocab: Vocab) -> Tokens: ...

@overload
def tokenize(texts: TextColumn, tokenizer: str, vocab: Vocab) -> Tokens: ...

def bags(ids: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], texts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], vocab_size: int) -> Tokens: ...

def porter(word: str) -> str: ...

def porter155(word: str) -> str: ...

class Layout:
    """Which outputs meet which references."""

    def __init__(self, outputs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], references: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Counts:
    """Matches and totals, per pair and per output."""

    @property
    def match(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def reference(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def nearest(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def output(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def union_match(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def union_total(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

class Lattices:
    """References whose words have alternatives."""

    def __init__(self, references: Tokens, variants: Tokens, before: Tokens, after: Tokens, of: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

def overlap(outputs: Tokens, references: Tokens, layout: Layout, units: Sequence[Sequence[int]], weights: Sequence[float], lattices: Lattices | None = None) -> list[Counts]: ...

def union_lcs(outputs: Tokens, references: Tokens, layout: Layout, weight: float) -> Counts: ...

def soft_overlap(outputs: Tokens, references: Tokens, layout: Layout, vectors: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], known: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], parts: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], product: bool, threshold: float, whole: bool) -> Counts: ...

def best_cosines(outputs: NDArray[numpy.float32], output_starts: NDArray[numpy.int64], references: NDArray[numpy.float32], reference_starts: NDArray[numpy.int64]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
    """
    The highest cosine of each output's vector with each reference, and of each reference's with each output.
    """

def ngrams(batches: Sequence[Tokens], n: int, stop: WordMap | None) -> list[Tokens]:
    """
    Bags of n-grams that share their numbers; one all of whose words are stop words is left out.
    """

def pool(counts: Counts, layout: Layout, measure: int, pooling: int, beta: float, digits: int, power: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def closest_length(counts: Counts, layout: Layout, first: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def first_match(counts: Counts, layout: Layout) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class NgramTable:
    """How often n-grams occur in the references of a whole set."""

    def __init__(self, order: int) -> None: ...

    @property
    def words(self) -> float: ...

    def add(self, tokens: Tokens, vocab: Vocab) -> None: ...

class DocumentTable:
    """How many documents hold each n-gram."""

    def __init__(self, n: int) -> None: ...

    @property
    def documents(self) -> float: ...

    def add(self, tokens: Tokens, vocab: Vocab) -> None: ...

    def holding(self, tokens: Tokens, vocab: Vocab, stop: WordMap | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The documents that hold each n-gram of the texts, in order."""

def divergence(outputs: Tokens, others: Tokens, layout: Layout, kind: int, delta: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Per output the mean divergence from the other texts of its item."""

def word_edits(outputs: Tokens, references: Tokens, layout: Layout) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """Edits and reference length of each output, against its best reference."""

def translation_edits(outputs: Tokens, references: Tokens, layout: Layout, cap: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None))], int]:
    """
    Edits with shifts and mean reference length of each output; how many met the cap.
    """

def maximum_match(outputs: Tokens, references: Tokens, layout: Layout, exponent: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """Match size, output length and reference length of each output."""

def meteor(outputs: Tokens, references: Tokens, layout: Layout, stems: WordMap | None, senses: Sequence[tuple[int, Sequence[int]]], alpha: float, beta: float, gamma: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Matches, chunks, output length and reference length of each output, against its best reference.
    """

def nist(outputs: Tokens, references: Tokens, layout: Layout, vocab: Vocab, table: NgramTable) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """Lengths, information of matches and n-grams of each output."""

def chrf(outputs: list[str], references: list[str], layout: Layout, char_order: int, word_order: int, beta: float, whitespace: bool, eps: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Per output and order: n-grams of the output, of the best reference, and matches.
    """

class Links:
    """Pairs of places in source and target, by sentence pair."""

    @property
    def ends(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def source(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def target(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

class Aligned:
    """A word-aligned bitext."""

    @property
    def links(self) -> Links: ...

    @property
    def forward(self) -> Links: ...

    @property
    def backward(self) -> Links: ...

    @property
    def table_source(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def table_target(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    @property
    def target_given_source(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def source_given_target(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def forward_likelihood(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def backward_likelihood(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def skipped(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def align(sources: Tokens, targets: Tokens, model1: int, hmm: int, null: float, smooth: float, prior: float, longest: int, symmetrize: int) -> Aligned: ...

def united(sources: Tokens, targets: Tokens, source_of: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_of: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], longest: int, symmetrize: int) -> Aligned: ...

def phrase_pairs(sources: Tokens, targets: Tokens, links: Links, longest: int, extend: bool) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64]]: ...

class MonoText:
    """The words of a text and what is known of each, for monoalign."""

    def __init__(self, words: Sequence[tuple[str, str, str, Sequence[int], int]], spans: Sequence[tuple[int, int, str, str, str, Sequence[int]]]) -> None: ...

    def __len__(self) -> int: ...

def monoalign(a: MonoText, b: MonoText, weights: Sequence[float]) -> list[tuple[int, int, int, float]]:
    """Links of two texts: place in a, place in b, kind, score."""

class NGrams:
    """
    A language model of up to three words, as sorted arrays; natural logarithms.
    """

    def __init__(self, order: int, prob1: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], back1: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin2: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], word2: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], prob2: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], back2: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin3: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], word3: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], prob3: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def order(self) -> int: ...

    @property
    def prob1(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def back1(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def begin2(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def word2(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def prob2(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def back2(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def begin3(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def word3(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def prob3(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def discounts(self) -> list[list[float]]: ...

    @property
    def fell_back(self) -> list[bool]: ...

    def log_probs(self, a: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], c: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """log p(c | a, b); 2**32 - 1 stands for no word."""

    def sentence(self, words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        log p of each word of a sentence after the words before it, and of its end.
        """

    def best_words(self, words: NDArray[numpy.uint32], own: NDArray[numpy.float64], weight: float, costs: NDArray[numpy.uint32], least: int, most: int) -> tuple[NDArray[numpy.uint32], float]: ...

class NGramCounter:
    """Counts n-grams of lines of space-separated words."""

    def __init__(self) -> None: ...

    def add(self, lines: str) -> None: ...

    @property
    def tokens(self) -> int: ...

    @property
    def sentences(self) -> int: ...

    def finish(self, order: int, least: int, prune: Sequence[int]) -> tuple[NGrams, list[str], NDArray[numpy.uint64]]: ...

class Parser:
    """A tokenizer, tagger, lemmatizer and dependency parser."""

    def __init__(self, weights: dict[str, Any], tables: dict[str, Any], word: type, code: str = '') -> None:
        """
        `word` is the class of a word, a named tuple of seven; `code` the instructions to use: avx512, avx2, plain.
        """

    def parse(self, texts: list[str], threads: int = 1) -> list[tuple[tuple[Any, ...], ...]]:
        """The sentences of each text, as tuples of words."""

    def parse_best(self, text: str, n: int) -> list[list[tuple[float, tuple[Any, ...]]]]:
        """
        For each sentence up to n trees from the beam, with the logarithm of their share.
        """

    def tokenize(self, text: str) -> list[tuple[str, int, bool, tuple[int, int, int, int]]]:
        """
        Each token: its form, where it begins, whether a space follows, and what its embedding is looked up by.
        """

def best_subtree(parents: NDArray[numpy.int64], values: NDArray[numpy.float64], costs: NDArray[numpy.int64], forced: NDArray[numpy.int64], least: int, most: int) -> tuple[NDArray[numpy.uint8], float, bool]: ...

def best_closure(values: NDArray[numpy.float64], costs: NDArray[numpy.int64], forced: NDArray[numpy.int64], sources: NDArray[numpy.int64], targets: NDArray[numpy.int64], gains: NDArray[numpy.float64], least: int, most: int, widest: int) -> tuple[NDArray[numpy.uint8], float, bool, bool]:
    """
    The best set of nodes; an edge whose gain is NaN says that its source is in only if its target is.
    """

def build_lexicon(words: list[str], values: NDArray[numpy.uint32], rules: list[str]) -> bytes:
    """The file of a lexicon: words in byte order, one value each."""

class Lexicon:
    """Words in a minimal acyclic automaton, read where they lie in memory."""

    def __init__(self, file: NDArray[numpy.uint8]) -> None: ...

    @property
    def edges(self) -> int: ...

    def __len__(self) -> int: ...

    def find(self, word: str) -> int:
        """The number of a word, or -1."""

    def bits(self, index: int) -> int: ...

    def lemma(self, form: str, index: int) -> str: ...

    def guess_lemma(self, form: str) -> str:
        """The lemma of a form that is not in the lexicon."""

    def words(self) -> list[str]: ...

class Splitter:
    """Splits words into entries of a lexicon."""

    def __init__(self, lexicon: Lexicon, links: Sequence[str], endings: Sequence[str], pairs: NDArray[numpy.uint8], lexical: NDArray[numpy.float64], guesser: NDArray[numpy.float64], weights: NDArray[numpy.float32], guess: bool, refuse: bool, by_length: bool, hyphens: bool, candidates: int, tagged: bool = True) -> None: ...

    def set_guesser(self, guesser: NDArray[numpy.float64]) -> None:
        """Changes the limits of the guesser."""

    def remove(self, lemmas: Sequence[str]) -> int:
        """Takes the forms of these lemmas out; how many there were."""

    def covers(self, word: str, most: int) -> list[list[int]]:
        """Boundaries of every cover by entries, unranked."""

    def mark(self, words: list[str], sign: str) -> list[str]:
        """Each word with the sign at the boundaries of its best split."""

    def split(self, words: list[str]) -> tuple[NDArray[Any], ...]:
        """
        Candidates of every word, best first: word, score, guessed and number of parts for each; begin, end, link, ending, entry and tag for each part.
        """

    def features(self, words: list[str]) -> tuple[tuple[NDArray[Any], ...], NDArray[numpy.int64], NDArray[numpy.uint32]]:
        """The same, and the features of every candidate: offsets and numbers."""

def split_weights() -> int:
    """How many weights the model of a splitter has."""

class WordPieces:
    """Cuts texts into the word pieces of a vocabulary, as BERT does."""

    def __init__(self, vocabulary: str, normalize: Callable[[str], str]) -> None:
        """
        `vocabulary`: a piece on each line. `normalize` says what a character becomes; spaces end words.
        """

    def cut(self, text: str) -> numpy.typing.NDArray[numpy.int32]:
        """The numbers of the pieces of a text."""

    def find(self, piece: str) -> int:
        """The number of a piece, -1 for none."""

class Encoder:
    """
    A transformer with heads for tags, trees, sentence starts and words to keep.
    """

    def __init__(self, weights: dict[str, Any], sizes: dict[str, int], code: str = '') -> None:
        """
        `sizes`: how many values pos, tag, feats, lemma and dep have, and which dep is the root's; `code`: the instructions to use, vnni, avx2 or plain, with the same answers.
        """

    def encode(self, pieces: numpy.typing.NDArray[numpy.int32], piece_ends: numpy.typing.NDArray[numpy.int32], shapes: numpy.typing.NDArray[numpy.int32], word_ends: numpy.typing.NDArray[numpy.int32], threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]:
        """
        For each word pos, tag, feats, lemma, head (-1: root) and dep; the ends of sentences; the probability that a compression keeps each word.
        """
