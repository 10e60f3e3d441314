# Reading ONNX needs protozero (header-only protobuf reading, Debian libprotozero-dev); nothing at run time.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
function(scfe_onnx target)
  target_include_directories(${target} SYSTEM PRIVATE ${PROTOZERO_INCLUDE_DIR})
  # Loops over lanes of a run-time length vectorise at -O3 only.
  file(GLOB ops CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/model/ops/*.cpp)
  set_source_files_properties(${ops} PROPERTIES COMPILE_OPTIONS -O3)
endfunction()

# Runs models for the scripts that compare with other runtimes.
function(scfe_onnx_tools)
  add_executable(run_onnx ${PROJECT_SOURCE_DIR}/tests/onnx/run_onnx.cpp)
  target_include_directories(run_onnx PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(run_onnx PRIVATE scfe nlohmann_json::nlohmann_json)
  scfe_warnings(run_onnx)
endfunction()

# A libFuzzer target for the reader; needs clang: cmake -DCMAKE_CXX_COMPILER=clang++ -DSCFE_FUZZ=ON.
option(SCFE_FUZZ "Build the fuzz targets (clang)" OFF)
function(scfe_onnx_fuzz)
  add_executable(fuzz_read_onnx ${PROJECT_SOURCE_DIR}/fuzz/read_onnx.cpp)
  target_link_libraries(fuzz_read_onnx PRIVATE scfe)
  target_compile_options(scfe PRIVATE -fsanitize=fuzzer-no-link,address,undefined)
  target_compile_options(fuzz_read_onnx PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_options(fuzz_read_onnx PRIVATE -fsanitize=fuzzer,address,undefined)
endfunction()
