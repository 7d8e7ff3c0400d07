// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/passkeybatches.h"

#include "testdata.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <string>

using namespace stillroom;

namespace {

/// Six sequences of text, the last one half padding.
std::unique_ptr<distillation::BatchSource> fillerSource(const text::Tokenizer &tokenizer)
{
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += "Line " + std::to_string(i) + " of a long tale. ";
    const std::vector<text::TokenId> ids = tokenizer.encode(text);
    distillation::Batch sequences;
    sequences.ids_BT = at::tensor(std::vector<text::TokenId>(ids.begin(), ids.begin() + 6 * 400), at::kLong).view({6, 400});
    sequences.documents_BT = at::zeros_like(sequences.ids_BT);
    sequences.ids_BT[5].narrow(0, 200, 200).fill_(0);
    sequences.documents_BT[5].narrow(0, 200, 200).fill_(-1);
    return std::make_unique<distillation::TensorBatchSource>(sequences, 2, 3);
}

}  // namespace

TEST_CASE("passkey batches weave documents into each sequence, whatever was drawn before, and count the answers where asked")
{
    const auto tokenizer = text::loadTokenizer(test::testData() / "text/tokenizers/gpt2.tokenizer.json");
    const text::PasskeyDocuments documents({.pairs = 3}, tokenizer);
    procedures::PasskeyBatches all(fillerSource(*tokenizer), documents, 7, false), answers(fillerSource(*tokenizer), documents, 7, true), other(fillerSource(*tokenizer), documents, 8, false);
    (void)answers.batch(5);
    const auto filler = fillerSource(*tokenizer);
    for (std::int64_t step = 0; step < 4; ++step) {
        const distillation::Batch whole = all.batch(step), masked = answers.batch(step);
        CHECK(whole.ids_BT.sizes() == at::IntArrayRef({2, 400}));
        CHECK(at::equal(whole.ids_BT, masked.ids_BT));
        CHECK_FALSE(at::equal(whole.ids_BT, other.batch(step).ids_BT));
        CHECK_FALSE(whole.documents_BT.defined());     // padding of the text is gone
        CHECK_FALSE(whole.lossMask_BT.defined());
        const distillation::Batch plain = filler->batch(step);
        for (std::int64_t row = 0; row < 2; ++row) {
            at::Tensor valid_T = plain.ids_BT[row].masked_select(plain.documents_BT[row].ge(0)).contiguous();
            const std::vector<text::TokenId> ids(valid_T.data_ptr<std::int64_t>(), valid_T.data_ptr<std::int64_t>() + valid_T.numel());
            const text::PasskeyDocument expected = documents.document(ids, 400, 7, step * 2 + row);
            for (std::int64_t t = 0; t < 400; ++t) {
                CHECK(whole.ids_BT[row][t].item<std::int64_t>() == expected.ids[static_cast<std::size_t>(t)]);
                CHECK(masked.lossMask_BT[row][t].item<bool>() == (expected.answers[static_cast<std::size_t>(t)] != 0));
            }
        }
    }
}
