// Trees after parsing: lifted labels undone, and where sentences begin, as in spaCy 3.8.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parse/arc_eager.hpp"

namespace assay::parse {

struct Tree {
    std::vector<std::int32_t> heads;   // a root is its own head
    std::vector<std::uint16_t> labels;
    std::vector<std::uint8_t> starts;  // of sentences
    bool operator==(const Tree& other) const { return heads == other.heads && labels == other.labels; }
};

// The labels of the parser. "obj||xcomp" stands for an arc that was lifted: obj, to a word that is an xcomp below the head.
class Labels {
public:
    static constexpr std::uint16_t kNone = 0xffff;

    explicit Labels(std::vector<std::string> names);
    std::uint16_t find(const std::string& name) const;
    const std::string& name(std::uint16_t label) const { return names_[label]; }
    std::size_t size() const { return names_.size(); }
    bool is_lifted(std::uint16_t label) const { return lowered_[label] != label; }
    std::uint16_t lowered(std::uint16_t label) const { return lowered_[label]; }    // obj
    std::uint16_t wanted_head(std::uint16_t label) const { return heads_[label]; }  // xcomp; kNone: no label has that name

private:
    std::vector<std::string> names_;
    std::vector<std::uint16_t> lowered_, heads_;
};

// The tree of a state; words without a head are roots.
Tree read_tree(const State& state, std::uint16_t root);

// Puts lifted arcs where they belong, and finds the sentences.
void finish_tree(Tree& tree, const Labels& labels, const std::vector<bool>& is_space);

}  // namespace assay::parse
