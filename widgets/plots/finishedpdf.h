// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSizeF>

#include <string>

namespace stillroom::widgets {

/// What QPdfWriter leaves open: the page of exactly this size, where Qt has whole points; a fixed date, where Qt has the time of day. The table of the
/// objects' places is corrected after it.
/// \param date  YYYY-MM-DD, or empty: 1970-01-01, the beginning of the computers' calendar
[[nodiscard]] QByteArray finishedPdf(QByteArray pdf, const QSizeF &inches, const std::string &date);

}  // namespace stillroom::widgets
