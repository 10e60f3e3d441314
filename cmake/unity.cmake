# Sources eight at a time: most of a build from nothing is reading headers, and so they are read once for eight of them.
# A private name that two of the eight have is an error of the compiler; a file that stands alone keeps its names to itself.
# Not where a compiler cache stands in front of the compiler, nor in preset dev: there one change costs one file. (Nor in preset tsan,
# which has other eights.)
option(SCFE_UNITY "Compile sources eight at a time" ${PROJECT_IS_TOP_LEVEL})
function(scfe_unity target)  # files under src that stand alone...
  if(SCFE_UNITY AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    # One file's private names may hide another's there; preset dev, and so `make lint`, still looks for both.
    target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE alone)
    list(TRANSFORM alone APPEND .cpp)
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
