# SPDX-License-Identifier: GPL-3.0-or-later

# stillroom_room(NAME [TORCH] [PLUMBING] SOURCES … [LINKS …]): one room of core/ as a static library stillroom_NAME.
# LINKS names the rooms and libraries this room may use: the arrows of the house.
# PLUMBING: it reads, writes and arranges, and no loop in it is hot; -O1 compiles it in three quarters of the time.
function(stillroom_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH;PLUMBING" "" "SOURCES;LINKS")
  add_library(stillroom_${name} STATIC ${arg_SOURCES})
  add_library(stillroom::${name} ALIAS stillroom_${name})
  target_include_directories(stillroom_${name} PUBLIC "${PROJECT_SOURCE_DIR}/core")
  target_link_libraries(stillroom_${name} PUBLIC ${arg_LINKS})
  if(arg_PLUMBING)
    target_compile_options(stillroom_${name} PRIVATE ${STILLROOM_PLUMBING_OPTIONS})
  endif()
  if(arg_TORCH)
    target_link_libraries(stillroom_${name} PUBLIC stillroom::torch)
    target_precompile_headers(stillroom_${name} REUSE_FROM pch_torch)
  endif()
endfunction()

# What every test of core finds in its environment. Sanitizers make programs several times slower: tests that repeat something very often do it less often then.
set(STILLROOM_TEST_ENVIRONMENT "LC_ALL=C.UTF-8" "OMP_NUM_THREADS=1" "STILLROOM_RESOURCES=${PROJECT_SOURCE_DIR}/resources")
if(STILLROOM_SANITIZE)
  list(APPEND STILLROOM_TEST_ENVIRONMENT "STILLROOM_REDUCED_TESTS=1" "UBSAN_OPTIONS=print_stacktrace=1" "ASAN_OPTIONS=strict_string_checks=1")
endif()

# stillroom_test(NAME [TORCH] [HOT] [SEPARATE] SOURCES … [LINKS …]): one doctest program test_NAME, registered with ctest.
# HOT: it computes much itself (slow references of what is tested), as those with tensors do. The others need not be quick, only quick to compile.
# SEPARATE: its files use the same local names, so they are not joined where the others are (CMAKE_UNITY_BUILD).
function(stillroom_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH;HOT;SEPARATE" "TIMEOUT" "SOURCES;LINKS;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(STILLROOM_SANITIZE)
    math(EXPR arg_TIMEOUT "3 * ${arg_TIMEOUT}")
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/unit")
  target_compile_options(test_${name} PRIVATE -Wno-missing-field-initializers)   # tests set the one field they are about
  if(arg_HOT OR arg_TORCH)      # a precompiled header that was optimised is of no use without optimisation
    target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  else()
    target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O0>)   # what is tested keeps its own
  endif()
  target_link_libraries(test_${name} PRIVATE stillroom_testmain stillroom_testdata ${arg_LINKS})
  if(arg_SEPARATE)
    set_target_properties(test_${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  if(arg_TORCH)
    target_link_libraries(test_${name} PRIVATE stillroom::torch)
    target_precompile_headers(test_${name} REUSE_FROM pch_torch)
  endif()
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "unit;${arg_LABELS}"
    ENVIRONMENT "${STILLROOM_TEST_ENVIRONMENT}")
endfunction()
