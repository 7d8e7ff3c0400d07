// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/plotview.h"
#include "report/figurespec.h"

#include <QDialog>
#include <QTimer>

#include <memory>
#include <string>
#include <vector>

class QCheckBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace stillroom::widgets {

class ChoiceBox;
class FigureSheet;
class MessageLine;

/// A plot on its way into a paper: how it will look, at true size, and which files it becomes. The preview is drawn by what writes the files. Remembers the last
/// answers.
class ExportDialog final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExportDialog)

public:
    /// \param plot  outlives the dialog; has something to show. \param teacher  as specs name it. \param version  of the program
    ExportDialog(const PlotView &plot, const std::string &teacher, const std::string &version, QWidget *parent = nullptr);
    ~ExportDialog() override;
    /// As it is filled in.
    [[nodiscard]] report::FigureSpec spec() const;
    void done(int result) override;

private:
    QWidget *makeForm();
    void addLook(QFormLayout &form);
    void addFiles(QFormLayout &form);
    void refresh();
    void refreshPreview();
    void chooseFolder();
    void exportFigure();
    void offerFolder();
    void takeNextStep();
    void write();
    void saySize();
    void makeRoom();
    void refuse(const QString &reason);
    void remember() const;
    [[nodiscard]] QString folder() const;
    [[nodiscard]] QStringList existingFiles() const;

    const PlotView &m_plot;
    report::FigureSpec m_whole;                  ///< what the plot shows: not asked for here
    std::string m_version;
    std::unique_ptr<PlotView> m_paper;
    QTimer m_previewing;                         ///< gathers changes
    FigureSheet *m_sheet = nullptr;
    ChoiceBox *m_venue = nullptr, *m_width = nullptr, *m_font = nullptr, *m_theme = nullptr, *m_dpi = nullptr;
    QDoubleSpinBox *m_inches = nullptr, *m_ratio = nullptr;
    std::vector<QCheckBox *> m_formats;          ///< in the order of report::formatNames
    QLineEdit *m_folder = nullptr, *m_file = nullptr;
    QCheckBox *m_addToFigures = nullptr;
    QLabel *m_size = nullptr;
    MessageLine *m_problem = nullptr, *m_written = nullptr;
    QString m_latex;                                  ///< what a document says to have in it what was written last
    QDialogButtonBox *m_buttons = nullptr;
};

}  // namespace stillroom::widgets
