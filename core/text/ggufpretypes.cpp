// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/ggufpretypes.h"

#include <algorithm>
#include <array>

namespace stillroom::text {

namespace {

using Patterns = std::string_view;

// The pieces that the families' patterns are made of.
#define CONTRACTIONS R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]))"
#define SPACES R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"
// Any letter but a lower-case (upper-case) ASCII one: how llama.cpp writes the camel-case classes of tekken and GPT-4o.
#define UPPERISH R"((?:(?![a-z])\p{L}))"
#define LOWERISH R"((?:(?![A-Z])\p{L}))"

constexpr std::string_view gpt2Words = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))";
constexpr std::string_view llama3Words = CONTRACTIONS R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)" SPACES;
constexpr std::string_view qwen2Words = CONTRACTIONS R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)" SPACES;
constexpr std::string_view deepseekWords =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*)" SPACES;

constexpr std::array gpt2{gpt2Words};
constexpr std::array llama3{llama3Words};
constexpr std::array qwen2{qwen2Words};
constexpr std::array qwen35{Patterns(CONTRACTIONS R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)" SPACES)};
constexpr std::array jais2{Patterns(CONTRACTIONS
                                    R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S))"
                                    R"(|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1})")};
constexpr std::array fallback{Patterns(R"([\p{P}\$\+<=>\^~\|]+)"), gpt2Words, Patterns(R"(\p{N}+)"), Patterns("[0-9][0-9][0-9]")};
constexpr std::array falcon{Patterns(R"([\p{P}\$\+<=>\^~\|`]+)"), gpt2Words, Patterns("[0-9][0-9][0-9]")};
constexpr std::array digitsThenGpt2{Patterns(R"(\p{N})"), gpt2Words};
constexpr std::array deepseek3{Patterns(R"(\p{N}{1,3})"), Patterns(R"([\x{4E00}-\x{9FA5}\x{3040}-\x{309F}\x{30A0}-\x{30FF}]+)"), deepseekWords};
constexpr std::array minicpm5{Patterns(R"(\p{N}{1,3})"), Patterns(CONTRACTIONS R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*)" SPACES)};
#define CJK R"([\x{4E00}-\x{9FA5}\x{800}-\x{4E00}\x{AC00}-\x{D7FF}]+)"
constexpr std::array deepseekCoder{Patterns("[\r\n]"), Patterns(R"(\s?\p{L}+)"), Patterns(R"(\s?\p{P}+)"), Patterns(CJK), Patterns(R"(\p{N})")};
// The cased letters of an older Unicode. llama.cpp keeps U+3000 out of the punctuation by turning all white space beyond ASCII into one character first.
constexpr std::array deepseekLlm{
    Patterns("[\r\n]"),
    Patterns(R"(\s?[)"
             R"(A-Za-z\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}\x{295}-\x{2AF}\x{370}-\x{373}\x{376}\x{377})"
             R"(\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1}\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{531}-\x{556})"
             R"(\x{10A0}-\x{10C5}\x{13A0}-\x{13F5}\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77})"
             R"(\x{1D79}-\x{1D9A}\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D}\x{1F50}-\x{1F57}\x{1F59}\x{1F5B}\x{1F5D})"
             R"(\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FBE}\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC}\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB})"
             R"(\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107}\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D}\x{2124}\x{2126}\x{2128})"
             R"(\x{212A}-\x{212D}\x{212F}-\x{2134}\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}\x{214E}\x{2183}\x{2184}\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4})"
             R"(\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D}\x{A680}-\x{A69B}\x{A722}-\x{A76F}\x{A771}-\x{A787}\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF})"
             R"(\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A}\x{FF41}-\x{FF5A}\x{10400}-\x{1044F}\x{104B0}-\x{104D3}\x{104D8}-\x{104FB})"
             R"(\x{10C80}-\x{10CB2}\x{10CC0}-\x{10CF2}\x{118A0}-\x{118DF}\x{1E900}-\x{1E943})"
             "]+"),
    Patterns(R"(\s?[!-/:-~\x{FF01}-\x{FF0F}\x{FF1A}-\x{FF5E}\x{2018}-\x{201F}\x{3001}\x{3002}]+)"),
    Patterns(R"(\s+\z)"),
    Patterns(CJK),
    Patterns(R"(\p{N}+)")};
constexpr std::array bloom{Patterns(R"( ?[^(\s|.,!?\x{2026}\x{3002}\x{FF0C}\x{3001}\x{964}\x{6D4}\x{60C})]+)")};
constexpr std::array viking{bloom[0], Patterns(R"(\p{N})")};
constexpr std::array tekken{Patterns(R"([^\r\n\p{L}\p{N}]?)" UPPERISH "*" LOWERISH R"(+|[^\r\n\p{L}\p{N}]?)" UPPERISH "+" LOWERISH R"(*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" SPACES)};
constexpr std::array gpt4o{Patterns(R"([^\r\n\p{L}\p{N}]?)" UPPERISH "*" LOWERISH "+" CONTRACTIONS R"(?|[^\r\n\p{L}\p{N}]?)" UPPERISH "+" LOWERISH "*" CONTRACTIONS
                                    R"(?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" SPACES)};
constexpr std::array chameleon{Patterns("<sentinel:[0-9]+>"), Patterns("(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z"), Patterns(R"(([\t\n]|    |  ))"),
                               Patterns(R"(\p{N})"), Patterns(R"([\p{P}!-/:-@\[-`{-~])"), gpt2Words};
constexpr std::array bailing{Patterns(R"('(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)")};
constexpr std::array seedCoder{Patterns(CONTRACTIONS R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+)" SPACES)};
constexpr std::array ufakzeka{Patterns(R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)" SPACES)};
constexpr std::array laguna{Patterns(R"([^\n]+|[\n]+)"), qwen2Words};

#undef CJK
#undef CONTRACTIONS
#undef SPACES
#undef UPPERISH
#undef LOWERISH

// Left out, and so refused: those whose splitting is no pattern (kimi-k2, afmoe), those not spelt byte-level (gemma4, sarvam-moe, whitespace), and a few whose
// pattern llama.cpp itself only approximates (youtu, tiny_aya, cohere2moe, superbpe, granite-embed-*, spark2_5, exaone-moe).
constexpr auto preTypes = std::to_array<GgufPreType>({
    {"default", fallback, false, false},
    {"llama3", llama3, true, true},
    {"llama-v3", llama3, true, true},
    {"llama-bpe", llama3, true, true},
    {"falcon3", llama3, true, true},
    {"falcon-h1", llama3, true, true},
    {"pixtral", llama3, true, true},
    {"midm-2.0", llama3, true, true},
    {"lfm2", llama3, true, true},
    {"jina-v5-nano", llama3, true, true},
    {"dbrx", llama3, false, false},
    {"smaug-bpe", llama3, false, false},
    {"chatglm-bpe", llama3, false, false},
    {"glm4", llama3, true, false},
    {"glm5", llama3, true, false},
    {"jais-2", jais2, false, false},
    {"minicpm5", minicpm5, true, false},
    {"deepseek-llm", deepseekLlm, false, false},
    {"deepseek-coder", deepseekCoder, false, false},
    {"deepseek-v3", deepseek3, false, false},
    {"hunyuan-dense", deepseek3, false, false},
    {"joyai-llm", deepseek3, false, false},
    {"hy_v4", deepseek3, false, false},
    {"falcon", falcon, false, false},
    {"starcoder", digitsThenGpt2, false, false},
    {"refact", digitsThenGpt2, false, false},
    {"command-r", digitsThenGpt2, false, false},
    {"smollm", digitsThenGpt2, false, false},
    {"codeshell", digitsThenGpt2, false, false},
    {"exaone", digitsThenGpt2, false, false},
    {"minerva-7b", digitsThenGpt2, false, false},
    {"mellum2", digitsThenGpt2, false, false},
    {"gpt-2", gpt2, false, false},
    {"phi-2", gpt2, false, false},
    {"jina-es", gpt2, false, false},
    {"jina-de", gpt2, false, false},
    {"jina-v1-en", gpt2, false, false},
    {"jina-v2-es", gpt2, false, false},
    {"jina-v2-de", gpt2, false, false},
    {"jina-v2-code", gpt2, false, false},
    {"roberta-bpe", gpt2, false, false},
    {"gigachat", gpt2, false, false},
    {"a.x-4.0", gpt2, false, false},
    {"mellum", gpt2, false, false},
    {"modern-bert", gpt2, false, false},
    {"mpt", gpt2, false, false},
    {"olmo", gpt2, false, false},
    {"jais", gpt2, false, false},
    {"trillion", gpt2, false, false},
    {"granite-docling", gpt2, false, false},
    {"exaone4", gpt2, false, false},
    {"qwen2", qwen2, false, false},
    {"deepseek-r1-qwen", qwen2, false, false},
    {"kormo", qwen2, false, false},
    {"f2llmv2", qwen2, false, false},
    {"megrez", qwen2, false, false},
    {"stablelm2", qwen2, false, false},
    {"hunyuan", qwen2, false, false},
    {"solar-open", qwen2, false, false},
    {"grok-2", qwen2, false, false},
    {"qwen35", qwen35, false, false},
    {"poro-chat", bloom, false, false},
    {"bloom", bloom, false, false},
    {"gpt3-finnish", bloom, false, false},
    {"viking", viking, false, false},
    {"tekken", tekken, true, true},
    {"chameleon", chameleon, false, true},
    {"gpt-4o", gpt4o, false, false},
    {"llama4", gpt4o, false, false},
    {"kanana2", gpt4o, false, false},
    {"talkie", gpt4o, false, false},
    {"minimax-m2", gpt4o, false, false},
    {"bailingmoe", bailing, false, false},
    {"bailingmoe2", bailing, false, false},
    {"llada-moe", bailing, false, false},
    {"seed-coder", seedCoder, false, false},
    {"ufakzeka", ufakzeka, false, false},
    {"laguna", laguna, false, false},
});

}  // namespace

const GgufPreType *ggufPreType(std::string_view name) noexcept
{
    if (name.empty()) {
        name = "default";
    }
    const auto *const found = std::ranges::find(preTypes, name, &GgufPreType::name);
    return found == preTypes.end() ? nullptr : found;
}

}  // namespace stillroom::text
