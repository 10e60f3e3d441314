option(SCFE_FUZZ "Build the fuzz targets (clang)" OFF)

# Reading ONNX needs protozero (header-only protobuf reading, Debian libprotozero-dev); nothing at run time.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
function(scfe_onnx target)
  target_include_directories(${target} SYSTEM PRIVATE ${PROTOZERO_INCLUDE_DIR})
endfunction()

# Runs models for the scripts that compare with other runtimes.
function(scfe_onnx_tools)
  add_executable(run_onnx ${PROJECT_SOURCE_DIR}/tests/onnx/run_onnx.cpp)
  target_include_directories(run_onnx PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(run_onnx PRIVATE scfe nlohmann_json::nlohmann_json)
  scfe_warnings(run_onnx)
endfunction()

# A libFuzzer target for the reader; needs clang (scripts/fuzz). Only what it runs is compiled, with sanitizers.
function(scfe_onnx_fuzz)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/model/onnx/*.cpp ${PROJECT_SOURCE_DIR}/src/model/ops/*.cpp
       ${PROJECT_SOURCE_DIR}/src/kernel/*.cpp ${PROJECT_SOURCE_DIR}/src/model/activation.cpp
       ${PROJECT_SOURCE_DIR}/src/model/ensemble*.cpp ${PROJECT_SOURCE_DIR}/src/support/block.cpp)
  add_executable(fuzz_read_onnx ${PROJECT_SOURCE_DIR}/fuzz/read_onnx.cpp ${sources})
  target_include_directories(fuzz_read_onnx PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(fuzz_read_onnx SYSTEM PRIVATE ${PROTOZERO_INCLUDE_DIR})
  target_link_libraries(fuzz_read_onnx PRIVATE nlohmann_json::nlohmann_json)
  target_compile_options(fuzz_read_onnx PRIVATE -O1 -g1 -fsanitize=fuzzer,address,undefined
                         -fno-sanitize-recover=undefined)
  target_link_options(fuzz_read_onnx PRIVATE -fsanitize=fuzzer,address,undefined)
  scfe_kernels(fuzz_read_onnx)
endfunction()
