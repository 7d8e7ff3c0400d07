// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The words of a Jinja template. Internal to the chat templates.
namespace stillroom::text {

struct TemplateToken {
    enum class Kind { Name, Text, Number, Symbol, End };
    Kind kind = Kind::End;
    std::string text;
};

/// A piece of a template: plain text, or the words between {{ }} or {% %}.
struct TemplatePiece {
    enum class Kind { Text, Output, Statement };
    Kind kind = Kind::Text;
    std::string text;                      ///< of Text
    std::vector<TemplateToken> tokens;     ///< of the others, ended by End
};

/// Cuts a template into pieces; white space control ({%-, -%}), trim_blocks and lstrip_blocks are applied, comments dropped.
/// \throws Error(Unsupported) for what is not closed or not understood.
[[nodiscard]] std::vector<TemplatePiece> cutTemplate(std::string_view source);

}  // namespace stillroom::text
