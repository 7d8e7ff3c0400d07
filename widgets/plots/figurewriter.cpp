// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/figurewriter.h"

#include "error.h"
#include "plots/finishedpdf.h"
#include "report/delimited.h"
#include "report/markdown.h"

#include <QBuffer>
#include <QMimeData>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace stillroom::widgets {
namespace {

constexpr int clipboardDpi = 300;
constexpr double mmPerInch = 25.4;

QString lineOf(const report::Provenance &provenance)
{
    return QString::fromStdString(report::provenanceLine(provenance));
}

/// The generator rounds the page to whole units; a paper's column is not always one.
void setExactSize(QByteArray &svg, const Paper &paper)
{
    const auto number = [](double value) { return QByteArray::fromStdString(report::exactText(std::round(value * 1e4) / 1e4)); };
    const QSizeF units = paper.inches() * Paper::unitsPerInch;
    const auto begin = svg.indexOf("<svg "), end = svg.indexOf("xmlns=", begin);
    const QByteArray head = "<svg width=\"" + number(paper.widthInches * mmPerInch) + "mm\" height=\"" + number(paper.heightInches * mmPerInch) + "mm\"\n viewBox=\"0 0 " + number(units.width()) + ' ' +
                            number(units.height()) + "\"\n ";
    if (begin >= 0 && end > begin)
        svg.replace(begin, end - begin, head);
}

}  // namespace

Paper Paper::of(const report::FigureSpec &spec)
{
    const report::PageSize size = report::pageSize(spec);
    return {size.widthInches, size.widthInches * size.ratio, size.basePt, size.smallPt, QString::fromStdString(spec.font), spec.theme == "axes"};
}

std::unique_ptr<PlotView> onPaper(const PlotView &plot, const report::FigureSpec &spec)
{
    std::unique_ptr<PlotView> paper = plot.figure().table.rows.empty() ? nullptr : plot.copy();
    if (!paper)
        throw Error(ErrorCode::Usage, "the plot " + spec.plot + " shows nothing yet: measure first what it is to show");
    paper->putOnPaper(Paper::of(spec));
    return paper;
}

QByteArray pdfOf(PlotView &paper, const report::Provenance &provenance)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(static_cast<int>(Paper::unitsPerInch));
        writer.setPageSize(QPageSize(paper.paper()->inches(), QPageSize::Inch, {}, QPageSize::ExactMatch));
        writer.setPageMargins({});
        writer.setTitle(QString::fromStdString(provenance.title));
        writer.setCreator(lineOf(provenance));
        paper.drawOn(writer, 1.0);
    }
    return finishedPdf(bytes, paper.paper()->inches(), provenance.date);
}

QByteArray svgOf(PlotView &paper, const report::Provenance &provenance)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setResolution(static_cast<int>(Paper::unitsPerInch));
        generator.setSize(paper.paper()->units());
        generator.setViewBox(QRect(QPoint(), paper.paper()->units()));
        generator.setTitle(QString::fromStdString(provenance.title).toHtmlEscaped());
        generator.setDescription(lineOf(provenance).toHtmlEscaped());
        paper.drawOn(generator, 1.0);
    }
    setExactSize(bytes, *paper.paper());
    return bytes;
}

QImage imageOf(PlotView &paper, double dpi)
{
    QImage image((paper.paper()->inches() * dpi).toSize(), QImage::Format_RGB32);
    const int dotsPerMetre = static_cast<int>(std::lround(dpi * 1000.0 / mmPerInch));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    image.fill(Qt::white);
    paper.drawOn(image, dpi / Paper::unitsPerInch);
    return image;
}

QByteArray pngOf(PlotView &paper, int dpi, const report::Provenance &provenance)
{
    QImage image = imageOf(paper, dpi);
    image.setText(QStringLiteral("Title"), QString::fromStdString(provenance.title));
    image.setText(QStringLiteral("Source"), lineOf(provenance));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

std::vector<std::filesystem::path> writeFigure(const PlotView &plot, const report::FigureSpec &spec, const std::filesystem::path &folder, const std::string &version)
{
    const std::unique_ptr<PlotView> paper = onPaper(plot, spec);
    report::Figure figure = plot.figure();
    report::Provenance &provenance = figure.table.provenance;
    provenance.version = version;
    provenance.date = spec.date;
    std::vector<std::filesystem::path> written;
    const auto write = [&](const std::string &ending, const QByteArray &bytes) {
        written.push_back(folder / (report::stemOf(spec) + ending));
        report::writeFile(written.back(), bytes.toStdString());
    };
    for (const std::string &format : spec.formats) {
        if (format == "pdf")
            write(".pdf", pdfOf(*paper, provenance));
        else if (format == "svg")
            write(".svg", svgOf(*paper, provenance));
        else if (format == "png")
            write(".png", pngOf(*paper, spec.dpi, provenance));
    }
    const std::vector<std::filesystem::path> texts = report::writeTexts(figure, spec, folder);
    written.insert(written.end(), texts.begin(), texts.end());
    return written;
}

QMimeData *clipboardOf(const PlotView &plot)
{
    const report::Figure figure = plot.figure();
    if (figure.table.rows.empty())
        return nullptr;
    const std::unique_ptr<PlotView> paper = onPaper(plot, plot.spec());
    auto *all = new QMimeData;
    const QByteArray tsv = QByteArray::fromStdString(report::tsvText(figure.table));
    all->setData(QStringLiteral("image/svg+xml"), svgOf(*paper, figure.table.provenance));
    all->setImageData(imageOf(*paper, clipboardDpi));
    all->setText(QString::fromUtf8(tsv));
    all->setData(QStringLiteral("text/tab-separated-values"), tsv);
    all->setData(QStringLiteral("text/markdown"), QByteArray::fromStdString(report::markdownText(figure.table)));
    return all;
}

}  // namespace stillroom::widgets
