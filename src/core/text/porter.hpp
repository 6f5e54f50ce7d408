// Porter's stemmer as two programs have it: nltk's extended one (rouge-score) and the Perl one in ROUGE-1.5.5.
#pragma once

#include <string>
#include <string_view>

namespace assay {

std::string porter_nltk(std::string_view word);      // nltk.stem.PorterStemmer(), default mode
std::string porter_rouge155(std::string_view word);  // sub stem of ROUGE-1.5.5.pl, without its exception list

}  // namespace assay
