// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace stillroom::store {

/// A database's tables and the way from older ones.
struct Schema {
    int version = 1;                         ///< PRAGMA user_version
    std::string sql;                         ///< makes an empty database
    std::vector<std::string> migrations;     ///< [i] brings version i+1 to version i+2; new columns come last, as in `sql`
};

inline constexpr int applicationId = 0x5374696C;      ///< "Stil": PRAGMA application_id

/// The schema that SCHEMA.md explains column by column. Times are Unix seconds (UTC). A run, a task or a series is named by its text once and by its number elsewhere.
/// JSON columns hold canonical JSON. `not_finite` is NULL for a finite value, else 1 NaN, 2 infinity, 3 minus infinity (SQLite has no NaN).
inline const Schema &currentSchema()
{
    static const Schema schema{.version = 3, .sql = R"sql(
-- What was asked for: one row per different completed spec; runs that repeat it share the row.
CREATE TABLE experiments (
    id    INTEGER PRIMARY KEY,
    hash  TEXT NOT NULL UNIQUE,             -- SHA-256 of spec
    kind  TEXT NOT NULL,
    spec  TEXT NOT NULL                     -- completed spec, canonical JSON
) STRICT;

-- One execution. Rebuilt from runs/<uuid>/events.jsonl, but for name, notes, pinned, locked, trashed and tags.
CREATE TABLE runs (
    id              INTEGER PRIMARY KEY,
    uuid            TEXT NOT NULL UNIQUE,
    name            TEXT,                   -- NULL: never named
    notes           TEXT,
    pinned          INTEGER NOT NULL DEFAULT 0,
    trashed         REAL,                   -- when it was put into the trash
    experiment      INTEGER REFERENCES experiments(id),
    kind            TEXT NOT NULL DEFAULT '',
    key             TEXT NOT NULL DEFAULT '',       -- of its stage
    status          TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'finished', 'failed', 'cancelled', 'interrupted')),
    started         REAL NOT NULL DEFAULT 0,
    finished        REAL,
    heartbeat       REAL NOT NULL DEFAULT 0,        -- time of the last event
    host            TEXT NOT NULL DEFAULT '',
    boot            TEXT NOT NULL DEFAULT '',
    pid             INTEGER NOT NULL DEFAULT 0,
    process_start   INTEGER NOT NULL DEFAULT 0,     -- clock ticks after boot
    version         TEXT NOT NULL DEFAULT '',
    device          TEXT NOT NULL DEFAULT '',
    compute_type    TEXT NOT NULL DEFAULT '',
    threads         INTEGER NOT NULL DEFAULT 1,
    resumed         INTEGER NOT NULL DEFAULT 0,
    phase           TEXT NOT NULL DEFAULT '',       -- the latest progress
    done            INTEGER NOT NULL DEFAULT 0,
    total           INTEGER NOT NULL DEFAULT 0,
    tokens          INTEGER NOT NULL DEFAULT 0,
    seconds         REAL NOT NULL DEFAULT 0,
    eta             REAL,
    result          TEXT,                           -- JSON
    failure_code    TEXT NOT NULL DEFAULT '',
    failure_message TEXT NOT NULL DEFAULT '',
    failure_detail  TEXT NOT NULL DEFAULT '',
    ingested_bytes  INTEGER NOT NULL DEFAULT 0,     -- how much of events.jsonl the rows below hold
    ingested_lines  INTEGER NOT NULL DEFAULT 0,
    locked          INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_by_status ON runs (status);
CREATE INDEX runs_by_key ON runs (key);
CREATE INDEX runs_by_start ON runs (started);

CREATE TABLE tags (
    run  INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    tag  TEXT NOT NULL,
    PRIMARY KEY (run, tag)
) STRICT, WITHOUT ROWID;

-- The stages of a run (the run itself is the task named like its kind), and the number of the last event taken in from each.
CREATE TABLE tasks (
    id            INTEGER PRIMARY KEY,
    run           INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    name          TEXT NOT NULL,
    last_seq      INTEGER NOT NULL DEFAULT 0,
    kind          TEXT NOT NULL DEFAULT '',
    key           TEXT NOT NULL DEFAULT '',
    device        TEXT NOT NULL DEFAULT '',
    compute_type  TEXT NOT NULL DEFAULT '',
    started       REAL,
    finished      REAL,                     -- NULL: still at work, or it ended with its run
    result        TEXT,                     -- JSON
    UNIQUE (run, name)
) STRICT;

-- Names of curves.
CREATE TABLE series (
    id    INTEGER PRIMARY KEY,
    task  TEXT NOT NULL,
    name  TEXT NOT NULL,
    unit  TEXT NOT NULL,
    UNIQUE (task, name)
) STRICT;

-- Points of curves, clustered so that one curve is one range.
CREATE TABLE metrics (
    run         INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    series      INTEGER NOT NULL REFERENCES series(id),
    step        INTEGER NOT NULL,
    tokens      INTEGER NOT NULL,
    value       REAL,
    not_finite  INTEGER,
    time        REAL NOT NULL,
    PRIMARY KEY (run, series, step)
) STRICT, WITHOUT ROWID;

-- The last point of every curve: what a table of runs shows.
CREATE TABLE latest_metrics (
    run         INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    series      INTEGER NOT NULL REFERENCES series(id),
    step        INTEGER NOT NULL,
    tokens      INTEGER NOT NULL,
    value       REAL,
    not_finite  INTEGER,
    time        REAL NOT NULL,
    PRIMARY KEY (run, series)
) STRICT, WITHOUT ROWID;

-- Every evaluation of every layer; layer -1 is the all-linear student.
CREATE TABLE layer_scores (
    run               INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    task              TEXT NOT NULL,
    selector          TEXT NOT NULL,
    mixer             TEXT NOT NULL,
    tokens            INTEGER NOT NULL,
    layer             INTEGER NOT NULL,
    score             REAL,
    not_finite        INTEGER,
    unit              TEXT NOT NULL,
    higher_is_better  INTEGER NOT NULL,
    kl_nats           REAL,
    se                REAL,
    n_sequences       INTEGER NOT NULL,
    PRIMARY KEY (run, task, selector, mixer, tokens, layer)
) STRICT, WITHOUT ROWID;

CREATE TABLE tables (
    run      INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    task     TEXT NOT NULL,
    name     TEXT NOT NULL,
    columns  TEXT NOT NULL,                 -- JSON: names
    units    TEXT NOT NULL,                 -- JSON: one per column
    rows     TEXT NOT NULL,                 -- JSON: at most 1000 arrays
    PRIMARY KEY (run, task, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifacts (
    run   INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    task  TEXT NOT NULL,
    role  TEXT NOT NULL,
    hash  TEXT NOT NULL,
    path  TEXT NOT NULL,                    -- relative to the workspace
    time  REAL NOT NULL,
    PRIMARY KEY (run, task, role, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE texts (
    run   INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    task  TEXT NOT NULL,
    seq   INTEGER NOT NULL,
    name  TEXT NOT NULL,
    text  TEXT NOT NULL,
    PRIMARY KEY (run, task, seq)
) STRICT, WITHOUT ROWID;

-- seq < 0: line -seq of events.jsonl could not be read.
CREATE TABLE warnings (
    run      INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    task     TEXT NOT NULL,
    seq      INTEGER NOT NULL,
    message  TEXT NOT NULL,
    time     REAL NOT NULL,
    PRIMARY KEY (run, task, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
    run     INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    task    TEXT NOT NULL,
    step    INTEGER NOT NULL,
    tokens  INTEGER NOT NULL,
    path    TEXT NOT NULL,
    time    REAL NOT NULL,
    PRIMARY KEY (run, task, step)
) STRICT, WITHOUT ROWID;

-- Finished stages. The truth is artifacts/<key>/DONE; this says who made them.
CREATE TABLE stages (
    key   TEXT PRIMARY KEY,
    path  TEXT NOT NULL,
    info  TEXT NOT NULL                     -- JSON that stands in DONE
) STRICT, WITHOUT ROWID;
)sql", .migrations = {"ALTER TABLE runs ADD COLUMN locked INTEGER NOT NULL DEFAULT 0", "DROP TABLE file_hashes"}};
    return schema;
}

}  // namespace stillroom::store
