// SPDX-License-Identifier: GPL-3.0-or-later
#include "selectoroffers.h"

#include "calibration/headbins.h"
#include "dialogs/experimentdialog.h"
#include "error.h"
#include "experiment/spec.h"
#include "models/calibrationreport.h"
#include "procedures/demo.h"
#include "views/names.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace stillroom;
using widgets::ExperimentDialog, widgets::SelectorOffer;

/// The real table of selectors, as the window offers it: this program links the tensor library, the others do not.
class OffersTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("offers"));
    }
    void init() { QSettings().clear(); }

    void everySelectorHasWords()
    {
        QVERIFY(m_offers.list.size() >= 17);
        for (const SelectorOffer &offer : m_offers.list) {
            const QString name = QString::fromStdString(offer.name);
            QVERIFY2(widgets::selectorName(name) != name, offer.name.c_str());
            QVERIFY2(widgets::selectorMark(name) != name || name == QLatin1String("exhaustive") || name == QLatin1String("gates"), offer.name.c_str());
            QVERIFY2(!widgets::selectorMeasures(name).isEmpty(), offer.name.c_str());
        }
    }

    void everyFieldOfASelectorHasAName()
    {
        for (const SelectorOffer &offer : m_offers.list)
            for (const auto &[name, preset] : offer.fields)
                for (const experiment::Field &field : experiment::kindSchema("score").fields)
                    if (field.name == name) {
                        const QString object = field.fields.empty() ? QString() : QString::fromStdString(name);
                        for (const experiment::Field &inner : field.fields.empty() ? std::vector{field} : field.fields)
                            QVERIFY2(widgets::fieldName(object, QString::fromStdString(inner.name)) != QString::fromStdString(inner.name), inner.name.c_str());
                    }
    }

    void whatTheDialogMakesIsTakenByEverySelector()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, demo(), m_offers, m_estimates, m_timings);
        auto *selector = dialog.findChild<QComboBox *>();
        int taken = 0;
        for (std::size_t i = 0; i < m_offers.list.size(); ++i) {
            if (m_offers.list[i].needsTokenizer)      // the demo has none
                continue;
            selector->setCurrentIndex(static_cast<int>(i));
            nlohmann::json spec = demo().spec;
            spec.merge_patch(dialog.settings());
            QCOMPARE(spec.at("selector").get<std::string>(), m_offers.list[i].name);
            widgets::StatedCost cost;
            try {
                cost = m_offers.state(spec, {});
            } catch (const Error &error) {
                QFAIL((m_offers.list[i].name + ": " + error.what()).c_str());
            }
            QCOMPARE(cost.stageOneTokens > 0, m_offers.list[i].needsStageOne);
            QVERIFY2(cost.students > 0 || cost.measuredTokens > 0, m_offers.list[i].name.c_str());
            ++taken;
        }
        QVERIFY(taken >= 15);
    }

    void theCostOfGaS2IsThatOfSevenStudents()
    {
        nlohmann::json spec = demo().spec;
        spec.merge_patch(*demo().fixed);
        spec["selector"] = "ga-s2";
        const widgets::StatedCost cost = m_offers.state(spec, {});
        const nlohmann::json whole = experiment::completeSpec(spec);
        const std::int64_t each = whole.at("steps").get<std::int64_t>() * whole.at("batch_sequences").get<std::int64_t>() * whole.at("data").at("sequence_length").get<std::int64_t>();
        QCOMPARE(cost.students, std::int64_t{7});      // one for each of six layers, and the all-linear one
        QCOMPARE(cost.studentTokens, 7 * each);
        QVERIFY(!cost.atMost);
    }

    void theDialogSaysTheCostBeforeItRuns()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, demo(), m_offers, m_estimates, m_timings);
        dialog.show();
        auto *ok = dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
        QVERIFY(!ok->isEnabled());
        QTRY_VERIFY(ok->isEnabled());
        QVERIFY(label(dialog, "Cost").contains(QStringLiteral("7 students train on")));
        auto *selector = dialog.findChild<QComboBox *>();
        selector->setCurrentIndex(selector->findData(QStringLiteral("zero-shot-ga")));
        QVERIFY(!ok->isEnabled());
        QTRY_VERIFY(ok->isEnabled());
        QVERIFY(!label(dialog, "Cost").contains(QStringLiteral("students")));
        QVERIFY(label(dialog, "What it measures").contains(QStringLiteral("only softmax layer")));
    }

    void whatASelectorRefusesIsSaidInTheDialog()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, demo(), m_offers, m_estimates, m_timings);
        dialog.show();
        auto *selector = dialog.findChild<QComboBox *>();
        selector->setCurrentIndex(selector->findData(QStringLiteral("exhaustive")));
        for (QSpinBox *box : dialog.findChildren<QSpinBox *>())
            if (box->accessibleName() == QStringLiteral("Softmax layers in a set"))
                box->setValue(3);
            else if (box->accessibleName() == QStringLiteral("At most so many sets"))
                box->setValue(19);                     // there are 20
        QTRY_VERIFY2(label(dialog, "Cost").contains(QStringLiteral("more than 19 sets")), qPrintable(label(dialog, "Cost")));
        QVERIFY(!dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->isEnabled());
    }

    void aSelectorThatCannotWorkHereSaysWhy()
    {
        ExperimentDialog::Subject texts = demo();
        texts.fixed.reset();
        texts.hasTokenizer = true;
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, texts, m_offers, m_estimates, m_timings);
        auto *selector = dialog.findChild<QComboBox *>();
        const auto text = [&](const char *name) { return selector->itemText(selector->findData(QString::fromLatin1(name))); };
        QCOMPARE(text("halo"), widgets::selectorName(QStringLiteral("halo")));
        QCOMPARE(text("ar"), widgets::selectorName(QStringLiteral("ar")));
        ExperimentDialog onDemo(ExperimentDialog::Kind::Score, demo(), m_offers, m_estimates, m_timings);
        selector = onDemo.findChild<QComboBox *>();
        QVERIFY(text("ar").contains(QStringLiteral("tokenizer")));
        QCOMPARE(text("halo"), widgets::selectorName(QStringLiteral("halo")));
    }

    void aCalibrationSaysItsCostAndWhatItRefuses()
    {
        ExperimentDialog::Subject subject = demo();
        subject.spec["kind"] = "calibrate";
        subject.fixed = nlohmann::json{{"data", subject.fixed->at("data")}};
        ExperimentDialog dialog(ExperimentDialog::Kind::Calibrate, subject, m_offers, m_estimates, m_timings);
        dialog.show();
        QTRY_VERIFY(dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->isEnabled());
        const int tokens = 8 * subject.fixed->at("data").value("sequence_length", 512);
        QVERIFY2(label(dialog, "Cost").contains(QStringLiteral("%1 tokens are read").arg(tokens)), qPrintable(label(dialog, "Cost")));
        nlohmann::json spec = {{"kind", "calibrate"}, {"teacher", "demo"}, {"arm", "naive-copy"}, {"data", subject.fixed->at("data")}};
        spec["data"]["held_out_sequences"] = 20;
        // Residuals of every layer on all twenty, and the student with all of them beside the teacher on the first batch.
        QCOMPARE(m_offers.state(spec, {}).measuredTokens, std::int64_t{(2 * 20 + 2 * 8) * (tokens / 8)});
        QVERIFY_THROWS_EXCEPTION(Error, (void)m_offers.state({{"kind", "calibrate"}, {"teacher", "demo"}, {"arm", "phase-1"}, {"phase_2", {{"steps", 3}}}}, {}));
    }

    void theWindowKnowsTheBinsOfTheComputeRooms()
    {
        for (std::int64_t bin = 0; bin <= calibration::mostBins; ++bin)
            QCOMPARE(static_cast<std::int64_t>(widgets::binStart(bin)), calibration::binStart(bin));
    }

private:
    static QString label(const QWidget &dialog, const char *name)
    {
        for (const QLabel *one : dialog.findChildren<QLabel *>())
            if (one->accessibleName() == QString::fromLatin1(name))
                return one->text();
        return {};
    }
    static ExperimentDialog::Subject demo()
    {
        nlohmann::json fixed = procedures::demoPipeline(1, 0).at("stages").at(0).at("spec");
        for (const char *ours : {"kind", "teacher", "mixer"})
            fixed.erase(ours);
        return {{{"kind", "score"}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}}, fixed, false, {}};
    }
    const widgets::SelectorOffers m_offers = selectorOffers();
    widgets::Background m_estimates, m_timings;
};

QTEST_MAIN(OffersTest)
#include "offers.moc"
