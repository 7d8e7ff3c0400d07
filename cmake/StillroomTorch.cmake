# SPDX-License-Identifier: GPL-3.0-or-later
# LibTorch as the Python wheel ships it, with its package file's mistakes corrected. Everything links stillroom::torch.
if(NOT DEFINED Torch_ROOT AND EXISTS "${CMAKE_SOURCE_DIR}/.libtorch/torch/share/cmake/Torch/TorchConfig.cmake")
  set(Torch_ROOT "${CMAKE_SOURCE_DIR}/.libtorch/torch")
endif()
if(NOT DEFINED kineto_LIBRARY)
  set(kineto_LIBRARY torch)   # the wheel looks for a static library it does not ship
endif()
find_package(Torch 2.6 REQUIRED)
if(TARGET caffe2::mkl)
  set_property(TARGET caffe2::mkl PROPERTY INTERFACE_LINK_DIRECTORIES)   # folders of the wheel's build machine
endif()
# The wheel ships headers of a newer {fmt} than the one Debian's spdlog was built for: the system's come first.
find_package(fmt CONFIG QUIET)
if(TARGET fmt::fmt AND EXISTS "${TORCH_INSTALL_PREFIX}/include/fmt")
  get_target_property(_fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  list(GET _fmt_include 0 _fmt_include)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/include-first")
  file(CREATE_LINK "${_fmt_include}/fmt" "${CMAKE_BINARY_DIR}/include-first/fmt" SYMBOLIC)
  target_include_directories(torch SYSTEM BEFORE INTERFACE "${CMAKE_BINARY_DIR}/include-first")
endif()
add_library(stillroom_torch INTERFACE)
add_library(stillroom::torch ALIAS stillroom_torch)
# LibTorch's wheels export an older copy of std::filesystem: the C++ library must be searched before them, or remove_all crashes.
target_link_libraries(stillroom_torch INTERFACE stdc++ torch)
target_compile_definitions(stillroom_torch INTERFACE QT_NO_KEYWORDS)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(stillroom_torch INTERFACE -fopenmp)   # else at::parallel_for in our files is serial
  target_link_options(stillroom_torch INTERFACE -fopenmp)
endif()
