// Threads that share one vocabulary and read its stems while another extends them, under ThreadSanitizer.
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "text/porter.hpp"
#include "text/tokens.hpp"

using namespace assay;

namespace {

std::string word(std::mt19937& random) {
    std::string out;
    const std::size_t n = random() % 5 ? 1 + random() % 3 : 10 + random() % 12;  // some longer than a key
    for (std::size_t i = 0; i < n; ++i) out += static_cast<char>('a' + random() % (n > 3 ? 2 : 26));
    return random() % 3 ? out : out + "ing";
}

std::vector<std::string> texts(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::string> out(40);
    for (std::string& text : out)
        for (int i = 0; i < 60; ++i) text += word(random) + ' ';
    return out;
}

// Each word by its number and by its stem's must be what the text says.
void check(unsigned seed, Vocab& vocab, WordMap& stems, std::mutex& extending) {
    const std::vector<std::string> held = texts(seed);
    const std::vector<std::string_view> views(held.begin(), held.end());
    const Tokens plain = tokenize(views, Tokenizer::Space, vocab);
    {
        const std::lock_guard lock(extending);
        extend_stems(vocab, stems, porter_nltk);
    }
    const Tokens mapped = remap(plain, stems, stems.bound());
    for (std::size_t t = 0; t < plain.size(); ++t) {
        std::string again;
        for (std::size_t i = plain.texts[t]; i < plain.texts[t + 1]; ++i) {
            const std::string own(vocab[plain.ids[i]]);
            again += own + ' ';
            if (vocab[mapped.ids[i]] != (own.size() > 3 ? porter_nltk(own) : own)) std::abort();
        }
        if (again != held[t]) std::abort();
    }
}

// Threads that meet the same new words at the same time must give each word one number.
void race(int threads) {
    constexpr std::size_t kWords = 3000;
    Vocab vocab;
    std::barrier together(threads);
    std::vector<std::vector<std::uint32_t>> ids(static_cast<std::size_t>(threads));
    std::vector<std::thread> running;
    for (std::vector<std::uint32_t>& own : ids)
        running.emplace_back([&] {
            together.arrive_and_wait();
            for (std::size_t i = 0; i < kWords; ++i) own.push_back(vocab.intern("w" + std::to_string(i)));
        });
    for (std::thread& thread : running) thread.join();
    if (vocab.size() != kWords) std::abort();
    for (const std::vector<std::uint32_t>& own : ids)
        if (own != ids[0]) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
    for (int round = 0; round < rounds; ++round) {
        race(3);
        Vocab vocab;
        WordMap stems;
        std::mutex extending;
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (unsigned k = 0; k < 6; ++k) check(static_cast<unsigned>(round) * 100 + (t + k) % 6, vocab, stems, extending);
            });
        for (std::thread& thread : threads) thread.join();
        for (std::uint32_t id = 0; id < vocab.size(); ++id)
            if (vocab.intern(std::string(vocab[id])) != id) std::abort();  // no word has two numbers
    }
    std::printf("%d rounds of four threads on one vocabulary\n", rounds);
}
