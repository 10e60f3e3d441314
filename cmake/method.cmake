# mip-live with norm l1 and a limit on the number of changes is a mixed-integer program: CBC solves it (Debian
# coinor-libcbc-dev). AUTO: used where it is found. Without it that one question is refused, nothing else.
set(SCFE_MIP AUTO CACHE STRING "Mixed-integer programs by CBC: AUTO, ON or OFF")
set_property(CACHE SCFE_MIP PROPERTY STRINGS AUTO ON OFF)
function(scfe_mip target)
  if(NOT SCFE_MIP)
    return()
  endif()
  find_path(CBC_INCLUDE_DIR CbcModel.hpp PATH_SUFFIXES coin coin-or)
  foreach(part IN ITEMS Cbc OsiClp Clp Osi CoinUtils)
    find_library(CBC_${part}_LIBRARY ${part})
    list(APPEND parts ${CBC_${part}_LIBRARY})
  endforeach()
  list(LENGTH parts found)
  if(NOT CBC_INCLUDE_DIR OR parts MATCHES "NOTFOUND" OR NOT found EQUAL 5)
    if(SCFE_MIP STREQUAL "AUTO")
      message(STATUS "CBC not found: mip-live with norm l1 and a limit on changes will be refused")
      return()
    endif()
    message(FATAL_ERROR "SCFE_MIP is on, but CBC was not found (Debian: coinor-libcbc-dev)")
  endif()
  # The one file that knows it; its headers are not ours to warn about.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/method/mip.cpp PROPERTIES
    COMPILE_DEFINITIONS SCFE_HAS_MIP COMPILE_OPTIONS "-isystem;${CBC_INCLUDE_DIR}")
  target_link_libraries(${target} PRIVATE ${parts})
endfunction()

# Solves PCFE's programs for the script that compares with another solver.
function(scfe_method_tools)
  add_executable(run_pcfe ${PROJECT_SOURCE_DIR}/tests/method/run_pcfe.cpp)
  target_include_directories(run_pcfe PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(run_pcfe PRIVATE scfe nlohmann_json::nlohmann_json)
  scfe_warnings(run_pcfe)
endfunction()
