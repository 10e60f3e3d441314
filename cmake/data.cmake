# idx files come compressed with gzip: zlib (Debian zlib1g-dev).
find_package(ZLIB REQUIRED)
function(scfe_data target)
  target_link_libraries(${target} PRIVATE ZLIB::ZLIB)
endfunction()
