# The hot loops, compiled once per instruction set and chosen at run time (src/kernel/kernels.cpp).
# Sources under src/kernel/isa/ know no std and no Eigen: an inline function shared between
# translation units of different instruction sets would be merged by the linker.
function(scfe_kernels target)
  file(GLOB isa_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernel/isa/*.cpp)
  set(levels baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND levels v3)
    target_compile_definitions(${target} PRIVATE SCFE_HAS_V3)
  endif()
  foreach(level IN LISTS levels)
    add_library(${target}_kernels_${level} OBJECT ${isa_sources})
    target_compile_definitions(${target}_kernels_${level} PRIVATE SCFE_ISA=${level})
    target_include_directories(${target}_kernels_${level} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    # A tile's sums must stay in registers: as patterns, g++ would clear and copy them by string instructions.
    # Not for the preset that clang-tidy reads: it does not know the flag.
    target_compile_options(${target}_kernels_${level} PRIVATE -O3 -Wno-psabi
                           $<$<AND:$<CXX_COMPILER_ID:GNU>,$<NOT:$<CONFIG:Debug>>>:-fno-tree-loop-distribute-patterns>)
    # Tuned for AMD's own cores g++ 12 makes the tiles an eighth slower (docs/decisions/0001-lanes.md).
    if(level STREQUAL "v3")
      target_compile_options(${target}_kernels_${level} PRIVATE -march=x86-64-v3 -mtune=skylake)
    endif()
    scfe_warnings(${target}_kernels_${level})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_kernels_${level}>)
  endforeach()
endfunction()
