// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/writtentext.h"

#include "shownname.h"
#include "text/utf8.h"

#include <algorithm>
#include <cstddef>

namespace stillroom::text {

namespace {

std::int64_t occurrences(std::string_view text, const std::string &word)
{
    std::int64_t count = 0;
    for (std::size_t at = text.find(word); !word.empty() && at != std::string_view::npos; at = text.find(word, at + word.size()))
        ++count;
    return count;
}

/// Some tokenizers use one token for what is unknown, for the end of a text and for its beginning: what is written out, or added by the post-processor, is not unknown.
std::int64_t unknownIn(std::string_view written, const std::vector<TokenId> &plainIds, const Tokenizer &tokenizer, TokenId unknown)
{
    const auto found = static_cast<std::int64_t>(std::count(plainIds.begin(), plainIds.end(), unknown));
    return found == 0 ? 0 : std::max<std::int64_t>(0, found - occurrences(written, tokenizer.tokenOf(unknown)));
}

}  // namespace

void requireUtf8(std::string_view written, const std::string &what, ErrorCode blame)
{
    if (!isValidUtf8(written))
        throw Error(blame, shownName(what) + " holds bytes that are not UTF-8: convert it, for example with iconv -f latin1 -t utf-8");
}

WrittenText encodeWritten(const Tokenizer &tokenizer, std::string_view written, bool addSpecial, const std::string &what)
{
    requireUtf8(written, what);
    WrittenText made{tokenizer.encode(written, addSpecial), 0};
    if (const auto unknown = tokenizer.unknownId(); unknown && std::find(made.ids.begin(), made.ids.end(), *unknown) != made.ids.end())
        made.unknownTokens = unknownIn(written, addSpecial ? tokenizer.encode(written) : made.ids, tokenizer, *unknown);
    return made;
}

std::string unknownWarning(std::int64_t unknownTokens, std::size_t numTokens, const std::string &what)
{
    if (unknownTokens == 0)
        return {};
    return "The model's tokenizer does not know " + std::to_string(unknownTokens) + " of the " + std::to_string(numTokens) + " tokens of " + shownName(what) + ": the model reads the same unknown word in the place of each.";
}

}  // namespace stillroom::text
