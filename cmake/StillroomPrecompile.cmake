# SPDX-License-Identifier: GPL-3.0-or-later
# Included after every add_compile_options: a precompiled header is used only when all flags agree.
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/pch/empty.cpp" CONTENT "")
add_library(pch_torch STATIC "${CMAKE_BINARY_DIR}/pch/empty.cpp")
target_link_libraries(pch_torch PRIVATE stillroom::torch)
# No autograd header here: the templates that it leaves open are instantiated anew in every file, 2.7 s each, and five files want it.
target_precompile_headers(pch_torch PRIVATE <ATen/ATen.h>)
if(STILLROOM_GUI)
  add_library(stillroom_qt INTERFACE)
  target_link_libraries(stillroom_qt INTERFACE Qt6::Widgets)
  target_compile_definitions(stillroom_qt INTERFACE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH)
  add_library(pch_widgets STATIC "${CMAKE_BINARY_DIR}/pch/empty.cpp")
  target_link_libraries(pch_widgets PRIVATE stillroom_qt)
  set_target_properties(pch_widgets PROPERTIES AUTOMOC OFF)
  target_precompile_headers(pch_widgets PRIVATE <QtWidgets/QtWidgets>)
endif()
