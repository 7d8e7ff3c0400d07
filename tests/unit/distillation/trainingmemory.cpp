// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingmemory.h"
#include "distillation/allocationmeter.h"
#include "error.h"
#include "golden.h"
#include "tinystudents.h"

#include <ATen/core/grad_mode.h>
#include <doctest/doctest.h>

namespace trainingmemory_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

/// Wide and deep enough that activations outweigh what is rounded.
struct Case {
    nn::Transformer teacher = test::softmaxModel(5, 64, 301), student = test::hybridOf(teacher, test::linearLayers(teacher, {0, 1, 3, 4}));
    std::int64_t sequences = 6, length = 128;

    [[nodiscard]] StageTwoOptions options() const
    {
        StageTwoOptions options;
        options.steps = 2;
        options.refuseHopelessStart = false;
        return options;
    }
    /// Peak of a run of `numStudents` above the teacher's weights.
    [[nodiscard]] std::int64_t measured(const StageTwoOptions &options, int numStudents) const
    {
        test::FixedSource source({test::raggedBatch(sequences, length).ids_BT, {}, {}});
        std::vector<Student> students;
        for (int i = 0; i < numStudents; ++i)
            students.push_back({std::to_string(i), student});
        return measureAllocations([&] {
                   StageTwo stage(teacher, students, source, options);
                   stage.advance({});
                   stage.advance({});
               })->peakBytes();
    }
};

std::int64_t bytesOf(nn::Transformer model)
{
    std::int64_t bytes = 0;
    model.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { bytes += static_cast<std::int64_t>(tensor.nbytes()); });
    return bytes;
}

}  // namespace

TEST_CASE("the estimate of stage 2's memory is near what a run takes")
{
    const Case c;
    StageTwoOptions plain = c.options(), checkpointed = c.options(), mixersOnly = c.options(), narrow = c.options();
    checkpointed.checkpointBlocks = true;
    mixersOnly.trainable = Trainable::Mixers;
    narrow.computeType = at::kBFloat16;
    for (const StageTwoOptions &options : {plain, checkpointed, mixersOnly, narrow}) {
        CAPTURE(options.checkpointBlocks);
        CAPTURE(static_cast<int>(options.trainable));
        const StudentBytes student = studentBytes(c.student, options, c.sequences, c.length);
        const std::int64_t shared = sharedBytes(c.teacher, options, c.sequences, c.length) - bytesOf(c.teacher);
        for (const int numStudents : {1, 3}) {
            CAPTURE(numStudents);
            const auto estimated = static_cast<double>(shared + numStudents * student.total()), measured = static_cast<double>(c.measured(options, numStudents));
            CHECK(estimated >= 0.9 * measured);
            CHECK(estimated <= 1.3 * measured);
        }
    }
}

TEST_CASE("the estimate of a forward pass is near what it allocates, with documents and without")
{
    const Case c;
    const at::NoGradGuard noGrad;
    for (const bool documents : {false, true})
        for (const nn::Transformer *model : {&c.teacher, &c.student}) {
            CAPTURE(documents);
            const Batch batch = test::raggedBatch(c.sequences, c.length);
            const nn::TokenPlaces places{{}, documents ? batch.documents_BT : at::Tensor(), nullptr};
            const auto measured = static_cast<double>(measureAllocations([&] { (void)model->forward(batch.ids_BT, places, at::kFloat); })->peakBytes());
            const auto estimated = static_cast<double>(forwardBytes(*model, at::kFloat, c.sequences, c.length, documents));
            CHECK(estimated >= 0.85 * measured);
            CHECK(estimated <= 1.4 * measured);
        }
    const std::int64_t once = forwardBytes(c.student, at::kFloat, 2, 64, true);
    CHECK(forwardBytes(c.student, at::kFloat, 4, 64, true) > once);
    CHECK(forwardBytes(c.student, at::kFloat, 2, 128, true) > 2 * once);      // the mask grows with the square of the length
    CHECK_THROWS_AS((void)forwardBytes(c.student, at::kFloat, 0, 64, true), Error);
}

TEST_CASE("the estimate of stage 1's memory is near what it allocates, with documents and without")
{
    const Case c;
    const auto students = test::linearLayers(c.teacher, {0, 1, 3, 4});
    std::int64_t parameters = 0;
    for (const AlignedLayer &student : students)
        parameters += student.mixer->numParameters();
    StageOneOptions options;
    options.steps = 2;
    for (const auto computeType : {at::kFloat, at::kBFloat16})
        for (const bool documents : {false, true}) {
            CAPTURE(documents);
            CAPTURE(c10::toString(computeType));
            options.computeType = computeType;
            const Batch ragged = test::raggedBatch(c.sequences, c.length);
            test::FixedSource source({ragged.ids_BT, documents ? ragged.documents_BT : at::Tensor(), {}});
            const auto measured = static_cast<double>(measureAllocations([&] {
                                                          StageOne stage(c.teacher, students, source, options);
                                                          stage.advance({});
                                                          stage.advance({});
                                                      })->peakBytes());
            const auto estimated = static_cast<double>(16 * parameters + alignmentBytes(c.teacher, students, options, c.sequences, c.length, documents));
            CHECK(estimated >= 0.9 * measured);
            CHECK(estimated <= 1.4 * measured);
        }
    CHECK_THROWS_AS((void)alignmentBytes(c.teacher, students, options, 0, c.length, false), Error);
}

TEST_CASE("weights, gradients and moments are counted exactly")
{
    const Case c;
    StageTwoOptions options = c.options();
    CHECK(studentBytes(c.student, options, 1, 16).weights == bytesOf(c.student));
    options.trainable = Trainable::Mixers;
    std::int64_t mixers = 0;
    for (const int layer : {0, 1, 3, 4})
        for (const at::Tensor &tensor : test::parametersOf(*c.student.blocks[static_cast<std::size_t>(layer)].mixer))
            mixers += static_cast<std::int64_t>(tensor.nbytes());
    const StudentBytes bytes = studentBytes(c.student, options, 1, 16);
    CHECK(bytes.weights == mixers);
    CHECK(bytes.gradients == mixers);
    CHECK(bytes.moments == 2 * mixers);
}

TEST_CASE("as many students as fit go in lock-step")
{
    StudentBytes student;
    student.weights = std::int64_t{100} << 20;
    const std::int64_t shared = std::int64_t{50} << 20;
    CHECK(lockStepGroup(std::int64_t{460} << 20, student, shared, 30) == 4);
    CHECK(lockStepGroup(std::int64_t{460} << 20, student, shared, 3) == 3);
    for (const std::int64_t mebibytes : {0, 40, 149}) {
        try {
            (void)lockStepGroup(mebibytes << 20, student, shared, 3);
            FAIL("not refused");
        } catch (const Error &error) {
            CHECK((error.code() == ErrorCode::OutOfMemory));
            CHECK(std::string(error.what()).find("150 MiB") != std::string::npos);
        }
    }
    const Case c;
    CHECK_THROWS_AS((void)studentBytes(c.student, c.options(), 0, 16), Error);
}

}  // namespace trainingmemory_tests
