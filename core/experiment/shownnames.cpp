// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/shownnames.h"

#include <algorithm>
#include <map>
#include <string_view>

/// Marks a text that the window says in other languages; lupdate knows it by this name.
#define QT_TRANSLATE_NOOP(context, text) text

namespace stillroom::experiment {

namespace {

/// Takes the ending away. \returns whether there was one
bool cut(std::string &name, std::string_view ending)
{
    if (!name.ends_with(ending) || name.size() == ending.size())
        return false;
    name.resize(name.size() - ending.size());
    return true;
}

std::string lastPart(const std::string &path)
{
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string measureWords(const std::string &measure)
{
    static const std::map<std::string, const char *> words{{"kl_nats", QT_TRANSLATE_NOOP("Measures", "KL (nats/token)")},
                                                           {"se_nats", QT_TRANSLATE_NOOP("Measures", "KL, standard error (nats/token)")},
                                                           {"kl_tokens", QT_TRANSLATE_NOOP("Measures", "KL, tokens")},
                                                           {"n", QT_TRANSLATE_NOOP("Measures", "held-out sequences")},
                                                           {"all_linear_kl_nats", QT_TRANSLATE_NOOP("Measures", "KL all linear (nats/token)")},
                                                           {"nats_per_token", QT_TRANSLATE_NOOP("Measures", "cross-entropy (nats/token)")},
                                                           {"perplexity", QT_TRANSLATE_NOOP("Measures", "perplexity")},
                                                           {"perplexity_tokens", QT_TRANSLATE_NOOP("Measures", "perplexity, tokens")},
                                                           {"recall", QT_TRANSLATE_NOOP("Measures", "recall")},
                                                           {"recall_se", QT_TRANSLATE_NOOP("Measures", "recall, standard error")},
                                                           {"recall_n", QT_TRANSLATE_NOOP("Measures", "recall, passkeys")},
                                                           {"recall_sequences", QT_TRANSLATE_NOOP("Measures", "recall, sequences")},
                                                           {"recall_token_accuracy", QT_TRANSLATE_NOOP("Measures", "recall, token accuracy")},
                                                           {"filler_accuracy", QT_TRANSLATE_NOOP("Measures", "filler accuracy")},
                                                           {"hidden_cosine", QT_TRANSLATE_NOOP("Measures", "hidden cosine")},
                                                           {"hidden_cosine_se", QT_TRANSLATE_NOOP("Measures", "hidden cosine, standard error")},
                                                           {"hidden_cosine_sequences", QT_TRANSLATE_NOOP("Measures", "hidden cosine, sequences")},
                                                           {"loss_nats", QT_TRANSLATE_NOOP("Measures", "loss (nats)")},
                                                           {"loss_se_nats", QT_TRANSLATE_NOOP("Measures", "loss, standard error (nats)")}};
    if (const auto found = words.find(measure); found != words.end())
        return found->second;
    std::string name = measure;
    const bool isNats = cut(name, "_nats"), isError = cut(name, "_se");
    std::replace(name.begin(), name.end(), '_', ' ');
    return name + (isError ? ", standard error" : "") + (isNats ? " (nats)" : "");
}

std::string teacherName(const std::string &argument)
{
    std::string path = argument;
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    constexpr std::string_view snapshots = "/snapshots/", repository = "models--";
    if (const std::size_t at = path.rfind(snapshots); at != std::string::npos && path.find('/', at + snapshots.size()) == std::string::npos)
        if (const std::string folder = lastPart(path.substr(0, at)); folder.starts_with(repository))
            return folder.substr(folder.rfind("--") + 2);
    return path == "/" ? path : lastPart(path);
}

}  // namespace stillroom::experiment
