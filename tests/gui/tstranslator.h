// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>

#include <map>
#include <utility>

namespace stillroom::test {

/// Translates straight from a .ts file of translations/: no release tool has to run before the tests.
class TsTranslator final : public QTranslator {
    Q_OBJECT

public:
    /// \param name  "stillroom_zh_CN.ts"
    explicit TsTranslator(const QString &name);
    [[nodiscard]] bool isEmpty() const override { return m_texts.empty(); }
    [[nodiscard]] QString translate(const char *context, const char *source, const char *comment, int n) const override;

private:
    std::map<std::pair<QString, QString>, QString> m_texts;      ///< context and source; a comment behind the source
};

}  // namespace stillroom::test
