#include "compound/lexicon.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "text/unicode.hpp"

namespace assay {

namespace {

constexpr char kMagic[8] = {'A', 'S', 'L', 'E', 'X', '0', '0', '1'};
constexpr std::size_t kMost = std::size_t{1} << 22;  // edges: targets have 22 bits

struct Header {
    char magic[8];
    std::uint64_t checksum;
    std::uint32_t edges, entries, rule_bytes, unused;
};
static_assert(sizeof(Header) == 32);

// FNV-1a over eight bytes at a time: finds damage, not malice; `check` below keeps every read inside the file.
std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    std::uint64_t h = 1469598103934665603ull;
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data() + i, 8);
        h = (h ^ word) * 1099511628211ull;
        h ^= h >> 29;
    }
    for (; i < bytes.size(); ++i) h = (h ^ bytes[i]) * 1099511628211ull;
    return h;
}

struct Node {
    std::vector<std::uint32_t> keys;     // byte | ends << 8, in order
    std::vector<std::uint32_t> targets;  // nodes
};

// Daciuk et al. (2000): sorted words, the last word's path is open, everything else is minimal already.
class Builder {
public:
    void add(std::string_view word) {
        std::size_t same = 0;
        while (same < word.size() && same < last_.size() && word[same] == last_[same]) ++same;
        close(same);
        for (std::size_t i = same; i < word.size(); ++i) {
            Node& node = open_[i];
            node.keys.push_back(static_cast<std::uint8_t>(word[i]) | (i + 1 == word.size() ? 256u : 0u));
            node.targets.push_back(0);
            if (open_.size() <= i + 1) open_.emplace_back();
            open_[i + 1] = {};
        }
        last_ = word;
    }
    Node finish() {
        close(0);
        return open_[0];
    }
    const std::vector<Node>& nodes() const { return nodes_; }

private:
    void close(std::size_t depth) {
        for (std::size_t i = last_.size(); i > depth; --i) open_[i - 1].targets.back() = share(open_[i]);
    }
    std::uint32_t share(const Node& node) {
        if (node.keys.empty()) return 0;
        std::string key;
        for (std::size_t i = 0; i < node.keys.size(); ++i) {
            const std::uint32_t pair[2] = {node.keys[i], node.targets[i]};
            key.append(reinterpret_cast<const char*>(pair), sizeof pair);
        }
        const auto [it, fresh] = known_.emplace(std::move(key), static_cast<std::uint32_t>(nodes_.size()));
        if (fresh) nodes_.push_back(node);
        return it->second;
    }

    std::string last_;
    std::vector<Node> open_ = std::vector<Node>(1);
    std::vector<Node> nodes_ = std::vector<Node>(1);  // 0 is the node without edges
    std::unordered_map<std::string, std::uint32_t> known_;
};

void append(std::vector<std::uint8_t>& out, const void* data, std::size_t bytes) {
    const auto* from = static_cast<const std::uint8_t*>(data);
    out.insert(out.end(), from, from + bytes);
}

std::string joined(const std::vector<std::string_view>& rules) {
    std::string text;
    for (std::string_view rule : rules) {
        text += rule;
        text.push_back('\n');
    }
    text.resize((text.size() + 3) / 4 * 4, '\n');
    return text;
}

}  // namespace

std::vector<std::uint8_t> build_lexicon(const std::vector<std::string_view>& words,
                                        const std::vector<std::uint32_t>& values,
                                        const std::vector<std::string_view>& rules) {
    if (words.size() != values.size()) throw std::invalid_argument("one value per word");
    Builder builder;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].empty() || words[i].size() > 250) throw std::invalid_argument("a word that is empty or too long");
        if (i > 0 && !(words[i - 1] < words[i])) throw std::invalid_argument("words must be sorted and different");
        if (values[i] >> 16 >= rules.size()) throw std::invalid_argument("an entry with an unknown rule");
        builder.add(words[i]);
    }
    const Node root = builder.finish();  // closes the last word, which makes nodes
    std::vector<Node> nodes = builder.nodes();
    nodes.push_back(root);
    // Words below each node; children were made before their parents.
    std::vector<std::uint32_t> below(nodes.size(), 0), first(nodes.size(), 0);
    for (std::size_t n = 1; n < nodes.size(); ++n)
        for (std::size_t i = 0; i < nodes[n].keys.size(); ++i)
            below[n] += below[nodes[n].targets[i]] + (nodes[n].keys[i] >> 8);
    std::uint32_t next = 1;  // edge 0 is never used, the root's come first
    for (std::size_t n = nodes.size(); n-- > 1;) {
        first[n] = nodes[n].keys.empty() ? 0 : next;
        next += static_cast<std::uint32_t>(nodes[n].keys.size());
    }
    if (next > kMost) throw std::invalid_argument("too many words for one lexicon");
    std::vector<std::uint32_t> edges(next, 1u << 9), numbers(next, 0);
    for (std::size_t n = 1; n < nodes.size(); ++n) {
        std::uint32_t before = 0;
        for (std::size_t i = 0; i < nodes[n].keys.size(); ++i) {
            const std::size_t e = first[n] + i;
            const std::uint32_t last = i + 1 == nodes[n].keys.size() ? 1u << 9 : 0u;
            edges[e] = nodes[n].keys[i] | last | first[nodes[n].targets[i]] << 10;
            numbers[e] = before;
            before += below[nodes[n].targets[i]] + (nodes[n].keys[i] >> 8);
        }
    }
    const std::string text = joined(rules);
    std::vector<std::uint8_t> body;
    append(body, edges.data(), edges.size() * 4);
    append(body, numbers.data(), numbers.size() * 4);
    append(body, values.data(), values.size() * 4);
    append(body, text.data(), text.size());
    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.checksum = checksum(body);
    header.edges = next;
    header.entries = static_cast<std::uint32_t>(values.size());
    header.rule_bytes = static_cast<std::uint32_t>(text.size());
    std::vector<std::uint8_t> out;
    append(out, &header, sizeof header);
    append(out, body.data(), body.size());
    return out;
}

Lexicon::Lexicon(std::span<const std::uint8_t> file) {
    Header header;
    if (file.size() < sizeof header) throw std::invalid_argument("the file is too short");
    std::memcpy(&header, file.data(), sizeof header);
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) throw std::invalid_argument("it is not a lexicon");
    if (header.unused != 0) throw std::invalid_argument("its header is damaged");
    const std::uint64_t wanted = sizeof header + 8ull * header.edges + 4ull * header.entries + header.rule_bytes;
    if (file.size() != wanted) throw std::invalid_argument("the file is cut off or longer than it should be");
    if (checksum(file.subspan(sizeof header)) != header.checksum)
        throw std::invalid_argument("its checksum does not fit");
    const auto* data = reinterpret_cast<const std::uint32_t*>(file.data() + sizeof header);
    edges_ = {data, header.edges};
    numbers_ = {data + header.edges, header.edges};
    entries_ = {data + 2 * header.edges, header.entries};
    const std::string_view text(reinterpret_cast<const char*>(data + 2 * header.edges + header.entries),
                                header.rule_bytes);
    for (std::size_t i = 0, end; (end = text.find('\n', i)) != text.npos && end > i; i = end + 1)
        rules_.emplace_back(text.substr(i, end - i));
    // A file with a fitting checksum may still be forged: no walk may leave the arrays.
    if (header.edges == 0 || (header.edges > 1 && !(edges_.back() >> 9 & 1)))
        throw std::invalid_argument("its last node is open");
    for (std::uint32_t edge : edges_)
        if (edge >> 10 >= header.edges) throw std::invalid_argument("an edge leads out of it");
    for (std::uint32_t value : entries_)
        if (value >> 16 >= rules_.size()) throw std::invalid_argument("an entry has an unknown rule");
}

std::int64_t Lexicon::find(std::string_view word) const {
    State state;
    if (edges_.size() < 2) return -1;
    for (char c : word)
        if (!step(state, static_cast<std::uint8_t>(c))) return -1;
    return state.ends && state.number < entries_.size() ? static_cast<std::int64_t>(state.number) : -1;
}

std::string Lexicon::lemma(std::string_view form, std::size_t index) const {
    return apply(rules_[entry(index).rule()], form);
}

// Counts the rules of ends of three to six bytes; a rule that takes more than the end off says nothing about it.
void Lexicon::learn_ends() const {
    std::unordered_map<std::string, std::unordered_map<std::uint32_t, int>> counts;
    each([&](std::string_view word, std::size_t index) {
        if (index >= entries_.size() || !entry(index).dictionary() || entry(index).stem() || word.size() < 6) return;
        for (std::size_t k = 3; k <= 6; ++k)
            if (k < word.size()) ++counts[std::string(word.substr(word.size() - k))][entry(index).rule()];
    });
    for (const auto& [end, rules] : counts) {
        const auto best = std::max_element(rules.begin(), rules.end(), [](const auto& a, const auto& b) {
            return a.second != b.second ? a.second < b.second : a.first > b.first;
        });
        if (best->second >= 3) ends_.emplace(end, best->first);
    }
    ends_.emplace("", 0);  // asked and answered
}

std::string Lexicon::guess_lemma(std::string_view form) const {
    if (ends_.empty()) learn_ends();
    for (std::size_t k = std::min<std::size_t>(6, form.size()); k >= 3; --k) {
        const auto it = ends_.find(std::string(form.substr(form.size() - k)));
        if (it != ends_.end()) return apply(rules_[it->second], form);
    }
    return std::string(form);
}

std::string Lexicon::apply(std::string_view rule, std::string_view form) {
    const bool capital = rule.starts_with('^');
    if (capital) rule.remove_prefix(1);
    const std::size_t bar = rule.find('|');
    int take = 0;
    for (char c : rule.substr(0, bar)) take = take * 10 + (c - '0');
    std::string out(form);
    for (; take > 0 && !out.empty(); --take) {
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) out.pop_back();
        if (!out.empty()) out.pop_back();
    }
    if (bar != rule.npos) out += rule.substr(bar + 1);
    if (!capital || out.empty()) return out;
    std::size_t i = 0;
    char32_t c = next_char(out, i);
    if (c < 0x250) {  // Latin: the capital is the letter whose lower case this is
        for (char32_t upper = 'A'; upper < 0x250; ++upper)
            if (upper != c && lower(upper) == c) {
                std::string capitalized;
                assay::append(capitalized, upper);
                return capitalized + out.substr(i);
            }
    }
    return out;
}

}  // namespace assay
