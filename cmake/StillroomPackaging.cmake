# SPDX-License-Identifier: GPL-3.0-or-later
stillroom_install_torch()
install(FILES LICENSE README.md WALKTHROUGH.md EXPECTATIONS.md core/store/SCHEMA.md DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/stillroom")
install(FILES packaging/copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/stillroom")

set(CPACK_PACKAGE_NAME stillroom)
set(CPACK_PACKAGE_VENDOR "Stillroom")
set(CPACK_PACKAGE_CONTACT "Stillroom developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Workbench that turns softmax Transformers into hybrids with linear attention")
set(CPACK_PACKAGE_DESCRIPTION
"Stillroom measures which layers of a pretrained Transformer need softmax
attention (KL-guided layer selection), shows it with error bars, distils the
hybrid that keeps them while the others become linear-time (Gated DeltaNet, GLA),
and stores every run in one documented SQLite file. A window and a command line
do the same work from the same files.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${TORCH_INSTALL_PREFIX}/lib")
if(STILLROOM_GUI)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libqt6svg6)   # loaded by name, so the linker does not know of it
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS qt6-translations-l10n)
endif()
include(CPack)
