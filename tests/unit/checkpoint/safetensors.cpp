// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/safetensors.h"

#include "checkpoint/tensorsource.h"
#include "expecterror.h"
#include "goldendata.h"
#include "temporaryfolder.h"

#include <cstring>

namespace safetensors_tests {

using namespace stillroom;
using namespace stillroom::checkpoint;

namespace {

template <typename T>
std::span<const std::byte> asBytes(const std::vector<T> &values) {
    return std::as_bytes(std::span(values));
}

}  // namespace

TEST_CASE("what writeSafetensors writes, openSafetensors reads") {
    const TemporaryFolder folder;
    const std::vector<float> weights{1.5F, -0.25F, 3e-41F, 6.0F, 7.0F, 8.0F};
    const std::vector<std::uint16_t> halves{0x3C00, 0xC000, 0x0001};
    const std::vector<std::int64_t> ids{INT64_MIN, -1, INT64_MAX};
    const std::vector<std::uint8_t> flags{1, 0, 1};
    const std::vector<double> wide{0.1};
    writeSafetensors(folder / "a.safetensors",
                     {{{"flags", DType::Bool, {3}}, asBytes(flags)},
                      {{"w", DType::F32, {2, 3}}, asBytes(weights)},
                      {{"h", DType::F16, {3, 1}}, asBytes(halves)},
                      {{"ids", DType::I64, {3}}, asBytes(ids)},
                      {{"scalar", DType::F64, {}}, asBytes(wide)},
                      {{"nothing", DType::F32, {0, 4}}, {}}},
                     {{"origin", "a \"quoted\" ü"}});
    const auto source = openSafetensors(folder / "a.safetensors");
    CHECK(source->tensors().size() == 6);
    REQUIRE(source->find("w") != nullptr);
    CHECK(source->find("w")->shape == std::vector<std::int64_t>{2, 3});
    CHECK(source->find("x") == nullptr);
    std::vector<float> read(6);
    source->readFloat32("w", read);
    CHECK(read == weights);
    std::vector<float> readHalves(3);
    source->readFloat32("h", readHalves);
    CHECK(readHalves == std::vector<float>{1.0F, -2.0F, 0x1p-24F});
    std::vector<float> readScalar(1);
    source->readFloat32("scalar", readScalar);
    CHECK(readScalar[0] == 0.1F);
    std::vector<std::int64_t> readIds(3), readFlags(3);
    source->readInt64("ids", readIds);
    source->readInt64("flags", readFlags);
    CHECK(readIds == ids);
    CHECK(readFlags == std::vector<std::int64_t>{1, 0, 1});
    CHECK(source->bytes("nothing").empty());
    source->readFloat32("nothing", {});
    const auto bytes = source->bytes("w");
    REQUIRE(bytes.size() == 24);
    CHECK(std::memcmp(bytes.data(), weights.data(), 24) == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 == 0);
    const auto metadata = readSafetensorsMetadata(folder / "a.safetensors");
    CHECK(metadata == std::vector<std::pair<std::string, std::string>>{{"format", "pt"}, {"origin", "a \"quoted\" ü"}});

    expectError(ErrorCode::BadFile, "has no tensor x", [&] { source->readFloat32("x", read); });
    expectError(ErrorCode::BadFile, "holds integers (I64)", [&] { source->readFloat32("ids", readHalves); });
    expectError(ErrorCode::BadFile, "type F16 where integers", [&] { source->readInt64("h", readIds); });
    expectError(ErrorCode::BadFile, "shape [2, 3], but 3 values", [&] { source->readFloat32("w", readHalves); });
}

TEST_CASE("files that Python's safetensors wrote read as torch converts them") {
    const auto source = openSafetensors(goldenPath("dtypes.safetensors")), expected = openSafetensors(goldenPath("dtypes_expected.safetensors"));
    CHECK(source->tensors().size() == 12);
    for (const std::string name : {"f64", "f32", "scalar", "empty", "f16", "bf16"}) {
        CHECK(source->find(name)->shape == expected->find(name)->shape);
        CHECK_MESSAGE(allFloats(*source, name) == allFloats(*expected, name), name);
    }
    for (const std::string name : {"i64", "i32", "i16", "i8", "u8", "bool"}) {
        std::vector<std::int64_t> values(static_cast<std::size_t>(source->find(name)->numElements())), wanted(values.size());
        source->readInt64(name, values);
        expected->readInt64(name, wanted);
        CHECK_MESSAGE(values == wanted, name);
    }
    CHECK(source->find("i32")->dtype == DType::I32);
    CHECK(source->find("bool")->dtype == DType::Bool);
    CHECK(readSafetensorsMetadata(goldenPath("dtypes.safetensors")) == std::vector<std::pair<std::string, std::string>>{{"made_by", "safetensors"}});
}

TEST_CASE("what cannot be written is refused before a file appears") {
    const TemporaryFolder folder;
    const std::vector<float> values{1, 2};
    const auto write = [&](const std::vector<TensorToWrite> &tensors) { writeSafetensors(folder / "bad.safetensors", tensors); };
    expectError(ErrorCode::Failed, "does not fit its shape", [&] { write({{{"a", DType::F32, {3}}, asBytes(values)}}); });
    expectError(ErrorCode::Failed, "used twice", [&] { write({{{"a", DType::F32, {2}}, asBytes(values)}, {{"a", DType::F32, {2}}, asBytes(values)}}); });
    expectError(ErrorCode::Failed, "reserved", [&] { write({{{"__metadata__", DType::F32, {2}}, asBytes(values)}}); });
    expectError(ErrorCode::Failed, "cannot be stored", [&] { write({{{"a", DType::Q4_0, {32}}, asBytes(values)}}); });
    expectError(ErrorCode::Failed, "UTF-8", [&] { write({{{"\xff", DType::F32, {2}}, asBytes(values)}}); });
    CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace safetensors_tests
