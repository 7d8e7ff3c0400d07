// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/shownnames.h"

#include <doctest/doctest.h>

#include <string>

namespace shownnames_tests {

using namespace stillroom::experiment;

TEST_CASE("measures are said in words, those nobody knows too")
{
    CHECK(measureWords("kl_nats") == "KL (nats/token)");
    CHECK(measureWords("perplexity_tokens") == "perplexity, tokens");
    CHECK(measureWords("recall_se") == "recall, standard error");
    CHECK(measureWords("hidden_cosine") == "hidden cosine");
    CHECK(measureWords("loss_se_nats") == "loss, standard error (nats)");
    CHECK(measureWords("_se") == " se");
    CHECK(measureWords("").empty());
}

TEST_CASE("a teacher is called by the last part of its path, or by its name in a hub's cache")
{
    CHECK(teacherName("demo") == "demo");
    CHECK(teacherName("/models/SmolLM2-135M/") == "SmolLM2-135M");
    CHECK(teacherName("folder/model.gguf") == "model.gguf");
    CHECK(teacherName("/cache/models--HuggingFaceTB--SmolLM2-135M/snapshots/0123abcd") == "SmolLM2-135M");
    CHECK(teacherName("/cache/snapshots/0123abcd") == "0123abcd");
    CHECK(teacherName("/") == "/");
    CHECK(teacherName("").empty());
}

}  // namespace shownnames_tests
