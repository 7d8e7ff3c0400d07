// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hostilefiles.h"

/// A workspace's database with runs in it, as bytes.
[[nodiscard]] std::string wholeDatabase();
/// The seven kinds of damage to such a database: to its pages as SQLite lays them out, and to what its tables hold.
[[nodiscard]] Kinds damagedDatabase(const std::string &whole);
