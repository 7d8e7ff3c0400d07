// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

/// The voices of text in the window: headings, values, quiet labels for what only explains, and lines that give way when there is no room.
namespace stillroom::widgets {

/// Text of less weight, in every theme.
class QuietLabel final : public QLabel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QuietLabel)

public:
    explicit QuietLabel(const QString &text = {}, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void dim();
    bool m_dimming = false;
};

enum class Voice { Plain, Quiet };

/// One line that ends in an ellipsis instead of widening the window or growing in height; the whole of it is in the tool tip then.
class ElidedLabel final : public QLabel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ElidedLabel)

public:
    explicit ElidedLabel(Voice voice, QWidget *parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Voice m_voice;
};

/// A value of as many lines as it takes, to be selected and copied. (Qt's own takes too little height where a text breaks at other signs than spaces.)
class WrappedLabel final : public QLabel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WrappedLabel)

public:
    explicit WrappedLabel(QWidget *parent = nullptr);
    [[nodiscard]] int heightForWidth(int width) const override;
};

/// Of Latin letters on average. (Fonts of scripts with square letters call the whole square their average.)
[[nodiscard]] int letterWidth(const QFontMetrics &metrics);
enum class HeadingLevel { Page, Section };
[[nodiscard]] QLabel *headingLabel(const QString &text, HeadingLevel level, QWidget *parent);
/// Of a name as long as somebody likes: it gives way.
[[nodiscard]] ElidedLabel *nameHeading(HeadingLevel level, QWidget *parent);
/// A value that can be selected and copied. \param name  what it is, for screen readers.
[[nodiscard]] QLabel *valueLabel(const QString &text, const QString &name, QWidget *parent);

}  // namespace stillroom::widgets
