# SPDX-License-Identifier: GPL-3.0-or-later
# An installed tree runs from wherever it lies: LibTorch's libraries come along in lib/stillroom and are found beside the program.
# Not where they may not or need not be passed on: NVIDIA's do not go with a GPL program, and a system's own LibTorch is there already.
set(_bundle ON)
if(TORCH_CUDA_LIBRARIES OR TORCH_INSTALL_PREFIX MATCHES "^/usr(/local)?/?$")
  set(_bundle OFF)
endif()
option(STILLROOM_BUNDLE_TORCH "Install LibTorch's libraries into lib/stillroom" ${_bundle})
if(STILLROOM_BUNDLE_TORCH)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/stillroom")
else()
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()

function(stillroom_install_program target)
  install(TARGETS ${target} RUNTIME_DEPENDENCY_SET stillroom_dependencies RUNTIME DESTINATION bin)   # resources are looked for in ../share
endfunction()

# Of all that the programs need, what lies in LibTorch's folder. Called once, after the last program.
function(stillroom_install_torch)
  if(NOT STILLROOM_BUNDLE_TORCH)
    return()
  endif()
  file(REAL_PATH "${TORCH_INSTALL_PREFIX}" real)
  set(folders)
  foreach(folder "${TORCH_INSTALL_PREFIX}" "${real}")
    string(REGEX REPLACE "([][+.*()^$?|])" "\\\\\\1" folder "${folder}")
    list(APPEND folders "^${folder}/lib/")
  endforeach()
  install(RUNTIME_DEPENDENCY_SET stillroom_dependencies
    POST_INCLUDE_REGEXES ${folders} POST_EXCLUDE_REGEXES ".*"
    LIBRARY DESTINATION lib/stillroom)
  file(GLOB licences LIST_DIRECTORIES true "${real}/../torch-*.dist-info/licenses" "${real}/../torch-*.dist-info/LICENSE*")
  if(licences)
    install(DIRECTORY ${licences} DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/stillroom/libtorch")
  else()
    message(STATUS "LibTorch's licence was not found beside it: add it before you pass an installed tree on")
  endif()
endfunction()
