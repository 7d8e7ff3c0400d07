# SPDX-License-Identifier: GPL-3.0-or-later
# Every compile option of the project. A precompiled header is silently ignored when flags differ, so all are set here.
add_compile_options(-fPIC)     # after CMake's -fPIE, so that programs and tests can use the libraries' precompiled header
add_compile_options(
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wformat=2 -Wextra-semi -Winvalid-pch)
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wshadow=local)     # in files that are joined a name of another file's own is no shadow
else()
  add_compile_options(-Wshadow)
endif()
if(STILLROOM_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  add_compile_options(-fpch-preprocess)   # ccache's condition for hits with a precompiled header
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=1000000)   # kB; beneath it g++ collects no garbage, which would walk the whole precompiled header: 5 % of the time
endif()
set(STILLROOM_PLUMBING_OPTIONS $<$<CONFIG:Release>:-O1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND STILLROOM_PLUMBING_OPTIONS -Wno-maybe-uninitialized)   # at -O1 it sees too little of a std::variant to know what is set
endif()
if(STILLROOM_SANITIZE)
  add_compile_options(-fsanitize=${STILLROOM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${STILLROOM_SANITIZE})
endif()
find_program(STILLROOM_LLD ld.lld)
find_program(STILLROOM_MOLD mold)
if(STILLROOM_MOLD)
  execute_process(COMMAND "${STILLROOM_MOLD}" --version OUTPUT_VARIABLE mold_version ERROR_QUIET)
endif()
# Older ones are worse than none, wherever code ends a few bytes before a page does: they count a page that is not there among the read-only relocations, and the program does not
# start (rui314/mold#1151); without such relocations 1.10 has linked for ever.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND mold_version MATCHES "mold ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 2.4)
  add_link_options(-fuse-ld=mold)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND STILLROOM_LLD)
  add_link_options(-fuse-ld=lld)
endif()
