// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/allocationmeter.h"
#include "distillation/klhead.h"
#include "error.h"
#include "golden.h"

#include <ATen/core/grad_mode.h>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace klhead_tests {

using namespace stillroom;
using namespace stillroom::distillation;

namespace {

/// A teacher with another width and a larger vocabulary than the student, and a ragged mask.
struct Case {
    Head teacher, student;
    at::Tensor counted_N, labels_N;

    explicit Case(at::ScalarType type, std::int64_t tokens = 23, std::int64_t vocabulary = 17, std::uint64_t seed = 1)
    {
        teacher = {test::normal({tokens, 6}, seed, type), test::normal({vocabulary + 2, 6}, seed + 1, type)};
        student = {test::normal({tokens, 4}, seed + 2, type).requires_grad_(), test::normal({vocabulary, 4}, seed + 3, type).requires_grad_()};
        counted_N = test::normal({tokens}, seed + 4).gt(-0.5);
        labels_N = test::normal({tokens}, seed + 5).abs().mul(5).to(at::kLong).clamp_max(vocabulary - 1);
        labels_N.index_put_({at::arange(0, tokens, 4)}, at::tensor(-100, at::kLong));
    }
    HeadLoss run(const KlHeadOptions &options) const { return klHead(teacher, {&student, 1}, counted_N, labels_N, options)[0]; }
    [[nodiscard]] double numberOfLoss(const KlHeadOptions &options) const { return run(options).loss.item<double>(); }
    void clear()
    {
        student.hidden_ND.mutable_grad().reset();
        student.weight_VD.mutable_grad().reset();
    }
};

KlHeadOptions allTerms()
{
    KlHeadOptions options;
    options.temperature = 1.7;
    options.klWeight = 0.6;
    options.reverseKlWeight = 0.3;
    options.crossEntropyWeight = 0.2;
    return options;
}

/// Of one student.
at::Tensor klOf(const Head &teacher, const Head &student, const at::Tensor &counted_N = {}, std::int64_t budgetBytes = 0, std::stop_token stop = {})
{
    return klPerToken(teacher, {&student, 1}, counted_N, budgetBytes, std::move(stop)).front();
}

Head widened(const Head &head) { return {head.hidden_ND.to(at::kDouble), head.weight_VD.to(at::kDouble)}; }

/// The smallest budget that holds slices of `tokens` tokens.
std::int64_t budgetFor(const Case &c, std::int64_t tokens, const KlHeadOptions &options = {})
{
    KlHeadBytes bytes = klHeadBytes(c.teacher, c.student, options);
    bytes.sliceTokens = tokens;
    return bytes.total();
}

/// Σ_v p_T (log p_T - log p_S) of counted tokens, one number at a time.
double referenceKlSum(const Case &c, double tau)
{
    double sum = 0.0;
    for (std::int64_t t = 0; t < c.counted_N.numel(); ++t) {
        if (!c.counted_N[t].item<bool>())
            continue;
        const std::int64_t vocabulary = c.student.weight_VD.size(0);
        std::vector<double> z[2];
        double logSum[2];
        for (int which = 0; which < 2; ++which) {
            const Head &head = which == 0 ? c.teacher : c.student;
            double total = 0.0;
            for (std::int64_t v = 0; v < vocabulary; ++v) {
                z[which].push_back(head.weight_VD[v].dot(head.hidden_ND[t]).item<double>() / tau);
                total += std::exp(z[which].back());
            }
            logSum[which] = std::log(total);
        }
        for (std::size_t v = 0; v < z[0].size(); ++v)
            sum += std::exp(z[0][v] - logSum[0]) * ((z[0][v] - logSum[0]) - (z[1][v] - logSum[1]));
    }
    return sum;
}

}  // namespace

TEST_CASE("losses and gradients equal PyTorch's kl_div and cross_entropy")
{
    const nlohmann::json expected = test::golden("losses");
    const auto shape = expected["shape"].get<std::vector<std::int64_t>>();
    for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
        const double tolerance = type == at::kDouble ? 1e-12 : 2e-6;
        for (const std::string name : {"kl", "reverse_kl", "cross_entropy"}) {
            CAPTURE(name);
            Case c(type);
            c.teacher = {test::tensorOf(expected["teacher_hidden"], {shape[0], shape[1]}, type), test::tensorOf(expected["teacher_weight"], {shape[3], shape[1]}, type)};
            c.student = {test::tensorOf(expected["hidden"], {shape[0], shape[2]}, type).requires_grad_(), test::tensorOf(expected["weight"], {shape[4], shape[2]}, type).requires_grad_()};
            c.counted_N = at::tensor(expected["counted"].get<std::vector<std::int64_t>>(), at::kLong).to(at::kBool);
            c.labels_N = at::tensor(expected["labels"].get<std::vector<std::int64_t>>(), at::kLong);
            KlHeadOptions options;
            options.temperature = expected["temperature"];
            options.klWeight = name == "kl" ? 1.0 : 0.0;
            options.reverseKlWeight = name == "reverse_kl" ? 1.0 : 0.0;
            options.crossEntropyWeight = name == "cross_entropy" ? 1.0 : 0.0;
            options.budgetBytes = budgetFor(c, 2, options);
            const HeadLoss loss = c.run(options);
            loss.loss.backward();
            CHECK(loss.loss.item<double>() == doctest::Approx(expected[name]["loss"].get<double>()).epsilon(tolerance));
            CHECK(test::relativeDifference(c.student.hidden_ND.grad(), test::tensorOf(expected[name]["hidden"], {shape[0], shape[2]}, at::kDouble)) <= tolerance);
            CHECK(test::relativeDifference(c.student.weight_VD.grad(), test::tensorOf(expected[name]["weight"], {shape[4], shape[2]}, at::kDouble)) <= tolerance);
        }
    }
}

TEST_CASE("the KL sum equals a float64 loop over the vocabulary")
{
    const Case c(at::kDouble);
    for (const double tau : {0.7, 1.0, 3.0}) {
        KlHeadOptions options;
        options.temperature = tau;
        CHECK(c.run(options).klSum.item<double>() == doctest::Approx(referenceKlSum(c, tau)).epsilon(1e-12));
    }
}

TEST_CASE("gradcheck in float64, all terms, ragged mask, several slices")
{
    Case c(at::kDouble, 11, 9);
    KlHeadOptions options = allTerms();
    options.budgetBytes = budgetFor(c, 3, options);
    c.run(options).loss.backward();
    const at::NoGradGuard noGrad;
    for (const at::Tensor &tensor : {c.student.hidden_ND, c.student.weight_VD}) {
        const at::Tensor flat = tensor.detach().view({-1}), gradient = tensor.grad().reshape({-1});
        for (std::int64_t i = 0; i < flat.numel(); ++i) {
            const double kept = flat[i].item<double>(), h = 1e-5;
            flat[i].fill_(kept + h);
            const double above = c.numberOfLoss(options);
            flat[i].fill_(kept - h);
            const double below = c.numberOfLoss(options);
            flat[i].fill_(kept);
            CHECK(std::abs(gradient[i].item<double>() - (above - below) / (2 * h)) <= 1e-9);
        }
    }
}

TEST_CASE("any slice length gives the same loss and gradients")
{
    Case whole(at::kDouble);
    whole.run(allTerms()).loss.backward();
    for (const std::int64_t slice : {1, 2, 5, 22}) {
        Case c(at::kDouble);
        KlHeadOptions options = allTerms();
        options.budgetBytes = budgetFor(c, slice, options);
        CHECK(klHeadBytes(c.teacher, c.student, options).sliceTokens == slice);
        c.run(options).loss.backward();
        CHECK(test::largestDifference(c.student.hidden_ND.grad(), whole.student.hidden_ND.grad()) <= 1e-15);
        CHECK(test::largestDifference(c.student.weight_VD.grad(), whole.student.weight_VD.grad()) <= 1e-14);
    }
}

TEST_CASE("KL is 0 for equal heads, never negative, and unchanged when tokens are doubled")
{
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
        Case c(type);
        c.student = {c.teacher.hidden_ND.clone().requires_grad_(), c.teacher.weight_VD.clone().requires_grad_()};
        HeadLoss same = c.run({});
        same.loss.backward();
        CHECK(same.loss.item<double>() == 0.0);
        CHECK(at::equal(c.student.hidden_ND.grad(), at::zeros_like(c.student.hidden_ND)));

        // Far below what float32 logits resolve in the plain form of the sum.
        Case near = c;
        near.student.hidden_ND = (c.teacher.hidden_ND + 1e-4 * test::normal({23, 6}, 9, type)).detach();
        const at::Tensor kl_N = klOf(near.teacher, near.student);
        CHECK(kl_N.min().item<double>() >= -1e-7);
        CHECK(test::largestDifference(kl_N, klOf(widened(near.teacher), widened(near.student))) <= 1e-7);
        CHECK(klOf(Case(type).teacher, Case(type).student).min().item<double>() > 0.0);
    }
    const Case once(at::kDouble);
    Case twice(at::kDouble);
    const auto doubled = [](const at::Tensor &tensor) { return at::cat({tensor, tensor}); };
    twice.teacher.hidden_ND = doubled(once.teacher.hidden_ND);
    twice.student.hidden_ND = doubled(once.student.hidden_ND);
    twice.counted_N = doubled(once.counted_N);
    twice.labels_N = doubled(once.labels_N);
    CHECK(twice.numberOfLoss(allTerms()) == doctest::Approx(once.numberOfLoss(allTerms())).epsilon(1e-14));
}

TEST_CASE("eight sequences at once equal eight micro-batches with ragged masks, KL and cross-entropy")
{
    const std::int64_t length = 7;
    Case all(at::kDouble, 8 * length, 19);
    all.counted_N = at::arange(8 * length).remainder(length).lt(at::arange(8 * length).floor_divide(length).add(1).clamp_max(6));
    KlHeadOptions options = allTerms();
    all.run(options).loss.backward();

    Case parts = all;
    parts.student = {all.student.hidden_ND.detach().clone().requires_grad_(), all.student.weight_VD.detach().clone().requires_grad_()};
    options.normaliser = static_cast<double>(all.counted_N.sum().item<std::int64_t>());
    options.crossEntropyNormaliser = static_cast<double>(all.counted_N.logical_and(all.labels_N.ge(0)).sum().item<std::int64_t>());
    for (std::int64_t row = 0; row < 8; ++row) {
        const auto cut = [&](const at::Tensor &tensor) { return tensor.narrow(0, row * length, length); };
        const Head student{cut(parts.student.hidden_ND), parts.student.weight_VD};
        klHead({cut(all.teacher.hidden_ND), all.teacher.weight_VD}, {&student, 1}, cut(all.counted_N), cut(all.labels_N), options)[0].loss.backward();
    }
    CHECK(test::relativeDifference(parts.student.hidden_ND.grad(), all.student.hidden_ND.grad()) <= 1e-13);
    CHECK(test::relativeDifference(parts.student.weight_VD.grad(), all.student.weight_VD.grad()) <= 1e-13);
}

TEST_CASE("students in lock-step get the bits they get alone")
{
    std::vector<Case> cases;
    std::vector<Head> students;
    for (std::uint64_t i = 0; i < 3; ++i) {
        cases.emplace_back(at::kFloat, 200, 301, 50);
        cases.back().student.hidden_ND = test::normal({200, 4}, 70 + i).requires_grad_();
        students.push_back(cases.back().student);
    }
    KlHeadOptions options = allTerms();
    options.budgetBytes = budgetFor(cases[0], 37, options);
    const std::vector<HeadLoss> together = klHead(cases[0].teacher, students, cases[0].counted_N, cases[0].labels_N, options);
    for (std::size_t i = 0; i < 3; ++i) {
        together[i].loss.backward();
        const at::Tensor hidden = cases[i].student.hidden_ND.grad().clone(), weight = cases[i].student.weight_VD.grad().clone();
        cases[i].clear();
        const HeadLoss alone = cases[i].run(options);
        alone.loss.backward();
        CHECK(at::equal(alone.loss, together[i].loss));
        CHECK(at::equal(cases[i].student.hidden_ND.grad(), hidden));
        CHECK(at::equal(cases[i].student.weight_VD.grad(), weight));
    }
}

TEST_CASE("the vocabulary is cut to the smaller one, and rows beyond it get no gradient")
{
    Case c(at::kDouble);
    c.student.weight_VD = at::cat({c.student.weight_VD.detach(), test::normal({6, 4}, 80, at::kDouble)}).requires_grad_();   // 23 rows, the teacher has 19
    c.run({}).loss.backward();
    CHECK(at::equal(c.student.weight_VD.grad().narrow(0, 19, 4), at::zeros({4, 4}, at::kDouble)));
    CHECK(c.student.weight_VD.grad().narrow(0, 18, 1).abs().max().item<double>() > 0.0);
}

TEST_CASE("tokens that do not count are never read and get gradient 0")
{
    Case clean(at::kFloat), dirty(at::kFloat);
    const at::Tensor skip = dirty.counted_N.logical_not();
    const double bad = std::numeric_limits<double>::quiet_NaN();
    dirty.teacher.hidden_ND.index_put_({skip}, at::tensor(bad, at::kFloat));
    dirty.student.hidden_ND.detach().index_put_({skip}, at::tensor(bad, at::kFloat));
    clean.run(allTerms()).loss.backward();
    dirty.run(allTerms()).loss.backward();
    CHECK(at::equal(dirty.student.weight_VD.grad(), clean.student.weight_VD.grad()));
    CHECK(at::equal(dirty.student.hidden_ND.grad(), clean.student.hidden_ND.grad()));
    CHECK(clean.student.hidden_ND.grad().index({skip}).abs().max().item<double>() == 0.0);

    dirty.counted_N = at::zeros_like(dirty.counted_N);
    dirty.clear();
    const HeadLoss none = dirty.run(allTerms());
    none.loss.backward();
    CHECK(none.loss.item<double>() == 0.0);
    CHECK(dirty.student.weight_VD.grad().abs().max().item<double>() == 0.0);
}

TEST_CASE("backward rescales what the forward pass made, once")
{
    Case once(at::kDouble), scaled(at::kDouble);
    once.run(allTerms()).loss.backward();
    const at::Tensor loss = scaled.run(allTerms()).loss;
    (loss * 3).backward({}, /*keep_graph=*/true);
    CHECK(test::relativeDifference(scaled.student.hidden_ND.grad(), 3 * once.student.hidden_ND.grad()) <= 1e-15);
    CHECK(test::relativeDifference(scaled.student.weight_VD.grad(), 3 * once.student.weight_VD.grad()) <= 1e-15);
    CHECK_THROWS_AS(loss.backward(), Error);
}

TEST_CASE("peak memory stays within the budget, whatever N x V is")
{
    const std::int64_t tokens = 2048, vocabulary = 4099;
    for (const bool trains : {true, false}) {
        CAPTURE(trains);
        Case c(at::kFloat, tokens, vocabulary);
        c.student.weight_VD.requires_grad_(trains);
        KlHeadOptions options;
        options.budgetBytes = klHeadBytes(c.teacher, c.student, {}).blocks() + (std::int64_t{3} << 20);
        const auto meter = measureAllocations([&] { c.run(options).loss.backward(); });
        CHECK(static_cast<double>(meter->peakBytes()) <= 1.05 * static_cast<double>(options.budgetBytes));
        CHECK(static_cast<double>(meter->peakBytes()) >= 0.5 * static_cast<double>(options.budgetBytes));   // the meter measures
        CHECK(static_cast<double>(options.budgetBytes) < 0.5 * static_cast<double>(tokens * vocabulary * 4));
    }
}

TEST_CASE("a slice shorter than a block pays for its own rows, and no byte of the budget is left unused")
{
    const std::int64_t tokens = 2048, vocabulary = 4099;
    for (const std::int64_t slice : {1, 10, 62, 63, 64, 500, 2048}) {
        CAPTURE(slice);
        Case c(at::kFloat, tokens, vocabulary);
        c.counted_N.reset();
        KlHeadBytes bytes = klHeadBytes(c.teacher, c.student, allTerms());
        REQUIRE(bytes.blockRows == 63);   // 1 MiB of fp32 rows
        bytes.sliceTokens = slice;
        KlHeadOptions options = allTerms();
        options.budgetBytes = bytes.total();
        CHECK(klHeadBytes(c.teacher, c.student, options).sliceTokens == slice);
        if (slice < tokens) {
            options.budgetBytes += bytes.perToken + bytes.perBlockRow;
            CHECK(klHeadBytes(c.teacher, c.student, options).sliceTokens > slice);
            options.budgetBytes = bytes.total();
        }
        const auto meter = measureAllocations([&] { c.run(options).loss.backward(); });
        CHECK(static_cast<double>(meter->peakBytes()) <= 1.05 * static_cast<double>(options.budgetBytes));
        CHECK(static_cast<double>(meter->peakBytes()) >= 0.7 * static_cast<double>(options.budgetBytes));
        options.budgetBytes = klHeadBytes(c.teacher, c.student, allTerms()).results + bytes.perToken + bytes.perBlockRow - 1;
        CHECK_THROWS_AS((void)klHeadBytes(c.teacher, c.student, options), Error);
    }
}

TEST_CASE("a frozen head costs no V x D tensor and no gradient")
{
    const std::int64_t width = 512, vocabulary = 1021;
    Case c(at::kFloat, 8, vocabulary);
    c.student = {test::normal({8, width}, 3).requires_grad_(), test::normal({vocabulary, width}, 4)};
    const auto frozen = measureAllocations([&] { c.run({}).loss.backward(); });
    CHECK(frozen->largestBytes() < vocabulary * width * 4);
    CHECK_FALSE(c.student.weight_VD.grad().defined());
    c.student.weight_VD.requires_grad_();
    const auto trained = measureAllocations([&] { c.run({}).loss.backward(); });
    CHECK(trained->largestBytes() == vocabulary * width * 4);
}

TEST_CASE("bfloat16 hidden states agree with float64 to their own precision")
{
    Case narrow(at::kFloat), wide(at::kDouble);
    narrow.student.hidden_ND = wide.student.hidden_ND.detach().to(at::kBFloat16).requires_grad_();
    narrow.teacher.hidden_ND = narrow.teacher.hidden_ND.to(at::kBFloat16);
    wide.student.hidden_ND = narrow.student.hidden_ND.detach().to(at::kDouble).requires_grad_();
    wide.teacher.hidden_ND = narrow.teacher.hidden_ND.to(at::kDouble);
    const HeadLoss loss = narrow.run(allTerms()), exact = wide.run(allTerms());
    loss.loss.backward();
    exact.loss.backward();
    CHECK((loss.loss.scalar_type() == at::kFloat));
    CHECK(loss.loss.item<double>() == doctest::Approx(exact.loss.item<double>()).epsilon(1e-6));
    CHECK((narrow.student.hidden_ND.grad().scalar_type() == at::kBFloat16));
    CHECK(test::relativeDifference(narrow.student.hidden_ND.grad(), wide.student.hidden_ND.grad()) < 4e-3);
    CHECK(test::relativeDifference(narrow.student.weight_VD.grad(), wide.student.weight_VD.grad()) < 1e-5);
}

TEST_CASE("the head stops between slices")
{
    std::stop_source stop;
    Case c(at::kFloat);
    KlHeadOptions options;
    options.stop = stop.get_token();
    CHECK_NOTHROW(c.run(options));
    stop.request_stop();
    try {
        c.run(options);
        FAIL("not stopped");
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Cancelled);
    }
    CHECK_THROWS_AS((void)klOf(c.teacher, c.student, c.counted_N, 0, stop.get_token()), Error);
}

TEST_CASE("held-out KL per token equals the loss's sum and leaves other tokens 0")
{
    const Case c(at::kFloat);
    const at::Tensor kl_N = klOf(c.teacher, c.student, c.counted_N, budgetFor(c, 4));
    CHECK((kl_N.scalar_type() == at::kDouble));
    CHECK(kl_N.sum().item<double>() == doctest::Approx(referenceKlSum(c, 1.0)).epsilon(1e-6));
    CHECK(kl_N.index({c.counted_N.logical_not()}).abs().max().item<double>() == 0.0);
}

TEST_CASE("bad arguments of the head are named")
{
    Case c(at::kFloat);
    const auto fails = [&](const KlHeadOptions &options, const std::string &word) {
        try {
            c.run(options);
            return false;
        } catch (const Error &error) {
            return error.code() == ErrorCode::Usage && std::string(error.what()).find(word) != std::string::npos;
        }
    };
    KlHeadOptions cold, negative, tiny;
    cold.temperature = 0.0;
    negative.klWeight = -1.0;
    tiny.budgetBytes = 1;
    CHECK(fails(cold, "temperature"));
    CHECK(fails(negative, "weight"));
    CHECK(fails(tiny, "at least"));
    c.labels_N = at::full_like(c.labels_N, 17);
    CHECK(fails(allTerms(), "label"));
    c.counted_N = at::ones({3}, at::kBool);
    CHECK(fails({}, "mask"));
    c.student.hidden_ND = at::ones({23, 5});
    CHECK(fails({}, "fit"));
    CHECK(klHead(c.teacher, {}, {}, {}, {}).empty());
}

}  // namespace klhead_tests
