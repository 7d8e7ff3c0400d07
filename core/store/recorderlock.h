// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// Who may take lines into the database: used inside this room only.
namespace stillroom::store {

/// recorder.lock, locked by the kernel for as long as this lives: a killed process cannot leave it behind.
class RecorderLock final {
public:
    /// Empty when another holds it. \throws Error(Io) when the file cannot be made.
    [[nodiscard]] static std::optional<RecorderLock> tryToTake(const std::filesystem::path &workspace);
    /// The same, again and again for 300 ms: who only opens a workspace holds it for a moment.
    [[nodiscard]] static std::optional<RecorderLock> take(const std::filesystem::path &workspace);
    /// Who holds it, in words.
    [[nodiscard]] static std::string holder(const std::filesystem::path &workspace);

    RecorderLock(RecorderLock &&other) noexcept;
    RecorderLock &operator=(RecorderLock &&other) noexcept;
    ~RecorderLock();

private:
    explicit RecorderLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor = -1;
};

}  // namespace stillroom::store
