// SPDX-License-Identifier: GPL-3.0-or-later
#include "openexperiment.h"

#include "dialogs/formsection.h"
#include "dialogs/newexperiment.h"
#include "dialogs/specform.h"
#include "experiment/spectext.h"
#include "models/specdocument.h"
#include "models/specpresets.h"
#include "views/jsonedit.h"
#include "views/names.h"
#include "views/specwords.h"

#include <QComboBox>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QTextLayout>

#include <algorithm>

using namespace stillroom;
using nlohmann::json;

/// Any experiment as a form and as JSON: each follows the other, and says what is wrong where it is.
class ExperimentFormTest final : public test::OpenExperiment {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("experimentform")); }
    void init() { begin(); }
    void cleanup() { end(); }

    void theTextFollowsTheForm()
    {
        type("steps", "12");
        COMPARE_JSON(spec().at("steps"), json(12));
        type("data.held_out_sequences", "8");
        COMPARE_JSON(spec().at("data"), (json{{"held_out_sequences", 8}}));
        type("alignment.layers", "0-2, 5");
        COMPARE_JSON(spec().at("alignment").at("layers"), (json{0, 1, 2, 5}));
        type("learning_rate_mixers", "3e-4");
        COMPARE_JSON(spec().at("learning_rate_mixers"), json(3e-4));
        QTRY_VERIFY(runButton()->isEnabled());
    }

    void theFormFollowsTheText()
    {
        write(R"({"kind": "score", "teacher": "elsewhere", "steps": 7, "data": {"files": ["a", "b"], "source": "text", "isolate_documents": false}})");
        QCOMPARE(shown("steps"), QStringLiteral("7"));
        QCOMPARE(shown("teacher"), QStringLiteral("elsewhere"));
        QCOMPARE(shown("data.files"), QStringLiteral("a\nb"));
        QVERIFY(!static_cast<QCheckBox *>(editor("data.isolate_documents"))->isChecked());
        write(R"({"kind": "distill", "teacher": "demo", "keep": [1, 2, 3, 5]})");
        QCOMPARE(shown("keep"), QStringLiteral("1-3, 5"));
        QCOMPARE(kindBox()->currentData().toString(), QStringLiteral("distill"));
    }

    void whatIsADefaultIsNotWritten()
    {
        type("steps", "12");
        type("steps", "30");
        QVERIFY(!spec().contains("steps"));
        QCOMPARE(shown("steps"), QStringLiteral("30"));      // what is being typed stays
        type("data.recall.pairs", "9");
        QVERIFY(spec().contains("data"));
        clear("data.recall.pairs");
        QVERIFY2(!spec().contains("data"), qPrintable(text()->toPlainText()));
        QCOMPARE(static_cast<QAbstractSpinBox *>(editor("data.recall.pairs"))->findChild<QLineEdit *>()->placeholderText(), QStringLiteral("20"));
    }

    void allDefaultsAreShownWhenAskedFor()
    {
        type("steps", "12");
        auto *all = find<QCheckBox>(QStringLiteral("Show all de&faults"));
        all->click();
        QVERIFY(spec() == experiment::completeSpec({{"kind", "score"}, {"teacher", "demo"}, {"steps", 12}}));
        json changed = spec();
        changed["seed"] = 5;
        write(QString::fromStdString(experiment::specText(changed)));
        QCOMPARE(shown("seed"), QStringLiteral("5"));
        QCOMPARE(shown("batch_sequences"), QString());      // a default, though the text says it
        all->click();
        COMPARE_JSON(spec(), (json{{"kind", "score"}, {"teacher", "demo"}, {"steps", 12}, {"seed", 5}}));
    }

    void aTextThatIsWrongLeavesTheFormAndSaysWhere()
    {
        type("steps", "12");
        QTRY_VERIFY(runButton()->isEnabled());
        write(QStringLiteral("{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"stps\": 99\n}"));
        QVERIFY(!runButton()->isEnabled());
        QCOMPARE(shown("steps"), QStringLiteral("12"));
        QCOMPARE(text()->markedLine(), 4);
        QVERIFY(label("What is wrong").contains(QStringLiteral("did you mean \"steps\"?")));
        write(QStringLiteral("{\n  \"kind\": \"score\",\n  \"teacher\": \n}"));
        QCOMPARE(text()->markedLine(), 4);
        QCOMPARE(shown("steps"), QStringLiteral("12"));
        write(QStringLiteral("{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"steps\": 99\n}"));
        QCOMPARE(text()->markedLine(), 0);
        QCOMPARE(shown("steps"), QStringLiteral("99"));
        QTRY_VERIFY(runButton()->isEnabled());
        QVERIFY(!labelNamed("What is wrong")->isVisible());
    }

    void theLineThatIsNamedIsTheOneThatIsMarked_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("comma") << "{\n  \"kind\": \"score\"\n  \"teacher\": \"demo\"\n}";
        QTest::newRow("end") << "{\n  \"kind\": \"score\",\n";
        QTest::newRow("end without a line end") << "{\n  \"kind\": \"score\",";
        QTest::newRow("line end in a text") << "{\n  \"kind\": \"sco\nre\"\n}";
        QTest::newRow("behind it") << "{\n  \"kind\": \"score\"\n}\n\nx";
        QTest::newRow("nothing") << "\n\n";
        QTest::newRow("twice") << "{\n  \"kind\": \"score\",\n  \"steps\": 3,\n  \"steps\": 4\n}";
        QTest::newRow("huge number") << "{\n  \"kind\": \"score\",\n  \"steps\": 1e999\n}";
        QTest::newRow("value") << "{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"steps\": -3\n}";
        QTest::newRow("inner value") << "{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"data\": {\n    \"sequence_length\": 0\n  }\n}";
        QTest::newRow("unknown field") << "{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"stepps\": 3\n}";
        QTest::newRow("unknown kind") << "{\n  \"steps\": 3,\n  \"kind\": \"skore\"\n}";
        QTest::newRow("no object") << "\n[1, 2]";
    }
    void theLineThatIsNamedIsTheOneThatIsMarked()
    {
        QFETCH(const QString, text);
        write(text);
        QString said;
        for (const QLabel *one : m_dialog->findChildren<QLabel *>())
            if (one->accessibleName() == QStringLiteral("What is wrong"))
                said = one->text();
        const auto named = QRegularExpression(QStringLiteral("[Ll]ine ([0-9]+)")).match(said);
        QVERIFY2(named.hasMatch() || this->text()->markedLine() == 0, qPrintable(said));
        if (named.hasMatch())
            QVERIFY2(named.captured(1).toInt() == this->text()->markedLine(), qPrintable(QStringLiteral("%1: %2").arg(this->text()->markedLine()).arg(said)));
    }

    void aFieldThatIsWrongLeavesTheTextAndSaysWhy()
    {
        type("steps", "12");
        QTRY_VERIFY(runButton()->isEnabled());
        const QString before = text()->toPlainText();
        for (const char *wrong : {"twelve", "0", "1.5"}) {
            type("steps", wrong);
            COMPARE_JSON(spec().contains("steps") ? spec().at("steps") : json(), json(wrong == std::string("1.5") ? 1 : 12));
            QVERIFY2(label("Problem with Steps").contains(QStringLiteral("must be a whole number from 1")), wrong);
            QVERIFY(!runButton()->isEnabled());
            type("steps", "12");
        }
        QCOMPARE(text()->toPlainText(), before);
        QVERIFY(label("Problem with Steps").isEmpty());
        QTRY_VERIFY(runButton()->isEnabled());
    }

    void fieldsThatDoNotGoTogetherAreExplainedAtBoth()
    {
        type("steps", "12");
        type("tokens", "1000000");
        QVERIFY(label("What is wrong").contains(QStringLiteral("say the same thing twice")));
        QVERIFY(label("Problem with Steps").contains(QStringLiteral("say the same thing twice")));
        QVERIFY(!runButton()->isEnabled());
        clear("steps");
        QTRY_VERIFY(runButton()->isEnabled());
    }

    void whatOnlyTheExperimentKnowsIsSaidAtItsField()
    {
        type("seed", "13");
        QTRY_VERIFY(label("What is wrong").contains(QStringLiteral("nobody likes that")));
        QVERIFY(label("Problem with Seed").contains(QStringLiteral("nobody likes that")));
        QVERIFY(!runButton()->isEnabled());
        type("seed", "14");
        QTRY_VERIFY(runButton()->isEnabled());
    }

    void ctrlZGoesBackInBoth()
    {
        const QString before = text()->toPlainText();
        type("steps", "7");
        QVERIFY(text()->toPlainText() != before);
        text()->setFocus();
        QTest::keyClick(text(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text()->toPlainText(), before);
        QCOMPARE(shown("steps"), QString());
        QTest::keyClick(text(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(shown("steps"), QStringLiteral("7"));
    }

    void everyFieldOfEveryKindHasANameATipAndAnEditor_data()
    {
        QTest::addColumn<QString>("kind");
        for (const experiment::KindSchema &schema : experiment::kinds())
            QTest::newRow(schema.kind.c_str()) << QString::fromStdString(schema.kind);
    }
    void everyFieldOfEveryKindHasANameATipAndAnEditor()
    {
        QFETCH(const QString, kind);
        json whole = {{"kind", kind.toStdString()}};
        if (kind == QLatin1String("pipeline"))
            whole["stages"] = {{{"task", "a"}, {"spec", {{"kind", "align"}, {"teacher", "demo"}}}}};
        write(QString::fromStdString(experiment::specText(whole)));
        QVERIFY(widgets::kindName(kind) != kind);
        std::vector<std::string> paths;
        for (const experiment::Field &field : experiment::kindSchema(kind.toStdString()).fields)
            collect(field, {}, paths);
        QVERIFY(paths.size() > 8);
        for (const std::string &path : paths) {
            QVERIFY2(form()->goTo(path), path.c_str());
            const QWidget *one = m_dialog->focusWidget();
            const QString raw = QString::fromStdString(path.substr(path.find_last_of('.') + 1));
            QVERIFY2(!one->accessibleName().isEmpty() && one->accessibleName() != raw, path.c_str());
            QVERIFY2(one->toolTip().contains(raw), path.c_str());
        }
    }

    void everyBoxOfAListSaysWhatItIs()
    {
        write(R"({"kind": "evaluate", "model": "demo", "teacher": "demo"})");
        auto *first = static_cast<QCheckBox *>(editor("measures"));
        QVERIFY(first->accessibleName().contains(first->text()));
        QVERIFY(first->isChecked());
        first->click();
        COMPARE_JSON(spec().at("measures"), (json{"perplexity", "recall"}));
        first->click();
        QVERIFY(!spec().contains("measures"));
    }

    void aSelectorBringsItsOwnFieldsAndTheirDefaults()
    {
        const auto isThere = [this](const char *path) { return form()->goTo(path) && editor(path)->isVisible(); };
        QVERIFY(isThere("steps"));
        QVERIFY(!isThere("set_size"));
        auto *selector = static_cast<QComboBox *>(editor("selector"));
        selector->setCurrentIndex(selector->findText(widgets::selectorName(QStringLiteral("exhaustive"))));
        COMPARE_JSON(spec().at("selector"), json("exhaustive"));
        QVERIFY(isThere("set_size"));
        QVERIFY(!isThere("beam.width"));
        QCOMPARE(static_cast<QAbstractSpinBox *>(editor("set_size"))->findChild<QLineEdit *>()->placeholderText(), QStringLiteral("2"));      // as the selector fills it in
        write(R"({"kind": "score", "teacher": "demo", "selector": "one-of-tomorrow"})");
        QCOMPARE(static_cast<QComboBox *>(editor("selector"))->currentText(), QStringLiteral("one-of-tomorrow"));
    }

    void stagesOfAPipelineAreForms()
    {
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("pipeline")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        QCOMPARE(spec().at("stages").size(), std::size_t{2});
        QTRY_VERIFY(runButton()->isEnabled());
        QVERIFY(!(form()->goTo("stages[0].spec.beam.width") && editor("stages[0].spec.beam.width")->isVisible()));
        type("stages[1].spec.steps", "55");
        COMPARE_JSON(spec().at("stages").at(1).at("spec").at("steps"), json(55));
        type("stages[0].task", "first");
        QVERIFY(!runButton()->isEnabled());                  // the other stage names it
        QVERIFY(label("What is wrong").contains(QStringLiteral("stage:score")));
        type("stages[1].spec.scores", "stage:first");
        QTRY_VERIFY(runButton()->isEnabled());
        find<QPushButton>(QStringLiteral("&Add stage"))->click();
        QTRY_COMPARE(spec().at("stages").size(), std::size_t{3});
        QVERIFY(form()->goTo("stages[2].task"));
        QTRY_VERIFY(editor("stages[2].task")->mapTo(form(), QPoint()).y() > 100);      // laid out
        for (QPushButton *button : m_dialog->findChildren<QPushButton *>())
            if (button->text() == QStringLiteral("Remove the stage") && button->isVisible() && button->mapTo(form(), QPoint()).y() > editor("stages[2].task")->mapTo(form(), QPoint()).y()) {
                button->click();
                break;
            }
        QTRY_COMPARE(spec().at("stages").size(), std::size_t{2});
    }

    void anotherKindKeepsWhatBothAreAbout()
    {
        type("teacher", "mine");
        type("data.sequence_length", "64");
        type("steps", "12");
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("align")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        COMPARE_JSON(spec(), (json{{"kind", "align"}, {"teacher", "mine"}, {"data", {{"sequence_length", 64}}}}));
    }

    void whatWasOpenComesBackWithAnotherKindOneSectionAtATime()
    {
        const auto numOpen = [this] {
            const auto sections = m_dialog->findChildren<widgets::FormSection *>();
            return std::count_if(sections.begin(), sections.end(), [](const widgets::FormSection *one) { return one->isVisible() && one->isOpen(); });
        };
        (void)editor("data.sequence_length");
        (void)editor("seed");
        const auto before = numOpen();
        QVERIFY(before >= 3);
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("align")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        QCoreApplication::sendPostedEvents();      // what is new is shown
        QVERIFY(numOpen() < before);               // all in one event would be felt
        QTRY_COMPARE(numOpen(), before);
        // What is on its way gives way to a newer form.
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("score")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("distill")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        QTRY_COMPARE(numOpen(), before);
    }

    void aFieldWithinWhatIsNoObjectCanBeMended()
    {
        widgets::SpecDocument document;
        document.replace({{"kind", "score"}, {"mixer", 5}, {"data", json::array({1})}});
        document.set("mixer.kind", "gla");
        document.set("data.sequence_length", 64);
        QVERIFY(document.spec().at("mixer") == json({{"kind", "gla"}}));
        QVERIFY(document.spec().at("data") == json({{"sequence_length", 64}}));
        QVERIFY(widgets::withPreset({{"kind", "pipeline"}}, {{"kind", "pipeline"}, {"stages", {1, 2}}}).at("stages") == json({1, 2}));
    }

    void valuesAreToldFromNames()
    {
        write(QString::fromStdString(json{{"kind", "score"}, {"teacher", "a \" b"}, {"steps", 12}}.dump()));
        const QList<QTextLayout::FormatRange> formats = text()->document()->firstBlock().layout()->formats();
        const auto colourAt = [&](qsizetype at) {
            for (const QTextLayout::FormatRange &one : formats)
                if (at >= one.start && at < one.start + one.length)
                    return one.format.foreground().color();
            return QColor();
        };
        const QString line = text()->toPlainText();
        const QColor name = colourAt(line.indexOf(QLatin1String("kind"))), value = colourAt(line.indexOf(QLatin1String("score")));
        QVERIFY(name != value);
        QCOMPARE(colourAt(line.indexOf(QLatin1String("teacher"))), name);
        QCOMPARE(colourAt(line.indexOf(QLatin1String(" b"))), value);
        QCOMPARE(colourAt(line.indexOf(QLatin1String("12"))), value);
        QVERIFY(colourAt(line.indexOf(QLatin1Char(':'))) != value);
    }

private:
    /// Every path that has an editor.
    static void collect(const experiment::Field &field, const std::string &prefix, std::vector<std::string> &paths)
    {
        if (field.type == experiment::FieldType::ObjectList) {
            paths.push_back(prefix + field.name + "[0].task");
            paths.push_back(prefix + field.name + "[0].spec.steps");
        } else if (field.fields.empty()) {
            paths.push_back(prefix + field.name);
        }
        if (field.type == experiment::FieldType::Object)
            for (const experiment::Field &inner : field.fields)
                collect(inner, prefix + field.name + '.', paths);
    }
    void clear(const char *path) const
    {
        QWidget *one = editor(path);
        QTest::keyClick(one, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(one, Qt::Key_Delete);
    }
};

QTEST_MAIN(ExperimentFormTest)
#include "experimentform.moc"
