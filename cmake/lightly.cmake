# -O1 for what is not on the way of a row's search: it compiles in two thirds of the time, and neither the rows a second
# nor the instruction counts of bench/instructions.py change.
function(scfe_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
