#include "match/ngrams.hpp"

#include <algorithm>

#include "match/pair_ids.hpp"

namespace assay {

std::vector<Tokens> ngrams(const std::vector<const Tokens*>& batches, std::size_t n, const StopMap& stop) {
    std::vector<Tokens> result(batches.size());
    std::uint32_t distinct = 0;
    for (const Tokens* batch : batches) distinct = std::max(distinct, batch->vocab_size);
    const std::size_t words = distinct;
    // A number for each n-gram that starts at a word, order by order; at order 1 they are the words.
    std::vector<std::vector<std::uint32_t>> at(batches.size());
    for (std::size_t b = 0; b < batches.size(); ++b) at[b] = batches[b]->ids;
    PairIds pairs;
    for (std::size_t order = 2; order <= n; ++order) {
        pairs.start(distinct, words);
        pairs.number([&](auto& numbers) {
            for (std::size_t b = 0; b < batches.size(); ++b) {
                const Tokens& batch = *batches[b];
                for (std::size_t t = 0; t < batch.size(); ++t) {
                    for (std::size_t i = batch.texts[t]; i + order <= batch.texts[t + 1]; ++i) {
                        at[b][i] = numbers.add(at[b][i], batch.ids[i + order - 1]);
                    }
                }
            }
        });
        distinct = pairs.size();
    }
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const Tokens& batch = *batches[b];
        result[b].ids.reserve(batch.ids.size());
        for (std::size_t t = 0; t < batch.size(); ++t) {
            for (std::size_t i = batch.texts[t]; i + n <= batch.texts[t + 1]; ++i) {
                if (any_content_word(batch.ids.data() + i, n, stop)) result[b].ids.push_back(at[b][i]);
            }
            result[b].end_text();
        }
        result[b].vocab_size = distinct;
    }
    return result;
}

}  // namespace assay
