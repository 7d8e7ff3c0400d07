// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/klhead.h"

#include "distillation/klblock.h"
#include "error.h"
#include "nn/torcherror.h"

#include <algorithm>
#include <optional>
#include <string>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

namespace stillroom::distillation {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

constexpr std::int64_t defaultTemporaryBytes = std::int64_t{256} << 20;

/// Shapes and types of one call.
struct Plan {
    std::int64_t tokens = 0, vocabulary = 0, width = 0;   ///< N, V, D of the student
    at::ScalarType matmulType = at::kFloat;               ///< bfloat16 only on CUDA
    at::ScalarType lossType = at::kFloat;
    std::int64_t blockRows = 1;
    KlHeadBytes bytes;
};

std::int64_t sizeOf(at::ScalarType type) { return static_cast<std::int64_t>(at::elementSize(type)); }

void checkHead(const Head &head, const char *whose)
{
    if (!head.hidden_ND.defined() || !head.weight_VD.defined() || head.weight_VD.dim() != 2 || head.hidden_ND.dim() < 2 || head.hidden_ND.size(-1) != head.weight_VD.size(1))
        throw Error(ErrorCode::Usage, std::string("The ") + whose + "'s hidden states and output matrix do not fit: they must be [N,D] and [V,D].");
}

void checkOptions(const KlHeadOptions &options)
{
    if (!(options.temperature > 0.0))
        throw Error(ErrorCode::Usage, "The temperature is " + std::to_string(options.temperature) + "; give a number above 0.");
    for (const double weight : {options.klWeight, options.reverseKlWeight, options.crossEntropyWeight, options.normaliser, options.crossEntropyNormaliser})
        if (!(weight >= 0.0))
            throw Error(ErrorCode::Usage, "A weight or normaliser of the distillation loss is " + std::to_string(weight) + "; give 0 or more.");
    if (options.budgetBytes < 0)
        throw Error(ErrorCode::Usage, "The KL head's budget is negative; give bytes, or 0 for the default.");
}

/// A frozen student head that is the teacher's own.
bool sameWeight(const Head &teacher, const Head &student) { return student.weight_VD.is_alias_of(teacher.weight_VD) && student.weight_VD.sizes() == teacher.weight_VD.sizes(); }

/// Rows of a block: about a megabyte on the CPU, so that its temporaries stay in the cache; more on CUDA, so that kernels fill the card.
std::int64_t rowsPerBlock(const Head &student, std::int64_t rowBytes)
{
    const std::int64_t target = student.hidden_ND.is_cuda() ? std::int64_t{8} << 20 : std::int64_t{1} << 20;
    return std::max<std::int64_t>(1, target / rowBytes);
}

/// The tokens of the longest slice that fits into `available` bytes together with its blocks: a slice shorter than a block is one block of its own length.
std::int64_t longestSlice(std::int64_t available, const KlHeadBytes &bytes)
{
    const std::int64_t asOneBlock = available / (bytes.perToken + bytes.perBlockRow);
    return asOneBlock < bytes.blockRows ? asOneBlock : (available - bytes.perBlockRow * bytes.blockRows) / bytes.perToken;
}

at::ScalarType lossTypeOf(at::ScalarType hidden) { return hidden == at::kDouble ? at::kDouble : at::kFloat; }

/// Of training: bfloat16 where the device multiplies it fast and adds up in fp32.
at::ScalarType trainingMatmulType(const at::Tensor &hidden_ND)
{
    const at::ScalarType type = hidden_ND.scalar_type();
    return type == at::kBFloat16 && hidden_ND.is_cuda() ? at::kBFloat16 : lossTypeOf(type);
}

Plan makePlan(const Head &teacher, const Head &student, const KlHeadOptions &options, at::ScalarType matmulType)
{
    Plan plan;
    plan.tokens = student.hidden_ND.numel() / student.hidden_ND.size(-1);
    plan.width = student.hidden_ND.size(-1);
    plan.vocabulary = std::min(teacher.weight_VD.size(0), student.weight_VD.size(0));
    const at::ScalarType type = student.hidden_ND.scalar_type();
    plan.lossType = lossTypeOf(type);
    plan.matmulType = matmulType;
    const bool narrow = plan.matmulType == at::kBFloat16;

    KlHeadBytes &bytes = plan.bytes;
    const std::int64_t teacherWidth = teacher.hidden_ND.size(-1);
    if (student.hidden_ND.requires_grad())
        bytes.results += plan.tokens * plan.width * sizeOf(type);
    if (student.weight_VD.requires_grad())
        bytes.results += student.weight_VD.numel() * sizeOf(plan.lossType);
    if (narrow) {
        bytes.casts = plan.vocabulary * teacherWidth * sizeOf(plan.matmulType);
        if (!sameWeight(teacher, student))
            bytes.castsPerStudent = plan.vocabulary * plan.width * sizeOf(plan.matmulType);
    }
    // Two sets of logits, the gradient's copy for the bfloat16 matmuls, and rows gathered or cast.
    bytes.perToken = plan.vocabulary * (2 * sizeOf(plan.lossType) + (narrow ? 2 : 0)) + (2 * plan.width + teacherWidth) * sizeOf(plan.lossType);
    const std::int64_t rowBytes = plan.vocabulary * sizeOf(plan.lossType);
    bytes.perBlockRow = klBlockTemporaries(options.reverseKlWeight > 0.0, options.crossEntropyWeight > 0.0) * rowBytes;
    bytes.blockRows = std::min(rowsPerBlock(student, rowBytes), std::max<std::int64_t>(plan.tokens, 1));
    const std::int64_t beforeSlices = bytes.results + bytes.casts + bytes.castsPerStudent;
    const std::int64_t budget = options.budgetBytes > 0 ? options.budgetBytes : beforeSlices + bytes.perBlockRow * bytes.blockRows + defaultTemporaryBytes;
    bytes.sliceTokens = std::min(std::max<std::int64_t>(plan.tokens, 1), longestSlice(budget - beforeSlices, bytes));
    if (options.budgetBytes == 0)
        bytes.sliceTokens = std::max<std::int64_t>(bytes.sliceTokens, 1);
    if (bytes.sliceTokens < 1)
        throw Error(ErrorCode::Usage, "The KL head's budget of " + std::to_string(budget) + " bytes is too small; give at least "
                                          + std::to_string(beforeSlices + bytes.perToken + bytes.perBlockRow) + ", or 0 for the default.");
    plan.blockRows = std::min(bytes.blockRows, bytes.sliceTokens);
    return plan;
}

/// The tokens that count: their indices on the device, or undefined when all do.
struct Counted {
    at::Tensor index_n;
    std::int64_t count = 0;
};

Counted countedOf(const at::Tensor &counted_N, std::int64_t tokens, at::Device device)
{
    if (!counted_N.defined())
        return {{}, tokens};
    if (counted_N.numel() != tokens || counted_N.scalar_type() != at::kBool || !counted_N.device().is_cpu())
        throw Error(ErrorCode::Usage, "The token mask must be bool, on the CPU, with one entry per token.");
    const at::Tensor index_n = counted_N.reshape({-1}).nonzero().squeeze(1);
    if (index_n.numel() == tokens)
        return {{}, tokens};
    return {index_n.to(device), index_n.numel()};
}

at::Tensor labelsOf(const at::Tensor &labels_N, const Plan &plan, const KlHeadOptions &options, at::Device device)
{
    if (options.crossEntropyWeight == 0.0)
        return {};
    if (!labels_N.defined() || labels_N.numel() != plan.tokens || labels_N.scalar_type() != at::kLong || !labels_N.device().is_cpu())
        throw Error(ErrorCode::Usage, "The cross-entropy needs labels: int64, on the CPU, one per token (negative: none).");
    if (labels_N.numel() > 0 && labels_N.max().item<std::int64_t>() >= plan.vocabulary)
        throw Error(ErrorCode::Usage, "A label is outside the vocabulary of " + std::to_string(plan.vocabulary) + ".");
    return labels_N.reshape({-1}).to(device);
}

/// A head without autograd: rows of hidden states, and the weight in the type of the matmul, cut to the shared vocabulary.
struct PlainHead {
    at::Tensor hidden_ND, weight_VD;
};

PlainHead plain(const Head &head, const Plan &plan)
{
    return {head.hidden_ND.detach().reshape({-1, head.hidden_ND.size(-1)}), head.weight_VD.detach().narrow(0, 0, plan.vocabulary).to(plan.matmulType)};
}

/// Rows first … first+count-1 of the counted tokens.
at::Tensor rowsOf(const at::Tensor &all_N, const Counted &counted, std::int64_t first, std::int64_t count)
{
    return counted.index_n.defined() ? all_N.index_select(0, counted.index_n.narrow(0, first, count)) : all_N.narrow(0, first, count);
}

/// logits = x Wᵀ in the type of `logits`, also from bfloat16 operands.
void matmulInto(at::Tensor logits, const at::Tensor &a, const at::Tensor &b)
{
    if (a.scalar_type() == logits.scalar_type())
        at::mm_out(logits, a, b);
    else
        at::mm_out(logits, a, b, logits.scalar_type());
}

/// What a student's slices add up to.
struct StudentSums {
    at::Tensor hiddenGradient_ND, weightGradient_VD;   ///< undefined where nothing trains
    at::Tensor kl, reverseKl, crossEntropy;            ///< float64 scalars
};

void addSum(at::Tensor &sum, const at::Tensor &terms_R)
{
    if (terms_R.defined())
        sum.add_(terms_R.sum(at::kDouble));
}

/// The head of all students over one batch.
class SlicedHead {
public:
    SlicedHead(const Plan &plan, const Head &teacher, std::span<const Head> students, Counted counted, at::Tensor labels_N, const KlHeadOptions &options)
        : m_plan(plan), m_teacher(plain(teacher, plan)), m_counted(std::move(counted)), m_labels_N(std::move(labels_N)), m_options(options)
    {
        m_weights.temperature = options.temperature;
        const double normaliser = options.normaliser > 0.0 ? options.normaliser : static_cast<double>(std::max<std::int64_t>(m_counted.count, 1));
        m_weights.kl = options.klWeight / normaliser;
        m_weights.reverseKl = options.reverseKlWeight / normaliser;
        if (options.crossEntropyWeight != 0.0)
            m_weights.crossEntropy = options.crossEntropyWeight / crossEntropyNormaliser();
        for (const Head &student : students) {
            m_sums.push_back(emptySums(student));
            m_plainStudents.push_back(plain(student, plan));
            if (sameWeight(teacher, student))
                m_plainStudents.back().weight_VD = m_teacher.weight_VD;
        }
    }

    void run()
    {
        const at::TensorOptions logitOptions = m_teacher.hidden_ND.options().dtype(m_plan.lossType);
        const std::int64_t slice = std::min(m_plan.bytes.sliceTokens, m_counted.count);
        m_teacherLogits_CV = at::empty({slice, m_plan.vocabulary}, logitOptions);
        m_logits_CV = at::empty({slice, m_plan.vocabulary}, logitOptions);
        for (std::int64_t first = 0; first < m_counted.count; first += slice) {
            nn::throwIfStopped(m_options.stop);
            runSlice(first, std::min(slice, m_counted.count - first));
        }
    }

    [[nodiscard]] const TermWeights &weights() const { return m_weights; }
    [[nodiscard]] std::vector<StudentSums> &sums() { return m_sums; }

private:
    double crossEntropyNormaliser() const
    {
        if (m_options.crossEntropyNormaliser > 0.0)
            return m_options.crossEntropyNormaliser;
        const at::Tensor labels = rowsOf(m_labels_N, m_counted, 0, m_counted.count);
        return std::max(1.0, labels.ge(0).sum().item<double>());
    }

    StudentSums emptySums(const Head &student) const
    {
        StudentSums sums;
        // Every row is written where all tokens count; the others' gradient is 0.
        if (student.hidden_ND.requires_grad())
            sums.hiddenGradient_ND = m_counted.index_n.defined() ? at::zeros({m_plan.tokens, m_plan.width}, student.hidden_ND.options())
                                                                 : at::empty({m_plan.tokens, m_plan.width}, student.hidden_ND.options());
        if (student.weight_VD.requires_grad())
            sums.weightGradient_VD = at::zeros(student.weight_VD.sizes(), student.weight_VD.options().dtype(m_plan.lossType));
        const at::TensorOptions wide = student.hidden_ND.options().dtype(at::kDouble);
        sums.kl = at::zeros({}, wide);
        if (m_options.reverseKlWeight != 0.0)
            sums.reverseKl = at::zeros({}, wide);
        if (m_options.crossEntropyWeight != 0.0)
            sums.crossEntropy = at::zeros({}, wide);
        return sums;
    }

    void runSlice(std::int64_t first, std::int64_t count)
    {
        at::Tensor teacherLogits = m_teacherLogits_CV.narrow(0, 0, count);
        matmulInto(teacherLogits, rowsOf(m_teacher.hidden_ND, m_counted, first, count).to(m_plan.matmulType), m_teacher.weight_VD.t());
        for (std::int64_t row = 0; row < count; row += m_plan.blockRows)
            teacherLogProbabilities(teacherLogits.narrow(0, row, std::min(m_plan.blockRows, count - row)), m_options.temperature);
        for (std::size_t i = 0; i < m_plainStudents.size(); ++i)
            runStudent(m_plainStudents[i], m_sums[i], first, count);
    }

    void runStudent(const PlainHead &student, StudentSums &sums, std::int64_t first, std::int64_t count)
    {
        const at::Tensor x_CD = rowsOf(student.hidden_ND, m_counted, first, count).to(m_plan.matmulType);
        at::Tensor logits = m_logits_CV.narrow(0, 0, count);
        matmulInto(logits, x_CD, student.weight_VD.t());
        const bool gradient = sums.hiddenGradient_ND.defined() || sums.weightGradient_VD.defined();
        const at::Tensor labels_C = m_labels_N.defined() ? rowsOf(m_labels_N, m_counted, first, count) : at::Tensor();
        for (std::int64_t row = 0; row < count; row += m_plan.blockRows) {
            const std::int64_t rows = std::min(m_plan.blockRows, count - row);
            const BlockSums block = klBlock(m_teacherLogits_CV.narrow(0, row, rows), logits.narrow(0, row, rows),
                                            labels_C.defined() ? labels_C.narrow(0, row, rows) : labels_C, m_weights, gradient);
            addSum(sums.kl, block.kl_R);
            addSum(sums.reverseKl, block.reverseKl_R);
            addSum(sums.crossEntropy, block.crossEntropy_R);
        }
        if (gradient)
            addGradients(sums, logits.to(m_plan.matmulType), x_CD, student.weight_VD, first, count);
    }

    void addGradients(StudentSums &sums, const at::Tensor &dz_CV, const at::Tensor &x_CD, const at::Tensor &weight_VD, std::int64_t first, std::int64_t count) const
    {
        if (sums.hiddenGradient_ND.defined()) {
            const at::Tensor dx_CD = at::mm(dz_CV, weight_VD).to(sums.hiddenGradient_ND.scalar_type());
            if (m_counted.index_n.defined())
                sums.hiddenGradient_ND.index_copy_(0, m_counted.index_n.narrow(0, first, count), dx_CD);
            else
                sums.hiddenGradient_ND.narrow(0, first, count).copy_(dx_CD);
        }
        if (sums.weightGradient_VD.defined()) {
            at::Tensor dw_VD = sums.weightGradient_VD.narrow(0, 0, m_plan.vocabulary);
            if (dz_CV.scalar_type() == dw_VD.scalar_type())
                dw_VD.addmm_(dz_CV.t(), x_CD);
            else
                at::addmm_out(dw_VD, dw_VD, dz_CV.t(), x_CD, dw_VD.scalar_type());
        }
    }

    const Plan &m_plan;
    PlainHead m_teacher;
    std::vector<PlainHead> m_plainStudents;
    Counted m_counted;
    at::Tensor m_labels_N;
    const KlHeadOptions &m_options;
    TermWeights m_weights;
    std::vector<StudentSums> m_sums;
    at::Tensor m_teacherLogits_CV, m_logits_CV;
};

/// A loss whose gradients are known already: backward multiplies them with what comes in and hands them over (once).
class RescaledGradient : public Function<RescaledGradient> {
public:
    static at::Tensor forward(AutogradContext *context, const at::Tensor &, const at::Tensor &, const at::Tensor &loss, const std::optional<at::Tensor> &hiddenGradient,
                              const std::optional<at::Tensor> &weightGradient)
    {
        if (hiddenGradient)
            context->saved_data["hidden"] = *hiddenGradient;
        if (weightGradient)
            context->saved_data["weight"] = *weightGradient;
        context->saved_data["whole"] = true;
        return loss.clone();
    }

    static variable_list backward(AutogradContext *context, variable_list upstream)
    {
        if (context->saved_data.find("whole") == context->saved_data.end())
            throw Error(ErrorCode::Usage, "The KL head's loss was differentiated twice; compute it again for a second backward.");
        variable_list result(5);
        std::size_t input = 0;
        for (const char *name : {"hidden", "weight"}) {
            const auto found = context->saved_data.find(name);
            if (found != context->saved_data.end())
                result[input] = found->second.toTensor().mul_(upstream[0]);
            ++input;
        }
        context->saved_data.clear();   // moved out, so that the leaf takes the memory over instead of copying it
        return result;
    }
};

HeadLoss finish(const Head &student, StudentSums &sums, const TermWeights &weights, at::ScalarType lossType, const std::vector<std::int64_t> &hiddenShape)
{
    const double tauSquared = weights.temperature * weights.temperature;
    at::Tensor loss = sums.kl * (tauSquared * weights.kl);
    if (sums.reverseKl.defined())
        loss = loss + sums.reverseKl * (tauSquared * weights.reverseKl);
    if (sums.crossEntropy.defined())
        loss = loss + sums.crossEntropy * weights.crossEntropy;
    std::optional<at::Tensor> hiddenGradient, weightGradient;
    if (sums.hiddenGradient_ND.defined())
        hiddenGradient = sums.hiddenGradient_ND.view(hiddenShape);
    if (sums.weightGradient_VD.defined())
        weightGradient = sums.weightGradient_VD;
    HeadLoss result;
    result.loss = RescaledGradient::apply(student.hidden_ND, student.weight_VD, loss.to(lossType), hiddenGradient, weightGradient);
    result.klSum = sums.kl;
    result.reverseKlSum = sums.reverseKl;
    result.crossEntropySum = sums.crossEntropy;
    return result;
}

Head frozen(const Head &head) { return {head.hidden_ND.detach(), head.weight_VD.detach()}; }

/// Of klPerToken: no gradients, and matmuls in the type of the loss.
Plan planPerToken(const Head &teacher, const Head &student, std::int64_t budgetBytes)
{
    KlHeadOptions options;
    options.budgetBytes = budgetBytes;
    return makePlan(frozen(teacher), frozen(student), options, lossTypeOf(student.hidden_ND.scalar_type()));
}

/// KL of every token, without gradients.
class KlPerToken {
public:
    KlPerToken(const Plan &plan, const Head &teacher, std::span<const Head> students, Counted counted)
        : m_plan(plan), m_teacher(plain(teacher, plan)), m_counted(std::move(counted))
    {
        for (const Head &student : students) {
            m_students.push_back(plain(student, plan));
            m_kl_n.push_back(at::zeros({m_counted.count}, m_teacher.hidden_ND.options().dtype(at::kDouble)));
        }
    }

    std::vector<at::Tensor> run(const std::stop_token &stop)
    {
        for (std::int64_t first = 0; first < m_counted.count; first += m_plan.bytes.sliceTokens) {
            nn::throwIfStopped(stop);
            runSlice(first, std::min(m_plan.bytes.sliceTokens, m_counted.count - first));
        }
        std::vector<at::Tensor> results_N;
        for (const at::Tensor &kl_n : m_kl_n)
            results_N.push_back(ofAllTokens(kl_n));
        return results_N;
    }

private:
    at::Tensor logits(const PlainHead &head, std::int64_t first, std::int64_t count) const
    {
        return at::mm(rowsOf(head.hidden_ND, m_counted, first, count).to(m_plan.matmulType), head.weight_VD.t());
    }

    void runSlice(std::int64_t first, std::int64_t count)
    {
        const at::Tensor teacher_CV = logits(m_teacher, first, count);
        for (std::int64_t row = 0; row < count; row += m_plan.blockRows)
            teacherLogProbabilities(teacher_CV.narrow(0, row, std::min(m_plan.blockRows, count - row)), 1.0);
        for (std::size_t i = 0; i < m_students.size(); ++i) {
            const at::Tensor logits_CV = logits(m_students[i], first, count);
            for (std::int64_t row = 0; row < count; row += m_plan.blockRows) {
                const std::int64_t rows = std::min(m_plan.blockRows, count - row);
                m_kl_n[i].narrow(0, first + row, rows).copy_(klBlock(teacher_CV.narrow(0, row, rows), logits_CV.narrow(0, row, rows), {}, {}, false).kl_R);
            }
        }
    }

    at::Tensor ofAllTokens(const at::Tensor &kl_n) const
    {
        if (!m_counted.index_n.defined())
            return kl_n;
        return at::zeros({m_plan.tokens}, kl_n.options()).index_copy_(0, m_counted.index_n, kl_n);
    }

    const Plan &m_plan;
    PlainHead m_teacher;
    std::vector<PlainHead> m_students;
    Counted m_counted;
    /// Per student, of the counted tokens. Whole from the beginning: a small result that stays behind each block lies in the place of the block's temporaries,
    /// where those of the next do not fit any more, and the heap grows with every block.
    std::vector<at::Tensor> m_kl_n;
};

void checkStudents(const Head &teacher, std::span<const Head> students)
{
    checkHead(teacher, "teacher");
    for (const Head &student : students) {
        checkHead(student, "student");
        const Head &one = students.front();
        if (student.hidden_ND.sizes() != one.hidden_ND.sizes() || student.weight_VD.sizes() != one.weight_VD.sizes()
            || student.hidden_ND.scalar_type() != one.hidden_ND.scalar_type())
            throw Error(ErrorCode::Usage, "Students in lock-step must have heads of one shape and type.");
        if (student.hidden_ND.numel() / student.hidden_ND.size(-1) != teacher.hidden_ND.numel() / teacher.hidden_ND.size(-1))
            throw Error(ErrorCode::Usage, "Teacher and student must see the same tokens.");
    }
}

}  // namespace

KlHeadBytes klHeadBytes(const Head &teacher, const Head &student, const KlHeadOptions &options)
{
    checkStudents(teacher, {&student, 1});
    checkOptions(options);
    return makePlan(teacher, student, options, trainingMatmulType(student.hidden_ND)).bytes;
}

std::vector<HeadLoss> klHead(const Head &teacher, std::span<const Head> students, const at::Tensor &counted_N, const at::Tensor &labels_N, const KlHeadOptions &options)
{
    if (students.empty())
        return {};
    checkStudents(teacher, students);
    checkOptions(options);
    const Plan plan = makePlan(teacher, students.front(), options, trainingMatmulType(students.front().hidden_ND));
    const at::Device device = students.front().hidden_ND.device();
    std::vector<StudentSums> sums;
    TermWeights weights;
    {
        const at::NoGradGuard noGrad;
        SlicedHead head(plan, teacher, students, countedOf(counted_N, plan.tokens, device), labelsOf(labels_N, plan, options, device), options);
        head.run();
        sums = std::move(head.sums());
        weights = head.weights();
    }
    std::vector<HeadLoss> losses;
    for (std::size_t i = 0; i < students.size(); ++i)
        losses.push_back(finish(students[i], sums[i], weights, plan.lossType, students[i].hidden_ND.sizes().vec()));
    return losses;
}

KlHeadBytes klPerTokenBytes(const Head &teacher, const Head &student, std::int64_t budgetBytes)
{
    checkStudents(teacher, {&student, 1});
    const Plan plan = planPerToken(teacher, student, budgetBytes);
    const auto castBytes = [&](const Head &head) { return head.weight_VD.scalar_type() == plan.matmulType ? 0 : plan.vocabulary * head.weight_VD.size(1) * sizeOf(plan.matmulType); };
    KlHeadBytes bytes = plan.bytes;
    bytes.results = plan.tokens * sizeOf(at::kDouble);
    bytes.casts = castBytes(teacher);
    bytes.castsPerStudent = castBytes(student);
    return bytes;
}

std::vector<at::Tensor> klPerToken(const Head &teacher, std::span<const Head> students, const at::Tensor &counted_N, std::int64_t budgetBytes, std::stop_token stop)
{
    if (students.empty())
        return {};
    const at::NoGradGuard noGrad;
    checkStudents(teacher, students);
    const Plan plan = planPerToken(teacher, students.front(), budgetBytes);
    KlPerToken measured(plan, teacher, students, countedOf(counted_N, plan.tokens, students.front().hidden_ND.device()));
    return measured.run(stop);
}

}  // namespace stillroom::distillation
