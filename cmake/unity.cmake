# Compiles up to sixteen sources of a folder as one: most of the time of a clean build is spent on reading headers, which
# are then read once for all of them. So private names are unique within their folder; two of the same name are an error
# of the compiler. A source with compile options, definitions or include directories of its own is compiled alone (CMake
# sees to that).
# Off with a compiler cache and in preset dev, where a change should compile one file only, and in preset tsan, which
# leaves folders out.
option(SCFE_UNITY "Compile up to sixteen sources of a folder as one" ${PROJECT_IS_TOP_LEVEL})
function(scfe_unity target)
  if(NOT SCFE_UNITY OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # In a unity source private names of one file may hide those of another; preset dev, and so `make lint`, still checks.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  # GCC collects its garbage from 128 MB on, a tenth of the time on sources of this size. At 500 MB it seldom has to.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=500000>)
  get_target_property(folders ${target} SOURCES)
  list(FILTER folders INCLUDE REGEX "[.]cpp$")
  list(TRANSFORM folders REPLACE "/[^/]*$" "")
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    # The group depends on the place in the folder alone: two targets may share a source, but not its properties.
    file(GLOB sources ${folder}/*.cpp)
    list(LENGTH sources count)
    math(EXPR groups "(${count} + 15) / 16")
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${name} name)
    set(place 0)
    foreach(source IN LISTS sources)
      math(EXPR group "${place} * ${groups} / ${count}")
      math(EXPR place "${place} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${group})
    endforeach()
  endforeach()
endfunction()
