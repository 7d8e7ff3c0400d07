// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/exportdialog.h"

#include "error.h"
#include "plots/figurewriter.h"
#include "views/choicebox.h"
#include "views/figuresheet.h"
#include "views/messageline.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr double pointsPerInch = 72.0;      // as PDF counts them
constexpr double shownDpi = 96.0;      // of a screen whose scale is 1
const QString figuresFile = QStringLiteral("figures.json");

/// A new account may have no folder of documents yet.
QString usualFolder()
{
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}

QString exportKey(const char *name)
{
    return QStringLiteral("export/") + QString::fromLatin1(name);
}

QDoubleSpinBox *numberBox(QWidget *parent, double minimum, double maximum, double step, int decimals)
{
    auto *box = new QDoubleSpinBox(parent);
    box->setRange(minimum, maximum);
    box->setSingleStep(step);
    box->setDecimals(decimals);
    return box;
}

/// What a document says to have the files in it, a line each, with the packages that it wants; empty where none of them is for LaTeX. English, as the files are.
QString latexLines(const report::FigureSpec &figure)
{
    struct Inclusion {
        const char *format, *command, *ending, *wants;
    };
    const Inclusion all[] = {{"pdf", "\\includegraphics", ".pdf", "\\usepackage{graphicx}"},
                             {"tikz", "\\input", ".tikz.tex", "\\usepackage{pgfplots,standalone} and the libraries that its first line names"},
                             {"latex", "\\input", ".tex", "\\usepackage{booktabs,siunitx}"}};
    QString lines;
    for (const Inclusion &one : all)
        if (std::find(figure.formats.begin(), figure.formats.end(), one.format) != figure.formats.end())
            lines += QStringLiteral("%1{%2%3}      % %4\n").arg(QLatin1String(one.command), QString::fromStdString(report::stemOf(figure)), QLatin1String(one.ending), QLatin1String(one.wants));
    return lines;
}

void choose(QComboBox &box, const QVariant &data)
{
    box.setCurrentIndex(std::max(0, box.findData(data)));
}

}  // namespace

ExportDialog::ExportDialog(const PlotView &plot, const std::string &teacher, const std::string &version, QWidget *parent)
    : QDialog(parent), m_plot(plot), m_whole(plot.spec()), m_version(version), m_buttons(new QDialogButtonBox(QDialogButtonBox::Close, this))
{
    setWindowTitle(tr("Export: %1").arg(plot.accessibleName()));
    m_whole.teacher = teacher;
    auto *sides = new QHBoxLayout(this);
    sides->setSpacing(16);
    m_sheet = new FigureSheet(this);
    auto *desk = new QScrollArea(this);
    desk->setFrameShape(QFrame::NoFrame);
    desk->setAlignment(Qt::AlignCenter);
    desk->setBackgroundRole(QPalette::Mid);
    desk->setWidget(m_sheet);
    desk->setFocusPolicy(Qt::NoFocus);
    desk->setMinimumSize(fontMetrics().averageCharWidth() * 62, fontMetrics().height() * 18);
    sides->addWidget(desk, 1);
    sides->addWidget(makeForm());
    m_previewing.setSingleShot(true);
    m_previewing.setInterval(0);
    connect(&m_previewing, &QTimer::timeout, this, &ExportDialog::refreshPreview);
    refreshPreview();
    refresh();
}

ExportDialog::~ExportDialog() = default;

QWidget *ExportDialog::makeForm()
{
    auto *side = new QWidget(this);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto *form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addLook(*form);
    addFiles(*form);
    m_problem = new MessageLine(MessageLine::Kind::Problem, side);
    m_written = new MessageLine(MessageLine::Kind::Notice, side);
    connect(m_problem, &MessageLine::nextStepRequested, this, &ExportDialog::takeNextStep);
    m_written->setDismissLabel({});      // its place is the next step's
    connect(m_written, &MessageLine::nextStepRequested, this, [this] {
        QGuiApplication::clipboard()->setText(m_latex);
        m_written->showText(tr("Copied: the lines that include them in a document."));
    });
    QPushButton *writing = m_buttons->addButton(tr("&Export"), QDialogButtonBox::ActionRole);
    writing->setDefault(true);
    connect(writing, &QPushButton::clicked, this, &ExportDialog::exportFigure);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addLayout(form);
    column->addWidget(m_problem);
    column->addWidget(m_written);
    column->addStretch(1);
    column->addWidget(m_buttons);
    return side;
}

void ExportDialog::addLook(QFormLayout &form)
{
    const QSettings settings;
    m_venue = new ChoiceBox(this);
    for (const report::Venue &venue : report::venues())
        m_venue->addItem(QString::fromStdString(venue.name), QString::fromStdString(venue.key));
    choose(*m_venue, settings.value(exportKey("venue"), QStringLiteral("icml")));
    m_width = new ChoiceBox(this);
    m_width->addItem(tr("one column"), QStringLiteral("column"));
    m_width->addItem(tr("the whole text"), QStringLiteral("text"));
    m_width->addItem(tr("another width"), QString());
    choose(*m_width, settings.value(exportKey("width"), QStringLiteral("column")));
    m_inches = numberBox(this, report::leastInches, report::mostInches, 0.05, 3);
    m_inches->setSuffix(tr(" in"));
    m_inches->setAccessibleName(tr("Width in inches"));
    m_inches->setValue(settings.value(exportKey("inches"), 3.25).toDouble());
    m_ratio = numberBox(this, 0.1, 3.0, 0.05, 3);
    m_ratio->setToolTip(tr("Height of width; 0.618 is the golden section"));
    m_ratio->setValue(settings.value(exportKey("ratio"), report::usualRatio).toDouble());
    m_font = new ChoiceBox(this);
    m_font->letGiveWay(20);
    m_font->addItem(tr("the program's"), QString());
    for (const QString &family : QFontDatabase::families())
        if (QFontDatabase::isSmoothlyScalable(family) && !QFontDatabase::isPrivateFamily(family))
            m_font->addItem(family, family);
    choose(*m_font, settings.value(exportKey("font"), QString()));
    m_theme = new ChoiceBox(this);
    m_theme->addItem(tr("lines behind the data"), QStringLiteral("grid"));
    m_theme->addItem(tr("lines along the axes"), QStringLiteral("axes"));
    choose(*m_theme, settings.value(exportKey("theme"), QStringLiteral("grid")));
    form.addRow(tr("&Venue:"), m_venue);
    form.addRow(tr("&Width:"), m_width);
    form.addRow(QString(), m_inches);
    form.addRow(tr("&Height of width:"), m_ratio);
    m_size = new QLabel(this);
    m_size->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_size->setAccessibleName(tr("Size on paper"));
    form.addRow(tr("Size:"), m_size);
    form.addRow(tr("Fo&nt:"), m_font);
    form.addRow(tr("&Look:"), m_theme);
    for (QComboBox *box : {m_venue, m_width, m_font, m_theme})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    for (QDoubleSpinBox *box : {m_inches, m_ratio})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
}

void ExportDialog::addFiles(QFormLayout &form)
{
    const QSettings settings;
    const QStringList chosen = settings.value(exportKey("formats"), QStringList{QStringLiteral("pdf"), QStringLiteral("csv")}).toStringList();
    const std::pair<QString, QString> shown[] = {{tr("&PDF"), tr("Vectors, for LaTeX")}, {tr("&SVG"), tr("Vectors, for the web and for editing")}, {tr("PN&G"), tr("Pixels, with the true size")},
                                                 {tr("&TikZ"), tr("A pgfplots document and its numbers")}, {tr("&CSV"), tr("Its numbers, for scripts and spreadsheets")},
                                                 {tr("LaTe&X table"), tr("Its numbers, with booktabs and siunitx")}, {tr("&Markdown"), tr("Its numbers, for notes")}};
    auto *grid = new QGridLayout;
    for (std::size_t i = 0; i < report::formatNames().size(); ++i) {
        auto *box = new QCheckBox(shown[i].first, this);
        box->setToolTip(shown[i].second);
        box->setChecked(chosen.contains(QString::fromStdString(report::formatNames()[i])));
        connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
        grid->addWidget(box, static_cast<int>(i) / 3, static_cast<int>(i) % 3);
        m_formats.push_back(box);
    }
    m_dpi = new ChoiceBox(this);
    for (const int dpi : {300, 600})
        m_dpi->addItem(tr("%1 dots per inch").arg(dpi), dpi);
    choose(*m_dpi, settings.value(exportKey("dpi"), 300));
    m_folder = new QLineEdit(settings.value(exportKey("folder"), usualFolder()).toString(), this);
    auto *browse = new QPushButton(tr("&Browse…"), this);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    auto *folderRow = new QHBoxLayout;
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(browse);
    m_file = new QLineEdit(QString::fromStdString(report::stemOf(m_whole)), this);
    m_file->setToolTip(tr("Without an ending: every format adds its own"));
    m_addToFigures = new QCheckBox(tr("&also add to figures.json"), this);
    m_addToFigures->setToolTip(tr("In the same folder: stillroom --figures makes all its figures again when runs change"));
    m_addToFigures->setChecked(settings.value(exportKey("addToFigures"), false).toBool());
    form.addRow(tr("Formats:"), grid);
    form.addRow(tr("PNG at:"), m_dpi);
    auto *folderLabel = new QLabel(tr("F&older:"), this);
    folderLabel->setBuddy(m_folder);
    m_folder->setAccessibleName(tr("Folder"));
    form.addRow(folderLabel, folderRow);
    form.addRow(tr("&File name:"), m_file);
    form.addRow(QString(), m_addToFigures);
    for (QLineEdit *edit : {m_folder, m_file})
        connect(edit, &QLineEdit::textChanged, this, &ExportDialog::refresh);
}

report::FigureSpec ExportDialog::spec() const
{
    report::FigureSpec spec = m_whole;
    spec.venue = m_venue->currentData().toString().toStdString();
    const QString width = m_width->currentData().toString();
    spec.width = width.isEmpty() ? report::exactText(m_inches->value()) : width.toStdString();
    spec.ratio = m_ratio->value();
    spec.font = m_font->currentData().toString().toStdString();
    spec.theme = m_theme->currentData().toString().toStdString();
    spec.formats.clear();
    for (std::size_t i = 0; i < m_formats.size(); ++i)
        if (m_formats[i]->isChecked())
            spec.formats.push_back(report::formatNames()[i]);
    spec.dpi = m_dpi->currentData().toInt();
    spec.file = m_file->text().toStdString();
    return spec;
}

QString ExportDialog::folder() const
{
    return m_folder->text().trimmed();
}

/// What is wrong is said at once, and nothing can be written while it is.
void ExportDialog::refresh()
{
    m_problem->setNextStep({});
    m_problem->hide();
    m_inches->setEnabled(m_width->currentData().toString().isEmpty());
    m_dpi->setEnabled(m_formats[2]->isChecked());
    for (QAbstractButton *button : m_buttons->buttons())
        button->setEnabled(true);
    const report::FigureSpec wanted = spec();
    try {
        (void)report::parseFigures(report::figuresText({wanted}), "The figure");
        if (wanted.file.empty())
            refuse(tr("Give the files a name."));
    } catch (const Error &) {
        refuse(wanted.formats.empty() ? tr("Choose at least one format.") : tr("The file name may have letters from A to Z, digits, “-”, “_” and “.”, so that TeX can read it."));
    }
    saySize();
    m_previewing.start();
}

void ExportDialog::saySize()
{
    const report::FigureSpec wanted = spec();
    try {
        const Paper paper = Paper::of(wanted);
        const QLocale locale;
        const auto inches = [&](double value) { return locale.toString(value, 'f', 2); };
        const auto points = [&](double value) { return locale.toString(value * pointsPerInch, 'f', 0); };
        m_size->setText(tr("%1 in × %2 in = %3 × %4 pt").arg(inches(paper.widthInches), inches(paper.heightInches), points(paper.widthInches), points(paper.heightInches)));
    } catch (const Error &) {      // said below
        m_size->setText(QStringLiteral("–"));
    }
}

/// A message needs room that the formats must not give.
void ExportDialog::makeRoom()
{
    layout()->activate();
    const int needed = layout()->hasHeightForWidth() ? layout()->totalMinimumHeightForWidth(width()) : minimumSizeHint().height();
    if (height() < needed)
        resize(width(), needed);
}

void ExportDialog::refuse(const QString &reason)
{
    m_problem->showText(reason);
    makeRoom();
    for (QAbstractButton *button : m_buttons->buttons())
        if (m_buttons->buttonRole(button) == QDialogButtonBox::ActionRole)
            button->setEnabled(false);
}

void ExportDialog::refreshPreview()
{
    const report::FigureSpec wanted = spec();
    try {
        if (m_paper)
            m_paper->putOnPaper(Paper::of(wanted));
        else
            m_paper = onPaper(m_plot, wanted);
        QPixmap figure = QPixmap::fromImage(imageOf(*m_paper, shownDpi * devicePixelRatioF()));
        figure.setDevicePixelRatio(devicePixelRatioF());
        m_sheet->setFigure(figure);
    } catch (const Error &error) {
        refuse(QString::fromStdString(error.what()));
    }
}

void ExportDialog::chooseFolder()
{
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("A folder for the files"), folder());
    if (!chosen.isEmpty())
        m_folder->setText(chosen);
}

QStringList ExportDialog::existingFiles() const
{
    const report::FigureSpec wanted = spec();
    QStringList there;
    for (const std::string &name : report::fileNames(report::stemOf(wanted), wanted.formats))
        if (QFileInfo::exists(QDir(folder()).filePath(QString::fromStdString(name))))
            there << QString::fromStdString(name);
    return there;
}

void ExportDialog::exportFigure()
{
    m_written->hide();
    m_problem->setNextStep({});
    if (!QFileInfo(folder()).isDir())
        return offerFolder();
    const QStringList there = existingFiles();
    if (there.isEmpty())
        return write();
    m_problem->setNextStep(tr("&Replace"));
    m_problem->showText(tr("%n files are there already: %1.", nullptr, static_cast<int>(there.size())).arg(there.join(QStringLiteral(", "))));
    makeRoom();
}

void ExportDialog::offerFolder()
{
    const bool isFree = !folder().isEmpty() && !QFileInfo::exists(folder());
    m_problem->setNextStep(isFree ? tr("&Make it") : QString());
    m_problem->showText(folder().isEmpty() ? tr("Choose a folder for the files.") : isFree ? tr("There is no folder “%1” yet.").arg(folder()) : tr("“%1” is a file: choose a folder.").arg(folder()));
    makeRoom();
}

/// What the problem's button offered: to replace the files that are there, or to make the folder that is not.
void ExportDialog::takeNextStep()
{
    if (QFileInfo(folder()).isDir())
        return write();
    if (QDir().mkpath(folder()))
        return exportFigure();
    m_problem->setNextStep({});
    m_problem->showText(tr("The folder “%1” cannot be made: choose another one.").arg(folder()));
    makeRoom();
}

void ExportDialog::done(int result)
{
    if (!spec().formats.empty())
        remember();
    QDialog::done(result);
}

void ExportDialog::write()
{
    m_problem->setNextStep({});
    m_problem->hide();
    const report::FigureSpec wanted = spec();
    const std::filesystem::path place = folder().toStdString();
    try {
        QStringList names;
        for (const std::filesystem::path &file : writeFigure(m_plot, wanted, place, m_version))
            names << QString::fromStdString(file.filename().string());
        if (m_addToFigures->isChecked()) {
            report::addFigure(place / figuresFile.toStdString(), wanted);
            names << figuresFile;
        }
        remember();
        m_latex = latexLines(wanted);
        m_written->setNextStep(m_latex.isEmpty() ? QString() : tr("Cop&y for LaTeX"));
        m_written->showText(tr("Written: %1.").arg(names.join(QStringLiteral(", "))));
    } catch (const Error &error) {
        m_problem->showText(error.code() == ErrorCode::Io ? tr("The folder “%1” cannot be written: choose another one.").arg(folder()) : QString::fromStdString(error.what()));
    }
    makeRoom();
}

void ExportDialog::remember() const
{
    const report::FigureSpec wanted = spec();
    QStringList formats;
    for (const std::string &format : wanted.formats)
        formats << QString::fromStdString(format);
    QSettings settings;
    settings.setValue(exportKey("venue"), m_venue->currentData());
    settings.setValue(exportKey("width"), m_width->currentData());
    settings.setValue(exportKey("inches"), m_inches->value());
    settings.setValue(exportKey("ratio"), m_ratio->value());
    settings.setValue(exportKey("font"), m_font->currentData());
    settings.setValue(exportKey("theme"), m_theme->currentData());
    settings.setValue(exportKey("formats"), formats);
    settings.setValue(exportKey("dpi"), m_dpi->currentData());
    if (QFileInfo(folder()).isDir())
        settings.setValue(exportKey("folder"), folder());
    settings.setValue(exportKey("addToFigures"), m_addToFigures->isChecked());
}

}  // namespace stillroom::widgets
