// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/newexperiment.h"
#include "models/background.h"
#include "models/selectoroffers.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <semaphore>

class QComboBox;
class QLabel;
class QPushButton;
class QTemporaryDir;

/// QCOMPARE would take JSON for one of Qt's numbers.
#define COMPARE_JSON(actual, expected) QCOMPARE(stillroom::test::textOf(actual), stillroom::test::textOf(expected))
#define TRY_COMPARE_JSON(actual, expected) QTRY_COMPARE(stillroom::test::textOf(actual), stillroom::test::textOf(expected))

namespace stillroom {

namespace widgets {
class JsonEdit;
class SpecForm;
}

namespace test {

inline QString textOf(const nlohmann::json &value)
{
    return QString::fromStdString(value.dump());
}

/// The dialog of a new experiment with made-up selectors and costs, and how a person writes in it.
class OpenExperiment : public QObject {
protected:
    /// \param name  of the program whose settings it keeps
    static void nameProgram(const QString &name);
    /// Without settings, over an empty workspace; a warning that nobody expects is a failure.
    void begin();
    void end();
    void open();

    [[nodiscard]] widgets::SpecForm *form() const;
    [[nodiscard]] widgets::JsonEdit *text() const;
    [[nodiscard]] QPushButton *runButton() const;
    [[nodiscard]] nlohmann::json spec() const;
    [[nodiscard]] QComboBox *kindBox() const;
    /// As a person writes it: all at once, which is one step.
    void write(const QString &all) const;
    void write(const char *all) const { write(QString::fromUtf8(all)); }
    /// Of the field at that path, which is gone to.
    [[nodiscard]] QWidget *editor(const char *path) const;
    void type(const char *path, const char *keys) const;
    [[nodiscard]] QString shown(const char *path) const;
    [[nodiscard]] QLabel *labelNamed(const char *name) const;
    [[nodiscard]] QString label(const char *name) const;
    template <typename Widget>
    [[nodiscard]] Widget *find(const QString &words, const QWidget *in = nullptr) const
    {
        for (Widget *one : (in ? in : m_dialog.get())->template findChildren<Widget *>())
            if (one->text() == words)
                return one;
        return nullptr;
    }

    widgets::SelectorOffers m_offers;
    std::atomic<bool> m_slow{false};           ///< timing waits for m_timed
    std::counting_semaphore<8> m_timed{0};
    widgets::Background m_estimates, m_timings;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<widgets::NewExperiment> m_dialog;

public:
    OpenExperiment();
    ~OpenExperiment() override;
    Q_DISABLE_COPY_MOVE(OpenExperiment)
};

}  // namespace test
}  // namespace stillroom
