// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowmemory.h"

#include "folders.h"
#include "models/workspacemark.h"
#include "models/deeplink.h"
#include "models/session.h"
#include "pages/comparepage.h"
#include "pages/runspage.h"
#include "plots/plotview.h"

#include <QDateTime>
#include <QListWidget>
#include <QMainWindow>
#include <QSettings>
#include <QSplitter>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace stillroom {
namespace {

constexpr int mostWorkspaces = 20;
const QString workspaces = QStringLiteral("workspaces/");
/// What a person does to a plot and wants to find again; each is a property of the plots that have it.
constexpr const char *plotProperties[] = {"logarithmic", "logarithmicX", "smoothing"}, *zoomProperty = "zoom";

QString textOf(const experiment::LayerSet &layers)
{
    QStringList numbers;
    for (const int layer : layers)
        numbers << QString::number(layer);
    return numbers.join(QLatin1Char(' '));
}

/// None where it is no set of layers of such a teacher.
std::optional<experiment::LayerSet> layersOf(const QString &text, int numLayers)
{
    experiment::LayerSet layers;
    for (const QString &one : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        bool ok = false;
        const int layer = one.toInt(&ok);
        if (!ok || layer < 0 || layer >= numLayers || (!layers.empty() && layer <= layers.back()))
            return std::nullopt;
        layers.push_back(layer);
    }
    return layers;
}

QString settingOf(const QSplitter &splitter) { return QStringLiteral("window/splitters/") + splitter.objectName(); }

/// By what their parts want, as at first.
void spread(QSplitter &splitter)
{
    QList<int> sizes;
    for (int i = 0; i < splitter.count(); ++i) {
        const QSizePolicy policy = splitter.widget(i)->sizePolicy();
        sizes << 1000 * std::max(1, splitter.orientation() == Qt::Horizontal ? policy.horizontalStretch() : policy.verticalStretch());
    }
    splitter.setSizes(sizes);
}

/// Those of workspaces that have not been open for longest go.
void forgetOldWorkspaces(QSettings &settings)
{
    settings.beginGroup(workspaces);
    std::vector<std::pair<qint64, QString>> known;
    for (const QString &one : settings.childGroups())
        known.emplace_back(settings.value(one + QStringLiteral("/left")).toLongLong(), one);
    std::sort(known.rbegin(), known.rend());
    for (std::size_t i = mostWorkspaces; i < known.size(); ++i)
        settings.remove(known[i].second);
    settings.endGroup();
}

}  // namespace

WindowMemory::WindowMemory(const Parts &parts) : QObject(&parts.window), m_at(parts), m_workspace(widgets::workspaceMark(parts.session.workspace())), m_firstState(parts.window.saveState())
{
    connect(&m_at.session, &widgets::Session::storedRead, this, &WindowMemory::restoreChoice);
    connect(&m_at.runs, &widgets::RunsPage::experimentsRead, this, &WindowMemory::restoreRuns);
}

QString WindowMemory::key(const QString &name) const { return workspaces + m_workspace + QLatin1Char('/') + name; }

QString WindowMemory::plotKey(const QObject &plot, const char *property) const { return key(QStringLiteral("plots/%1/%2").arg(plot.objectName(), QLatin1String(property))); }

QString WindowMemory::teacher() const
{
    const QString last = QSettings().value(key(QStringLiteral("teacher"))).toString();
    return !widgets::isTeacherPath(last) || (!last.isEmpty() && isThere(last.toStdString())) ? last : QString();
}

void WindowMemory::restore()
{
    const QSettings settings;
    if (!m_at.window.restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray()))
        m_at.window.resize(1280, 800);
    m_at.window.restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
    for (QSplitter *splitter : m_at.window.findChildren<QSplitter *>())
        if (!splitter->objectName().isEmpty())
            splitter->restoreState(settings.value(settingOf(*splitter)).toByteArray());
    const int page = settings.value(key(QStringLiteral("page")), 1).toInt();
    m_at.pages.setCurrentRow(page >= 0 && page < m_at.pages.count() ? page : 1);
    for (const char *property : plotProperties)
        restorePlots(property);
}

void WindowMemory::restorePlots(const char *property)
{
    const QSettings settings;
    for (widgets::PlotView *plot : m_at.window.findChildren<widgets::PlotView *>()) {
        const QVariant value = settings.value(plotKey(*plot, property));
        if (!plot->objectName().isEmpty() && value.isValid() && plot->property(property).isValid())
            plot->setProperty(property, value);
    }
}

void WindowMemory::savePlots(QSettings &settings, const char *property) const
{
    for (const widgets::PlotView *plot : m_at.window.findChildren<const widgets::PlotView *>())
        if (const QVariant value = plot->property(property); !plot->objectName().isEmpty() && value.isValid())
            settings.setValue(plotKey(*plot, property), value);
}

/// Once, when all is there of the teacher that was open last; of another one nothing is known.
void WindowMemory::restoreChoice()
{
    if (!std::exchange(m_choiceWanted, false))
        return;
    const QSettings settings;
    widgets::Session &session = m_at.session;
    const widgets::ModelDescription &teacher = session.teacher();
    if (teacher.argument != settings.value(key(QStringLiteral("teacher"))).toString() || teacher.numLayers != settings.value(key(QStringLiteral("numLayers"))).toInt())
        return;
    const QString probe = settings.value(key(QStringLiteral("probe"))).toString();
    if (std::any_of(teacher.mixers.begin(), teacher.mixers.end(), [&](const widgets::MixerSupport &one) { return one.kind == probe; }))
        session.setProbe(probe);
    const QStringList source = settings.value(key(QStringLiteral("scores"))).toStringList();
    if (source.size() == 4 && session.scoringOf({source[0], source[1], source[2], source[3]}))
        session.scores().setSource({source[0], source[1], source[2], source[3]}, false);
    else if (source.size() >= 2)      // that run is gone
        session.scores().setSource({source[0], source[1]}, false);
    const QVariant custom = settings.value(key(QStringLiteral("set")));
    const int keep = settings.value(key(QStringLiteral("keep")), -1).toInt();
    if (const auto layers = layersOf(custom.toString(), teacher.numLayers); custom.isValid()) {
        if (!layers)
            return;
        for (int layer = 0; layer < teacher.numLayers; ++layer)
            if (session.choice().isKept(layer) != std::binary_search(layers->begin(), layers->end(), layer))
                session.choice().toggle(layer);
    } else if (keep >= 0 && keep <= teacher.numLayers) {
        session.choice().setKeep(keep);
    }
    const int layer = settings.value(key(QStringLiteral("layer")), -1).toInt();
    if (m_layerWanted && layer >= 0 && layer < teacher.numLayers)
        session.selection().select(layer);
}

/// Once, when the experiments of the workspace are known.
void WindowMemory::restoreRuns()
{
    if (!std::exchange(m_runsWanted, false))
        return;
    const QSettings settings;
    m_at.runs.setView(settings.value(key(QStringLiteral("runs"))).toMap());
    std::vector<store::ExperimentRow> rows;
    const QStringList compared = settings.value(key(QStringLiteral("compared"))).toStringList();
    for (const QString &one : compared)
        if (const auto row = m_at.runs.experiment(one.section(QLatin1Char('/'), 0, 0), one.section(QLatin1Char('/'), 1)))
            rows.push_back(*row);
    if (rows.size() < 2)
        return;
    m_at.compare.setView(settings.value(key(QStringLiteral("comparison"))).toMap());
    m_at.compare.compare(rows);
    if (std::ssize(rows) == compared.size())      // of others it would show a part that nobody chose
        restorePlots(zoomProperty);
}

void WindowMemory::saveWorkspace(QSettings &settings) const
{
    const widgets::Session &session = m_at.session;
    settings.setValue(key(QStringLiteral("left")), QDateTime::currentSecsSinceEpoch());
    settings.setValue(key(QStringLiteral("page")), m_at.pages.currentRow());
    settings.setValue(key(QStringLiteral("runs")), m_at.runs.view());
    settings.setValue(key(QStringLiteral("compared")), m_at.compare.compared());
    settings.setValue(key(QStringLiteral("comparison")), m_at.compare.view());
    for (const char *property : plotProperties)
        savePlots(settings, property);
    savePlots(settings, zoomProperty);
    if (!session.teacher().isValid())
        return;      // what was open before stays known
    const widgets::HybridChoice &choice = m_at.session.choice();
    settings.setValue(key(QStringLiteral("teacher")), session.teacher().argument);
    settings.setValue(key(QStringLiteral("numLayers")), session.teacher().numLayers);
    settings.setValue(key(QStringLiteral("probe")), session.probe());
    settings.setValue(key(QStringLiteral("layer")), m_at.session.selection().layer());
    settings.setValue(key(QStringLiteral("keep")), choice.keep());
    if (choice.isCustom())
        settings.setValue(key(QStringLiteral("set")), textOf(choice.layers()));
    else
        settings.remove(key(QStringLiteral("set")));
    if (const auto &source = m_at.session.scores().source())
        settings.setValue(key(QStringLiteral("scores")), QStringList{source->selector, source->mixer, source->run, source->task});
}

void WindowMemory::save() const
{
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), m_at.window.saveGeometry());
    settings.setValue(QStringLiteral("window/state"), m_at.window.saveState());
    for (const QSplitter *splitter : m_at.window.findChildren<const QSplitter *>())
        if (const QList<int> sizes = splitter->sizes(); !splitter->objectName().isEmpty() && std::any_of(sizes.begin(), sizes.end(), [](int size) { return size > 0; }))      // it has been seen
            settings.setValue(settingOf(*splitter), splitter->saveState());
    saveWorkspace(settings);
    forgetOldWorkspaces(settings);
}

QVariantMap WindowMemory::layout() const
{
    QVariantMap splitters;
    for (const QSplitter *splitter : m_at.window.findChildren<const QSplitter *>())
        if (!splitter->objectName().isEmpty())
            splitters.insert(splitter->objectName(), splitter->saveState());
    return {{QStringLiteral("state"), m_at.window.saveState()}, {QStringLiteral("splitters"), splitters}, {QStringLiteral("columns"), m_at.runs.columns()}};
}

void WindowMemory::setLayout(const QVariantMap &layout)
{
    m_at.window.restoreState(layout.value(QStringLiteral("state")).toByteArray());
    const QVariantMap splitters = layout.value(QStringLiteral("splitters")).toMap();
    for (QSplitter *splitter : m_at.window.findChildren<QSplitter *>())
        if (!splitter->objectName().isEmpty())
            splitter->restoreState(splitters.value(splitter->objectName()).toByteArray());
    m_at.runs.setColumns(layout.value(QStringLiteral("columns")).toMap());
}

void WindowMemory::resetLayout()
{
    QSettings settings;
    for (const char *one : {"window/geometry", "window/state", "window/splitters"})
        settings.remove(QLatin1String(one));
    m_at.window.restoreState(m_firstState);
    if (!m_at.window.isMaximized() && !m_at.window.isFullScreen())
        m_at.window.resize(1280, 800);
    for (QSplitter *splitter : m_at.window.findChildren<QSplitter *>())
        spread(*splitter);
    m_at.runs.setColumns({});
}

}  // namespace stillroom
