// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/texcharacters.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace stillroom::report {
namespace {

struct Accented {
    char32_t first;                       ///< of a row of characters that follow each other
    std::string_view letters;             ///< (accent, letter) of each; two dots: none of them, see the table of the others
};

/// Latin-1 and Latin Extended-A. Accents as TeX writes them; ' ' before a letter: it stands for itself, as OT1 has no ogonek and no stroke.
constexpr std::array<Accented, 2> accented{{
    {U'À', "`A'A^A~A\"ArA..cC`E'E^E\"E`I'I^I\"I..~N`O'O^O~O\"O....`U'U^U\"U'Y....`a'a^a~a\"ara..cc`e'e^e\"e`i'i^i\"i..~n`o'o^o~o\"o....`u'u^u\"u'y..\"y"},
    {U'Ā', "=A=auAua A a'C'c^C^c.C.cvCvcvDvd D d=E=euEue.E.e E evEve^G^guGug.G.gcGcg^H^h H h~I~i=I=iuIui I i.I......^J^jcKck..'L'lcLclvLvl........'N'ncNcnvNvn......=O=ouOuoHOHo....'R'rcRcrvRvr'S's^S^scScsvSvscTctvTvt T t~U~u=U=uuUuurUruHUHu U u^W^w^Y^y\"Y'Z'z.Z.zvZvz.."},
}};

const std::map<char32_t, std::string_view> &others()
{
    static const std::map<char32_t, std::string_view> table{
        {0x5c, "\\textbackslash{}"}, {U'{', "\\{"}, {U'}', "\\}"}, {U'$', "\\$"}, {U'&', "\\&"}, {U'#', "\\#"}, {U'_', "\\_"}, {U'%', "\\%"}, {U'~', "\\textasciitilde{}"}, {U'^', "\\textasciicircum{}"},
        {U'<', "\\textless{}"}, {U'>', "\\textgreater{}"}, {U'|', "\\textbar{}"}, {U'"', "''"}, {U'`', "\\`{}"}, {U'[', "{[}"}, {U']', "{]}"}, {U'*', "{*}"},
        // Latin letters without an accent of their own.
        {U'Æ', "{\\AE}"}, {U'æ', "{\\ae}"}, {U'Ø', "{\\O}"}, {U'ø', "{\\o}"}, {U'ß', "{\\ss}"}, {U'ẞ', "SS"}, {U'Ð', "D"}, {U'ð', "d"}, {U'Þ', "Th"}, {U'þ', "th"}, {U'Œ', "{\\OE}"}, {U'œ', "{\\oe}"},
        {U'Ł', "{\\L}"}, {U'ł', "{\\l}"}, {U'ı', "{\\i}"}, {U'Ĳ', "IJ"}, {U'ĳ', "ij"}, {U'ĸ', "k"}, {U'Ŀ', "L$\\cdot$"}, {U'ŀ', "l$\\cdot$"}, {U'ŉ', "'n"}, {U'Ŋ', "Ng"}, {U'ŋ', "ng"}, {U'ſ', "s"}, {U'ƒ', "$f$"},
        {U'Ș', "\\c{S}"}, {U'ș', "\\c{s}"}, {U'Ț', "\\c{T}"}, {U'ț', "\\c{t}"}, {U'ﬁ', "fi"}, {U'ﬂ', "fl"}, {U'ª', "$^a$"}, {U'º', "$^o$"},
        // Greek, as mathematics writes it; what looks as a Latin letter is one.
        {U'Α', "A"}, {U'Β', "B"}, {U'Γ', "$\\Gamma$"}, {U'Δ', "$\\Delta$"}, {U'Ε', "E"}, {U'Ζ', "Z"}, {U'Η', "H"}, {U'Θ', "$\\Theta$"}, {U'Ι', "I"}, {U'Κ', "K"}, {U'Λ', "$\\Lambda$"}, {U'Μ', "M"},
        {U'Ν', "N"}, {U'Ξ', "$\\Xi$"}, {U'Ο', "O"}, {U'Π', "$\\Pi$"}, {U'Ρ', "P"}, {U'Σ', "$\\Sigma$"}, {U'Τ', "T"}, {U'Υ', "$\\Upsilon$"}, {U'Φ', "$\\Phi$"}, {U'Χ', "X"}, {U'Ψ', "$\\Psi$"}, {U'Ω', "$\\Omega$"},
        {U'α', "$\\alpha$"}, {U'β', "$\\beta$"}, {U'γ', "$\\gamma$"}, {U'δ', "$\\delta$"}, {U'ε', "$\\varepsilon$"}, {U'ζ', "$\\zeta$"}, {U'η', "$\\eta$"}, {U'θ', "$\\theta$"}, {U'ι', "$\\iota$"},
        {U'κ', "$\\kappa$"}, {U'λ', "$\\lambda$"}, {U'μ', "$\\mu$"}, {0xb5, "$\\mu$"}, {U'ν', "$\\nu$"}, {U'ξ', "$\\xi$"}, {U'ο', "o"}, {U'π', "$\\pi$"}, {U'ρ', "$\\rho$"}, {U'σ', "$\\sigma$"}, {U'ς', "$\\varsigma$"},
        {U'τ', "$\\tau$"}, {U'υ', "$\\upsilon$"}, {U'φ', "$\\varphi$"}, {U'χ', "$\\chi$"}, {U'ψ', "$\\psi$"}, {U'ω', "$\\omega$"}, {U'ϵ', "$\\epsilon$"}, {U'ϕ', "$\\phi$"},
        // Punctuation and spaces.
        {0xa0, "~"}, {0xad, "\\-"}, {0x2002, "\\ "}, {0x2003, "\\ "}, {0x2007, "~"}, {0x2009, "\\,"}, {0x200a, "\\,"}, {0x200b, "{}"}, {0x200c, "{}"}, {0x200d, "{}"}, {0x202f, "\\,"}, {0x2060, "{}"}, {0xfeff, "{}"},
        {0x2010, "-"}, {0x2011, "-"}, {0x2012, "--"}, {U'–', "--"}, {U'—', "---"}, {U'―', "---"}, {U'…', "\\ldots{}"}, {U'‘', "`"}, {U'’', "'"}, {U'‚', ","}, {U'“', "``"}, {U'”', "''"}, {U'„', ",,"},
        {U'‹', "$\\langle$"}, {U'›', "$\\rangle$"}, {U'«', "$\\ll$"}, {U'»', "$\\gg$"}, {U'¡', "!`"}, {U'¿', "?`"}, {U'¦', "\\textbar{}"}, {U'´', "'"}, {U'¨', "\\\"{}"}, {U'¯', "\\={}"}, {U'¸', "\\c{}"},
        {U'§', "$\\mathsection$"}, {U'¶', "$\\mathparagraph$"}, {U'©', "(C)"}, {U'®', "(R)"}, {U'™', "$^{\\mathrm{TM}}$"}, {U'†', "$\\dagger$"}, {U'‡', "$\\ddagger$"}, {U'•', "$\\bullet$"}, {U'‰', "\\%{}o"}, {U'№', "No."},
        {U'£', "GBP"}, {U'€', "EUR"}, {U'¥', "JPY"}, {U'¢', "ct"}, {U'¤', "$\\otimes$"}, {U'′', "$'$"}, {U'″', "$''$"}, {U'‾', "\\={}"},
        // Numbers.
        {U'¹', "$^1$"}, {U'²', "$^2$"}, {U'³', "$^3$"}, {U'⁰', "$^0$"}, {U'⁴', "$^4$"}, {U'⁵', "$^5$"}, {U'⁶', "$^6$"}, {U'⁷', "$^7$"}, {U'⁸', "$^8$"}, {U'⁹', "$^9$"}, {U'⁺', "$^+$"}, {U'⁻', "$^-$"}, {U'ⁿ', "$^n$"},
        {U'₀', "$_0$"}, {U'₁', "$_1$"}, {U'₂', "$_2$"}, {U'₃', "$_3$"}, {U'₄', "$_4$"}, {U'₅', "$_5$"}, {U'₆', "$_6$"}, {U'₇', "$_7$"}, {U'₈', "$_8$"}, {U'₉', "$_9$"}, {U'½', "1/2"}, {U'¼', "1/4"}, {U'¾', "3/4"},
        {U'°', "$^\\circ$"}, {U'ℓ', "$\\ell$"}, {U'ℝ', "R"}, {U'ℕ', "N"}, {U'ℤ', "Z"},
        // Signs.
        {U'±', "$\\pm$"}, {U'∓', "$\\mp$"}, {U'−', "$-$"}, {U'·', "$\\cdot$"}, {U'∙', "$\\cdot$"}, {U'⋅', "$\\cdot$"}, {U'×', "$\\times$"}, {U'÷', "$\\div$"}, {U'⁄', "/"}, {U'∕', "/"}, {U'≤', "$\\le$"}, {U'≥', "$\\ge$"},
        {U'≪', "$\\ll$"}, {U'≫', "$\\gg$"}, {U'≈', "$\\approx$"}, {U'≠', "$\\ne$"}, {U'≡', "$\\equiv$"}, {U'≃', "$\\simeq$"}, {U'∼', "$\\sim$"}, {U'∝', "$\\propto$"}, {U'∞', "$\\infty$"}, {U'√', "$\\surd$"},
        {U'∑', "$\\sum$"}, {U'∏', "$\\prod$"}, {U'∫', "$\\int$"}, {U'∂', "$\\partial$"}, {U'∇', "$\\nabla$"}, {U'∈', "$\\in$"}, {U'∉', "$\\notin$"}, {U'∩', "$\\cap$"}, {U'∪', "$\\cup$"}, {U'⊂', "$\\subset$"},
        {U'⊆', "$\\subseteq$"}, {U'⊃', "$\\supset$"}, {U'∅', "$\\emptyset$"}, {U'∧', "$\\wedge$"}, {U'∨', "$\\vee$"}, {U'¬', "$\\neg$"}, {U'∀', "$\\forall$"}, {U'∃', "$\\exists$"}, {U'⊕', "$\\oplus$"},
        {U'⊗', "$\\otimes$"}, {U'⊙', "$\\odot$"}, {U'⊥', "$\\perp$"}, {U'∥', "$\\parallel$"}, {U'‖', "$\\Vert$"}, {U'∘', "$\\circ$"}, {U'∗', "{*}"}, {U'⟨', "$\\langle$"}, {U'⟩', "$\\rangle$"},
        {U'←', "$\\leftarrow$"}, {U'→', "$\\rightarrow$"}, {U'↑', "$\\uparrow$"}, {U'↓', "$\\downarrow$"}, {U'↔', "$\\leftrightarrow$"}, {U'⇐', "$\\Leftarrow$"}, {U'⇒', "$\\Rightarrow$"}, {U'⇔', "$\\Leftrightarrow$"}, {U'↦', "$\\mapsto$"},
        // Shapes.
        {U'◆', "$\\diamond$"}, {U'◇', "$\\diamond$"}, {U'▲', "$\\triangle$"}, {U'△', "$\\triangle$"}, {U'▴', "$\\triangle$"}, {U'▼', "$\\bigtriangledown$"}, {U'▽', "$\\bigtriangledown$"}, {U'●', "$\\bullet$"},
        {U'○', "$\\circ$"}, {U'★', "$\\star$"}, {U'☆', "$\\star$"}, {U'✓', "$\\surd$"}, {U'✔', "$\\surd$"}, {U'✗', "$\\times$"}, {U'✕', "$\\times$"}, {U'▸', "$\\triangleright$"}, {U'▶', "$\\triangleright$"},
    };
    return table;
}

std::string accentedLetter(char accent, char letter)
{
    if (accent == ' ')
        return {letter};
    const bool dotted = (letter == 'i' || letter == 'j') && accent != 'c';      // an accent takes the dot's place
    return std::string("\\") + accent + "{" + (dotted ? "\\" : "") + letter + "}";
}

}  // namespace

std::string texOf(char32_t character)
{
    if (const auto found = others().find(character); found != others().end())
        return std::string(found->second);
    if (character < 0x80)
        return {character < 0x20 || character == 0x7f ? ' ' : static_cast<char>(character)};
    for (const Accented &row : accented) {
        if (character < row.first || 2 * (character - row.first) + 1 >= row.letters.size())
            continue;
        const std::string_view one = row.letters.substr(2 * static_cast<std::size_t>(character - row.first), 2);
        return one == ".." ? std::string() : accentedLetter(one[0], one[1]);
    }
    return {};
}

std::size_t numCharacters(const std::string &text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char one) { return (static_cast<unsigned char>(one) & 0xc0U) != 0x80U; }));
}

}  // namespace stillroom::report
