option(SCFE_FUZZ "Count the reader's branches, and build what fuzzes it (clang)" OFF)

# Reading ONNX needs protozero (header-only protobuf reading, Debian libprotozero-dev); nothing at run time.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
function(scfe_onnx target)  # and the targets that hold its objects
  foreach(part IN LISTS ARGN)
    target_include_directories(${part} SYSTEM PRIVATE ${PROTOZERO_INCLUDE_DIR})
  endforeach()
  if(SCFE_SANITIZE STREQUAL "thread")
    return()
  endif()
  # Plans and operators once more in double (src/model/onnx/real.h). What the file holds is the same for both, and
  # convolutions on images are there in float only. Lightly optimised but for the one loop that matters.
  file(GLOB wide CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/model/onnx/*.cpp ${PROJECT_SOURCE_DIR}/src/model/ops/*.cpp)
  list(FILTER wide EXCLUDE REGEX
       "/(density_model|element_types?|embed|graph|kinks|output_of|place|read_onnx|reader|scores|stretches|tensor|tensor_reader|index)[.]cpp$")
  list(FILTER wide EXCLUDE REGEX "/(image_.*|winograd|sweeps|conv_pass|sparse_adjoint|loops_float)[.]cpp$")
  add_library(${target}_double OBJECT ${wide})
  target_compile_definitions(${target}_double PRIVATE SCFE_DOUBLE)
  target_include_directories(${target}_double PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  scfe_lightly(${target}_double)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/model/ops/loops_double.cpp PROPERTIES
    COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>" SKIP_PRECOMPILE_HEADERS ON)
  scfe_warnings(${target}_double)
  scfe_precompile(${target}_double <model/ops/dense.h> <model/ops/elementwise.h> <model/ops/index.h>
                  <model/ops/lower.h> <model/ops/sparse.h>)
  scfe_unity(${target}_double)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_double>)
  foreach(part IN LISTS ARGN ITEMS ${target}_double)
    target_compile_options(${part} PRIVATE $<$<BOOL:${SCFE_FUZZ}>:-fsanitize=fuzzer-no-link>)
  endforeach()
endfunction()

# Runs models for the scripts that compare with other runtimes.
function(scfe_onnx_tools)
  add_executable(run_onnx ${PROJECT_SOURCE_DIR}/tests/model/onnx/run_onnx.cpp)
  target_include_directories(run_onnx PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(run_onnx PRIVATE scfe nlohmann_json::nlohmann_json)
  scfe_warnings(run_onnx)
endfunction()
