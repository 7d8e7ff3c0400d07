// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/finishedpdf.h"

#include "report/table.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QList>

#include <cmath>
#include <vector>

namespace stillroom::widgets {
namespace {

constexpr double pointsPerInch = 72.0;
constexpr qsizetype entryLength = 20;      // "0000000016 00000 n \n"

/// A text that was replaced: where it was in the file as Qt wrote it, and how many bytes longer the new one is.
struct Shift {
    qsizetype place = 0, longer = 0;
};

QByteArray pointsText(double points)
{
    return QByteArray::fromStdString(report::exactText(std::round(points * 1e4) / 1e4));
}

/// Whole points are the page's height from which Qt counts y: the exact page hangs from there.
QByteArray mediaBox(const QSizeF &inches, double wholePoints)
{
    const double width = inches.width() * pointsPerInch, height = inches.height() * pointsPerInch;
    return "/MediaBox [0 " + pointsText(wholePoints - height) + ' ' + pointsText(width) + ' ' + pointsText(wholePoints) + ']';
}

void correctPlaces(QByteArray &pdf, qsizetype table, const std::vector<Shift> &shifts)
{
    const auto moved = [&](qsizetype place) {
        qsizetype to = place;
        for (const Shift &shift : shifts)
            to += place > shift.place ? shift.longer : 0;
        return to;
    };
    const qsizetype now = moved(table);
    const qsizetype first = pdf.indexOf('\n', pdf.indexOf('\n', now) + 1) + 1;
    for (qsizetype entry = first; pdf.mid(entry, 7) != "trailer" && entry + entryLength <= pdf.size(); entry += entryLength)
        if (pdf.at(entry + 17) == 'n')
            pdf.replace(entry, 10, QByteArray::number(moved(pdf.mid(entry, 10).toLongLong())).rightJustified(10, '0'));
    const qsizetype start = pdf.lastIndexOf("startxref\n") + 10;
    pdf.replace(start, pdf.indexOf('\n', start) - start, QByteArray::number(now));
}

/// Where Qt names the file by chance.
void nameByContents(QByteArray &pdf)
{
    const qsizetype names = pdf.indexOf("/ID [", pdf.lastIndexOf("trailer"));
    if (names < 0)
        return;
    const qsizetype end = pdf.indexOf(']', names);
    QByteArray blank = pdf.mid(names, end - names);
    for (char &one : blank)
        if (QByteArray("0123456789abcdefABCDEF").contains(one) && &one > blank.constData() + 3)
            one = '0';
    pdf.replace(names, end - names, blank);
    const QByteArray name = QCryptographicHash::hash(pdf, QCryptographicHash::Md5).toHex();
    for (qsizetype open = pdf.indexOf('<', names); open >= 0 && open < end; open = pdf.indexOf('<', open + 1)) {
        const qsizetype length = pdf.indexOf('>', open) - open - 1;
        pdf.replace(open + 1, length, name.left(length).leftJustified(length, '0'));
    }
}

}  // namespace

QByteArray finishedPdf(QByteArray pdf, const QSizeF &inches, const std::string &date)
{
    const qsizetype start = pdf.lastIndexOf("startxref\n") + 10;
    const qsizetype table = pdf.mid(start, pdf.indexOf('\n', start) - start).toLongLong();
    std::vector<Shift> shifts;
    const auto replaceAt = [&](qsizetype place, qsizetype length, const QByteArray &by) {
        qsizetype before = place;
        for (const Shift &shift : shifts)
            before -= shift.place < place ? shift.longer : 0;
        pdf.replace(place, length, by);
        shifts.push_back({before, by.size() - length});
    };
    const QByteArray day = date.empty() ? QByteArray("19700101") : QByteArray::fromStdString(date).replace("-", "");
    if (const qsizetype time = pdf.indexOf("/CreationDate (D:"); time >= 0) {
        const qsizetype digits = time + 17;
        replaceAt(digits, pdf.indexOf(')', digits) - digits, day + "000000Z");
    }
    if (const qsizetype box = pdf.indexOf("/MediaBox ["); box >= 0) {
        const qsizetype end = pdf.indexOf(']', box) + 1;
        const QList<QByteArray> corners = pdf.mid(box + 11, end - box - 12).simplified().split(' ');
        replaceAt(box, end - box, mediaBox(inches, corners.last().toDouble()));
    }
    correctPlaces(pdf, table, shifts);
    nameByContents(pdf);
    return pdf;
}

}  // namespace stillroom::widgets
