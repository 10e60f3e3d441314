# Warnings are errors in builds of our own, not where another project includes this one. Plain IEEE arithmetic, never -ffast-math: results must not depend on the
# level of optimisation, nor products and sums be fused where the processor can, unless the source says so
# (src/kernel/isa/vector.h). The two -fno flags only drop traps and errno, without which loops over
# comparisons and exp do not vectorise.
option(SCFE_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
function(scfe_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion $<$<BOOL:${SCFE_WERROR}>:-Werror>
    # False alarms of GCC 12 on inlined std::string and std::vector (GCC bugs 105329, 104475).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-free-nonheap-object>
    -ffp-contract=off -fno-trapping-math -fno-math-errno)
  if(SCFE_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${SCFE_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${SCFE_SANITIZE})
    if(SCFE_SANITIZE MATCHES "undefined")
      # What the address sanitizer sees anyway is left to it: a third of the compile time.
      target_compile_options(${target} PUBLIC -fno-sanitize-recover=undefined -fno-sanitize=null,object-size)
    endif()
  endif()
endfunction()
