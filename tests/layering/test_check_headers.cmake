# Tries check_headers.cmake on made-up trees. usage: as check_headers.cmake, with -DCHECK=<check_headers.cmake>
# and -DSCRATCH=<directory to use> in place of ROOT.
cmake_minimum_required(VERSION 3.25)

# expect(<accepted|refused> <header to be named> <path> <text> ...): runs the check on a tree of these files.
function(expect verdict named)
  set(tree "${SCRATCH}/tree with a space")
  file(REMOVE_RECURSE "${tree}")
  while(ARGN)
    list(POP_FRONT ARGN path text)
    file(WRITE "${tree}/${path}" "${text}\n")
  endwhile()
  file(MAKE_DIRECTORY "${SCRATCH}/run")
  execute_process(
    COMMAND ${CMAKE_COMMAND} "-DROOT=${tree}" "-DCOMPILER=${COMPILER}" "-DFLAGS=${FLAGS}"
            "-DINCLUDE_DIRS=${INCLUDE_DIRS}" -P "${CHECK}"
    WORKING_DIRECTORY "${SCRATCH}/run"
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
  string(FIND "${said}" "${named} does not compile alone" at)
  if(verdict STREQUAL "accepted" AND NOT status STREQUAL "0")
    message(SEND_ERROR "a good tree was refused: ${said}")
  elseif(verdict STREQUAL "refused" AND (status STREQUAL "0" OR at EQUAL -1))
    message(SEND_ERROR "${named} was not found; status ${status}, said: ${said}")
  endif()
endfunction()

set(good "#pragma once\n#include <vector>\ninline std::vector<int> good()\n{ return {}\;\n}")
expect(accepted "" lib/good.hpp "${good}" "cli/two words.hpp" "#pragma once\n#include \"lib/good.hpp\"")
expect(refused lib/bad.hpp lib/good.hpp "${good}" lib/bad.hpp "#pragma once\nusing Bad = std::vector<int>\;")
expect(refused analysis/deep/bad.hpp lib/good.hpp "${good}"
  analysis/deep/bad.hpp "#pragma once\n#include \"lib/absent.hpp\"")
expect(refused lib/twice.hpp lib/twice.hpp "struct Twice {}\;")
# The build has seen to the first include of a twin, and to no other.
expect(accepted "" lib/a.hpp "#pragma once\nusing A = std::vector<int>\;" lib/a.cpp "#include \"lib/a.hpp\"")
expect(refused lib/a.hpp lib/a.hpp "#pragma once\nusing A = std::vector<int>\;"
  lib/a.cpp "#include <vector>\n#include \"lib/a.hpp\"")
expect(refused lib/a.hpp lib/a.hpp "struct A {}\;" lib/a.cpp "#include \"lib/a.hpp\"")
