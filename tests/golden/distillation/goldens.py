# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the golden values of the room `distillation`: torch.optim.AdamW, torch.optim.lr_scheduler and torch.nn.functional.kl_div.

    python goldens.py ../../data/distillation
"""
import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F


def adamw():
    generator = torch.Generator().manual_seed(11)
    shapes = {"w": [3, 5], "bias": [17], "norm": [5], "A_log": [2]}
    parameters = {name: torch.randn(shape, generator=generator).requires_grad_() for name, shape in shapes.items()}
    factors = [0.25, 0.5, 1.0, 1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05]
    groups = [
        {"params": [parameters["w"], parameters["bias"]], "lr": 1e-2, "weight_decay": 0.1},
        {"params": [parameters["norm"], parameters["A_log"]], "lr": 3e-3, "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.95), eps=1e-8, foreach=False, fused=False)
    base = [group["lr"] for group in optimizer.param_groups]
    initial = {name: p.detach().flatten().tolist() for name, p in parameters.items()}
    gradients, after = [], []
    for factor in factors:
        for group, lr in zip(optimizer.param_groups, base):
            group["lr"] = lr * factor
        step = {}
        for name, p in parameters.items():
            p.grad = torch.randn(p.shape, generator=generator) * (1e-4 if name == "w" else 1.0)
            step[name] = p.grad.flatten().tolist()
        gradients.append(step)
        optimizer.step()
        after.append({name: p.detach().flatten().tolist() for name, p in parameters.items()})
    return {"shapes": shapes, "factors": factors, "initial": initial, "gradients": gradients, "after": after}


def schedules():
    def factors(make, total):
        parameter = torch.zeros(1, requires_grad=True)
        optimizer = torch.optim.SGD([parameter], lr=1.0)
        scheduler = make(optimizer)
        values = []
        for _ in range(total):
            values.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()
        return values

    lr = torch.optim.lr_scheduler
    return {
        "cosine_20_min0.1": factors(lambda o: lr.CosineAnnealingLR(o, T_max=20, eta_min=0.1), 20),
        "linear_16_min0.25": factors(lambda o: lr.LinearLR(o, start_factor=1.0, end_factor=0.25, total_iters=16), 16),
    }


def losses():
    """Hinton distillation with F.kl_div and F.cross_entropy in float64, ragged mask, per-term gradients by autograd."""
    generator = torch.Generator().manual_seed(12)
    n, d_teacher, d, v_teacher, v, tau = 9, 6, 4, 13, 11, 1.7
    draw = lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)
    teacher_hidden, teacher_weight = draw(n, d_teacher), draw(v_teacher, d_teacher)
    hidden, weight = draw(n, d).requires_grad_(), draw(v, d).requires_grad_()
    counted = torch.tensor([1, 1, 0, 1, 1, 1, 0, 1, 0], dtype=torch.bool)
    labels = torch.tensor([3, -100, 5, 0, 10, 2, 1, -100, 4])
    z_teacher = (teacher_hidden @ teacher_weight.T)[counted][:, :v]
    z = (hidden @ weight.T)[counted]
    log_teacher, log_student = F.log_softmax(z_teacher / tau, -1), F.log_softmax(z / tau, -1)
    terms = {
        "kl": tau**2 * F.kl_div(log_student, log_teacher, reduction="sum", log_target=True) / counted.sum(),
        "reverse_kl": tau**2 * F.kl_div(log_teacher, log_student, reduction="sum", log_target=True) / counted.sum(),
        "cross_entropy": F.cross_entropy(z, labels[counted], ignore_index=-100),
    }
    result = {"shape": [n, d_teacher, d, v_teacher, v], "temperature": tau, "counted": counted.long().tolist(), "labels": labels.tolist(),
              "teacher_hidden": teacher_hidden.flatten().tolist(), "teacher_weight": teacher_weight.flatten().tolist(),
              "hidden": hidden.detach().flatten().tolist(), "weight": weight.detach().flatten().tolist()}
    for name, term in terms.items():
        dx, dw = torch.autograd.grad(term, [hidden, weight], retain_graph=True)
        result[name] = {"loss": term.item(), "hidden": dx.flatten().tolist(), "weight": dw.flatten().tolist()}
    return result


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in {"adamw": adamw, "schedules": schedules, "losses": losses}.items():
        (folder / f"{name}.json").write_text(json.dumps({"torch": torch.__version__, **make()}) + "\n")
