# The standard headers that most sources include, parsed once a target instead of in every source: a quarter of the time
# of a build from nothing. Every source still names what it uses. Not where a compiler cache stands in front of the
# compiler (it could not cache then), nor for clang-tidy (preset dev).
option(SCFE_PRECOMPILE "Precompile standard headers" ${PROJECT_IS_TOP_LEVEL})
function(scfe_precompile target)
  if(SCFE_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <cstdio> <map> <memory> <optional>
                              <set> <span> <string> <string_view> <utility> <vector> ${ARGN})
    # More of GCC 12's false alarms on inlined std::string (GCC bug 105651), which precompiled headers bring to light.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread> $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)
  endif()
endfunction()
