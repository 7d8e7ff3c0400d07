// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowtest.h"

#include "mainwindow.h"
#include "models/session.h"
#include "views/keyaction.h"
#include "views/messageline.h"

#include <QAction>
#include <QCoreApplication>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <utility>

namespace stillroom::test {
namespace {

void collect(const QList<QAction *> &actions, const QString &text, QAction *&found)
{
    for (QAction *action : actions)
        if (action->menu())
            collect(action->menu()->actions(), text, found);
        else if (widgets::plainText(*action) == text)
            found = action;
}

}  // namespace

WindowTest::WindowTest() = default;
WindowTest::~WindowTest() = default;

void WindowTest::nameProgram(const QString &name)
{
    QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
    QCoreApplication::setApplicationName(name);
}

void WindowTest::begin()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard)).*")));
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_madeUp = std::make_shared<MadeUp>();
}

void WindowTest::end()
{
    m_window.reset();
    m_session.reset();
}

void WindowTest::openWindow()
{
    openWindow([madeUp = m_madeUp](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); }, {{"steps", 4}});
}

void WindowTest::openWindow(jobs::Procedure perform, const nlohmann::json &demo)
{
    m_session = std::make_unique<widgets::Session>(workspace(), std::move(perform));
    m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{demo, demo});
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void WindowTest::openDemo()
{
    m_session->openTeacher(QStringLiteral("demo"));
    QTRY_VERIFY(m_session->teacher().isValid());
    QTRY_VERIFY(!m_session->job().isRunning());
}

void WindowTest::openTeacher(const QString &argument)
{
    QSignalSpy read(m_session.get(), &widgets::Session::storedRead);
    m_session->openTeacher(argument);
    QTRY_COMPARE(m_session->teacher().argument, argument);
    QTRY_VERIFY(!m_session->job().isRunning());
    QTRY_VERIFY(!read.isEmpty());
}

QAction *WindowTest::menuAction(const QString &text) const
{
    QAction *found = nullptr;
    collect(m_window->menuBar()->actions(), text, found);
    if (!found)
        qFatal("no action %s", qPrintable(text));
    return found;
}

QListWidget *WindowTest::pages() const { return m_window->findChild<QListWidget *>(); }

bool WindowTest::says(const QString &part) const
{
    for (const widgets::MessageLine *line : m_window->findChildren<widgets::MessageLine *>())
        if (line->isVisible() && line->text().contains(part))
            return true;
    return false;
}

std::filesystem::path WindowTest::workspace() const { return (m_folder->path() + QStringLiteral("/workspace")).toStdString(); }

}  // namespace stillroom::test
