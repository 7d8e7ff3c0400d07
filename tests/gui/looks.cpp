// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"
#include "madeup.h"
#include "mainwindow.h"

#include "models/session.h"
#include "pages/comparepage.h"
#include "pages/runspage.h"
#include "store/lines.h"
#include "views/controlstyle.h"
#include "views/theme.h"

#include <QApplication>
#include <QDir>
#include <QFontInfo>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdlib>

using namespace stillroom;
using widgets::Theme;

namespace {

constexpr int storedWidth = 360, windowWidth = 1280, windowHeight = 800;
/// Letters are drawn a little differently by every version of the font engine: spread over a block that is little; a button that is missing, or a page that is empty, is much.
constexpr int blockSide = 12;
constexpr double mostOfBlock = 24.0, mostOfAll = 3.0;      // mean difference of a channel, of 255
const char *const rewriteSwitch = "STILLROOM_REWRITE_LOOKS";

QImage reduced(const QImage &picture)
{
    return picture.convertToFormat(QImage::Format_RGB32).scaledToWidth(storedWidth, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
}

int distance(QRgb a, QRgb b) { return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b)); }

struct Difference {
    double all = 0.0, worstBlock = 0.0;      ///< mean of a channel
    QPoint where;                            ///< of the worst block, in the small picture
    [[nodiscard]] bool isTooMuch() const { return all > mostOfAll || worstBlock > mostOfBlock; }
};

Difference compare(const QImage &a, const QImage &b)
{
    if (a.size() != b.size())
        return {255.0, 255.0, {}};
    Difference found;
    double sum = 0.0;
    for (int top = 0; top < a.height(); top += blockSide)
        for (int left = 0; left < a.width(); left += blockSide) {
            double block = 0.0;
            const int bottom = std::min(top + blockSide, a.height()), right = std::min(left + blockSide, a.width());
            for (int y = top; y < bottom; ++y)
                for (int x = left; x < right; ++x)
                    block += distance(a.pixel(x, y), b.pixel(x, y)) / 3.0;
            sum += block;
            block /= (bottom - top) * (right - left);
            if (block > found.worstBlock) {
                found.worstBlock = block;
                found.where = {left, top};
            }
        }
    found.all = sum / (static_cast<double>(a.width()) * a.height());
    return found;
}

/// Grey where both agree, red where they do not.
QImage apartOf(const QImage &a, const QImage &b)
{
    QImage picture(a.size(), QImage::Format_RGB32);
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb other = b.rect().contains(x, y) ? b.pixel(x, y) : qRgb(0, 0, 0);
            const int apart = std::min(255, distance(a.pixel(x, y), other)), grey = 128 + qGray(a.pixel(x, y)) / 2;
            picture.setPixel(x, y, qRgb(std::max(grey, apart), grey * (255 - apart) / 255, grey * (255 - apart) / 255));
        }
    return picture;
}

}  // namespace

/// Every page as it is drawn, beside small stored pictures of it. STILLROOM_REWRITE_LOOKS=1 makes those anew.
class LooksTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("looks"));
        QSettings().clear();
        QLocale::setDefault(QLocale::c());
        const QFont font(QStringLiteral("DejaVu Sans"), 9);
        if (QFontInfo(font).family() != QLatin1String("DejaVu Sans"))
            QSKIP("the font of the stored pictures is not on this machine");
        QApplication::setFont(font);
        QApplication::setCursorFlashTime(0);
        widgets::useControlStyle();
        open();
    }
    void cleanupTestCase()
    {
        m_window.reset();
        m_session.reset();
        widgets::applyTheme(Theme::System);
    }

    void littleIsNothingAndAMissingButtonIsSomething()
    {
        const QImage as = reduced(pictureOf(layersRow));
        QVERIFY(!compare(as, as).isTooMuch());
        QImage slightly = as;
        for (int y = 0; y < slightly.height(); ++y)
            for (int x = 0; x < slightly.width(); ++x)
                slightly.setPixel(x, y, QColor(as.pixel(x, y)).darker(101).rgb());
        QVERIFY(!compare(as, slightly).isTooMuch());
        QImage whole = pictureOf(layersRow);
        QPainter(&whole).fillRect(QRectF(600, 300, 90, 26), Qt::black);      // the size of a button
        QVERIFY(compare(as, reduced(whole)).isTooMuch());
        QImage moved(as.size(), as.format());
        moved.fill(as.pixel(as.width() - 1, as.height() / 2));
        QPainter(&moved).drawImage(0, 8, as);
        QVERIFY(compare(as, moved).isTooMuch());
        QVERIFY(compare(as, as.copy(0, 0, as.width(), as.height() - 1)).isTooMuch());
        QVERIFY(compare(as, reduced(pictureOf(layersRow + 1))).isTooMuch());
    }

    void everyPageLooksAsItDid_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<bool>("dark");
        const bool twice = isTwice();
        for (int row = 0; row < pages()->count(); ++row)
            for (const bool dark : {false, true})
                if (!(twice && dark))
                    QTest::newRow(qPrintable(fileName(row, dark))) << row << dark;
    }
    void everyPageLooksAsItDid()
    {
        QFETCH(const int, row);
        QFETCH(const bool, dark);
        widgets::applyTheme(dark ? Theme::Dark : Theme::Light);
        const QString name = fileName(row, dark), stored = QDir(QStringLiteral(STILLROOM_LOOKS)).filePath(name);
        if (qEnvironmentVariableIsSet(rewriteSwitch)) {
            QVERIFY(reduced(pictureOf(row)).save(stored, "PNG", 0));
            return;
        }
        const QImage then = QImage(stored).convertToFormat(QImage::Format_RGB32);
        QVERIFY2(!then.isNull(), qPrintable(stored));
        QImage now;
        Difference difference;
        const bool same = QTest::qWaitFor(
            [&] {
                now = reduced(pictureOf(row));
                difference = compare(then, now);
                return !difference.isTooMuch();
            },
            patienceMs);
        if (same)
            return;
        const QDir out(QStringLiteral(STILLROOM_LOOKS_OUT));
        QVERIFY(out.mkpath(QStringLiteral(".")));
        const QString fresh = out.filePath(name), apart = out.filePath(QStringLiteral("difference-") + name);
        QVERIFY(now.save(fresh) && apartOf(then, now).save(apart));
        QFAIL(qPrintable(QStringLiteral("%1 does not look as it did: %2 on the whole, %3 around (%4, %5). Now: %6. Difference: %7. If it shall look so: %8=1")
                             .arg(name).arg(difference.all, 0, 'f', 2).arg(difference.worstBlock, 0, 'f', 1).arg(difference.where.x()).arg(difference.where.y()).arg(fresh, apart, QLatin1String(rewriteSwitch))));
    }

private:
    static constexpr int layersRow = 1;
    static constexpr int patienceMs = 10000;      ///< what is read and drawn in the background takes longer on a busy machine
    void open()
    {
        const std::filesystem::path workspace = (m_folder.path() + QStringLiteral("/workspace")).toStdString();
        test::fillWorkspace(workspace);
        m_session = std::make_unique<widgets::Session>(workspace, [madeUp = std::make_shared<test::MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->resize(windowWidth, windowHeight);
        m_window->show();
        auto *runs = m_window->findChild<widgets::RunsPage *>();
        QTRY_COMPARE(runs->experiments().size(), std::size_t{7});
        const QSignalSpy read(m_session.get(), &widgets::Session::storedRead);
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(!read.isEmpty());
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(m_session->calibrations().report());
        m_session->choice().setKeep(2);
        m_session->selection().select(1);
        std::vector<store::ExperimentRow> chosen;
        for (const int number : {10, 11, 13})
            for (const store::ExperimentRow &row : runs->experiments())
                if (row.uuid == runName(number))
                    chosen.push_back(row);
        m_window->findChild<widgets::ComparePage *>()->compare(chosen);
        QTest::qWait(300);      // what is read of the runs
    }
    [[nodiscard]] QImage pictureOf(int row)
    {
        pages()->setCurrentRow(row);
        if (QWidget *focus = QApplication::focusWidget())
            focus->clearFocus();      // a ring is where the last test left it
        QTest::qWait(150);
        return m_window->grab().toImage();
    }
    [[nodiscard]] static bool isTwice() { return qApp->devicePixelRatio() > 1.5; }
    [[nodiscard]] QString fileName(int row, bool dark) const
    {
        return QStringLiteral("%1-%2%3.png").arg(pages()->item(row)->data(Qt::UserRole).toString(), dark ? QStringLiteral("dark") : QStringLiteral("light"), isTwice() ? QStringLiteral("-2x") : QString());
    }
    [[nodiscard]] QListWidget *pages() const { return m_window->findChild<QListWidget *>(); }

    QTemporaryDir m_folder;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

int main(int argc, char **argv)
{
    qputenv("TZ", "UTC");
    QTEST_SET_MAIN_SOURCE_PATH
    QApplication application(argc, argv);
    LooksTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "looks.moc"
