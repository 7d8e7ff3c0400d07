# SPDX-License-Identifier: GPL-3.0-or-later
set(CPACK_PACKAGE_NAME stillroom)
set(CPACK_PACKAGE_CONTACT "Stillroom developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Workbench that turns softmax Transformers into hybrids with linear attention")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
