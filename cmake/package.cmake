# The .deb of what `cmake --install` installs, by CPack (scripts/dist, which builds the targets it needs).
if(NOT PROJECT_IS_TOP_LEVEL OR NOT SCFE_CLI OR SKBUILD)
  return()
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/scfe RENAME copyright)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/scfe)

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # tests and benchmarks are not packed, so they need not be built
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scfe)
set(CPACK_PACKAGE_CONTACT "The S-CFE developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # dependencies of the programs are read off them
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, coinor-libcbc-dev")  # for C++ programs that link the library
include(CPack)
