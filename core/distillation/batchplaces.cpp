// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/batchplaces.h"

#include "nn/places.h"

namespace stillroom::distillation {

nn::TokenPlaces placesOf(const Batch &batch, at::Device device)
{
    return nn::completePlaces({{}, batch.documents_BT, nullptr}, batch.ids_BT.size(0), batch.ids_BT.size(1), device, nullptr);
}

}  // namespace stillroom::distillation
