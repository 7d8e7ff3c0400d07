// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/background.h"

#include <QCoreApplication>
#include <QTest>

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using stillroom::widgets::Background;

/// Errands of the window that must not stop it.
class BackgroundTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anErrandIsRunElsewhereAndAnsweredHere()
    {
        Background background;
        const auto here = std::this_thread::get_id();
        std::thread::id ran, answered;
        background.run("look", [&]() -> Background::Answer {
            ran = std::this_thread::get_id();
            return [&] { answered = std::this_thread::get_id(); };
        });
        QTRY_COMPARE(answered, here);
        QVERIFY(ran != here);
    }

    void ofErrandsWithOneNameOnlyTheNewestWaits()
    {
        Background background;
        std::promise<void> gate;
        std::vector<std::string> answers;
        const auto errand = [&](const std::string &what) { return [&answers, what]() -> Background::Answer { return [&answers, what] { answers.push_back(what); }; }; };
        background.run("gate", [opened = gate.get_future().share()]() -> Background::Answer {
            opened.wait();
            return [] {};
        });
        background.run("a", errand("a1"));
        background.run("b", errand("b1"));
        background.run("a", errand("a2"));
        background.run("a", errand("a3"));
        gate.set_value();
        QTRY_COMPARE(answers.size(), std::size_t{2});
        QCOMPARE(answers, (std::vector<std::string>{"b1", "a3"}));
        QTest::qWait(30);
        QCOMPARE(answers.size(), std::size_t{2});
    }

    void anErrandThatNobodyWantsStops()
    {
        Background background;
        std::atomic<int> begun{0}, stopped{0}, answered{0};
        std::atomic<std::int64_t> rounds{0};
        const auto endless = [&](const std::stop_token &stop) -> Background::Answer {
            ++begun;
            while (!stop.stop_requested())
                ++rounds, std::this_thread::yield();
            ++stopped;
            return {};
        };
        background.run("time", endless);
        QTRY_COMPARE(begun.load(), 1);
        background.stop("something else");
        const std::int64_t before = rounds;
        QTRY_VERIFY(rounds > before + 1 || stopped > 0);      // it has looked at its token since, and goes on
        QCOMPARE(stopped.load(), 0);
        background.stop("time");
        QTRY_COMPARE(stopped.load(), 1);
        background.run("time", endless);
        QTRY_COMPARE(begun.load(), 2);
        background.run("time", [&]() -> Background::Answer { return [&] { ++answered; }; });      // a newer one takes its place
        QTRY_COMPARE(answered.load(), 1);
        QCOMPARE(stopped.load(), 2);
        auto other = std::make_unique<Background>();
        other->run("time", endless);
        QTRY_COMPARE(begun.load(), 3);
        other.reset();      // would wait for ever
        QCOMPARE(stopped.load(), 3);
    }

    void whatErrandsHoldIsFreedElsewhere()
    {
        Background background;
        std::promise<void> gate;
        std::atomic<int> freedHere{0}, freedElsewhere{0};
        const auto held = [&, here = std::this_thread::get_id()] {
            return std::shared_ptr<void>(nullptr, [&, here](void *) { ++(std::this_thread::get_id() == here ? freedHere : freedElsewhere); });
        };
        background.run("gate", [opened = gate.get_future().share()]() -> Background::Answer {
            opened.wait();
            return {};
        });
        background.run("a", [one = held()]() -> Background::Answer { return {}; });
        background.run("a", [one = held()]() -> Background::Answer { return {}; });      // the first one is never run
        background.run("b", [one = held()]() -> Background::Answer { return {}; });
        background.stop("b");
        background.release(held());
        QCOMPARE(freedHere + freedElsewhere, 0);
        gate.set_value();
        QTRY_COMPARE(freedElsewhere.load(), 4);
        QCOMPARE(freedHere.load(), 0);
    }

    void goingAwayEndsTheErrandUnderWayAndDropsTheRest()
    {
        std::atomic<int> ran{0}, answered{0};
        std::promise<void> begun;
        auto background = std::make_unique<Background>();
        background->run("first", [&]() -> Background::Answer {
            begun.set_value();
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            ++ran;
            return [&] { ++answered; };
        });
        begun.get_future().wait();
        background->run("second", [&]() -> Background::Answer {
            ++ran;
            return [&] { ++answered; };
        });
        background.reset();
        QCOMPARE(ran.load(), 1);
        QCoreApplication::processEvents();
        QCOMPARE(answered.load(), 0);      // who asked has gone too
    }
};

QTEST_GUILESS_MAIN(BackgroundTest)
#include "background.moc"
