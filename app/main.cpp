// SPDX-License-Identifier: GPL-3.0-or-later
#include "demoworkspace.h"
#include "error.h"
#include "folders.h"
#include "freedpages.h"
#include "mainwindow.h"
#include "models/deeplink.h"
#include "models/session.h"
#include "nn/tensorblocks.h"
#include "paperfigures.h"
#include "procedures/demo.h"
#include "procedures/procedures.h"
#include "selectoroffers.h"
#include "shownname.h"
#include "singleinstance.h"
#include "version.h"
#include "views/controlstyle.h"
#include "views/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QHashSeed>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QMessageBox>
#include <QTranslator>

#include <algorithm>
#include <iostream>
#include <string_view>

namespace {

/// The last chance of an exception out of a slot: one message, and the program goes on.
class Application final : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override
    {
        try {
            return QApplication::notify(receiver, event);
        } catch (const std::exception &error) {
            QMessageBox::warning(activeWindow(), applicationDisplayName(), QString::fromUtf8(error.what()));
            return true;
        }
    }
};

/// What Qt writes on its own buttons: its translations are a package of their own, which need not be there.
[[maybe_unused]] constexpr const char *standardButtons[] = {QT_TRANSLATE_NOOP("QPlatformTheme", "OK"), QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"), QT_TRANSLATE_NOOP("QPlatformTheme", "Close"), QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
                                                            QT_TRANSLATE_NOOP("QPlatformTheme", "&No"), QT_TRANSLATE_NOOP("QPlatformTheme", "Open"), QT_TRANSLATE_NOOP("QPlatformTheme", "Save"), QT_TRANSLATE_NOOP("QPlatformTheme", "Discard")};

void installTranslations(QApplication &application)
{
    auto *own = new QTranslator(&application), *toolkit = new QTranslator(&application);
    // The texts of the source are English but for their plurals.
    const bool isTranslated = own->load(QLocale(), QStringLiteral("stillroom"), QStringLiteral("_"), QStringLiteral(":/i18n"));
    if (const QLocale words(own->language()); isTranslated && words.language() != QLocale().language())
        QLocale::setDefault(words);      // dates and numbers in the language of the words
    if (isTranslated || own->load(QStringLiteral(":/i18n/stillroom_en")))
        QCoreApplication::installTranslator(own);
    if (toolkit->load(QLocale(), QStringLiteral("qt"), QStringLiteral("_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(toolkit);
}

/// The demo's own spec, less what the window fills in itself.
stillroom::MainWindow::DemoSettings demoSettings()
{
    const nlohmann::json stages = stillroom::procedures::demoPipeline(1, 0).at("stages");
    stillroom::MainWindow::DemoSettings settings{stages.at(0).at("spec"), stages.at(1).at("spec")};
    for (nlohmann::json *spec : {&settings.score, &settings.distil})
        for (const char *ours : {"kind", "teacher", "mixer", "keep_count", "scores"})
            spec->erase(ours);
    return settings;
}

/// For the window that is open already, which has another working folder. Empty for no model.
QString linkTo(const QString &model)
{
    return model.isEmpty() ? QString() : stillroom::widgets::teacherLink(stillroom::widgets::wholeTeacher(model));
}

int runWindow(QApplication &application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate("main", "Turns pretrained softmax Transformers into hybrids with linear attention"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("workspace"), QCoreApplication::translate("main", "Folder that keeps runs and results"), QStringLiteral("[WORKSPACE]"));
    parser.addPositionalArgument(QStringLiteral("link"), QCoreApplication::translate("main", "stillroom://run/UUID, stillroom://teacher/MODEL or stillroom://layer/NUMBER: shown by the window that is open already, if there is one"), QStringLiteral("[LINK]"));
    const QCommandLineOption teacher(QStringLiteral("teacher"), QCoreApplication::translate("main", "A Hugging Face folder, a GGUF file, or demo; without it the one that was open last"), QStringLiteral("MODEL"));
    const QCommandLineOption theme(QStringLiteral("theme"), QCoreApplication::translate("main", "Colours for this time: light, dark or system (the View menu's choice stays)"), QStringLiteral("THEME"));
    const QCommandLineOption figures(QStringLiteral("figures"), QCoreApplication::translate("main", "Opens no window: makes all figures of a figures.json again"), QStringLiteral("FILE"));
    const QCommandLineOption out(QStringLiteral("out"), QCoreApplication::translate("main", "Where the figures go"), QStringLiteral("FOLDER"), QStringLiteral("."));
    parser.addOption(figures);
    parser.addOption(out);
    parser.addOption(teacher);
    parser.addOption(theme);
    if (!parser.parse(QCoreApplication::arguments()))      // process() would end with 1, which means that a job failed
        throw stillroom::Error(stillroom::ErrorCode::Usage, parser.errorText().toStdString());
    parser.process(application);
    const auto chosenTheme = parser.isSet(theme) ? stillroom::widgets::themeNamed(parser.value(theme)) : stillroom::widgets::rememberedTheme();
    if (!chosenTheme)
        throw stillroom::Error(stillroom::ErrorCode::Usage, "--theme " + parser.value(theme).toStdString() + ": choose light, dark or system");
    stillroom::widgets::applyTheme(*chosenTheme);
    QStringList arguments, links;
    for (const QString &one : parser.positionalArguments())
        (stillroom::widgets::looksLikeLink(one) ? links : arguments) << one;
    const std::filesystem::path workspace = arguments.isEmpty() ? stillroom::defaultWorkspace() : std::filesystem::path(arguments.front().toStdString());
    if (parser.isSet(figures)) {
        stillroom::makePaperFigures(parser.value(figures).toStdString(), parser.value(out).toStdString(), workspace, stillroom::procedures::allProcedures(), stillroom::versionText,
                                    [](const std::filesystem::path &file) { std::cout << stillroom::shownLine(file.string()) << std::endl; });
        return 0;
    }
    const QString link = links.value(0), model = parser.value(teacher);
    stillroom::SingleInstance instance(workspace);
    if (!instance.claim(link.isEmpty() ? linkTo(model) : link))
        return 0;
    stillroom::seedDemoWorkspace(workspace);
    stillroom::widgets::Session session(workspace, stillroom::procedures::allProcedures());
    stillroom::MainWindow window(session, demoSettings(), stillroom::selectorOffers());
    QObject::connect(&instance, &stillroom::SingleInstance::asked, &window, [&window](const QString &asked) {
        window.comeForward();
        if (!asked.isEmpty())
            window.openLink(asked);
    });
    window.show();
    window.start(model, link);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char **argv)
{
    stillroom::keepFreedPages();
    stillroom::nn::keepTensorsInLargeBlocks();
    QHashSeed::setDeterministicGlobalSeed();      // equal figures are equal bytes: Qt writes fonts in the order of a hash
    const auto isGiven = [&](std::string_view option) { return std::any_of(argv + 1, argv + argc, [&](const char *argument) { return std::string_view(argument).starts_with(option); }); };
    const bool forPaper = isGiven("--figures");
    const bool asksOnly = isGiven("--help") || isGiven("--version") || std::any_of(argv + 1, argv + argc, [](std::string_view argument) { return argument == "-h" || argument == "-v"; });
    if ((forPaper || asksOnly) && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))         // neither needs a display
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QCoreApplication::setOrganizationName(QStringLiteral("Stillroom"));
    QCoreApplication::setApplicationName(QStringLiteral("stillroom"));
    QCoreApplication::setApplicationVersion(QString::fromLatin1(stillroom::versionText));
    Application application(argc, argv);
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Stillroom"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.stillroom.Stillroom"));
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/org.stillroom.Stillroom.svg")));
    installTranslations(application);
    stillroom::widgets::useControlStyle();
    try {
        return runWindow(application);
    } catch (const stillroom::Error &error) {
        std::cerr << "stillroom: " << stillroom::shownLine(error.what()) << '\n';
        if (!forPaper && error.code() != stillroom::ErrorCode::Usage)      // what was written on a command line is answered there
            QMessageBox::critical(nullptr, QStringLiteral("Stillroom"), QString::fromStdString(error.what()));
        return stillroom::exitStatus(error.code());
    } catch (const std::exception &error) {
        std::cerr << "stillroom: " << stillroom::shownLine(error.what()) << '\n';
        if (!forPaper)
            QMessageBox::critical(nullptr, QStringLiteral("Stillroom"), QString::fromUtf8(error.what()));
        return stillroom::exitStatus(stillroom::ErrorCode::Failed);
    }
}
