// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/newexperiment.h"
#include "madeup.h"
#include "mainwindow.h"

#include "models/modelopening.h"
#include "models/session.h"
#include "views/messageline.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>

using namespace stillroom;
using test::MadeUp;

/// Things dropped on the window, on their way through its native window as a file browser's would come.
class DropsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("drops"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise)\\(\\)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("model.json")));      // a folder, whatever its name
        m_madeUp = std::make_shared<MadeUp>();
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString() + "/workspace", [madeUp = m_madeUp](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
    }

    void aModelIsOpened_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("folder") << "model.json";
        QTest::newRow("GGUF") << "model.gguf";
        QTest::newRow("of another alphabet") << QStringLiteral("モデル %20 “1”.gguf");
    }
    void aModelIsOpened()
    {
        QFETCH(const QString, name);
        const QString path = m_folder->filePath(name);
        QVERIFY(drop({QUrl::fromLocalFile(path)}));
        QTRY_COMPARE(m_session->teacher().argument, path);
        QCOMPARE(pageList()->currentRow(), 0);
        QVERIFY(!m_window->findChild<widgets::NewExperiment *>());
    }

    void aSpecIsLaidIntoANewExperiment()
    {
        const QString path = m_folder->filePath(QStringLiteral("spec.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"({"kind": "score", "teacher": "demo", "mixer": {"kind": "gla"}, "seed": 7})") > 0);
        file.close();
        QVERIFY(drop({QUrl::fromLocalFile(path)}));
        const auto *dialog = m_window->findChild<widgets::NewExperiment *>();
        QVERIFY(dialog && dialog->isVisible());
        QTRY_VERIFY(dialog->findChild<QPlainTextEdit *>()->toPlainText().contains(QStringLiteral("gla")));
        QVERIFY(!m_session->opening().isUnderWay());
        QCOMPARE(m_session->teacher().argument, QStringLiteral("demo"));
    }

    void whatIsNoModelIsSaidInThePage()
    {
        m_madeUp->failNext = true;                                       // as the reader of models says
        QVERIFY(drop({QUrl::fromLocalFile(m_folder->filePath(QStringLiteral("holiday.png")))}));
        QTRY_COMPARE(said(), QStringLiteral("there is no model there"));
        QCOMPARE(m_session->teacher().argument, QStringLiteral("demo"));
    }

    void severalAtOnceAreRefusedInWords()
    {
        QVERIFY(drop({QUrl::fromLocalFile(m_folder->filePath(QStringLiteral("a.gguf"))), QUrl::fromLocalFile(m_folder->filePath(QStringLiteral("b.gguf")))}));
        QCOMPARE(said(), QStringLiteral("Drop one model or one spec at a time."));
        QVERIFY(!m_session->opening().isUnderWay());
    }

    void whatIsFarAwayIsRefusedInWords()
    {
        QVERIFY(drop({QUrl(QStringLiteral("https://example.org/model.gguf"))}));
        QVERIFY2(said().startsWith(QStringLiteral("“https://example.org/model.gguf” is not on this computer")), qPrintable(said()));
        QVERIFY(!m_session->opening().isUnderWay());
        QVERIFY(drop({QUrl(QStringLiteral("https://example.org/") + QString(5000, QLatin1Char('a')))}));
        QVERIFY2(said().size() < 250, qPrintable(said()));
    }

    void textIsNotTaken()
    {
        QMimeData data;
        data.setText(QStringLiteral("some words"));
        QVERIFY(!drop(data, m_window->rect().center()));
        QVERIFY(said().isEmpty());
    }

    /// Wherever it is let fall, fields included: none of them takes a file for its name.
    void anywhereInTheWindowWillDo()
    {
        for (int page = 0; page < pageList()->count(); ++page) {
            pageList()->setCurrentRow(page);
            QTest::qWait(0);
            std::vector<QWidget *> places{pageList()};
            for (QWidget *one : m_window->findChildren<QWidget *>())
                if (one->isVisible() && one->acceptDrops())
                    places.push_back(one);
            for (QWidget *place : places) {
                pageList()->setCurrentRow(page);
                const QPoint at = place->mapTo(m_window.get(), place->rect().center());
                if (!m_window->rect().contains(at))
                    continue;
                const QString path = m_folder->filePath(QStringLiteral("model-%1-%2.gguf").arg(page).arg(m_numDropped++));
                QMimeData data;
                data.setUrls({QUrl::fromLocalFile(path)});
                QVERIFY2(drop(data, at), place->metaObject()->className());
                QTRY_COMPARE(m_session->teacher().argument, path);
                if (const auto *field = qobject_cast<QLineEdit *>(place))
                    QVERIFY2(!field->text().contains(QStringLiteral("model-")), qPrintable(field->text()));
            }
        }
        QVERIFY(m_numDropped > 8);
    }

private:
    /// \return whether it was taken
    bool drop(const QList<QUrl> &urls)
    {
        QMimeData data;
        data.setUrls(urls);
        return drop(data, m_window->rect().center());
    }
    bool drop(const QMimeData &data, QPoint at)
    {
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window->windowHandle(), &enter);
        if (!enter.isAccepted())
            return false;
        QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window->windowHandle(), &event);
        return event.isAccepted();
    }
    [[nodiscard]] QListWidget *pageList() const
    {
        for (QListWidget *one : m_window->findChildren<QListWidget *>())
            if (one->accessibleName() == QStringLiteral("Pages"))
                return one;
        return nullptr;
    }
    /// The problem that is shown; empty for none.
    [[nodiscard]] QString said() const
    {
        for (const QLabel *one : m_window->findChildren<QLabel *>())
            if (one->accessibleName() == QStringLiteral("Problem") && one->isVisible())
                return one->text();
        return {};
    }

    int m_numDropped = 0;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MadeUp> m_madeUp;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(DropsTest)
#include "drops.moc"
