# Reading ONNX needs protozero (header-only protobuf reading, Debian libprotozero-dev); nothing at run time.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
function(scfe_onnx target)
  target_include_directories(${target} SYSTEM PRIVATE ${PROTOZERO_INCLUDE_DIR})
endfunction()
