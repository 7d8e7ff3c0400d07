// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"
#include "madeup.h"
#include "mainwindow.h"

#include "models/session.h"
#include "pages/comparepage.h"
#include "pages/runspage.h"
#include "views/controlstyle.h"
#include "views/palette.h"
#include "views/theme.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QProcess>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace stillroom;
using widgets::Theme;

namespace {

constexpr int iconPixels = 16;
constexpr double graphicsContrast = 3.0;      // WCAG 2, level AA
constexpr int fewestPixels = 12;              // of an icon that stand out
const QSize windowSize(1400, 900);

struct Icon {
    QIcon icon;
    QColor ground;
    QString name;
};

/// How many pixels of an icon stand out from its ground.
int standingPixels(const Icon &one)
{
    QImage picture(iconPixels, iconPixels, QImage::Format_ARGB32_Premultiplied);
    picture.fill(one.ground);
    QPainter painter(&picture);
    one.icon.paint(&painter, picture.rect());
    painter.end();
    int standing = 0;
    for (int y = 0; y < iconPixels; ++y)
        for (int x = 0; x < iconPixels; ++x)
            standing += widgets::contrast(picture.pixelColor(x, y), one.ground) >= graphicsContrast ? 1 : 0;
    return standing;
}

/// What a control needs to be whole; invalid for what gives way by its nature (and says the rest in a tip), or is no control.
QSize needed(const QWidget &widget)
{
    if (const auto *label = qobject_cast<const QLabel *>(&widget)) {
        if (label->text().isEmpty() || label->inherits("stillroom::widgets::ElidedLabel"))
            return {};
        return label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
    }
    if (qobject_cast<const QAbstractButton *>(&widget))
        return widget.minimumSizeHint();
    if (const auto *box = qobject_cast<const QComboBox *>(&widget))
        return box->minimumSizeHint();
    return qobject_cast<const QAbstractSpinBox *>(&widget) ? widget.minimumSizeHint() : QSize();
}

QString described(const QWidget &widget, QSize wanted)
{
    return QStringLiteral("%1 “%2” has %3 × %4 and needs %5 × %6")
        .arg(QString::fromLatin1(widget.metaObject()->className()), widget.property("text").toString() + widget.accessibleName())
        .arg(widget.width()).arg(widget.height()).arg(wanted.width()).arg(wanted.height());
}

}  // namespace

/// Icons at their smallest, and every control of every page at every scale of a screen.
class ScalingTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("scaling"));
        QSettings().clear();
        widgets::useControlStyle();
        open();
    }
    void cleanupTestCase()
    {
        m_window.reset();
        m_session.reset();
        widgets::applyTheme(Theme::System);
    }

    void everyIconStandsOut_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(Theme::Light);
        QTest::newRow("dark") << static_cast<int>(Theme::Dark);
    }
    void everyIconStandsOut()
    {
        QFETCH(const int, theme);
        widgets::applyTheme(static_cast<Theme>(theme));
        QTest::qWait(50);
        const std::vector<Icon> all = icons();
        QVERIFY2(all.size() >= 8, qPrintable(QString::number(all.size())));      // the pages, selected or not, and the buttons of docks
        for (const Icon &one : all) {
            QVERIFY2(!one.icon.pixmap(iconPixels, iconPixels).isNull(), qPrintable(one.name));
            QVERIFY2(standingPixels(one) >= fewestPixels, qPrintable(QStringLiteral("%1: %2 pixels").arg(one.name).arg(standingPixels(one))));
        }
    }

    /// At the scale of this process; of others by atEveryScale.
    void noControlIsCut()
    {
        const double asked = qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1")).toDouble();
        QCOMPARE(m_window->devicePixelRatioF(), asked);
        QStringList cut;
        for (int row = 0; row < pages()->count(); ++row) {
            pages()->setCurrentRow(row);
            QTest::qWait(100);
            addCut(cut);
            for (QTabWidget *tabs : m_window->findChildren<QTabWidget *>())
                for (int tab = 1; tabs->isVisible() && tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QTest::qWait(50);
                    addCut(cut);
                }
        }
        QCOMPARE(m_window->size(), windowSize);
        cut.removeDuplicates();
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
        QVERIFY2(m_looked.size() > 100, qPrintable(QString::number(m_looked.size())));
    }

    void oneThatIsCutIsFound()
    {
        pages()->setCurrentRow(1);
        QTest::qWait(50);
        QAbstractButton *victim = nullptr;
        for (auto *one : m_window->findChildren<QAbstractButton *>())
            if (one->isVisible() && one->text().contains(QStringLiteral("Distil")))
                victim = one;
        QVERIFY(victim);
        const QSize whole = victim->size();
        victim->resize(whole.width() / 2, whole.height());
        QStringList cut;
        addCut(cut);
        victim->resize(whole);
        QVERIFY2(cut.size() == 1 && cut.front().contains(QStringLiteral("Distil")), qPrintable(cut.join(QLatin1Char('\n'))));
    }

    void atEveryScale_data()
    {
        QTest::addColumn<QString>("factor");
        for (const char *factor : {"1.25", "1.5", "1.75", "2"})
            QTest::newRow(factor) << QString::fromLatin1(factor);
    }
    void atEveryScale()
    {
        QFETCH(const QString, factor);
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), factor);
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::MergedChannels);
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("noControlIsCut")});
        QVERIFY(child.waitForFinished(60'000));
        QVERIFY2(child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0, child.readAll().constData());
    }

private:
    void open()
    {
        const std::filesystem::path workspace = (m_folder.path() + QStringLiteral("/workspace")).toStdString();
        test::fillWorkspace(workspace);
        m_session = std::make_unique<widgets::Session>(workspace, [madeUp = std::make_shared<test::MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->resize(windowSize);
        m_window->show();
        auto *runs = m_window->findChild<widgets::RunsPage *>();
        QTRY_COMPARE(runs->experiments().size(), std::size_t{7});
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->calibrations().report());
        m_session->choice().setKeep(2);
        m_session->selection().select(1);
        m_window->findChild<widgets::ComparePage *>()->compare({runs->experiments().at(0), runs->experiments().at(1)});
        m_window->findChild<QDockWidget *>(QStringLiteral("jobs"))->show();
        QTest::qWait(300);      // what is read of the runs
    }
    void addCut(QStringList &cut)
    {
        for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
            const bool qts = QString::fromLatin1(widget->metaObject()->className()).startsWith(QLatin1String("QDockWidget")) || widget->objectName().startsWith(QLatin1String("qt_"));
            const QSize wanted = widget->isVisible() && !qts ? needed(*widget) : QSize();
            if (wanted.isValid())
                m_looked.insert(widget);
            if (wanted.isValid() && (widget->width() < wanted.width() || widget->height() < wanted.height()))
                cut << described(*widget, wanted);
        }
    }
    [[nodiscard]] std::vector<Icon> icons() const
    {
        std::vector<Icon> all;
        const QPalette colours = m_window->palette();
        for (int row = 0; row < pages()->count(); ++row) {
            all.push_back({pages()->item(row)->icon(), colours.color(QPalette::Window), pages()->item(row)->text()});
            QIcon selected;
            selected.addPixmap(pages()->item(row)->icon().pixmap(iconPixels, iconPixels, QIcon::Selected));
            all.push_back({selected, colours.color(QPalette::Highlight), pages()->item(row)->text() + QStringLiteral(", selected")});
        }
        for (const auto *button : m_window->findChildren<QAbstractButton *>())
            if (button->isVisible() && !button->icon().isNull())
                all.push_back({button->icon(), button->palette().color(button->backgroundRole()), button->accessibleName() + button->objectName()});
        for (const auto *action : m_window->findChildren<QAction *>())
            if (!action->icon().isNull())
                all.push_back({action->icon(), colours.color(QPalette::Window), action->text() + action->objectName()});
        return all;
    }
    [[nodiscard]] QListWidget *pages() const
    {
        for (QListWidget *one : m_window->findChildren<QListWidget *>())
            if (one->accessibleName() == QStringLiteral("Pages"))
                return one;
        return nullptr;
    }

    QSet<const QWidget *> m_looked;
    QTemporaryDir m_folder;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(ScalingTest)
#include "scaling.moc"
