// Word pieces as BERT cuts them: characters are brought to a plain form, words to the longest pieces of a vocabulary.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::encode {

class WordPieces {
public:
    // What a character becomes: nothing, other characters, or characters with spaces where words end. Asked for once.
    using Normalize = std::function<std::string(char32_t)>;

    // `vocabulary`: a piece on each line; those inside words begin with ##.
    WordPieces(std::string vocabulary, Normalize normalize);
    WordPieces(const WordPieces&) = delete;
    WordPieces& operator=(const WordPieces&) = delete;

    // The numbers (lines) of a text's pieces; a word that cannot be cut is one unknown piece.
    std::vector<std::int32_t> cut(std::string_view text);

    std::int32_t find(std::string_view piece) const;  // -1 for none

private:
    void cut_word(std::string_view word, std::vector<std::int32_t>& pieces) const;
    const std::string& normal(char32_t c);

    std::string vocabulary_;
    std::unordered_map<std::string_view, std::int32_t> first_, inner_;  // inner: without ##
    std::size_t longest_ = 1;                                           // bytes of a piece
    std::int32_t unknown_;
    Normalize normalize_;
    std::vector<std::string> ascii_;
    std::unordered_map<char32_t, std::string> others_;
    std::string plain_;
};

}  // namespace assay::encode
