// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/mappedfile.h"
#include "checkpoint/tensorsource.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::checkpoint {

/// An element type of ggml, by its number in a GGUF file.
struct GgmlType {
    std::uint32_t id = 0;
    std::string_view name;
    std::int64_t blockElements = 0, blockBytes = 0;   ///< 0: a type that ggml itself has given up
    std::optional<DType> dtype;                       ///< none: known, but not read by us (IQ…, TQ…, MXFP4 …)
};

struct GgufTensor {
    std::string name;                    ///< the file's own, e.g. "blk.0.attn_q.weight"
    const GgmlType *type = nullptr;      ///< never null
    std::vector<std::int64_t> shape;     ///< row-major, outermost first (the file's order reversed)
    std::span<const std::byte> bytes;
};

/// A GGUF file, version 2 or 3, little-endian (github.com/ggml-org/ggml/blob/master/docs/gguf.md): its metadata and its table of tensors.
/// The whole header was checked when the object exists; values are decoded from the map when they are asked for, so a vocabulary costs nothing until then.
/// Files without tensors (vocabularies) and with types that we cannot dequantise open too: only reading such a tensor fails.
class GgufFile {
public:
    /// \throws Error(BadFile) naming what is wrong; Error(Unsupported) for version 1, big-endian files and unknown type numbers.
    explicit GgufFile(const std::filesystem::path &path);

    [[nodiscard]] const std::filesystem::path &path() const { return m_file->path(); }
    [[nodiscard]] std::uint32_t version() const { return m_version; }

    /// Keys in the file's order.
    [[nodiscard]] const std::vector<std::string> &keys() const { return m_keys; }
    [[nodiscard]] bool has(std::string_view key) const { return m_values.find(key) != m_values.end(); }
    /// Nothing when the key is absent. \throws Error(BadFile) naming the key when its value is of another kind.
    [[nodiscard]] std::optional<std::string_view> text(std::string_view key) const;   ///< view into the file, valid as long as this object; any bytes
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const;    ///< any integer type that fits int64
    [[nodiscard]] std::optional<double> number(std::string_view key) const;           ///< float or integer; a float32 is given as its shortest decimal (1e-05, not 9.99…e-06)
    [[nodiscard]] std::optional<bool> flag(std::string_view key) const;
    [[nodiscard]] std::optional<std::vector<std::string_view>> texts(std::string_view key) const;    ///< views as `text`
    [[nodiscard]] std::optional<std::vector<float>> numbers(std::string_view key) const;             ///< array of float32 or float64
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::string_view key) const;     ///< array of any integer type

    /// In the file's order.
    [[nodiscard]] const std::vector<GgufTensor> &tensors() const { return m_tensors; }
    [[nodiscard]] const GgufTensor *findTensor(std::string_view name) const;   ///< null when absent
    [[nodiscard]] const std::shared_ptr<const MappedFile> &map() const { return m_file; }
    /// The metadata as they lie in the file: all keys and values, without the counts before them and the tensors after.
    [[nodiscard]] std::span<const std::byte> metadataBytes() const { return m_metadata; }

private:
    enum class ValueType : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, Array, U64, I64, F64 };
    struct Value {
        ValueType type = ValueType::U8;
        ValueType elementType = ValueType::U8;   ///< of an array
        std::uint64_t count = 1;                 ///< of an array
        std::span<const std::byte> bytes;
    };
    class Cursor;
    [[noreturn]] void refuse(const std::string &why) const;
    [[noreturn]] void wrongKind(std::string_view key, const char *wanted) const;
    [[nodiscard]] Value readValue(Cursor &cursor, const std::string &key) const;
    [[nodiscard]] std::span<const std::byte> skipValues(Cursor &cursor, ValueType type, std::uint64_t count) const;
    void readMetadata(Cursor &cursor, std::uint64_t count);
    void readTensorTable(Cursor &cursor, std::uint64_t count);
    [[nodiscard]] GgufTensor readTensorEntry(Cursor &cursor, std::uint64_t &offset) const;
    void placeTensors(const std::vector<std::uint64_t> &offsets, std::size_t tableEnd);
    [[nodiscard]] const Value *find(std::string_view key) const;
    static std::size_t sizeOf(ValueType type);
    static std::optional<std::int64_t> integerAt(ValueType type, const std::byte *at);

    std::shared_ptr<const MappedFile> m_file;
    std::uint32_t m_version = 0;
    std::span<const std::byte> m_metadata;
    std::vector<std::string> m_keys;
    std::map<std::string, Value, std::less<>> m_values;
    std::vector<GgufTensor> m_tensors;
    std::map<std::string, std::size_t, std::less<>> m_tensorIndex;
};

/// Writes a GGUF file of `file`'s metadata without its tensors, as llama.cpp keeps vocabularies: the tokenizer of a model whose weights
/// lie elsewhere. \throws Error(Io)
void writeGgufVocabulary(const GgufFile &file, const std::filesystem::path &target);

/// Null for a number that ggml does not define.
[[nodiscard]] const GgmlType *ggmlType(std::uint32_t id);

}  // namespace stillroom::checkpoint
