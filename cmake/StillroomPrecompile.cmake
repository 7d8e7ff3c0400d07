# SPDX-License-Identifier: GPL-3.0-or-later
# Included after every add_compile_options: a precompiled header is used only when all flags agree.
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/pch/empty.cpp" CONTENT "")
add_library(pch_torch STATIC "${CMAKE_BINARY_DIR}/pch/empty.cpp")
target_link_libraries(pch_torch PRIVATE stillroom::torch)
target_precompile_headers(pch_torch PRIVATE <torch/csrc/autograd/custom_function.h> <ATen/ATen.h>)
if(STILLROOM_GUI)
  add_library(pch_widgets STATIC "${CMAKE_BINARY_DIR}/pch/empty.cpp")
  target_link_libraries(pch_widgets PRIVATE Qt6::Widgets)
  set_target_properties(pch_widgets PROPERTIES AUTOMOC OFF)
  target_precompile_headers(pch_widgets PRIVATE <QtWidgets/QtWidgets>)
endif()
