// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tablecopy.h"

#include "report/delimited.h"
#include "report/latex.h"
#include "report/markdown.h"

#include <QMimeData>

namespace stillroom::widgets {

QMimeData *tableClipboard(const report::Table &whole, const report::Table &shown)
{
    auto *all = new QMimeData;      // the clipboard takes it over
    const QByteArray tsv = QByteArray::fromStdString(report::tsvText(whole));
    all->setText(QString::fromUtf8(tsv));
    all->setData(QStringLiteral("text/tab-separated-values"), tsv);
    all->setData(QStringLiteral("text/markdown"), QByteArray::fromStdString(report::markdownText(shown)));
    all->setData(QStringLiteral("text/x-tex"), QByteArray::fromStdString(report::latexText(shown)));
    return all;
}

}  // namespace stillroom::widgets
