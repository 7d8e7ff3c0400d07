// SPDX-License-Identifier: GPL-3.0-or-later
#include "openexperiment.h"

#include "dialogs/specform.h"
#include "error.h"
#include "views/jsonedit.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <utility>

namespace stillroom::test {

using nlohmann::json;
using widgets::JsonEdit, widgets::NewExperiment, widgets::SpecForm;

OpenExperiment::OpenExperiment()
{
    m_offers.list = {{.name = "ga-s2", .help = {}, .trains = true, .fields = {}},
                     {.name = "exhaustive", .help = {}, .trains = true, .fields = {{"set_size", "2"}, {"max_sets", "64"}}},
                     {.name = "beam-search", .help = {}, .fields = {{"beam", R"({"width": 4, "measure": "kl"})"}}}};
    m_offers.state = [](const nlohmann::json &spec, const std::filesystem::path &) {
        if (spec.value("seed", 0) == 13)
            throw Error(ErrorCode::Usage, "The field \"seed\" is 13 but nobody likes that.");
        return widgets::StatedCost{.stageOneTokens = 20'000, .students = 7, .studentTokens = spec.value("steps", 0) * 1000, .isWhole = spec.at("kind") != "inspect"};
    };
    m_offers.time = [this](const nlohmann::json &, const std::filesystem::path &, const std::stop_token &) {
        if (m_slow)
            m_timed.acquire();
        return widgets::TimedCost{90.0, 1 << 30, 1 << 20, false};
    };
}

OpenExperiment::~OpenExperiment() = default;

void OpenExperiment::nameProgram(const QString &name)
{
    QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
    QCoreApplication::setApplicationName(name);
}

void OpenExperiment::begin()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise)\\(\\)).*")));
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    open();
}

void OpenExperiment::end()
{
    m_dialog.reset();
}

void OpenExperiment::open()
{
    m_slow = false;
    NewExperiment::Subject subject;
    subject.teacher = QStringLiteral("demo");
    subject.workspace = m_folder->path().toStdString();
    m_dialog = std::make_unique<NewExperiment>(std::move(subject), m_offers, m_estimates, m_timings);
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
}

SpecForm *OpenExperiment::form() const { return m_dialog->findChild<SpecForm *>(); }

JsonEdit *OpenExperiment::text() const { return m_dialog->findChild<JsonEdit *>(); }

QPushButton *OpenExperiment::runButton() const { return find<QPushButton>(QStringLiteral("&Run")); }

json OpenExperiment::spec() const { return json::parse(text()->toPlainText().toStdString()); }

QComboBox *OpenExperiment::kindBox() const
{
    for (QComboBox *box : m_dialog->findChildren<QComboBox *>())
        if (box->accessibleName() == QStringLiteral("Kind of experiment"))
            return box;
    return nullptr;
}

void OpenExperiment::write(const QString &all) const
{
    text()->selectAll();
    text()->insertPlainText(all);
}

QWidget *OpenExperiment::editor(const char *path) const
{
    if (!form()->goTo(path))
        qFatal("no field %s", path);
    return m_dialog->focusWidget();
}

void OpenExperiment::type(const char *path, const char *keys) const
{
    QWidget *one = editor(path);
    QTest::keyClick(one, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(one, QString::fromUtf8(keys));
}

QString OpenExperiment::shown(const char *path) const
{
    QWidget *one = editor(path);
    if (auto *lines = qobject_cast<QPlainTextEdit *>(one))
        return lines->toPlainText();
    auto *line = qobject_cast<QLineEdit *>(one);
    return (line ? line : one->findChild<QLineEdit *>())->text();
}

QLabel *OpenExperiment::labelNamed(const char *name) const
{
    QLabel *found = nullptr;
    for (QLabel *one : m_dialog->findChildren<QLabel *>())
        if (one->accessibleName() == QString::fromLatin1(name) && (!found || !one->text().isEmpty()))
            found = one;
    return found;
}

QString OpenExperiment::label(const char *name) const { return labelNamed(name) ? labelNamed(name)->text() : QString(); }

}  // namespace stillroom::test
