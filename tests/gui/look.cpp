// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeup.h"
#include "mainwindow.h"

#include "models/session.h"
#include "views/choicebox.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QSettings>
#include <QStyle>
#include <QTemporaryDir>
#include <QTest>

using namespace stillroom;
using widgets::Theme;

namespace {

constexpr double textContrast = 4.5, graphicsContrast = 3.0;     // WCAG 2, level AA

QColor over(QColor colour, const QColor &ground, double alpha)
{
    const auto mix = [alpha](int a, int b) { return static_cast<int>(a * alpha + b * (1.0 - alpha)); };
    return {mix(colour.red(), ground.red()), mix(colour.green(), ground.green()), mix(colour.blue(), ground.blue())};
}

double shareOfLightPixels(const QImage &image)
{
    qint64 light = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            light += qGray(image.pixel(x, y)) > 160 ? 1 : 0;
    return static_cast<double>(light) / (static_cast<double>(image.width()) * image.height());
}

}  // namespace

/// What a designer would see at once: contrast, themes, text that is cut off.
class LookTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("look"));
    }
    void init()
    {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString(), [madeUp = std::make_shared<test::MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
        QTRY_VERIFY(!m_session->job().isRunning());
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
        widgets::applyTheme(Theme::System);
    }

    void everythingStandsOutFromItsGround_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << widgets::themePalette(Theme::Light);
        QTest::newRow("dark") << widgets::themePalette(Theme::Dark);
        QTest::newRow("style") << QApplication::style()->standardPalette();
    }
    void everythingStandsOutFromItsGround()
    {
        QFETCH(const QPalette, palette);
        const auto stands = [&](const QColor &front, const QColor &ground, double least, const char *what) {
            QVERIFY2(widgets::contrast(front, ground) >= least, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(what)).arg(widgets::contrast(front, ground))));
        };
        for (const QPalette::ColorRole ground : {QPalette::Window, QPalette::Base, QPalette::AlternateBase}) {
            const QColor behind = palette.color(ground);
            stands(palette.color(QPalette::WindowText), behind, textContrast, "text");
            stands(widgets::quietTextColour(palette), behind, textContrast, "quiet text");
        }
        stands(palette.color(QPalette::ButtonText), palette.color(QPalette::Button), textContrast, "button");
        stands(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase), textContrast, "tool tip");
        const QColor page = palette.color(QPalette::Base);
        stands(widgets::unchosenColour(palette), page, graphicsContrast, "unchosen");
        stands(widgets::ringColour(palette), page, graphicsContrast, "ring");
        stands(widgets::focusColour(palette), page, graphicsContrast, "focus");
        for (const char *mixer : {"softmax", "gdn", "gla"})
            stands(widgets::mixerColour(QString::fromLatin1(mixer)), page, graphicsContrast, mixer);
        stands(Qt::white, widgets::mixerColour(QStringLiteral("softmax")), textContrast, "number on a kept layer");
        for (const char *mixer : {"gdn", "gla"})
            stands(palette.color(QPalette::Text), over(widgets::mixerColour(QString::fromLatin1(mixer)), page, 0.22), textContrast, "number on a linear layer");
    }

    void contrastIsThatOfTheGuidelines()
    {
        QCOMPARE(widgets::contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(widgets::contrast(Qt::red, Qt::red), 1.0);
        // #767676 on white is the well-known grey that just passes: 4.54.
        QVERIFY(qAbs(widgets::contrast(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.005);
    }

    void aThemeReachesEveryCorner()
    {
        widgets::applyTheme(Theme::Dark);
        for (const Qt::Key page : {Qt::Key_1, Qt::Key_2, Qt::Key_3}) {
            QTest::keyClick(m_window.get(), page, Qt::ControlModifier);
            QTRY_VERIFY2(shareOfLightPixels(m_window->grab().toImage()) < 0.08, qPrintable(QString::number(shareOfLightPixels(m_window->grab().toImage()))));
        }
        widgets::applyTheme(Theme::Light);
        QTRY_VERIFY2(shareOfLightPixels(m_window->grab().toImage()) > 0.8, qPrintable(QString::number(shareOfLightPixels(m_window->grab().toImage()))));
    }

    void theThemeIsRememberedByName()
    {
        for (const Theme theme : {Theme::Dark, Theme::Light, Theme::System}) {
            widgets::rememberTheme(theme);
            QCOMPARE(widgets::rememberedTheme(), theme);
            QCOMPARE(widgets::themeNamed(widgets::themeName(theme)), theme);
        }
        QVERIFY(!widgets::themeNamed(QStringLiteral("blue")));
        QSettings().setValue(QStringLiteral("window/theme"), QStringLiteral("blue"));
        QCOMPARE(widgets::rememberedTheme(), Theme::System);
    }

    void nothingIsCutOff_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("smallest") << QSize(900, 600);
        QTest::newRow("usual") << QSize(1280, 800);
    }
    void nothingIsCutOff()
    {
        QFETCH(const QSize, size);
        m_window->resize(size);
        for (const Qt::Key page : {Qt::Key_1, Qt::Key_2, Qt::Key_3}) {
            QTest::keyClick(m_window.get(), page, Qt::ControlModifier);
            QTest::qWait(50);
            QCOMPARE(m_window->size(), size);
            for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
                const auto *label = qobject_cast<const QLabel *>(widget);
                const bool givesWay = label && (label->wordWrap() || label->inherits("stillroom::widgets::ElidedLabel"));
                const bool qts = QString::fromLatin1(widget->metaObject()->className()).startsWith(QLatin1String("QDockWidget"));
                if (!widget->isVisible() || givesWay || qts || !(label || qobject_cast<const QAbstractButton *>(widget)))
                    continue;
                const QSize needed = widget->minimumSizeHint();
                QVERIFY2(widget->width() >= needed.width() && widget->height() >= needed.height(), qPrintable(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') + widget->property("text").toString()));
            }
        }
    }

    void aNameWithoutRoomIsElidedAndSaidInTheTip()
    {
        const QString first = QStringLiteral("GA-S2 (short distillation) · probe GDN · seed 2"), second = QStringLiteral("GA-S2 (short distillation) · probe GDN · seed 3");
        widgets::ChoiceBox box;
        box.setPlaceholderText(QStringLiteral("no scores of this teacher have been measured yet"));
        box.addItems({first, second});
        box.setToolTip(QStringLiteral("Scores"));
        box.resize(box.sizeHint());
        box.setCurrentIndex(1);
        QCOMPARE(box.shownText(), second);
        QCOMPARE(box.toolTip(), second + QStringLiteral("\nScores"));
        box.resize(box.sizeHint().width() * 2 / 3, box.height());
        QVERIFY2(box.shownText().contains(QStringLiteral("…")) && box.shownText().endsWith(QStringLiteral("seed 3")), qPrintable(box.shownText()));
        QCOMPARE(box.currentText(), second);      // for screen readers too
        QCOMPARE(box.toolTip(), second + QStringLiteral("\nScores"));
        const QImage narrow = box.grab().toImage();
        box.setCurrentIndex(0);
        QCOMPARE(box.toolTip(), first + QStringLiteral("\nScores"));
        QVERIFY(box.grab().toImage() != narrow);      // they are told apart although neither has room
        box.setToolTip(QStringLiteral("Other scores"));
        QCOMPARE(box.toolTip(), first + QStringLiteral("\nOther scores"));
        box.setCurrentIndex(-1);
        QCOMPARE(box.toolTip(), QStringLiteral("Other scores"));
        QVERIFY(box.shownText().contains(QStringLiteral("…")) && box.shownText().startsWith(QStringLiteral("no")));
    }

    void everyChoiceOfTheWindowSaysItsNameWhole()
    {
        for (const QComboBox *box : m_window->findChildren<QComboBox *>()) {
            QVERIFY2(qobject_cast<const widgets::ChoiceBox *>(box), qPrintable(box->accessibleName()));
            QVERIFY2(box->toolTip().contains(box->currentText()), qPrintable(box->accessibleName()));
        }
    }

    void aLongNameOfATeacherWidensNothing()
    {
        widgets::ElidedLabel *name = widgets::nameHeading(widgets::HeadingLevel::Page, m_window.get());
        name->setText(QStringLiteral("a teacher with a name as long as the path of the folder that it was found in "));
        QVERIFY(name->font().bold());
        QVERIFY(name->minimumSizeHint().width() < name->sizeHint().width() / 2);
        name->resize(name->minimumSizeHint());
        name->grab();
        QCOMPARE(name->toolTip(), name->text());
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(LookTest)
#include "look.moc"
