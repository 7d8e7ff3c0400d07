// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Jinja that chat templates use: no library for C++ in Debian reads it.
#include "text/chattemplate.h"

#include "error.h"
#include "text/templatetokens.h"
#include "text/templatevalues.h"

#include <algorithm>
#include <concepts>
#include <functional>
#include <map>
#include <set>
#include <type_traits>

namespace stillroom::text {
namespace {

using Token = TemplateToken;
using TokenKind = TemplateToken::Kind;

[[noreturn]] void refuseChat(const std::string &what)
{
    throw Error(ErrorCode::Unsupported, "the chat template " + what + ": give the prompt without --chat");
}

// A template comes with a model from strangers: neither its length, nor its depth, nor what it computes may exhaust the machine.
constexpr std::size_t mostSourceBytes = 1U << 18U;
constexpr std::size_t mostWords = 1000;          ///< of one {{ }} or {% %}: every operator is one call deeper
constexpr int mostDepth = 100;
constexpr std::size_t weightOfStep = 512;

/// Counts one level of what nests, as long as it lives.
class Level {
public:
    explicit Level(int &depth) : m_depth(depth)
    {
        if (++m_depth > mostDepth)
            refuseChat("nests too deeply");
    }
    ~Level() { --m_depth; }
    Level(const Level &) = delete;
    Level &operator=(const Level &) = delete;

private:
    int &m_depth;
};

/// Variables, innermost scope last; and what the template may still do.
struct Scopes {
    std::vector<std::map<std::string, Value>> stack{1};
    std::size_t mostBytes = 0;      ///< of one value, and of all that is written
    std::size_t workLeft = 0;       ///< bytes made and steps, each worth weightOfStep

    void spend(std::size_t work)
    {
        if (work > workLeft)
            refuseChat("does not come to an end in reasonable time");
        workLeft -= work;
    }
    void spendOn(const Value &value)
    {
        const std::size_t weight = weightOf(value);
        if (weight > mostBytes)
            refuseTooLarge();
        spend(weightOfStep + weight);
    }
    [[nodiscard]] Value *find(const std::string &name)
    {
        for (auto scope = stack.rbegin(); scope != stack.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end())
                return &found->second;
        return nullptr;
    }
};

/// What a part of an expression computes. Every value is paid for, so that none can grow by being doubled again and again.
class Expression {
public:
    template <typename Compute>
        requires(!std::same_as<std::remove_cvref_t<Compute>, Expression>)
    Expression(Compute compute) : m_compute(std::move(compute))     // NOLINT(google-explicit-constructor): lambdas are written where expressions are meant
    {
    }
    Value operator()(Scopes &scopes) const
    {
        Value value = m_compute(scopes);
        scopes.spendOn(value);
        return value;
    }

private:
    std::function<Value(Scopes &)> m_compute;
};
using Statement = std::function<void(Scopes &, std::string &)>;

/// Precedence climbing over the words of one {{ }} or {% %}.
class ExpressionParser {
public:
    explicit ExpressionParser(const std::vector<Token> &tokens) : m_tokens(tokens)
    {
        if (tokens.size() > mostWords)
            refuseChat("has more than " + std::to_string(mostWords) + " words between two braces");
    }

    [[nodiscard]] const Token &peek() const { return m_tokens[m_at]; }
    Token take() { return m_tokens[m_at].kind == TokenKind::End ? m_tokens[m_at] : m_tokens[m_at++]; }
    bool takeIf(const std::string &text)
    {
        if ((peek().kind != TokenKind::Symbol && peek().kind != TokenKind::Name) || peek().text != text)
            return false;
        ++m_at;
        return true;
    }
    void expect(const std::string &text)
    {
        if (!takeIf(text))
            refuseChat("has \"" + peek().text + "\" where \"" + text + "\" was expected");
    }
    void expectEnd() const
    {
        if (peek().kind != TokenKind::End)
            refuseChat("has \"" + peek().text + "\" where nothing more was expected");
    }

    Expression expression()
    {
        const Level level(m_depth);
        Expression value = either();
        if (takeIf("if")) {
            const Expression condition = either();
            const Expression otherwise = takeIf("else") ? expression() : Expression([](Scopes &) { return undefinedValue(); });
            value = [value, condition, otherwise](Scopes &scopes) { return isTrue(condition(scopes)) ? value(scopes) : otherwise(scopes); };
        }
        return value;
    }

private:
    Expression either()
    {
        Expression left = both();
        while (takeIf("or"))
            left = [left, right = both()](Scopes &scopes) {
                const Value value = left(scopes);
                return isTrue(value) ? value : right(scopes);
            };
        return left;
    }
    Expression both()
    {
        Expression left = negated();
        while (takeIf("and"))
            left = [left, right = negated()](Scopes &scopes) {
                const Value value = left(scopes);
                return isTrue(value) ? right(scopes) : value;
            };
        return left;
    }
    Expression negated()
    {
        if (takeIf("not")) {
            const Level level(m_depth);
            return [inner = negated()](Scopes &scopes) -> Value { return !isTrue(inner(scopes)); };
        }
        return comparison();
    }
    Expression comparison()
    {
        Expression left = sum();
        for (;;) {
            if (takeIf("is")) {
                const bool wanted = !takeIf("not");
                left = [left, wanted, name = take().text](Scopes &scopes) -> Value { return applyTest(name, left(scopes)) == wanted; };
            } else if (takeIf("in")) {
                left = [left, right = sum()](Scopes &scopes) -> Value { return contains(right(scopes), left(scopes)); };
            } else if (peek().kind == TokenKind::Name && peek().text == "not" && m_tokens[m_at + 1].text == "in") {
                m_at += 2;
                left = [left, right = sum()](Scopes &scopes) -> Value { return !contains(right(scopes), left(scopes)); };
            } else if (peek().kind == TokenKind::Symbol && isComparison(peek().text)) {
                const std::string symbol = take().text;
                left = [left, symbol, right = sum()](Scopes &scopes) { return binaryOperation(symbol, left(scopes), right(scopes)); };
            } else {
                return left;
            }
        }
    }
    static bool isComparison(const std::string &text) { return text == "==" || text == "!=" || text == "<" || text == ">" || text == "<=" || text == ">="; }

    Expression sum()
    {
        Expression left = product();
        while (peek().kind == TokenKind::Symbol && (peek().text == "+" || peek().text == "-" || peek().text == "~")) {
            const std::string symbol = take().text;
            left = [left, symbol, right = product()](Scopes &scopes) { return binaryOperation(symbol, left(scopes), right(scopes)); };
        }
        return left;
    }
    Expression product()
    {
        Expression left = filtered();
        while (peek().kind == TokenKind::Symbol && (peek().text == "*" || peek().text == "%")) {
            const std::string symbol = take().text;
            left = [left, symbol, right = filtered()](Scopes &scopes) { return binaryOperation(symbol, left(scopes), right(scopes)); };
        }
        return left;
    }
    Expression filtered()
    {
        Expression value = postfix();
        while (takeIf("|")) {
            const std::string name = take().text;
            std::vector<Expression> arguments;
            if (takeIf("("))
                arguments = list(")");
            value = [value, name, arguments](Scopes &scopes) { return applyFilter(name, value(scopes), evaluated(arguments, scopes), scopes.mostBytes); };
        }
        return value;
    }
    static std::vector<Value> evaluated(const std::vector<Expression> &expressions, Scopes &scopes)
    {
        std::vector<Value> values;
        for (const Expression &one : expressions)
            values.push_back(one(scopes));
        return values;
    }
    std::vector<Expression> list(const std::string &end)
    {
        std::vector<Expression> items;
        while (!takeIf(end)) {
            items.push_back(expression());
            if (!takeIf(",")) {
                expect(end);
                break;
            }
        }
        return items;
    }
    Expression postfix()
    {
        Expression value = primary();
        for (;;) {
            if (takeIf(".")) {
                const std::string name = take().text;
                if (takeIf("(")) {
                    value = [value, name, arguments = list(")")](Scopes &scopes) { return callMethod(value(scopes), name, evaluated(arguments, scopes), scopes.mostBytes); };
                } else {
                    value = [value, name](Scopes &scopes) { return itemOf(value(scopes), name); };
                }
            } else if (takeIf("[")) {
                value = subscript(value);
            } else {
                return value;
            }
        }
    }
    Expression subscript(const Expression &value)
    {
        const Expression nothing = [](Scopes &) { return undefinedValue(); };
        const Expression first = peek().text == ":" && peek().kind == TokenKind::Symbol ? nothing : expression();
        if (takeIf("]"))
            return [value, first](Scopes &scopes) { return itemOf(value(scopes), first(scopes)); };
        expect(":");
        const Expression last = peek().text == "]" && peek().kind == TokenKind::Symbol ? nothing : expression();
        expect("]");
        return [value, first, last](Scopes &scopes) { return sliceOf(value(scopes), first(scopes), last(scopes)); };
    }
    Expression primary()
    {
        const Token token = take();
        if (token.kind == TokenKind::Text)
            return constant(token.text);
        if (token.kind == TokenKind::Number)
            return number(token.text);
        if (token.kind == TokenKind::Symbol && token.text == "-") {
            const Level level(m_depth);
            return [inner = postfix()](Scopes &scopes) { return binaryOperation("-", 0, inner(scopes)); };
        }
        if (token.kind == TokenKind::Symbol && token.text == "(") {
            Expression inner = expression();
            expect(")");
            return inner;
        }
        if (token.kind == TokenKind::Symbol && token.text == "[")
            return [items = list("]")](Scopes &scopes) {
                Value array = Value::array();
                for (Value &one : evaluated(items, scopes))
                    array.push_back(std::move(one));
                return array;
            };
        if (token.kind == TokenKind::Symbol && token.text == "{")
            return mapping();
        if (token.kind != TokenKind::Name)
            refuseChat("has \"" + token.text + "\" where a value was expected");
        return named(token.text);
    }
    static Expression constant(Value value)
    {
        return [value = std::move(value)](Scopes &) { return value; };
    }
    static Expression number(const std::string &digits)
    {
        Value value = Value::parse(digits, nullptr, false);
        if (value.is_discarded())
            refuseChat("has the number " + digits.substr(0, 40) + ", which is none");
        return constant(std::move(value));
    }
    Expression mapping()
    {
        std::vector<std::pair<Expression, Expression>> items;
        while (!takeIf("}")) {
            Expression key = expression();
            expect(":");
            items.emplace_back(std::move(key), expression());
            if (!takeIf(",")) {
                expect("}");
                break;
            }
        }
        return [items](Scopes &scopes) {
            Value object = Value::object();
            for (const auto &[key, value] : items)
                object[toText(key(scopes))] = value(scopes);
            return object;
        };
    }
    Expression named(const std::string &name)
    {
        if (name == "true" || name == "True" || name == "false" || name == "False")
            return constant(name == "true" || name == "True");
        if (name == "none" || name == "None")
            return constant(nullptr);
        if (!takeIf("("))
            return [name](Scopes &scopes) {
                const Value *found = scopes.find(name);
                return found ? *found : undefinedValue();
            };
        return call(name);
    }
    Expression call(const std::string &name)
    {
        if (name == "namespace") {
            std::vector<std::pair<std::string, Expression>> members;
            while (!takeIf(")")) {
                const std::string member = take().text;
                expect("=");
                members.emplace_back(member, expression());
                takeIf(",");
            }
            return [members](Scopes &scopes) {
                Value object = Value::object();
                for (const auto &[member, value] : members)
                    object[member] = value(scopes);
                return object;
            };
        }
        const std::vector<Expression> arguments = list(")");
        if (name == "raise_exception")
            return [arguments](Scopes &scopes) -> Value {
                throw Error(ErrorCode::Usage, "the chat template refuses this conversation: " + (arguments.empty() ? std::string("no reason given") : toText(arguments[0](scopes))));
            };
        if (name == "range" && (arguments.size() == 1 || arguments.size() == 2))
            return [arguments](Scopes &scopes) {
                const auto values = evaluated(arguments, scopes);
                return values.size() == 2 ? rangeOf(values[0], values[1], scopes.mostBytes) : rangeOf(0, values[0], scopes.mostBytes);
            };
        refuseChat("calls \"" + name + "\", which is not understood");
    }

    const std::vector<Token> &m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
};

/// Statements from pieces: a sequence up to one of the words that end it.
class TemplateParser {
public:
    explicit TemplateParser(std::vector<TemplatePiece> pieces) : m_pieces(std::move(pieces)) {}

    Statement whole()
    {
        Statement all = block({});
        if (m_at < m_pieces.size())
            refuseChat("has \"" + m_pieces[m_at].tokens.front().text + "\" without its beginning");
        return all;
    }

private:
    Statement block(const std::vector<std::string> &ends)
    {
        const Level level(m_depth);
        std::vector<Statement> statements;
        while (m_at < m_pieces.size() && !endsBlock(m_pieces[m_at])) {
            const TemplatePiece &piece = m_pieces[m_at++];
            statements.push_back(one(piece));
        }
        if (!ends.empty() && m_at >= m_pieces.size())
            refuseChat("lacks \"" + ends.back() + "\"");
        if (!ends.empty() && std::find(ends.begin(), ends.end(), m_pieces[m_at].tokens.front().text) == ends.end())
            refuseChat("has \"" + m_pieces[m_at].tokens.front().text + "\" where \"" + ends.back() + "\" was expected");
        return [statements = std::move(statements)](Scopes &scopes, std::string &out) {
            for (const Statement &statement : statements) {
                scopes.spend(weightOfStep);
                statement(scopes, out);
                if (out.size() > scopes.mostBytes)
                    refuseTooLarge();
            }
        };
    }
    static bool endsBlock(const TemplatePiece &piece)
    {
        static const std::set<std::string, std::less<>> words{"elif", "else", "endif", "endfor"};
        return piece.kind == TemplatePiece::Kind::Statement && words.contains(piece.tokens.front().text);
    }
    Statement one(const TemplatePiece &piece)
    {
        if (piece.kind == TemplatePiece::Kind::Text)
            return [text = piece.text](Scopes &, std::string &out) { out += text; };
        ExpressionParser parser(piece.tokens);
        if (piece.kind == TemplatePiece::Kind::Output) {
            const Expression value = parser.expression();
            parser.expectEnd();
            return [value](Scopes &scopes, std::string &out) { out += toText(value(scopes)); };
        }
        if (parser.takeIf("if"))
            return conditional(parser);
        if (parser.takeIf("for"))
            return loop(parser);
        if (parser.takeIf("set"))
            return assignment(parser);
        if (parser.takeIf("generation") || parser.takeIf("endgeneration"))
            return [](Scopes &, std::string &) {};
        refuseChat("has the statement \"" + parser.peek().text + "\", which is not understood");
    }
    Statement conditional(ExpressionParser &parser)
    {
        const Level level(m_depth);
        const Expression condition = parser.expression();
        parser.expectEnd();
        const Statement then = block({"elif", "else", "endif"});
        const TemplatePiece &next = m_pieces[m_at++];
        Statement otherwise = [](Scopes &, std::string &) {};
        ExpressionParser nextParser(next.tokens);
        if (nextParser.takeIf("elif")) {
            otherwise = conditional(nextParser);
        } else if (nextParser.takeIf("else")) {
            otherwise = block({"endif"});
            ++m_at;
        }
        return [condition, then, otherwise](Scopes &scopes, std::string &out) { (isTrue(condition(scopes)) ? then : otherwise)(scopes, out); };
    }
    Statement loop(ExpressionParser &parser)
    {
        std::vector<std::string> names{parser.take().text};
        while (parser.takeIf(","))
            names.push_back(parser.take().text);
        parser.expect("in");
        const Expression items = parser.expression();
        parser.expectEnd();
        const Statement body = block({"endfor"});
        ++m_at;
        return [names, items, body](Scopes &scopes, std::string &out) {
            const Value list = items(scopes);
            if (!list.is_array())
                refuseChat("loops over something that is no list");
            const auto size = static_cast<std::int64_t>(list.size());
            for (std::int64_t i = 0; i < size; ++i) {
                const Value &item = list[static_cast<std::size_t>(i)];
                scopes.spendOn(item);
                scopes.stack.emplace_back();
                auto &scope = scopes.stack.back();
                scope["loop"] = Value{{"index", i + 1}, {"index0", i}, {"first", i == 0}, {"last", i + 1 == size}, {"length", size}};
                if (i > 0)
                    scope["loop"]["previtem"] = list[static_cast<std::size_t>(i) - 1];
                if (i + 1 < size)
                    scope["loop"]["nextitem"] = list[static_cast<std::size_t>(i) + 1];
                for (std::size_t n = 0; n < names.size(); ++n)
                    scope[names[n]] = names.size() == 1 ? item : itemOf(item, static_cast<std::int64_t>(n));
                body(scopes, out);
                scopes.stack.pop_back();
            }
        };
    }
    static Statement assignment(ExpressionParser &parser)
    {
        const std::string name = parser.take().text;
        const std::string member = parser.takeIf(".") ? parser.take().text : std::string();
        parser.expect("=");
        const Expression value = parser.expression();
        parser.expectEnd();
        return [name, member, value](Scopes &scopes, std::string &) {
            if (member.empty()) {
                scopes.stack.back()[name] = value(scopes);
                return;
            }
            Value assigned = value(scopes);
            Value *space = scopes.find(name);
            if (!space || !space->is_object())
                refuseChat("sets a member of \"" + name + "\", which is no namespace");
            (*space)[member] = std::move(assigned);
        };
    }

    std::vector<TemplatePiece> m_pieces;
    std::size_t m_at = 0;
    int m_depth = 0;
};

}  // namespace

std::string renderTemplate(std::string_view source, const std::vector<ChatMessage> &messages, bool addGenerationPrompt, const std::string &bosToken, const std::string &eosToken)
{
    if (source.size() > mostSourceBytes)
        refuseChat("is longer than " + std::to_string(mostSourceBytes) + " bytes");
    const Statement whole = TemplateParser(cutTemplate(source)).whole();
    Scopes scopes;
    Value list = Value::array();
    for (const ChatMessage &message : messages)
        list.push_back(Value{{"role", message.role}, {"content", message.content}});
    scopes.mostBytes = 4 * ((std::size_t{1} << 20U) + weightOf(list));
    scopes.workLeft = 64 * scopes.mostBytes;
    auto &globals = scopes.stack.front();
    globals["messages"] = std::move(list);
    globals["add_generation_prompt"] = addGenerationPrompt;
    globals["bos_token"] = bosToken;
    globals["eos_token"] = eosToken;
    std::string out;
    whole(scopes, out);
    return out;
}

std::string renderChat(const Tokenizer &tokenizer, const std::vector<ChatMessage> &messages, bool addGenerationPrompt)
{
    const auto source = tokenizer.chatTemplate();
    if (!source)
        throw Error(ErrorCode::BadFile, "the model's tokenizer has no chat template: give the prompt without --chat");
    const auto bos = tokenizer.bosId();
    const std::vector<TokenId> eos = tokenizer.eosIds();
    return renderTemplate(*source, messages, addGenerationPrompt, bos ? tokenizer.tokenOf(*bos) : std::string(), eos.empty() ? std::string() : tokenizer.tokenOf(eos.front()));
}

}  // namespace stillroom::text
