// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/arms.h"

#include "calibration/studentcopy.h"
#include "error.h"

namespace stillroom::calibration {

namespace {

constexpr Arm allArms[] = {Arm::NaiveCopy, Arm::ZeroGate, Arm::SmallGate, Arm::PhaseOne, Arm::PhaseTwo, Arm::Both};
constexpr double smallGate = 0.02;

}  // namespace

const char *armName(Arm arm)
{
    switch (arm) {
    case Arm::NaiveCopy:
        return "naive-copy";
    case Arm::ZeroGate:
        return "zero-gate";
    case Arm::SmallGate:
        return "small-gate";
    case Arm::PhaseOne:
        return "phase-1";
    case Arm::PhaseTwo:
        return "phase-2";
    case Arm::Both:
        return "both";
    }
    return "";
}

Arm parseArm(const std::string &text)
{
    for (const Arm arm : allArms)
        if (text == armName(arm))
            return arm;
    throw Error(ErrorCode::Usage, "There is no start \"" + text + "\" of a linear layer; choose naive-copy, zero-gate, small-gate, phase-1, phase-2 or both.");
}

bool runsPhaseOne(Arm arm)
{
    return arm == Arm::PhaseOne || arm == Arm::Both;
}

bool runsPhaseTwo(Arm arm)
{
    return arm == Arm::PhaseTwo || arm == Arm::Both;
}

std::vector<distillation::AlignedLayer> startOf(Arm arm, const std::vector<distillation::AlignedLayer> &naive)
{
    std::vector<distillation::AlignedLayer> layers;
    for (const distillation::AlignedLayer &one : naive) {
        const std::shared_ptr<mixers::LinearMixer> mixer = ownLinearCopy(one);
        layers.push_back({one.layer, mixer});
        if (arm != Arm::ZeroGate && arm != Arm::SmallGate)
            continue;
        if (!mixer->has(mixers::Quantity::OutputGate))
            throw Error(ErrorCode::Usage, "Layer " + std::to_string(one.layer) + "'s mixer \"" + std::string(mixer->kind()) + "\" has no output gate to close; leave out the arm " + armName(arm) + '.');
        mixer->scaleGate(arm == Arm::ZeroGate ? 0.0 : smallGate);
    }
    return layers;
}

}  // namespace stillroom::calibration
