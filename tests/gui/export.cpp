// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "madeup.h"
#include "mainwindow.h"
#include "paperfigures.h"

#include "dialogs/exportdialog.h"
#include "models/session.h"
#include "plots/figurewriter.h"
#include "plots/layerbarplot.h"
#include "plots/rankplot.h"
#include "report/delimited.h"
#include "views/figuresheet.h"
#include "views/messageline.h"
#include "views/theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace stillroom;

namespace {

constexpr double mmPerInch = 25.4, closeMm = 0.1;

report::FigureSpec specFor(const widgets::PlotView &plot, const std::string &venue, const std::string &width)
{
    report::FigureSpec spec = plot.spec();
    spec.venue = venue;
    spec.width = width;
    return spec;
}

QByteArray contents(const QString &file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

/// Width and height of the page, mm.
QSizeF pageOf(const QByteArray &pdf)
{
    static const QRegularExpression box(QStringLiteral(R"(/MediaBox \[([-0-9.]+) ([-0-9.]+) ([-0-9.]+) ([-0-9.]+)\])"));
    const auto match = box.match(QString::fromLatin1(pdf));
    const auto corner = [&](int which) { return match.captured(which).toDouble() / 72.0 * mmPerInch; };
    return {corner(3) - corner(1), corner(4) - corner(2)};
}

/// How many objects the table places where there is none.
int misplacedObjects(const QByteArray &pdf)
{
    const qsizetype start = pdf.lastIndexOf("startxref\n") + 10;
    qsizetype at = pdf.mid(start, pdf.indexOf('\n', start) - start).toLongLong();
    if (pdf.mid(at, 5) != "xref\n")
        return 1000;
    at = pdf.indexOf('\n', pdf.indexOf('\n', at) + 1) + 1;
    int wrong = 0;
    for (int object = 0; pdf.mid(at, 7) != "trailer" && at < pdf.size(); at += 20, ++object)
        if (pdf.at(at + 17) == 'n' && !pdf.mid(pdf.mid(at, 10).toLongLong()).startsWith(QByteArray::number(object) + " 0 obj"))
            ++wrong;
    return wrong;
}

QPushButton *exportButton(const QDialog &dialog)
{
    for (QPushButton *button : dialog.findChildren<QPushButton *>())
        if (button->isDefault())
            return button;
    return nullptr;
}

void clickButton(const QDialog &dialog, QLatin1String text)
{
    for (QPushButton *button : dialog.findChildren<QPushButton *>())
        if (button->text().remove(QLatin1Char('&')).contains(text))
            button->click();
}

QString shownMessage(const QDialog &dialog)
{
    for (const widgets::MessageLine *line : dialog.findChildren<widgets::MessageLine *>())
        if (!line->isHidden())
            return line->text();
    return {};
}

}  // namespace

/// From plots to files: sizes, fonts, equal bytes; the dialog by keyboard.
class ExportTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("export"));
    }
    void init()
    {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_procedure = [madeUp = std::make_shared<test::MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); };
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString() + "/workspace", m_procedure);
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY_WITH_TIMEOUT(m_session->teacher().isValid(), 30000);
        QTRY_VERIFY(!m_session->job().isRunning());
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
        m_session->choice().setKeep(2);
        m_bars = m_window->findChild<widgets::LayerBarPlot *>();
        QVERIFY(m_bars);
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
        widgets::applyTheme(widgets::Theme::System);
    }

    void aPageIsAsWideAsTheVenueSays_data()
    {
        QTest::addColumn<QString>("venue");
        QTest::addColumn<QString>("width");
        QTest::addColumn<double>("inches");
        for (const report::Venue &venue : report::venues()) {
            const QString key = QString::fromStdString(venue.key);
            QTest::addRow("%s text", venue.key.c_str()) << key << QStringLiteral("text") << venue.textInches;
            if (venue.columnInches > 0.0)
                QTest::addRow("%s column", venue.key.c_str()) << key << QStringLiteral("column") << venue.columnInches;
        }
        QTest::newRow("own") << QStringLiteral("icml") << QStringLiteral("4.321") << 4.321;
    }
    void aPageIsAsWideAsTheVenueSays()
    {
        QFETCH(const QString, venue);
        QFETCH(const QString, width);
        QFETCH(const double, inches);
        const auto paper = widgets::onPaper(*m_bars, specFor(*m_bars, venue.toStdString(), width.toStdString()));
        const QByteArray pdf = widgets::pdfOf(*paper, {}), svg = widgets::svgOf(*paper, {});
        QVERIFY2(std::abs(pageOf(pdf).width() - inches * mmPerInch) < closeMm, qPrintable(QString::number(pageOf(pdf).width())));
        QVERIFY2(std::abs(pageOf(pdf).height() - inches * 0.618 * mmPerInch) < closeMm, qPrintable(QString::number(pageOf(pdf).height())));
        QCOMPARE(misplacedObjects(pdf), 0);
        static const QRegularExpression mm(QStringLiteral("<svg width=\"([0-9.]+)mm\""));
        QVERIFY(std::abs(mm.match(QString::fromUtf8(svg)).captured(1).toDouble() - inches * mmPerInch) < closeMm);
        const QImage image = QImage::fromData(widgets::pngOf(*paper, 300, {}));
        QVERIFY(std::abs(image.width() / (image.dotsPerMeterX() / 1000.0) - inches * mmPerInch) < closeMm);
    }

    void equalPlotsMakeEqualBytes()
    {
        for (const widgets::PlotView *plot : m_window->findChildren<widgets::PlotView *>()) {
            if (plot->tableTwin().rows.empty())
                continue;
            const report::FigureSpec spec = specFor(*plot, "icml", "column");
            const auto one = widgets::onPaper(*plot, spec), other = widgets::onPaper(*plot, spec);
            const report::Provenance provenance = plot->tableTwin().provenance;
            QCOMPARE(widgets::pdfOf(*one, provenance), widgets::pdfOf(*other, provenance));
            QCOMPARE(widgets::svgOf(*one, provenance), widgets::svgOf(*other, provenance));
            QCOMPARE(widgets::pngOf(*one, 300, provenance), widgets::pngOf(*other, 300, provenance));
        }
    }

    void paperIsTheSameInEveryTheme()
    {
        widgets::applyTheme(widgets::Theme::Light);
        const report::FigureSpec spec = specFor(*m_bars, "icml", "column");
        const QByteArray light = widgets::svgOf(*widgets::onPaper(*m_bars, spec), {});
        widgets::applyTheme(widgets::Theme::Dark);
        m_session->selection().select(3);
        QCOMPARE(widgets::svgOf(*widgets::onPaper(*m_bars, spec), {}), light);
    }

    void theDateIsOnlyTheOneThatIsGiven()
    {
        const auto paper = widgets::onPaper(*m_bars, m_bars->spec());
        QVERIFY(widgets::pdfOf(*paper, {}).contains("/CreationDate (D:19700101000000Z)"));
        report::Provenance dated;
        dated.date = "2026-12-01";
        QVERIFY(widgets::pdfOf(*paper, dated).contains("/CreationDate (D:20261201000000Z)"));
    }

    void fontsAreEmbedded()
    {
        const QString pdffonts = QStandardPaths::findExecutable(QStringLiteral("pdffonts"));
        if (pdffonts.isEmpty())
            QSKIP("pdffonts of poppler-utils is not installed");
        const QString file = m_folder->filePath(QStringLiteral("fonts.pdf"));
        report::writeFile(file.toStdString(), widgets::pdfOf(*widgets::onPaper(*m_bars, m_bars->spec()), {}).toStdString());
        QProcess process;
        process.start(pdffonts, {file});
        QVERIFY(process.waitForFinished());
        const QStringList lines = QString::fromUtf8(process.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY2(lines.size() > 2, qPrintable(lines.join(QLatin1Char('\n'))));
        for (const QString &line : lines.mid(2)) {
            QVERIFY2(line.contains(QLatin1String("TrueType")) || line.contains(QLatin1String("Type 1 ")), qPrintable(line));
            QVERIFY2(line.contains(QLatin1String(" yes ")), qPrintable(line));
        }
    }

    void textsOfAnSvgAreTexts()
    {
        const QString svg = QString::fromUtf8(widgets::svgOf(*widgets::onPaper(*m_bars, m_bars->spec()), m_bars->tableTwin().provenance));
        QVERIFY(svg.contains(QLatin1String("KL gain (nats/token)</text>")) || svg.contains(QLatin1String("KL gain (nats/token)")));
        QVERIFY(svg.count(QLatin1String("<text")) > test::numLayers);
        QVERIFY(svg.contains(QString::fromStdString(m_bars->tableTwin().provenance.runs.at(0)).left(8)));
        QVERIFY(!svg.contains(QLatin1String("<image")));      // all of it is vectors
    }

    void aPlotAndItsTableSayTheSame()
    {
        const report::Table table = m_bars->tableTwin();
        QCOMPARE(table.rows.size(), std::size_t{test::numLayers});
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            QCOMPARE(*table.rows[row][2].value, m_session->scores().bar(static_cast<int>(row))->value);
        QCOMPARE(table.rows[4][4].text, std::string("yes"));
    }

    void aPlotIsCopiedAsPictureAndNumbers()
    {
        m_bars->setFocus();
        QTest::keyClick(m_bars, Qt::Key_C, Qt::ControlModifier);
        const QMimeData *copied = QGuiApplication::clipboard()->mimeData();
        QVERIFY(copied);
        QVERIFY(copied->hasImage());
        QVERIFY(copied->data(QStringLiteral("image/svg+xml")).contains("<svg"));
        QCOMPARE(copied->text(), QString::fromStdString(report::tsvText(m_bars->tableTwin())));
        QVERIFY(copied->data(QStringLiteral("text/markdown")).startsWith("| layer |"));
    }

    void theDialogIsWorkedByKeyboardAndRemembers()
    {
        widgets::ExportDialog *dialog = openDialog();
        QVERIFY(dialog);
        const QList<QComboBox *> boxes = dialog->findChildren<QComboBox *>();
        boxes[0]->setFocus();
        QTest::keyClicks(boxes[0], QStringLiteral("Neur"));
        const QList<QLineEdit *> edits = dialog->findChildren<QLineEdit *>(QString(), Qt::FindChildrenRecursively);
        QLineEdit *folder = nullptr, *file = nullptr;
        for (QLineEdit *edit : edits) {
            if (edit->accessibleName() == QLatin1String("Folder"))
                folder = edit;
            else if (edit->text() == QLatin1String("layer-scores"))
                file = edit;
        }
        QVERIFY(folder && file);
        folder->selectAll();
        QTest::keyClicks(folder, m_folder->path());
        file->selectAll();
        QTest::keyClicks(file, QStringLiteral("my-scores"));
        QTest::keyClick(file, Qt::Key_Return);
        QTRY_VERIFY2(QFile::exists(m_folder->filePath(QStringLiteral("my-scores.pdf"))), qPrintable(shownMessage(*dialog)));
        QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("my-scores.csv"))));
        QVERIFY(contents(m_folder->filePath(QStringLiteral("my-scores.json"))).contains(m_bars->tableTwin().provenance.runs.at(0).c_str()));
        QVERIFY(std::abs(pageOf(contents(m_folder->filePath(QStringLiteral("my-scores.pdf")))).width() - 5.5 * mmPerInch) < closeMm);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!m_window->findChild<widgets::ExportDialog *>());
        dialog = openDialog();
        QVERIFY(dialog);
        QCOMPARE(dialog->spec().venue, std::string("neurips"));
        dialog->reject();
    }

    void theLinesForADocumentAreCopied()
    {
        widgets::ExportDialog *dialog = openDialog();
        fillFolder(*dialog, m_folder->path());
        for (QCheckBox *box : dialog->findChildren<QCheckBox *>())
            box->setChecked(box->text().contains(QLatin1String("PDF")) || box->text().contains(QLatin1String("TikZ")) || box->text().contains(QLatin1String("table")));
        exportButton(*dialog)->click();
        QPushButton *copy = nullptr;
        for (QPushButton *button : dialog->findChildren<QPushButton *>())
            if (button->text() == QLatin1String("Cop&y for LaTeX") && button->isVisible())
                copy = button;
        QVERIFY(copy);
        copy->click();
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith(QStringLiteral("\\includegraphics{layer-scores.pdf} ")) && lines[1].startsWith(QStringLiteral("\\input{layer-scores.tikz.tex} ")) && lines[2].startsWith(QStringLiteral("\\input{layer-scores.tex} ")));
        for (const QString &line : lines)      // each names a file that is there
            QVERIFY2(QFile::exists(m_folder->filePath(line.section(QLatin1Char('{'), 1, 1).section(QLatin1Char('}'), 0, 0))), qPrintable(line));
        for (QCheckBox *box : dialog->findChildren<QCheckBox *>())
            box->setChecked(box->text().contains(QLatin1String("CSV")));
        exportButton(*dialog)->click();
        for (QPushButton *button : dialog->findChildren<QPushButton *>())
            if (button->text().contains(QLatin1String("Replace")) && button->isVisible())
                button->click();
        for (const QPushButton *button : dialog->findChildren<QPushButton *>())      // numbers for scripts go into no document
            QVERIFY(!button->text().contains(QLatin1String("LaTeX")) || !button->isVisible());
        dialog->reject();
    }

    void filesThatAreThereAreNotReplacedUnasked()
    {
        widgets::ExportDialog *dialog = openDialog();
        fillFolder(*dialog, m_folder->path());
        QVERIFY(QFile(m_folder->filePath(QStringLiteral("layer-scores.pdf"))).open(QIODevice::WriteOnly));
        exportButton(*dialog)->click();
        QVERIFY(shownMessage(*dialog).contains(QLatin1String("layer-scores.pdf")));
        QVERIFY(contents(m_folder->filePath(QStringLiteral("layer-scores.pdf"))).isEmpty());
        clickButton(*dialog, QLatin1String("Replace"));
        QVERIFY(contents(m_folder->filePath(QStringLiteral("layer-scores.pdf"))).startsWith("%PDF"));
        dialog->reject();
    }

    void aFolderThatIsNotThereIsMadeWhereAsked()
    {
        widgets::ExportDialog *dialog = openDialog();
        const QString folder = m_folder->filePath(QStringLiteral("paper/figures"));
        fillFolder(*dialog, folder);
        exportButton(*dialog)->click();
        QVERIFY(shownMessage(*dialog).contains(folder));
        QVERIFY(!QFile::exists(folder));
        clickButton(*dialog, QLatin1String("Make it"));
        QVERIFY2(QFile::exists(folder + QStringLiteral("/layer-scores.pdf")), qPrintable(shownMessage(*dialog)));
        fillFolder(*dialog, folder + QStringLiteral("/layer-scores.pdf"));
        exportButton(*dialog)->click();
        QVERIFY(shownMessage(*dialog).contains(QLatin1String("is a file")));
        dialog->reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        dialog = openDialog();      // the answers of the last time, but for a folder that is none
        QVERIFY(dialog);
        for (const QLineEdit *edit : dialog->findChildren<QLineEdit *>())
            if (edit->accessibleName() == QLatin1String("Folder"))
                QCOMPARE(edit->text(), folder);
        dialog->reject();
    }

    void whatIsWrongIsSaidInTheDialog()
    {
        widgets::ExportDialog *dialog = openDialog();
        fillFolder(*dialog, m_folder->filePath(QStringLiteral("nowhere")));
        exportButton(*dialog)->click();
        QVERIFY(shownMessage(*dialog).contains(QLatin1String("nowhere")));
        for (QCheckBox *box : dialog->findChildren<QCheckBox *>())
            box->setChecked(false);
        QVERIFY(!shownMessage(*dialog).isEmpty());
        QVERIFY(!exportButton(*dialog)->isEnabled());
        dialog->reject();
    }

    void figuresAreMadeAgainFromTheirFile()
    {
        const std::filesystem::path folder = m_folder->path().toStdString(), again = folder / "again";
        report::FigureSpec bars = specFor(*m_bars, "icml", "column"), ranks = specFor(*m_window->findChild<widgets::RankPlot *>(), "icml", "text");
        QCOMPARE(ranks.plot, std::string("ranks"));
        bars.formats = {"pdf", "svg", "png", "tikz", "csv", "latex"};
        const auto written = widgets::writeFigure(*m_bars, bars, folder, "0.1");
        report::addFigure(folder / "figures.json", bars);
        report::addFigure(folder / "figures.json", ranks);
        QTRY_VERIFY_WITH_TIMEOUT(storedScores(), 10000);
        makePaperFigures(folder / "figures.json", again, m_session->workspace(), m_procedure, "0.1");
        for (const std::filesystem::path &file : written)
            QCOMPARE(contents(QString::fromStdString((again / file.filename()).string())), contents(QString::fromStdString(file.string())));
        QVERIFY(std::filesystem::exists(again / "ranks.pdf"));
        const auto refusal = [&](const report::FigureSpec &spec) {
            try {
                std::filesystem::remove(folder / "wrong.json");
                report::addFigure(folder / "wrong.json", spec);
                makePaperFigures(folder / "wrong.json", again, m_session->workspace(), m_procedure, "0.1");
            } catch (const Error &error) {
                return std::string(error.what());
            }
            return std::string();
        };
        report::FigureSpec wrong;
        wrong.plot = "layer-scores";
        wrong.keep = 50;
        QVERIFY(refusal(wrong).find("keep is 50") != std::string::npos);
        wrong = {};
        wrong.plot = "curve";
        wrong.layers = {3, 4, 99};
        QVERIFY(refusal(wrong).find("layers has 99") != std::string::npos);
        wrong.layers = {0, 1};
        QVERIFY(refusal(wrong).find("no distillation that keeps the layers 0, 1") != std::string::npos);
        wrong.mixer = "bogus";
        QVERIFY(refusal(wrong).find("no mixer bogus") != std::string::npos);
        wrong = {};
        wrong.plot = "overlap";
        wrong.choices = {"nope"};
        QVERIFY(refusal(wrong).find("no choice nope") != std::string::npos);
        wrong = {};
        wrong.plot = "run-curves";
        wrong.series = "distill/kl";
        wrong.runs = {"a", "a"};
        QVERIFY(refusal(wrong).find("each once") != std::string::npos);
        bars.run = "11111111-2222-4333-8444-555555555555";
        report::addFigure(folder / "figures.json", bars);
        QVERIFY_EXCEPTION_THROWN(makePaperFigures(folder / "figures.json", again, m_session->workspace(), m_procedure, "0.1"), Error);
    }

private:
    widgets::ExportDialog *openDialog()
    {
        m_bars->setFocus();
        m_window->activateWindow();
        for (int tries = 0; tries < 50 && !m_window->isActiveWindow(); ++tries)
            QTest::qWait(20);
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
        auto *dialog = m_window->findChild<widgets::ExportDialog *>();
        return dialog && dialog->isVisible() ? dialog : nullptr;
    }
    static void fillFolder(const QDialog &dialog, const QString &folder)
    {
        for (QLineEdit *edit : dialog.findChildren<QLineEdit *>())
            if (edit->accessibleName() == QLatin1String("Folder"))
                edit->setText(folder);
    }
    [[nodiscard]] bool storedScores() const
    {
        const store::Workspace workspace(m_session->workspace());
        const auto all = store::scorings(workspace, "demo");
        return !all.empty() && all.back().ranking.has_value();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    jobs::Procedure m_procedure;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
    widgets::LayerBarPlot *m_bars = nullptr;
};

QTEST_MAIN(ExportTest)
#include "export.moc"
