// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/fieldeditor.h"
#include "models/selectoroffers.h"
#include "models/specdocument.h"

#include <QWidget>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace stillroom::widgets {

class FormSection;

/// A spec as a form, built from the schema of its kind: sections, units, ranges, defaults in grey, objects and stages within it. It shows a document and writes into it.
class SpecForm final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SpecForm)

public:
    /// \param offers  selectors, and which of the fields each of them reads \param mixers  kinds of linear mixers
    SpecForm(SpecDocument &document, const SelectorOffers &offers, QStringList mixers, QWidget *parent = nullptr);
    /// Where the tab key comes from, whenever the form is built anew.
    void setReachedAfter(QWidget *before) { m_reachedAfter = before; }
    /// Opens what the field stands in, and gives it the keyboard. False: the form has no such field.
    bool goTo(const std::string &path);

Q_SIGNALS:
    /// A pipeline wants another stage at its end.
    void stageWanted(const QString &kind);

private:
    struct Row {
        std::string path;
        experiment::Field field;
        nlohmann::json preset;
        FieldEditor *editor;
        QLabel *label, *problem;
        QWidget *whole;
    };
    /// The experiment around a field, a whole spec or a stage of one.
    struct Reader {
        bool scores;
        std::string selector, field;                    ///< the field of that experiment
        bool isInside;                                  ///< of an object that is the field
    };
    [[nodiscard]] Reader readerOf(const std::string &path) const;
    void build();
    /// One in an event: all at once would be felt.
    void openRemembered(int generation);
    void follow(FormSection &section);
    void addKind(const experiment::KindSchema &schema, const std::string &prefix, QVBoxLayout &column);
    void addRows(const std::vector<experiment::Field> &fields, const std::string &prefix, QVBoxLayout &rows);
    void addRow(const experiment::Field &field, const std::string &prefix, QVBoxLayout &rows);
    FormSection *addSection(const QString &title, const QString &tip, std::vector<std::string> paths, const std::vector<experiment::Field> &fields, const std::string &prefix, QVBoxLayout &column);
    void addStages(const std::string &path, QVBoxLayout &column);
    void changeStages(const std::function<void(nlohmann::json &stages)> &change);
    static void tell(const Row &row);                   ///< what it is, in its tool tip
    void edit(const Row &row);
    void refresh();
    void refreshProblems();
    void refreshSections();
    [[nodiscard]] QString outline() const;              ///< kinds and stages: another one needs another form
    [[nodiscard]] const nlohmann::json &parsed(const std::string &text) const;
    [[nodiscard]] nlohmann::json presetOf(const experiment::Field &field, const std::string &path) const;
    [[nodiscard]] Suggestions suggestionsFor(const std::string &path) const;
    [[nodiscard]] bool isRead(const std::string &path) const;      ///< false: by other selectors only
    [[nodiscard]] int numChanged(const std::string &path, const nlohmann::json &essence) const;

    SpecDocument &m_document;
    const SelectorOffers &m_offers;
    QStringList m_mixers;
    bool m_isBuilding = false;
    int m_generation = 0, m_lineHeight = 0, m_labelWidth = 0;
    std::vector<std::string> m_remembered;              ///< first paths of sections that were open, and are to be again
    mutable std::map<std::string, nlohmann::json> m_parsed;      ///< defaults, by their text
    QString m_outline;
    QWidget *m_content = nullptr, *m_reachedAfter = nullptr;
    std::vector<Row> m_rows;
    std::vector<FormSection *> m_sections;
};

}  // namespace stillroom::widgets
