// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace stillroom::widgets {

/// One thread for what would stop the window if it were done on the GUI thread: reading the store, loading a model to say what it costs.
/// Errands are run one after the other. Of errands with one name only the newest waits: nobody wants the answer of the others any more.
/// What errands hold is freed on that thread, too, those that are never run included: that of a long curve takes milliseconds.
class Background final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Background)

public:
    /// What to do with what was found, on the GUI thread.
    using Answer = std::function<void()>;
    /// On the thread of the errands. It must not throw.
    using Errand = std::function<Answer()>;

    explicit Background(QObject *parent = nullptr);
    /// One that looks at the token now and then, and gives an empty answer once it is to stop.
    using StoppableErrand = std::function<Answer(const std::stop_token &)>;
    /// Tells the errand under way to stop, waits for it, and drops those that wait; no answer comes any more.
    ~Background() override;
    /// An errand of the same name that is under way is told to stop.
    void run(const std::string &name, StoppableErrand errand);
    void run(const std::string &name, Errand errand);
    /// Nobody wants it any more, whether it waits or is under way.
    void stop(const std::string &name);
    /// Frees on the thread of the errands what nobody needs any more, after those that wait. \param last  the last owner of what it points to, or of nothing large
    void release(std::shared_ptr<const void> last);

private:
    void work(const std::stop_token &stop);
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::vector<std::pair<std::string, StoppableErrand>> m_waiting;     ///< oldest first; those without a name only hold what is to be freed
    std::string m_underWay;                                    ///< empty for none
    std::stop_source m_stopUnderWay;
    std::jthread m_thread;                                     ///< last: it goes first, and joins
};

}  // namespace stillroom::widgets
