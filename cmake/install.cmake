include(CMakePackageConfigHelpers)
install(TARGETS scfe EXPORT scfe_targets)
install(DIRECTORY include/scfe ${PROJECT_BINARY_DIR}/include/scfe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT scfe_targets NAMESPACE scfe:: FILE scfe-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scfe)
configure_package_config_file(cmake/scfe-config.cmake.in ${PROJECT_BINARY_DIR}/scfe-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scfe)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scfe-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scfe-config.cmake ${PROJECT_BINARY_DIR}/scfe-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scfe)
include(cmake/package.cmake)
